"""`companion print`: a deck onto sheets of paper."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

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
from companion.cli.output import answer, answer_json, plural, problem_json, remark, show_problems
from companion.cli.progress import progress_bar
from companion.errors import UsageError
from companion.sheets.duplex import Duplex
from companion.sheets.impose import PageOrder
from companion.sheets.marks import Marks
from companion.writers.tone import Tone

_SHEET = "Sheet"


def print_deck(
    deck: DeckArgument,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="Where to; - is standard output.  [default: output/DECK.pdf]",
            show_default=False,
        ),
    ] = None,
    lang: LanguageOption = None,
    only: Annotated[
        str | None,
        typer.Option(
            "--only",
            metavar="CARDS",
            help="Only these: numbers and ranges in the run (3,7-9), card ids, group names. "
            "#7 is always a number, =7 always an id.",
            autocompletion=completing.cards,
            show_default=False,
        ),
    ] = None,
    part: PartOption = None,
    hide: Annotated[
        list[str],
        typer.Option(
            metavar="ELEMENT",
            help="Leave out layout elements of this name (tag hides tag and tag-ground).",
            show_default=False,
        ),
    ] = [],  # noqa: B006
    changed_since: Annotated[
        str | None,
        typer.Option(
            "--changed-since",
            metavar="FILE|last",
            help="Only cards that differ from an older print (its manifest, its PDF, or the last).",
            show_default=False,
        ),
    ] = None,
    overflow: OverflowOption = "error",
    missing: Annotated[
        str,
        typer.Option(
            metavar="error|placeholder",
            help="A picture that is not there: refuse, or draw a crossed box and say so.",
            callback=lambda value: one_of(value, ("error", "placeholder")),
        ),
    ] = "error",
    tone: Annotated[
        Tone,
        typer.Option(help="As designed, a grey proof, or low-ink for paper prototypes."),
    ] = Tone.COLOR,
    max_ppi: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=2400, help="Shrink finer pictures; 0 keeps them."),
    ] = 0,
    paper: Annotated[
        str,
        typer.Option(
            metavar="SIZE",
            help="a4, letter, a3-landscape … (see companion list) or 210x297mm.",
            autocompletion=completing.papers,
            rich_help_panel=_SHEET,
        ),
    ] = "a4",
    margin: Annotated[
        str,
        typer.Option(
            metavar="LENGTH",
            help="Edge of the paper that the printer cannot reach.",
            rich_help_panel=_SHEET,
        ),
    ] = "5mm",
    gap: Annotated[
        str, typer.Option(metavar="LENGTH", help="Space between cards.", rich_help_panel=_SHEET)
    ] = "0mm",
    bleed: Annotated[
        str | None,
        typer.Option(
            metavar="LENGTH",
            help="At most this much bleed.  [default: the layout's]",
            rich_help_panel=_SHEET,
            show_default=False,
        ),
    ] = None,
    sheet: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="Ready slots: label stock, pre-scored paper (see companion list).",
            autocompletion=completing.sheets,
            rich_help_panel=_SHEET,
            show_default=False,
        ),
    ] = None,
    start_slot: Annotated[
        int,
        typer.Option(metavar="N", min=1, help="First slot of sheet 1.", rich_help_panel=_SHEET),
    ] = 1,
    skip_slot: Annotated[
        list[int],
        typer.Option(
            metavar="N", help="A slot to leave free.", rich_help_panel=_SHEET, show_default=False
        ),
    ] = [],  # noqa: B006
    fold: Annotated[
        bool,
        typer.Option(
            "--fold", help="Fronts and backs on one page, to fold.", rich_help_panel=_SHEET
        ),
    ] = False,
    registration: Annotated[
        bool,
        typer.Option(
            "--registration", help="Marks for Silhouette-type cutters.", rich_help_panel=_SHEET
        ),
    ] = False,
    printer: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Shift backs by this printer's profile (companion calibrate).",
            autocompletion=completing.printers,
            rich_help_panel=_SHEET,
            show_default=False,
        ),
    ] = None,
    duplex: Annotated[
        Duplex,
        typer.Option(
            help="Edge that the printer turns the sheet over; none prints fronts only.",
            rich_help_panel=_SHEET,
        ),
    ] = Duplex.LONG_EDGE,
    marks: Annotated[
        Marks, typer.Option(help="Crop marks.", rich_help_panel=_SHEET)
    ] = Marks.MARGIN,
    marks_on_backs: Annotated[
        bool,
        typer.Option("--marks-on-backs", help="Crop marks on backs too.", rich_help_panel=_SHEET),
    ] = False,
    order: Annotated[
        PageOrder,
        typer.Option(
            help="Pages: F1 B1 F2 B2, or F1 F2 B1 B2, or F1 F2 B2 B1.", rich_help_panel=_SHEET
        ),
    ] = PageOrder.INTERLEAVED,
    labels: Annotated[
        bool,
        typer.Option(help="Deck, page and side in the margin.", rich_help_panel=_SHEET),
    ] = True,
    as_json: JsonOption = False,
) -> None:
    """Print a deck: card sheets as PDF, fronts and backs, ready for scissors."""
    from companion.job import load_job, sheet_folders
    from companion.manifest import read_manifest
    from companion.press import PrintOptions, print_job
    from companion.printers import find_profile
    from companion.sheets.impose import SheetStyle
    from companion.sheets.papers import paper_size, paper_title, title_of_size
    from companion.sheets.slots import load_sheet

    frame = load_sheet(sheet, sheet_folders()) if sheet else None
    size = paper_size(paper)
    if frame:
        size = (frame.page_width / 1000, frame.page_height / 1000)
    style = SheetStyle(
        paper=size,
        margin=read_length(margin, "--margin"),
        gap=read_length(gap, "--gap"),
        bleed=read_length(bleed, "--bleed") if bleed is not None else None,
        fold=fold,
        start_slot=start_slot,
        skip_slots=frozenset(skip_slot),
        registration=registration,
        frame=frame,
        duplex=duplex,
        marks=marks,
        marks_on_backs=marks_on_backs,
        order=order,
        labels=labels,
    )
    if fold and (sheet or registration):
        raise UsageError("--fold goes with neither --sheet nor --registration")
    job = load_job(deck, lang, overflow, missing, hide)  # type: ignore[arg-type]
    if job.deck.game:
        from companion.rosters import note_figures

        note_figures(job)
    to_stdout = out == "-"
    if out is not None and not out.strip():
        raise UsageError("--out is empty")
    if to_stdout and as_json:
        raise UsageError("--json and -o - both want standard output")
    path = Path(out) if out else Path("output") / f"{job.deck.name}.pdf"
    since = None
    if changed_since is not None:
        since = read_manifest(path if changed_since == "last" else Path(changed_since))
    options = PrintOptions(
        style=style,
        only=only,
        part=part,
        since=since,
        paper_name=sheet or paper_title(paper),
        tone=tone.value,
        max_ppi=max_ppi,
        printer=find_profile(printer, title_of_size(size)) if printer else None,
    )
    with progress_bar() as progress:
        report = print_job(job, options, sys.stdout.buffer if to_stdout else path, progress)
    show_problems(report.problems)
    for line in report.cutting:
        remark(line)
    if report.removed:
        remark(f"note: no longer in the deck: {', '.join(report.removed)}")
    if report.cards == 0:
        if as_json:
            answer_json(
                {"file": None, "deck": report.deck, "cards": 0, "removed": list(report.removed)}
            )
        else:
            answer("nothing to print: no card has changed")
        return
    summary = (
        f"{report.title}: {plural(report.cards, 'card')} on {plural(report.sheets, 'sheet')} "
        f"({plural(report.pages, 'page')}), {options.paper_name}"
    )
    if report.backs and duplex is Duplex.NONE and not fold:
        remark(f"note: {report.backs} backs left out (--duplex none)")
    if to_stdout:
        remark(summary)
    elif as_json:
        answer_json(
            {
                "file": str(path),
                "deck": report.deck,
                "cards": report.cards,
                "backs": report.backs,
                "sheets": report.sheets,
                "pages": report.pages,
                "removed": list(report.removed),
                "cutting": list(report.cutting),
                "problems": [problem_json(problem) for problem in report.problems],
            }
        )
    else:
        answer(f"{summary} → {path}")


def read_length(text: str, option: str) -> float:
    """A length of 0 or more. Raises BadParameter naming the option."""
    from companion.units import parse_length

    try:
        value = parse_length(text)
    except ValueError as error:
        raise typer.BadParameter(f"{option} {text!r}: expected {error}") from None
    if value < 0:
        raise typer.BadParameter(f"{option} {text!r}: expected a length of 0 or more")
    return value
