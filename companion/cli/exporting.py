"""`companion export`, `diff`, `new`: decks into other forms, versions, a start."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from companion.cli import completing
from companion.cli.options import (
    DeckArgument,
    JsonOption,
    LanguageOption,
    OverflowOption,
    PartOption,
    one_of,
)
from companion.cli.output import answer, answer_json, plural, show_problems
from companion.cli.progress import progress_bar
from companion.errors import PrintError, UsageError

_WIDEST_BLEED = 20
_KINDS = ("png", "pdf", "tts", "svg", "dxf", "tuckbox")


def export(
    deck: DeckArgument,
    to: Annotated[
        str,
        typer.Option(
            metavar="|".join(_KINDS),
            help="Card pictures, print-shop PDF (a page a face), Tabletop Simulator, "
            "cut outlines, tuck box.",
            callback=lambda value: one_of(value, _KINDS),
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="PATH",
            help="Folder or file.  [default: output/DECK-…]",
            show_default=False,
        ),
    ] = None,
    lang: LanguageOption = None,
    only: Annotated[
        str | None,
        typer.Option(
            metavar="CARDS",
            help="Only these, as for print.",
            autocompletion=completing.cards,
            show_default=False,
        ),
    ] = None,
    part: PartOption = None,
    overflow: OverflowOption = "error",
    ppi: Annotated[
        int, typer.Option(metavar="N", min=36, max=1200, help="png: pixels an inch.")
    ] = 300,
    bleed: Annotated[
        str | None,
        typer.Option(
            metavar="LENGTH", help="png, pdf: this bleed; 0 for none.", show_default=False
        ),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            metavar="SHOP",
            help="png: bleed and ppi of makeplayingcards, drivethrucards, gamecrafter or "
            "printerstudio.",
            show_default=False,
        ),
    ] = None,
    copies: Annotated[bool, typer.Option("--copies", help="png: a file for every copy.")] = False,
    paper: Annotated[
        str, typer.Option(metavar="SIZE", help="svg, dxf, tuckbox: the paper.")
    ] = "a4",
    margin: Annotated[str, typer.Option(metavar="LENGTH", help="svg, dxf, tuckbox.")] = "5mm",
    gap: Annotated[str, typer.Option(metavar="LENGTH", help="svg, dxf: as printed.")] = "0mm",
    registration: Annotated[
        bool, typer.Option("--registration", help="svg, dxf: slots as printed with marks.")
    ] = False,
    thickness: Annotated[
        float, typer.Option(metavar="MM", min=0.05, max=5, help="tuckbox: of one card.")
    ] = 0.30,
    play: Annotated[
        float, typer.Option(metavar="MM", min=0, max=20, help="tuckbox: room to spare.")
    ] = 1.0,
    as_json: JsonOption = False,
) -> None:
    """Export a deck as card pictures, print-shop PDF, Tabletop Simulator, cut file or tuck box."""
    from companion import export as exports
    from companion.cli.printing import read_length
    from companion.job import choose, choose_part, load_job

    job = load_job(deck, lang, overflow)  # type: ignore[arg-type]
    if not job.run:
        job.problems.raise_errors()
        raise PrintError("the deck has no card to export")
    run = job.run if only is None else choose(job.run, only)
    if part is not None:
        run = choose_part(run, part)
    edge = read_length(bleed, "--bleed") if bleed is not None else None
    if edge is not None and edge > _WIDEST_BLEED:
        raise UsageError(f"--bleed {bleed}: at most {_WIDEST_BLEED} mm")
    if out is not None:
        _check_out(out, to, job.deck)
    if preset:
        if preset not in exports.PRESETS:
            raise UsageError(f"unknown preset '{preset}': {', '.join(exports.PRESETS)}")
        edge, fine = exports.PRESETS[preset]
        ppi = round(fine)
    base = Path("output")
    files: list[Path] = []
    try:
        with progress_bar() as progress:
            if to == "png":
                folder = out or base / f"{job.deck.name}-cards"
                files = exports.export_png(
                    job, run, folder, ppi=ppi, bleed=edge, copies=copies, progress=progress
                )
            elif to == "tts":
                folder = out or base / f"{job.deck.name}-tts"
                files = exports.export_tts(job, run, folder, progress=progress)
            elif to == "pdf":
                target = out or base / f"{job.deck.name}-cards.pdf"
                exports.export_pdf(job, run, target, edge)
                files = [target]
            else:
                files = [
                    _drawn(job, run, to, out, paper, margin, gap, registration, thickness, play)
                ]
    except OSError as error:
        raise PrintError(f"cannot write: {error.strerror or error}") from None
    show_problems(job.problems.items)
    if as_json:
        answer_json({"deck": job.deck.name, "files": [str(path) for path in files]})
    else:
        answer(f"{job.deck.name}: {plural(len(files), 'file')} → {files[0].parent}")


def _check_out(out: Path, to: str, deck: Any) -> None:
    """Raise UsageError if the name does not fit the kind, or is a file of the deck's own."""
    from companion.press import spare_sources

    suffixes = {"pdf": (".pdf",), "svg": (".svg",), "dxf": (".dxf",), "tuckbox": (".svg", ".dxf")}
    wanted = suffixes.get(to)
    if wanted and out.suffix.lower() not in wanted:
        raise UsageError(f"--out {out}: the name must end in {' or '.join(wanted)}")
    if wanted:
        spare_sources(deck, out)


def _drawn(
    job: Any,
    run: Any,
    to: str,
    out: Path | None,
    paper: str,
    margin: str,
    gap: str,
    registration: bool,
    thickness: float,
    play: float,
) -> Path:
    """Cut outlines or the tuck box, as SVG or DXF."""
    from companion import export as exports
    from companion.cli.printing import read_length
    from companion.sheets.impose import SheetStyle
    from companion.sheets.papers import paper_size
    from companion.tuckbox import box_for, write_tuckbox

    size, edge = paper_size(paper), read_length(margin, "--margin")
    suffix = "dxf" if to == "dxf" else "svg"
    target = (
        out or Path("output") / f"{job.deck.name}-{'box' if to == 'tuckbox' else 'cut'}.{suffix}"
    )
    if to == "tuckbox":
        card = (run[0].front.width, run[0].front.height)
        if any((p.front.width, p.front.height) != card for p in run):
            raise PrintError("a tuck box is for cards of one size; use --only GROUP")
        write_tuckbox(box_for(card, len(run), thickness, play), size, edge, target)
    else:
        style = SheetStyle(
            paper=size, margin=edge, gap=read_length(gap, "--gap"), registration=registration
        )
        exports.export_cut(job, run, style, target)
    return target


def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help="A deck's name or folder.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="Another.")],
    as_json: JsonOption = False,
) -> None:
    """Tell in words what changed between two versions of a deck."""
    from dataclasses import asdict

    from companion.differences import compare

    found = compare(old, new)
    if as_json:
        answer_json({"differences": [asdict(entry) for entry in found]})
        return
    for entry in found:
        answer(str(entry))
    if not found:
        answer("no difference")


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The deck's name and folder.")],
) -> None:
    """Start a deck: a small commented example that prints at once."""
    from companion.new_deck import create

    files = create(name, Path(name))
    answer(f"{name}: {plural(len(files), 'file')}; now: companion print {name}")
