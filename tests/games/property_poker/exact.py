"""Flush boards in exact arithmetic: numbers a + b√3 with rational a, b. An independent way."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from companion.games.property_poker.tiles import TILES, Kind


@dataclass(frozen=True)
class Q3:
    """a + b√3."""

    a: Fraction
    b: Fraction

    def __add__(self, o: Q3) -> Q3:
        return Q3(self.a + o.a, self.b + o.b)

    def __sub__(self, o: Q3) -> Q3:
        return Q3(self.a - o.a, self.b - o.b)

    def __mul__(self, o: Q3) -> Q3:
        return Q3(self.a * o.a + 3 * self.b * o.b, self.a * o.b + self.b * o.a)

    def __truediv__(self, o: Q3) -> Q3:
        norm = o.a * o.a - 3 * o.b * o.b
        return self * Q3(o.a / norm, -o.b / norm)

    def __neg__(self) -> Q3:
        return Q3(-self.a, -self.b)

    @property
    def sign(self) -> int:
        """-1, 0 or 1, exactly."""
        if self.a >= 0 and self.b >= 0:
            return int(self.a > 0 or self.b > 0)
        if self.a <= 0 and self.b <= 0:
            return -1
        bigger = self.a * self.a - 3 * self.b * self.b
        return (1 if self.a > 0 else -1) * (1 if bigger > 0 else -1)

    def __float__(self) -> float:
        return float(self.a) + float(self.b) * 3**0.5


def q(a: object, b: object = 0) -> Q3:
    return Q3(Fraction(str(a)), Fraction(str(b)))


Vector = tuple[Q3, Q3]
THIRD = Fraction(1, 3)
OUTLINES: dict[Kind, list[Vector]] = {
    Kind.SPADES: [
        (q("-1.5"), q("1.5")),
        (q("1.5"), q("1.5")),
        (q("1.5"), q("-1.5")),
        (q("-1.5"), q("-1.5")),
    ],
    Kind.CLUBS: [
        (q("-0.5"), q(2)),
        (q("0.5"), q(2)),
        (q("0.5"), q(-2)),
        (q("-0.5"), q(-2)),
    ],
    # 4/√3 = (4/3)√3
    Kind.HEARTS: [
        (q(0), Q3(Fraction(0), 4 * THIRD)),
        (q(2), Q3(Fraction(0), -2 * THIRD)),
        (q(-2), Q3(Fraction(0), -2 * THIRD)),
    ],
    Kind.DIAMONDS: [(q(0), q(0, 1)), (q(1), q(0)), (q(0), q(0, -1)), (q(-1), q(0))],
}
LENGTHS = {Kind.SPADES: [3] * 4, Kind.CLUBS: [1, 4, 1, 4], Kind.HEARTS: [4] * 3}
LENGTHS[Kind.DIAMONDS] = [2] * 4


@dataclass(frozen=True)
class Exact:
    """A tile's corners and anchor, exactly."""

    corners: list[Vector]
    anchor: Vector


def minus(p: Vector, o: Vector) -> Vector:
    return p[0] - o[0], p[1] - o[1]


def cross(p: Vector, o: Vector) -> Q3:
    return p[0] * o[1] - p[1] * o[0]


def dot(p: Vector, o: Vector) -> Q3:
    return p[0] * o[0] + p[1] * o[1]


def exact_board(lines: list[str]) -> dict[str, Exact]:
    """A board of a record of flush attachments whose first tile lies unturned at 0, 0."""
    first = lines[0].split()[0]
    outline = OUTLINES[TILES[first].kind]
    board = {first: Exact(outline, (q(0), q(0)))}
    for line in lines[1:]:
        match = re.fullmatch(r"(\w+)\.(\w) on (\w+)\.(\w)( end)?", line)
        assert match, line
        id, side, to, to_side, end = match.groups()
        kind, base = TILES[id].kind, TILES[to].kind
        around = board[to].corners
        number = "abcd".index(to_side)
        start, stop = around[number], around[(number + 1) % len(around)]
        length = LENGTHS[base][number]
        u = minus(stop, start)[0] / q(length), minus(stop, start)[1] / q(length)
        own = OUTLINES[kind]
        i = "abcd".index(side)
        p, r = own[i], own[(i + 1) % len(own)]
        own_length = LENGTHS[kind][i]
        v = minus(r, p)[0] / q(own_length), minus(r, p)[1] / q(own_length)
        along = q(length - own_length) if end else q(0)
        target = start[0] + u[0] * along, start[1] + u[1] * along
        cos, sin = -dot(v, u), -cross(v, u)
        shift = (
            target[0] - (cos * r[0] - sin * r[1]),
            target[1] - (sin * r[0] + cos * r[1]),
        )
        corners = [(shift[0] + cos * x - sin * y, shift[1] + sin * x + cos * y) for x, y in own]
        board[id] = Exact(corners, shift)
    return board


def exactly_covered(board: dict[str, Exact], start: str, aim: str) -> set[str]:
    """The tiles through whose interior the 12 cm ruler passes, decided without rounding."""
    a = board[start].anchor
    d = minus(board[aim].anchor, a)
    reach_squared = dot(d, d)
    found = set()
    for id, tile in board.items():
        across = [cross(d, minus(corner, a)) for corner in tile.corners]
        signs = [value.sign for value in across]
        if not (min(signs) < 0 < max(signs)):
            continue
        where: list[Q3] = []
        for i, corner in enumerate(tile.corners):
            j = (i + 1) % len(tile.corners)
            if signs[i] == 0:
                where.append(dot(d, minus(corner, a)) / reach_squared)
            elif signs[i] * signs[j] < 0:
                share = across[i] / (across[i] - across[j])
                step = minus(tile.corners[j], corner)
                at = corner[0] + share * step[0], corner[1] + share * step[1]
                where.append(dot(d, minus(at, a)) / reach_squared)
        low = min(where, key=float)
        high = max(where, key=float)
        before_end = low.sign <= 0 or (low * low * reach_squared - q(144)).sign < 0
        if high.sign > 0 and before_end:
            found.add(id)
    return found
