"""Exports of a deck: card pictures, print-shop PDF, Tabletop Simulator, cut files."""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from companion.drawing.scene import Scene
from companion.errors import PrintError
from companion.files.atomic import replacing
from companion.job import Job, Printed, agree_on_sizes, distinct, widest_bleed
from companion.layouts.model import Layout
from companion.sheets.impose import SheetStyle, impose
from companion.units import MM_PER_INCH

Progress = Callable[[int, int], None]

PRESETS: dict[str, tuple[float, float]] = {
    "makeplayingcards": (3.175, 300),
    "drivethrucards": (3.175, 300),
    "gamecrafter": (3.175, 300),
    "printerstudio": (3.175, 300),
}
"""Print-on-demand shops: (bleed in millimetres: 1/8 inch, ppi)."""
MOST_COLUMNS, MOST_ROWS = 10, 7
"""Tabletop Simulator's largest grid; its last cell is reserved for the hidden face."""


@dataclass(frozen=True)
class Face:
    """One face to export: its scene and the name of its file without suffix."""

    card: str
    side: str
    stem: str
    scene: Scene


def faces(job: Job, run: Sequence[Printed], bleed: float | None, copies: bool) -> list[Face]:
    """Fronts and backs in the run's order, each distinct card once unless `copies`.

    `bleed` replaces the layouts' own. Raises DataError or PrintError with every problem.
    """
    agree_on_sizes(job, job.run)
    chosen = list(run) if copies else list(distinct(run))
    # for a wider bleed backgrounds are drawn anew, to reach it
    other: dict[str, Layout] = {}
    digits = len(str(len(chosen)))
    result = []
    for number, printed in enumerate(chosen, 1):
        name = f"{number:0{digits}}-{_slug(printed.card.id)}"
        for side, layout in (("front", printed.front), ("back", printed.back)):
            if layout is None:
                continue
            drawn = layout
            if bleed is not None and bleed > layout.bleed:
                drawn = other.setdefault(layout.name, replace(layout, bleed=bleed))
            scene = job.composer.face(drawn, printed.group, printed.card)
            if bleed is not None:
                scene = replace(scene, bleed=bleed)
            stem = name if side == "front" else f"{name}-back"
            result.append(Face(printed.card.id, side, stem, scene))
    job.problems.raise_errors()
    return result


def _slug(text: str) -> str:
    return re.sub(r"[^\w.-]+", "-", text).strip("-.") or "card"


def pdf_of(job: Job, scenes: Sequence[Scene]) -> bytes:
    """One page a scene: MediaBox = BleedBox, TrimBox inside (P10)."""
    from companion.writers.pdf import Metadata, write_pages

    stream = io.BytesIO()

    @contextmanager
    def opened() -> Iterator[BinaryIO]:
        yield stream

    metadata = Metadata(job.deck.title_in(job.wording.first), job.deck.version, job.wording.first)
    font = job.composer.fonts.shipped_regular()
    write_pages(opened, scenes, metadata, font, job.problems)
    return stream.getvalue()


def export_pdf(job: Job, run: Sequence[Printed], target: Path, bleed: float | None) -> int:
    """A PDF for a print shop, one face a page; returns the number of pages."""
    found = faces(job, run, bleed, copies=True)
    data = pdf_of(job, [face.scene for face in found])
    with replacing(target) as stream:
        stream.write(data)
    return len(found)


def export_png(
    job: Job,
    run: Sequence[Printed],
    folder: Path,
    *,
    ppi: float = 300,
    bleed: float | None = None,
    copies: bool = False,
    progress: Progress = lambda done, total: None,
) -> list[Path]:
    """One PNG a face (P21); `bleed` 0 cuts it off, None keeps the layout's. Returns the files."""
    from companion.writers.raster import write_pngs

    found = faces(job, run, bleed, copies)
    data = pdf_of(job, [face.scene for face in found])
    jobs = [
        (number, pixels(face.scene, ppi), folder / f"{face.stem}.png")
        for number, face in enumerate(found)
    ]
    write_pngs(data, jobs, ppi, progress)
    return [path for _, _, path in jobs]


