"""One at-bat, step by step: duel, catch, advance, walk (UN-5, UN-6, UN-8, UN-9). Pure functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from companion.errors import UsageError, did_you_mean
from companion.games.unlimited_nine.cards import CARDS_OF_A_COLOUR, CHINESE, Power

HOME = 4
OUTS = 3
Bases = tuple[str | None, str | None, str | None]
"""Who stands on first, second, third."""
EMPTY: Bases = (None, None, None)
BATTER = "batter"
RUNNERS = ("first", "second", "third")
"""What runners without a name are called: by the base where they stand."""


@dataclass(frozen=True)
class Laid:
    """What a side lays in the duel: `count` cards of one colour; none has no colour (UN-6)."""

    power: Power | None
    count: int

    def __str__(self) -> str:
        if self.power is None:
            return "no card"
        return f"{self.count} {self.power} {CHINESE[self.power]}"


NOTHING = Laid(None, 0)


def parse_cards(text: str) -> Laid:
    """`hot-blood*4`, `熱血*4`, `genius` (one card), `none`. Raises UsageError."""
    match = re.fullmatch(r"(?P<name>[^*×]+?)\s*(?:[*×]\s*(?P<count>\d{1,3}))?", text.strip())
    name = match["name"].strip().casefold().replace(" ", "-") if match else ""
    if name in ("none", "0") and match and match["count"] is None:
        return NOTHING
    for power in Power:
        if name in (power.value, CHINESE[power]):
            count = 1 if match is None or match["count"] is None else int(match["count"])
            if not 0 <= count <= CARDS_OF_A_COLOUR:
                raise UsageError(
                    f"'{text}': there are {CARDS_OF_A_COLOUR} event cards of {power} (UN-1)"
                )
            return Laid(power, count) if count else NOTHING
    hint = did_you_mean(name, [*Power, *CHINESE.values()])
    raise UsageError(f"'{text}' is no power source ({hint}); write hot-blood*4 or none")


def same_colour(bat: Laid, pitch: Laid) -> bool:
    """Whether both sides laid cards of one colour (UN-6)."""
    return bat.power is not None and bat.power is pitch.power


def margin_of(bat: Laid, pitch: Laid, batter_change: int = 0, pitcher_change: int = 0) -> int:
    """Batter's power minus pitcher's (UN-6).

    One colour on both sides makes the pitcher's 0; a change never takes a power under 0.
    """
    batter = max(0, bat.count + batter_change)
    pitcher = 0 if same_colour(bat, pitch) else max(0, pitch.count + pitcher_change)
    return batter - pitcher


def is_caught(
    batting: int, margin: int, fielding: int, bonus: int = 0, *, student: bool = False
) -> bool:
    """Whether the fielder catches the ball; `bonus` cards are discarded for him (UN-8)."""
    return not student and batting + margin <= fielding + bonus


def parse_bases(text: str) -> Bases:
    """`1-0-1`: runners on first and third. Raises UsageError."""
    if not re.fullmatch(r"[01]-[01]-[01]", text.strip()):
        raise UsageError(f"--bases {text}: write first-second-third with 1 for a runner: 1-0-1")
    first, second, third = (
        name if part == "1" else None
        for name, part in zip(RUNNERS, text.strip().split("-"), strict=True)
    )
    return first, second, third


def bases_text(bases: Bases) -> str:
    """(somebody, None, somebody) → `1-0-1`."""
    return "-".join("0" if runner is None else "1" for runner in bases)


def advance(
    bases: Bases, batter: str, hit: int, extra: Mapping[str, int] | None = None
) -> tuple[Bases, tuple[str, ...]]:
    """(bases, who scores) after a hit of 1 to 4 bases (UN-9).

    `extra`: bases that abilities add to a runner or to the batter. A runner never reaches or
    passes the base of the one ahead: he stops one short.
    """
    return _move(bases, batter, lambda who: hit + (extra or {}).get(who, 0))


def advance_runners(bases: Bases, moves: Mapping[str, int]) -> tuple[Bases, tuple[str, ...]]:
    """(bases, who scores) when abilities move runners without a hit (UN-9)."""
    return _move(bases, None, lambda who: moves.get(who, 0))


def _move(
    bases: Bases, batter: str | None, bases_of: Callable[[str], int]
) -> tuple[Bases, tuple[str, ...]]:
    standing: list[str | None] = [None, None, None]
    home: list[str] = []
    ahead = HOME + 1
    for start in (3, 2, 1, 0):
        runner = bases[start - 1] if start else batter
        if runner is None:
            continue
        reached = start + bases_of(runner)
        if ahead < HOME:
            reached = min(reached, ahead - 1)
        if reached >= HOME:
            home.append(runner)
        else:
            standing[reached - 1] = runner
            ahead = reached
    return (standing[0], standing[1], standing[2]), tuple(home)


def walk(bases: Bases, batter: str) -> tuple[Bases, tuple[str, ...]]:
    """(bases, who scores) after a walk: only forced runners move (UN-5)."""
    first, second, third = bases
    if first is None:
        return (batter, second, third), ()
    if second is None:
        return (batter, first, third), ()
    return (batter, first, second), () if third is None else (third,)
