"""The 56 tiles: names, faces, outlines in centimetres (PP-1).

An outline's corners run clockwise with y up, the label upright and the anchor (the centroid of the
area) at (0, 0); side a runs from corner 0 to corner 1, and so on.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from companion.errors import UsageError, did_you_mean

Point = tuple[float, float]
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SIGNS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
_ROOT3 = math.sqrt(3)


class Kind(StrEnum):
    """What a tile is: a suit, which is a shape, or one of the two ghosts."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"
    GHOST_TRIANGLE = "ghost triangle"
    GHOST_TRAPEZOID = "ghost trapezoid"


SUITS = (Kind.SPADES, Kind.HEARTS, Kind.DIAMONDS, Kind.CLUBS)
_GHOSTS = {
    "G1": Kind.GHOST_TRIANGLE,
    "G2": Kind.GHOST_TRIANGLE,
    "G3": Kind.GHOST_TRAPEZOID,
    "G4": Kind.GHOST_TRAPEZOID,
}
_TRAPEZOID_HEIGHT = math.sqrt(24.75)
# how far the centroid of a trapezoid 5 at the bottom and 4 on top lies above the bottom
_TRAPEZOID_RISE = _TRAPEZOID_HEIGHT / 3 * (5 + 2 * 4) / (5 + 4)
_GHOST_HEIGHT = math.sqrt(49 - 2.25)
OUTLINES: dict[Kind, tuple[Point, ...]] = {
    Kind.SPADES: ((-1.5, 1.5), (1.5, 1.5), (1.5, -1.5), (-1.5, -1.5)),
    Kind.CLUBS: ((-0.5, 2.0), (0.5, 2.0), (0.5, -2.0), (-0.5, -2.0)),
    Kind.HEARTS: ((0.0, 4 / _ROOT3), (2.0, -2 / _ROOT3), (-2.0, -2 / _ROOT3)),
    Kind.DIAMONDS: ((0.0, _ROOT3), (1.0, 0.0), (0.0, -_ROOT3), (-1.0, 0.0)),
    Kind.GHOST_TRIANGLE: (
        (0.0, _GHOST_HEIGHT * 2 / 3),
        (1.5, -_GHOST_HEIGHT / 3),
        (-1.5, -_GHOST_HEIGHT / 3),
    ),
    Kind.GHOST_TRAPEZOID: (
        (-2.0, _TRAPEZOID_HEIGHT - _TRAPEZOID_RISE),
        (2.0, _TRAPEZOID_HEIGHT - _TRAPEZOID_RISE),
        (2.5, -_TRAPEZOID_RISE),
        (-2.5, -_TRAPEZOID_RISE),
    ),
}
SYMMETRY: dict[Kind, int] = {
    Kind.SPADES: 4,
    Kind.CLUBS: 2,
    Kind.HEARTS: 3,
    Kind.DIAMONDS: 2,
    Kind.GHOST_TRIANGLE: 1,
    Kind.GHOST_TRAPEZOID: 1,
}
"""By how many turns an outline comes to lie on itself."""


@dataclass(frozen=True)
class Tile:
    """A tile by its name; `rank` 0 (ace) to 12 (king), None for a ghost."""

    id: str
    kind: Kind
    rank: int | None

    @property
    def is_ghost(self) -> bool:
        """Whether it stands for any card when it is covered (PP-7)."""
        return self.rank is None


TILES: dict[str, Tile] = {
    **{
        f"{rank}{suit}": Tile(f"{rank}{suit}", suit, number)
        for suit in SUITS
        for number, rank in enumerate(RANKS)
    },
    **{id: Tile(id, kind, None) for id, kind in _GHOSTS.items()},
}


def parse_tile(text: str) -> str:
    """The id of a tile typed as `7S`, `10h`, `TH`, `K♦`, `g1`. Raises UsageError."""
    typed = text.strip().upper()
    for sign, letter in SIGNS.items():
        typed = typed.replace(sign, letter)
    if len(typed) == 2 and typed[0] == "T":
        typed = "10" + typed[1]
    if typed not in TILES:
        hint = did_you_mean(typed, TILES)
        raise UsageError(
            f"'{text.strip()}' is no tile: rank A 2 … 10 J Q K and suit S H D C, or G1 to G4"
            + (f" ({hint})" if hint else "")
        )
    return typed


def parse_tiles(texts: Iterable[str]) -> list[str]:
    """Several tiles, from texts with commas; each once. Raises UsageError."""
    found: list[str] = []
    for text in texts:
        for part in text.replace("、", ",").split(","):
            if part.strip():
                id = parse_tile(part)
                if id in found:
                    raise UsageError(f"{id} is named twice")
                found.append(id)
    return found