def pixels(scene: Scene, ppi: float) -> tuple[int, int]:
    """The size of a face in pixels, to the nearest whole one."""
    return (
        round((scene.width + 2 * scene.bleed) / MM_PER_INCH * ppi),
        round((scene.height + 2 * scene.bleed) / MM_PER_INCH * ppi),
    )


# Tabletop Simulator


@dataclass(frozen=True)
class Atlas:
    """A grid of equal cells and the cards in it, in order."""

    columns: int
    rows: int
    cards: tuple[int, ...]


def atlases(count: int) -> list[Atlas]:
    """Sheets for `count` cards: 10 × 7 with the last cell reserved, the rest on a smaller grid."""
    result, first = [], 0
    most = MOST_COLUMNS * MOST_ROWS - 1
    while first < count:
        here = min(most, count - first)
        square = math.ceil(math.sqrt(here + 1))
        columns = min(MOST_COLUMNS, max(2, square, math.ceil((here + 1) / MOST_ROWS)))
        if here == most:
            columns = MOST_COLUMNS
        rows = max(2, math.ceil((here + 1) / columns))
        result.append(Atlas(columns, rows, tuple(range(first, first + here))))
        first += here
    return result


def export_tts(
    job: Job,
    run: Sequence[Printed],
    folder: Path,
    *,
    most_pixels: int = 4096,
    progress: Progress = lambda done, total: None,
) -> list[Path]:
    """Atlas pictures, one back picture a group and side, and a saved object (P26).

    All cards must have one size. Returns the files. Raises PrintError.
    """
    import pypdfium2
    from PIL import Image

    from companion.writers.raster import png_bytes, render

    cards = list(run)
    sizes = {(p.front.width, p.front.height) for p in cards}
    if len(sizes) > 1:
        raise PrintError("a Tabletop Simulator deck needs cards of one size; use --only GROUP")
    found = faces(job, cards, 0.0, copies=True)
    fronts = [face for face in found if face.side == "front"]
    backs = [face for face in found if face.side == "back"]
    if backs and len(backs) < len(fronts):
        raise PrintError("some cards have a back and some do not; use --only GROUP")
    unique = len({id(face.scene.items) for face in backs}) > 1
    document = pypdfium2.PdfDocument(pdf_of(job, [f.scene for f in (*fronts, *backs)]))
    width, height = next(iter(sizes))
    files, sheets = [], atlases(len(fronts))
    for number, atlas in enumerate(sheets, 1):
        cell = _cell(atlas, width, height, most_pixels)
        for side, offset in (("front", 0), ("back", len(fronts))):
            if side == "back" and not unique:
                continue
            canvas = Image.new("RGB", (cell[0] * atlas.columns, cell[1] * atlas.rows), "white")
            for place, card in enumerate(atlas.cards):
                row, column = divmod(place, atlas.columns)
                image = render(document, offset + card, cell)
                canvas.paste(image, (column * cell[0], row * cell[1]))
            path = folder / f"{job.deck.name}-{side}s-{number}.png"
            with replacing(path) as stream:
                stream.write(png_bytes(canvas, 300))
            files.append(path)
        progress(number, len(sheets))
    if not unique:
        back = folder / f"{job.deck.name}-back.png"
        cell = (round(width / MM_PER_INCH * 300), round(height / MM_PER_INCH * 300))
        picture = (
            render(document, len(fronts), cell) if backs else Image.new("RGB", cell, (60, 60, 60))
        )
        with replacing(back) as stream:
            stream.write(png_bytes(picture, 300))
        files.append(back)
    saved = folder / f"{job.deck.name}.json"
    with replacing(saved) as stream:
        text = json.dumps(_saved_object(job, fronts, sheets, unique), ensure_ascii=False, indent=1)
        stream.write(text.encode())
    return [*files, saved]


