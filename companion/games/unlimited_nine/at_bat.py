"""One at-bat, step by step: duel, catch, advance, walk (UN-5, UN-6, UN-8, UN-9). Pure functions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from companion.errors import UsageError, did_you_mean


class Power(StrEnum):
    """A power source: the colour of an event card (UN-1)."""

    HOT_BLOOD = "hot-blood"
    TECHNIQUE = "technique"
    GENIUS = "genius"


CHINESE = {Power.HOT_BLOOD: "熱血", Power.TECHNIQUE: "技巧", Power.GENIUS: "天才"}
MOST_CARDS = 42
HOME = 4
OUTS = 3
Bases = tuple[bool, bool, bool]
"""Whether a runner stands on first, second, third."""


@dataclass(frozen=True)
class Cards:
    """What a side lays in the duel: `count` cards of one colour; none has no colour (UN-6)."""

    power: Power | None
    count: int

    def __str__(self) -> str:
        if self.power is None:
            return "no card"
        return f"{self.count} {self.power} {CHINESE[self.power]}"


NO_CARDS = Cards(None, 0)


def parse_cards(text: str) -> Cards:
    """`hot-blood*4`, `熱血*4`, `genius` (one card), `none`. Raises UsageError."""
    match = re.fullmatch(r"(?P<name>[^*×]+?)\s*(?:[*×]\s*(?P<count>\d{1,3}))?", text.strip())
    name = match["name"].strip().casefold().replace(" ", "-") if match else ""
    if name in ("none", "0"):
        return NO_CARDS
    for power in Power:
        if name in (power.value, CHINESE[power]):
            count = 1 if match is None or match["count"] is None else int(match["count"])
            if not 0 <= count <= MOST_CARDS:
                raise UsageError(f"'{text}': there are {MOST_CARDS} event cards (UN-1)")
            return Cards(power, count) if count else NO_CARDS
    hint = did_you_mean(name, [*Power, *CHINESE.values()])
    raise UsageError(f"'{text}' is no power source ({hint}); write hot-blood*4 or none")


def margin_of(bat: Cards, pitch: Cards) -> int:
    """Batter's power minus pitcher's; one colour on both sides makes the pitcher's 0 (UN-6)."""
    same = bat.power is not None and bat.power is pitch.power
    return bat.count - (0 if same else pitch.count)


def is_caught(
    batting: int, margin: int, fielding: int, bonus: int = 0, *, student: bool = False
) -> bool:
    """Whether the fielder catches the ball; `bonus` cards are discarded for him (UN-8)."""
    return not student and batting + margin <= fielding + bonus


def parse_bases(text: str) -> Bases:
    """`1-0-1`: runners on first and third. Raises UsageError."""
    if not re.fullmatch(r"[01]-[01]-[01]", text.strip()):
        raise UsageError(f"--bases {text}: write first-second-third with 1 for a runner: 1-0-1")
    first, second, third = (part == "1" for part in text.strip().split("-"))
    return first, second, third


def bases_text(bases: Bases) -> str:
    """(True, False, True) → `1-0-1`."""
    return "-".join(str(int(base)) for base in bases)


def advance(bases: Bases, hit: int, extra: Mapping[int, int] | None = None) -> tuple[Bases, int]:
    """(bases, runs) after a hit of 1 to 4 bases (UN-9).

    `extra`: bases that abilities add, by where the runner stood (0 is the batter). A runner never
    reaches or passes the base of the one ahead: he stops one short.
    """
    extra = extra or {}
    standing: set[int] = set()
    runs, ahead = 0, HOME + 1
    for start in (3, 2, 1, 0):
        if start and not bases[start - 1]:
            continue
        reached = start + hit + extra.get(start, 0)
        if ahead < HOME:
            reached = min(reached, ahead - 1)
        if reached >= HOME:
            runs += 1
        else:
            standing.add(reached)
            ahead = reached
    return (1 in standing, 2 in standing, 3 in standing), runs


def walk(bases: Bases) -> tuple[Bases, int]:
    """(bases, runs) after a walk: only forced runners move (UN-5)."""
    first, second, third = bases
    if not first:
        return (True, second, third), 0
    if not second:
        return (True, True, third), 0
    return (True, True, True), int(third)
