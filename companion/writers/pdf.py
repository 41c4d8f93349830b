"""Scenes and sheets → PDF through ReportLab: pages, boxes, marks, labels, metadata."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO

from companion.drawing.fonts import Font
from companion.drawing.scene import Run, Scene
from companion.errors import Problems
from companion.layouts.colors import Color
from companion.shapes import Point
from companion.sheets.model import Label, Page, Placement, SheetPlan
from companion.sheets.nesting import NestPlan, Placed
from companion.units import PT_PER_MM
from companion.writers.pdf_ink import AS_DESIGNED, Ink, Look

_UM = PT_PER_MM / 1000
_MARK_WIDTH = 0.25
_MARK_GREY = "0.35 G"
_LABEL_POINTS = 6.0
_LABEL_SMALLEST = 4.5
_LABEL_GREY: Color = (0.35, 0.35, 0.35)


@dataclass(frozen=True)
class Metadata:
    """What the PDF says of itself."""

    title: str
    subject: str = ""
    language: str = ""


Plan = SheetPlan | NestPlan
FaceOf = Callable[[bool, int], tuple[Scene, bool]]
"""(is it the back?, card index) → its scene, and whether it is drawn more than once."""


def write_sheets(
    open_stream: Callable[[], AbstractContextManager[BinaryIO]],
    plans: list[tuple[Plan, FaceOf]],
    metadata: Metadata,
    label_font: Font,
    progress: Callable[[int], None] = lambda pages: None,
    problems: Problems | None = None,
    look: Look = AS_DESIGNED,
) -> int:
    """Write all pages of all plans to a stream; returns the number of pages.

    Pictures that cannot be drawn are noted in `problems`; if it then holds an error, whoever
    noted it, that is raised before the stream is opened.
    """
    problems = Problems() if problems is None else problems
    with _reportlab_settings():
        document = _Document(metadata, label_font, problems, look)
        for plan, face_of in plans:
            if isinstance(plan, NestPlan):
                for number in range(len(plan.sheets)):
                    document.nested_page(plan, number, face_of)
                    progress(1)
                continue
            for page in plan.pages:
                document.sheet_page(plan, page, face_of)
                progress(1)
        problems.raise_errors()
        with open_stream() as stream:
            document.save(stream)
        return document.pages


def write_pages(
    open_stream: Callable[[], AbstractContextManager[BinaryIO]],
    scenes: Iterable[Scene],
    metadata: Metadata,
    label_font: Font,
    problems: Problems | None = None,
    look: Look = AS_DESIGNED,
) -> int:
    """One scene a page, its bleed around it: MediaBox and BleedBox hold it, TrimBox does not.

    Returns the number of pages. Problems as in `write_sheets`.
    """
    problems = Problems() if problems is None else problems
    with _reportlab_settings():
        document = _Document(metadata, label_font, problems, look)
        for scene in scenes:
            document.scene_page(scene)
        problems.raise_errors()
        with open_stream() as stream:
            document.save(stream)
        return document.pages


@contextmanager
def _reportlab_settings() -> Iterator[None]:
    """Reproducible bytes and binary streams, and the settings as they were afterwards."""
    from reportlab import rl_config

    before = rl_config.useA85, rl_config.invariant
    rl_config.useA85, rl_config.invariant = 0, 1
    try:
        yield
    finally:
        rl_config.useA85, rl_config.invariant = before


class _Document:
    """A PDF being written: its canvas, and the forms made so far."""

    def __init__(
        self, metadata: Metadata, label_font: Font, problems: Problems, look: Look
    ) -> None:
        from reportlab.pdfbase import pdfmetrics
        from reportlab.pdfgen.canvas import Canvas

        pdfmetrics.registerFont(label_font.face)
        self.pages = 0
        self._problems = problems
        self._label_font = label_font
        # the initial font must be embedded: the default is a Helvetica that nobody asked for
        self._canvas = Canvas(
            None,
            pageCompression=1,
            invariant=1,
            initialFontName=label_font.face.fontName,
            lang=metadata.language or None,
        )
        self._canvas.setTitle(metadata.title)
        self._canvas.setSubject(metadata.subject)
        self._canvas.setAuthor("")
        self._canvas.setCreator("companion")
        self._look = look
        self._ink = Ink(self._canvas, problems, look)

    def save(self, stream: BinaryIO) -> None:
        """Write object by object: ReportLab would first gather the whole file in memory."""
        from reportlab.pdfbase import pdfdoc

        ordinary = pdfdoc.PDFFile

        class StreamedFile(ordinary):  # type: ignore[misc, valid-type]
            def __init__(self, *arguments: Any) -> None:
                super().__init__(*arguments)
                head: list[bytes] = self.strings
                stream.write(b"".join(head))
                self.strings: list[bytes] = []
                self.write = stream.write

        self._canvas._filename = stream
        pdfdoc.PDFFile = StreamedFile
        try:
            self._canvas.save()
        finally:
            pdfdoc.PDFFile = ordinary

    def sheet_page(self, plan: SheetPlan, page: Page, face_of: FaceOf) -> None:
        """One side of a sheet: cards, then marks and label."""
        frame = plan.frame
        height = frame.page_height
        self._canvas.setPageSize((frame.page_width * _UM, height * _UM))
        # a form made on an empty page would make ReportLab forget what the page uses
        self._canvas._code.append("")
        ops: list[str] = []
        if page.side == "back" and self._look.back and page.placements:
            ops.append(" ".join(f"{value:.6f}" for value in self._look.back) + " cm")
        for placement in page.placements:
            scene, shared = face_of(placement.back, placement.card)
            ops.append(self._placed(scene, placement, height, shared))
        if page.marks:
            ops.append(f"q {_MARK_GREY} {_MARK_WIDTH} w")
            ops.extend(
                f"{m.x1 * _UM:.3f} {(height - m.y1) * _UM:.3f} m "
                f"{m.x2 * _UM:.3f} {(height - m.y2) * _UM:.3f} l S"
                for m in page.marks
            )
            ops.append("Q")
        if page.fold:
            fold = page.fold
            y = (height - fold.y1) * _UM
            ops.append(
                f"q {_MARK_GREY} {_MARK_WIDTH} w [3 3] 0 d "
                f"{fold.x1 * _UM:.3f} {y:.3f} m {fold.x2 * _UM:.3f} {y:.3f} l S Q"
            )
        if page.bars:
            ops.append("q 0 g")
            ops.extend(
                f"{b.x * _UM:.3f} {(height - b.y - b.height) * _UM:.3f} "
                f"{b.width * _UM:.3f} {b.height * _UM:.3f} re f"
                for b in page.bars
            )
            ops.append("Q")
        if page.label:
            ops.append(self._label(page.label, height))
        if page.placements:
            self._boxes(page, frame.page_width, height)
        self._canvas._code.extend(ops)
        self._canvas.showPage()
        self.pages += 1

    def nested_page(self, plan: NestPlan, number: int, face_of: FaceOf) -> None:
        """One sheet of shaped tiles, each clipped to its cell."""
        width, height = plan.paper
        self._canvas.setPageSize((width * PT_PER_MM, height * PT_PER_MM))
        self._canvas._code.append("")
        sheet = plan.sheets[number]
        for tile, cell in zip(sheet.tiles, plan.cells[number], strict=True):
            scene, _ = face_of(False, tile.card)
            assert scene.anchor
            self._canvas._code.append(
                f"q {_closed(cell, height)} W n {_turned_to(tile, scene, height)} cm "
                f"{self._ink.scene(scene, False)} Q"
            )
        text = f"{plan.label} · {number + 1} front"
        room = round((width - 2 * plan.margin) * 1000)
        x, y = round(plan.margin * 1000), round((height - plan.margin / 2) * 1000)
        self._canvas._code.append(self._label(Label(x, y, room, text), round(height * 1000)))
        self._canvas.showPage()
        self.pages += 1

    def scene_page(self, scene: Scene) -> None:
        """A page as large as a scene with its bleed."""
        edge = scene.bleed * PT_PER_MM
        width, height = scene.width * PT_PER_MM, scene.height * PT_PER_MM
        self._canvas.setPageSize((width + 2 * edge, height + 2 * edge))
        self._canvas._code.append("")
        ops = self._ink.items(scene.items, scene.height, scene)
        self._canvas.setTrimBox((edge, edge, width + edge, height + edge))
        self._canvas.setBleedBox((0, 0, width + 2 * edge, height + 2 * edge))
        self._canvas._code.append(f"q 1 0 0 1 {edge:.4f} {edge:.4f} cm {ops} Q")
        self._canvas.showPage()
        self.pages += 1

    def _boxes(self, page: Page, width: int, height: int) -> None:
        """TrimBox round all trims of the page, BleedBox round all bleeds."""
        slots = [(p.slot, p.bleed) for p in page.placements]
        left = min(slot.x for slot, _ in slots)
        top = min(slot.y for slot, _ in slots)
        right = max(slot.x + slot.width for slot, _ in slots)
        bottom = max(slot.y + slot.height for slot, _ in slots)
        self._canvas.setTrimBox(_box(left, top, right, bottom, height))
        left = max(0, min(slot.x - bleed.left for slot, bleed in slots))
        top = max(0, min(slot.y - bleed.top for slot, bleed in slots))
        right = min(width, max(slot.x + slot.width + bleed.right for slot, bleed in slots))
        bottom = min(height, max(slot.y + slot.height + bleed.bottom for slot, bleed in slots))
        self._canvas.setBleedBox(_box(left, top, right, bottom, height))

    def _placed(self, scene: Scene, placement: Placement, height: int, shared: bool) -> str:
        slot, bleed = placement.slot, placement.bleed
        left, right = slot.x - bleed.left, slot.x + slot.width + bleed.right
        top, bottom = slot.y - bleed.top, slot.y + slot.height + bleed.bottom
        clip = (
            f"{left * _UM:.3f} {(height - bottom) * _UM:.3f} "
            f"{(right - left) * _UM:.3f} {(bottom - top) * _UM:.3f} re W n"
        )
        x, y = slot.x * _UM, (height - slot.y - slot.height) * _UM
        wide, tall = slot.width * _UM, slot.height * _UM
        matrix = {
            0: f"1 0 0 1 {x:.3f} {y:.3f}",
            90: f"0 -1 1 0 {x:.3f} {y + tall:.3f}",
            180: f"-1 0 0 -1 {x + wide:.3f} {y + tall:.3f}",
            270: f"0 1 -1 0 {x + wide:.3f} {y:.3f}",
        }[int(slot.turn)]
        return f"q {clip} {matrix} cm {self._ink.scene(scene, shared)} Q"

    def _label(self, label: Label, page_height: int) -> str:
        font, room = self._label_font, label.room * _UM
        text, width = "", 0.0
        for char in label.text:
            advance = font.widths.get(ord(char))
            if advance is None:
                self._note_label(f"no glyph for '{char}' (U+{ord(char):04X}), left out")
            elif (width + advance) * _LABEL_SMALLEST > room:
                self._note_label("it is too long and cut off")
                break
            else:
                text, width = text + char, width + advance
        points = min(_LABEL_POINTS, room / width) if width else _LABEL_POINTS
        run = Run(0, 0, text, font, points, _LABEL_GREY)
        turn = "0 1 -1 0" if label.upwards else "1 0 0 1"
        x, y = label.x * _UM, (page_height - label.y) * _UM
        return f"q {turn} {x:.3f} {y:.3f} cm {self._ink.items((run,), 0.0)} Q"

    def _note_label(self, message: str) -> None:
        self._problems.warning(f"the label in the page margin: {message}")


def _closed(points: Sequence[Point], height: float) -> str:
    """A closed path of page millimetres, y down."""
    steps = [f"{x * PT_PER_MM:.3f} {(height - y) * PT_PER_MM:.3f}" for x, y in points]
    return f"{steps[0]} m " + " ".join(f"{step} l" for step in steps[1:]) + " h"


def _turned_to(tile: Placed, scene: Scene, height: float) -> str:
    """The matrix that turns a scene clockwise and brings its anchor to the tile's."""
    angle = math.radians(tile.angle)
    cos, sin = math.cos(angle), math.sin(angle)
    sx, sy = scene.anchor or (0.0, 0.0)
    e = tile.anchor[0] - (cos * sx - sin * sy)
    f = tile.anchor[1] - (sin * sx + cos * sy)
    x = (e - sin * scene.height) * PT_PER_MM
    y = (height - f - cos * scene.height) * PT_PER_MM
    return f"{cos:.6f} {-sin:.6f} {sin:.6f} {cos:.6f} {x:.4f} {y:.4f}"


def _box(left: int, top: int, right: int, bottom: int, height: int) -> tuple[float, ...]:
    return (left * _UM, (height - bottom) * _UM, right * _UM, (height - top) * _UM)
