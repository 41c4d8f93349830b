"""Where a command's dice come from: --dice, --ask, --seed or the operating system."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.output import ask, remark
from companion.errors import UsageError

if TYPE_CHECKING:
    from companion.table.dice import DiceSource


def _double_zero(value: int) -> int:
    if value not in (0, 100):
        raise typer.BadParameter(f"{value} is neither 100 nor 0")
    return value


DiceOption = Annotated[
    str | None,
    typer.Option(
        "--dice",
        metavar="FACES",
        help="Dice thrown on the table, in order: 40,7 is tens 40 and units 7.",
        show_default=False,
    ),
]
AskOption = Annotated[bool, typer.Option("--ask", help="Ask for each die thrown on the table.")]
SeedOption = Annotated[
    str | None,
    typer.Option("--seed", metavar="TEXT", help="Reproducible dice.", show_default=False),
]
HouseDoubleZero = Annotated[
    int,
    typer.Option(
        "--double-zero",
        metavar="100|0",
        help="What 00 and 0 together read.",
        callback=_double_zero,
    ),
]


def dice_source(dice: str | None, ask: bool, seed: str | None, index: int = 0) -> DiceSource:
    """The source that the options choose. Raises UsageError if two of them contradict."""
    from companion.table.dice import AskedDice, RolledDice, TypedDice, parse_faces

    if sum((dice is not None, ask, seed is not None)) > 1:
        raise UsageError("--dice, --ask and --seed exclude each other")
    if dice is not None:
        return TypedDice(parse_faces(dice))
    if ask:
        return AskedDice(ask_number)
    if seed is not None:
        return RolledDice.seeded(seed, index)
    return RolledDice.system()


def finish(source: DiceSource) -> None:
    """Raise UsageError if typed dice are left over. Call before anything is recorded."""
    from companion.table.dice import TypedDice

    if isinstance(source, TypedDice):
        source.finish()


def ask_number(question: str, check: Callable[[int], int]) -> int:
    """Ask on stderr until a face is typed that the die has."""

    def convert(text: str) -> int:
        if not text.isdecimal() or len(text) > 7:
            raise typer.BadParameter("write the number that the die shows")
        try:
            return check(int(text))
        except UsageError as error:
            raise typer.BadParameter(str(error)) from None

    while True:
        try:
            return convert(ask(question))
        except typer.BadParameter as error:
            remark(f"  {error.message}")
