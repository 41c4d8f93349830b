"""`companion print`: a deck onto sheets of paper."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.options import DeckArgument, JsonOption, LanguageOption, OverflowOption
from companion.cli.output import answer, answer_json, plural, problem_json, remark, show_problems
from companion.errors import UsageError
from companion.sheets.duplex import Duplex
from companion.sheets.impose import PageOrder
from companion.sheets.marks import Marks

if TYPE_CHECKING:
    from companion.press import Progress

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
            show_default=False,
        ),
    ] = None,
    overflow: OverflowOption = "error",
    paper: Annotated[
        str,
        typer.Option(
            metavar="SIZE",
            help="a4, letter, a3-landscape … (see companion list) or 210x297mm.",
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
    from companion.press import PrintOptions, load_job, print_job
    from companion.sheets.impose import SheetStyle
    from companion.sheets.papers import paper_size, paper_title

    style = SheetStyle(
        paper=paper_size(paper),
        margin=_length(margin, "--margin"),
        gap=_length(gap, "--gap"),
        duplex=duplex,
        marks=marks,
        marks_on_backs=marks_on_backs,
        order=order,
        labels=labels,
    )
    job = load_job(deck, lang, overflow)  # type: ignore[arg-type]
    options = PrintOptions(style, only, paper_title(paper))
    to_stdout = out == "-"
    if out is not None and not out.strip():
        raise UsageError("--out is empty")
    if to_stdout and as_json:
        raise UsageError("--json and -o - both want standard output")
    path = Path(out) if out else Path("output") / f"{job.deck.name}.pdf"
    with _progress_bar() as progress:
        report = print_job(job, options, sys.stdout.buffer if to_stdout else path, progress)
    show_problems(report.problems)
    summary = (
        f"{report.title}: {plural(report.cards, 'card')} on {plural(report.sheets, 'sheet')} "
        f"({plural(report.pages, 'page')}), {options.paper_name}"
    )
    if report.backs and duplex is Duplex.NONE:
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
                "problems": [problem_json(problem) for problem in report.problems],
            }
        )
    else:
        answer(f"{summary} → {path}")


def _length(text: str, option: str) -> float:
    from companion.units import parse_length

    try:
        value = parse_length(text)
    except ValueError as error:
        raise typer.BadParameter(f"{option} {text!r}: expected {error}") from None
    if value < 0:
        raise typer.BadParameter(f"{option} {text!r}: expected a length of 0 or more")
    return value


@contextmanager
def _progress_bar() -> Iterator[Progress]:
    """A bar on stderr for long prints, only where stderr is a terminal."""
    with ExitStack() as stack:
        bar: Any = None

        def draw(done: int, total: int) -> None:
            nonlocal bar
            if total < _LONG:
                return
            if bar is None:
                bar = stack.enter_context(
                    typer.progressbar(length=total, label="printing", file=sys.stderr)
                )
            bar.update(done - bar.pos)

        yield draw if sys.stderr.isatty() else lambda done, total: None


_LONG = 40
"""Pages from which a bar is worth showing."""
