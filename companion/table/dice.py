"""Dice: percentile rolls (white tens, black units), other dice, and where results come from.

A result comes from the operating system's randomness, from a seed, or from the table (typed in or
asked for one by one): it means the same wherever it came from. Dice results are recorded, never a
generator's state.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from companion.errors import UsageError

Origin = Literal["rolled", "typed"]
TENS_FACES = tuple(range(0, 100, 10))


@dataclass(frozen=True, slots=True)
class Percentile:
    """One percentile roll: the tens face (0, 10 … 90) and the units face (0 … 9) (GO-2)."""

    tens: int
    units: int
    origin: Origin = "rolled"

    def value(self, double_zero: int = 100) -> int:
        """00 and 0 together read `double_zero` (100 or 0); everything else is the sum (GO-2)."""
        return self.tens + self.units or double_zero


@dataclass(frozen=True, slots=True)
class Die:
    """One die with faces 1 to `sides`."""

    sides: int
    face: int
    origin: Origin = "rolled"


class DiceSource(Protocol):
    """Where dice results come from. `what` tells a person which die is wanted."""

    def percentile(self, what: str) -> Percentile:
        """A percentile roll."""

    def die(self, sides: int, what: str) -> Die:
        """One die."""


class RolledDice:
    """Dice rolled by a generator."""

    def __init__(self, generator: random.Random) -> None:
        self._generator = generator

    @classmethod
    def system(cls) -> RolledDice:
        """The operating system's randomness: never the same twice."""
        return cls(random.SystemRandom())

    @classmethod
    def seeded(cls, seed: str, index: int = 0) -> RolledDice:
        """Reproducible: the same seed and the same index in a log give the same dice."""
        return cls(random.Random(f"{seed}\n{index}"))

    def percentile(self, what: str) -> Percentile:
        """A percentile roll; all 100 results are equally likely."""
        del what
        return Percentile(self._generator.choice(TENS_FACES), self._generator.randrange(10))

    def die(self, sides: int, what: str) -> Die:
        """One die; all faces are equally likely."""
        del what
        return Die(sides, self._generator.randrange(sides) + 1)


class TypedDice:
    """Dice that were thrown on the table, in the order in which they are needed."""

    def __init__(self, faces: Sequence[int]) -> None:
        self._faces = list(faces)
        self._used = 0

    def percentile(self, what: str) -> Percentile:
        """The next two faces: tens, then units. Raises UsageError for a face no die has."""
        tens = check_tens(self._next(f"the tens die of {what}"))
        return Percentile(tens, check_units(self._next(f"the units die of {what}")), "typed")

    def die(self, sides: int, what: str) -> Die:
        """The next face; 0 on a d10 is 10. Raises UsageError for a face no die has."""
        return Die(sides, check_face(self._next(what), sides), "typed")

    def finish(self) -> None:
        """Raise UsageError if dice were typed that nothing asked for."""
        if self._used < len(self._faces):
            raise UsageError(f"{len(self._faces)} dice were typed in, {self._used} are needed here")

    def _next(self, what: str) -> int:
        if self._used == len(self._faces):
            raise UsageError(f"too few dice were typed in: {what} is missing")
        self._used += 1
        return self._faces[self._used - 1]


class AskedDice:
    """Dice asked for one by one; `ask` shows a question and returns a number."""

    def __init__(self, ask: Callable[[str, Callable[[int], int]], int]) -> None:
        self._ask = ask

    def percentile(self, what: str) -> Percentile:
        """Ask for the tens die, then the units die."""
        tens = self._ask(f"{what}: white tens die (00, 10 … 90)", check_tens)
        units = self._ask(f"{what}: black units die (0 … 9)", check_units)
        return Percentile(tens, units, "typed")

    def die(self, sides: int, what: str) -> Die:
        """Ask for one die."""
        face = self._ask(f"{what}: d{sides}", lambda value: check_face(value, sides))
        return Die(sides, face, "typed")


def check_tens(face: int) -> int:
    """A face of the white die. Raises UsageError."""
    if face not in TENS_FACES:
        raise UsageError(f"{face} is no face of the tens die (00, 10, 20 … 90)")
    return face


def check_units(face: int) -> int:
    """A face of the black die. Raises UsageError."""
    if not 0 <= face <= 9:
        raise UsageError(f"{face} is no face of the units die (0 … 9)")
    return face


def check_face(face: int, sides: int) -> int:
    """A face from 1 to `sides`; 0 on a d10 counts as 10. Raises UsageError."""
    if face == 0 and sides == 10:
        return 10
    if not 1 <= face <= sides:
        raise UsageError(f"{face} is no face of a d{sides}")
    return face


def parse_faces(text: str) -> list[int]:
    """`40,7` or `40 7` → [40, 7]. Raises UsageError."""
    faces = []
    for part in text.replace(",", " ").split():
        if not part.isdecimal() or len(part) > 7:
            raise UsageError(f"'{part}' is no die face; write faces such as 40,7")
        faces.append(int(part))
    return faces


def succeeds(
    rolls: Iterable[int],
    value: int,
    *,
    under: bool = False,
    every: bool = False,
    percentile: bool = False,
) -> bool:
    """Whether one roll (or every one) is at or under `value`, or under it.

    A percentile roll never succeeds at 0 or less and always does at 100 or more (GO-2).
    """
    if percentile and not 0 < value < 100:
        return value >= 100
    hits = [roll < value if under else roll <= value for roll in rolls]
    return all(hits) if every else any(hits)