def _cell(atlas: Atlas, width: float, height: float, most: int) -> tuple[int, int]:
    """Whole pixels of a cell: no side of the atlas over `most`, no finer than 300 ppi."""
    scale = min(most / (atlas.columns * width), most / (atlas.rows * height), 300 / MM_PER_INCH)
    return int(width * scale), int(height * scale)


def _saved_object(
    job: Job, fronts: Sequence[Face], sheets: Sequence[Atlas], unique: bool
) -> dict[str, Any]:
    """Tabletop Simulator's saved object; `companion` maps card ids to sheet, row, column."""
    custom, contained, ids, places = {}, [], [], []
    for number, atlas in enumerate(sheets, 1):
        name = job.deck.name
        custom[str(number)] = {
            "FaceURL": f"{name}-fronts-{number}.png",
            "BackURL": f"{name}-backs-{number}.png" if unique else f"{name}-back.png",
            "NumWidth": atlas.columns,
            "NumHeight": atlas.rows,
            "BackIsHidden": True,
            "UniqueBack": unique,
        }
        for place, card in enumerate(atlas.cards):
            row, column = divmod(place, atlas.columns)
            ids.append(100 * number + place)
            contained.append({"Name": "Card", "Nickname": fronts[card].card, "CardID": ids[-1]})
            places.append(
                {"id": fronts[card].card, "sheet": number, "row": row + 1, "column": column + 1}
            )
    deck = {
        "Name": "DeckCustom",
        "Nickname": job.deck.title_in(job.wording.first),
        "Transform": {"posX": 0, "posY": 1, "posZ": 0, "rotX": 0, "rotY": 180, "rotZ": 180}
        | {"scaleX": 1, "scaleY": 1, "scaleZ": 1},
        "DeckIDs": ids,
        "CustomDeck": custom,
        "ContainedObjects": contained,
    }
    return {"ObjectStates": [deck], "companion": places}


# cut files


def export_cut(job: Job, run: Sequence[Printed], style: SheetStyle, target: Path) -> int:
    """One closed outline for each used slot of the first sheet (P25); returns how many."""
    from companion.writers import cutfile

    cards = list(run)
    if all(printed.front.shape for printed in cards):
        return _export_tile_cut(job, cards, style, target)
    size = (cards[0].front.width, cards[0].front.height)
    if any(p.front.shape or (p.front.width, p.front.height) != size for p in cards):
        raise PrintError("a cut file is for cards of one size or for tiles; use --part or --only")
    # with the bleed of the print: it decides which slots stay free beside registration marks
    plan = impose(size, widest_bleed(cards), [False] * len(cards), style)
    for note in plan.notes:
        if "registration" in note:
            job.problems.warning(note)
    outlines = []
    for placement in plan.pages[0].placements:
        slot = placement.slot
        box = tuple(value / 1000 for value in (slot.x, slot.y, slot.width, slot.height))
        outlines.append(
            cutfile.rounded_rectangle(box[0], box[1], box[2], box[3], cards[0].front.corner)
        )
    paper = (plan.frame.page_width / 1000, plan.frame.page_height / 1000)
    _write_cut(paper, outlines, target)
    return len(outlines)


def _export_tile_cut(job: Job, cards: Sequence[Printed], style: SheetStyle, target: Path) -> int:
    """Closed outlines of the first sheet's tiles, and every shared line once on its own layer."""
    from companion.press import nest_plan
    from companion.writers.cutfile import Outline

    sheet = nest_plan(job, cards, style).sheets[0]
    outlines = [Outline(tile.points) for tile in sheet.tiles]
    runs = [Outline(run, "shared", closed=False) for run in sheet.cuts.runs]
    _write_cut(style.paper, [*outlines, *runs], target)
    return len(outlines)


def _write_cut(paper: tuple[float, float], outlines: list[Any], target: Path) -> None:
    from companion.writers import cutfile

    write = cutfile.svg if target.suffix == ".svg" else cutfile.dxf
    with replacing(target) as stream:
        stream.write(write(paper, outlines).encode())
