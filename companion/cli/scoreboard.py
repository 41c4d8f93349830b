"""Scores in a terminal: a table, or digits that can be read across the room."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.table.tracker import Tracker

_DIGITS = {
    "0": ("█▀▀█", "█  █", "█  █", "█▄▄█"),
    "1": (" ▄█ ", "  █ ", "  █ ", " ▄█▄"),
    "2": ("█▀▀█", "  ▄▀", "▄▀  ", "█▄▄▄"),
    "3": ("█▀▀█", "  ▀▄", "   █", "█▄▄█"),
    "4": ("█  █", "█▄▄█", "   █", "   █"),
    "5": ("█▀▀▀", "▀▀▀▄", "   █", "█▄▄▀"),
    "6": ("█▀▀▀", "█▀▀▄", "█  █", "█▄▄█"),
    "7": ("▀▀▀█", "  ▄▀", " ▄▀ ", " █  "),
    "8": ("█▀▀█", "█▄▄█", "█  █", "█▄▄█"),
    "9": ("█▀▀█", "█▄▄█", "   █", "▄▄▄█"),
}


def width(text: str) -> int:
    """Columns that a text takes in a terminal; Han characters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def pad(text: str, columns: int) -> str:
    """The text filled with blanks to a width."""
    return text + " " * max(0, columns - width(text))


def table_lines(
    name: str, state: Tracker, needs: Mapping[str, int | None], ranks: Mapping[str, int]
) -> Iterator[str]:
    """One line a side, best first, in the order of play within a rank."""
    target = state.rules.target
    yield f"{name}: exactly {target}" if target else f"{name}: most points"
    column = max(width(side.name) for side in state.sides)
    order = sorted(state.sides, key=lambda side: ranks[side.name])
    for side in order:
        need = needs[side.name]
        missing = "" if target is None else f"   needs {'–' if need is None else need}"
        members = ""
        if side.members != (side.name,):
            made = ", ".join(f"{member} {state.made[member]}" for member in side.members)
            members = f"   ({made})"
        yield (
            f"{ranks[side.name]:>2}. {pad(side.name, column)} {state.score_of(side.name):>4}"
            f"{missing}{members}"
        )
    if state.supply is not None:
        yield f"score cards left: {state.supply}"


def big_lines(
    name: str, state: Tracker, needs: Mapping[str, int | None], ranks: Mapping[str, int]
) -> Iterator[str]:
    """Four rows of blocks a side."""
    del ranks
    target = state.rules.target
    yield f"{name}: exactly {target}" if target else f"{name}: most points"
    digits = max(len(str(score)) for score in state.scores)
    for side in state.sides:
        score = str(state.score_of(side.name)).rjust(digits)
        rows = [
            "  ".join(_DIGITS[c][row] if c != " " else "    " for c in score) for row in range(4)
        ]
        need = needs[side.name]
        notes = ["", side.name, "" if need is None else f"needs {need}", ""]
        yield ""
        for row, note in zip(rows, notes, strict=True):
            yield f"  {row}    {note}".rstrip()
