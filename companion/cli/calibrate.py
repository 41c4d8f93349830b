"""`companion calibrate`: the calibration sheet, and the printer profile read off it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.output import answer
from companion.errors import UsageError
from companion.sheets.duplex import Duplex


def calibrate(
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="FILE", help="Where the sheet goes."),
    ] = Path("output/calibration.pdf"),
    paper: Annotated[str, typer.Option(metavar="SIZE", help="The paper.")] = "a4",
    duplex: Annotated[
        Duplex, typer.Option(help="Edge that the printer turns the sheet over.")
    ] = Duplex.LONG_EDGE,
    printer: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Store a profile under this name.", show_default=False),
    ] = None,
    x: Annotated[
        str | None,
        typer.Option(metavar="MM", help="Shift backs right by this.", show_default=False),
    ] = None,
    y: Annotated[
        str | None,
        typer.Option(metavar="MM", help="Shift backs down by this.", show_default=False),
    ] = None,
    rotate: Annotated[
        float, typer.Option(metavar="DEGREES", help="Turn backs clockwise by this.")
    ] = 0.0,
    scale: Annotated[float, typer.Option(metavar="PERCENT", help="Scale backs to this.")] = 100.0,
) -> None:
    """Print the two-page calibration sheet; with --printer, --x and --y store what it shows."""
    from companion.printers import Profile, store_profile
    from companion.sheets.papers import paper_size, paper_title
    from companion.units import parse_length

    size = paper_size(paper)
    if printer is None:
        if x is not None or y is not None or rotate or scale != 100:
            raise UsageError("--x, --y, --rotate and --scale need --printer NAME")
        _sheet(out, size, duplex)
        answer(f"calibration sheet → {out}")
        answer("then: companion calibrate --printer NAME --x … --y …")
        return
    if x is None or y is None:
        raise UsageError("--printer needs --x and --y, as read off the calibration sheet")
    try:
        profile = Profile(parse_length(x), parse_length(y), rotate, scale)
    except ValueError as error:
        raise UsageError(f"--x {x} --y {y}: expected {error}") from None
    store_profile(printer, paper_title(paper), profile)
    answer(f"{printer}, {paper_title(paper)}: backs are moved {profile}")
    answer(f"use it: companion print … --printer {printer}")


def _sheet(out: Path, size: tuple[float, float], duplex: Duplex) -> None:
    from companion.calibration import write_calibration
    from companion.errors import PrintError

    if out.suffix.lower() != ".pdf":
        raise UsageError(f"--out {out}: the name must end in .pdf")
    if duplex is Duplex.NONE:
        raise UsageError("a calibration sheet is printed double-sided: long-edge or short-edge")
    if min(size) < 140:
        raise UsageError("the calibration sheet needs a paper of at least A5")
    portrait = size[0] <= size[1]
    try:
        write_calibration(out, size, portrait == (duplex is Duplex.LONG_EDGE))
    except OSError as error:
        raise PrintError(f"cannot write {out}: {error.strerror or error}") from None
