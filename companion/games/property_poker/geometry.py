"""Convex tiles and a straight ruler, in centimetres with y up.

Whether a ruler passes through a tile is decided by a signed margin, never by asking whether two
rounded lines touch: along a shared edge or through a common corner of turned tiles such a question
has no right answer in floating point.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.property_poker.tiles import OUTLINES, TILES, Point

CROSSING = 1e-9
"""A margin above this (cm) is a crossing. Rounding noise is about 1e-13, real margins over 1e-7."""
LAID = 1e-3
"""How far (cm) tiles that touch may be apart or overlap: a record may be rounded."""


@dataclass(frozen=True)
class Pose:
    """Where an outline lies: its anchor, and its turn as (cos, sin), counter-clockwise."""

    x: float
    y: float
    cos: float = 1.0
    sin: float = 0.0

    @staticmethod
    def turned(x: float, y: float, degrees: float) -> Pose:
        """A pose by coordinates and degrees; quarter turns are exact."""
        quarter = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}
        cos, sin = quarter.get(
            degrees % 360, (math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))
        )
        return Pose(x, y, cos, sin)

    @property
    def degrees(self) -> float:
        """The turn, from 0 to 360."""
        return math.degrees(math.atan2(self.sin, self.cos)) % 360

    def place(self, points: Sequence[Point]) -> tuple[Point, ...]:
        """Points of the outline, where they come to lie."""
        return tuple(
            (self.x + self.cos * x - self.sin * y, self.y + self.sin * x + self.cos * y)
            for x, y in points
        )


def corners(id: str, pose: Pose) -> tuple[Point, ...]:
    """A tile's corners on the table, clockwise."""
    return pose.place(OUTLINES[TILES[id].kind])


def edges(polygon: Sequence[Point]) -> list[tuple[Point, Point]]:
    """The sides as pairs of corners, clockwise."""
    return list(zip(polygon, (*polygon[1:], polygon[0]), strict=True))


def attached(
    id: str, side: int, to: tuple[Point, Point], after: float, at_end: bool = False
) -> Pose:
    """The pose that lays a side of a tile against another tile's side, from outside.

    `to`: that side, clockwise. The sides meet at its first corner, or `after` cm behind it, or
    `at_end` at its second corner.
    """
    outline = OUTLINES[TILES[id].kind]
    p, q = edges(outline)[side]
    length, (start, end) = math.dist(p, q), to
    reach = math.dist(start, end)
    ux, uy = (end[0] - start[0]) / reach, (end[1] - start[1]) / reach
    along = reach - length if at_end else after
    # against each other two clockwise sides run in opposite directions: q comes to lie first
    qx, qy = start[0] + ux * along, start[1] + uy * along
    vx, vy = (q[0] - p[0]) / length, (q[1] - p[1]) / length
    cos, sin = -(vx * ux + vy * uy), -(vx * uy - vy * ux)
    return Pose(qx - (cos * q[0] - sin * q[1]), qy - (sin * q[0] + cos * q[1]), cos, sin)


def margin(polygon: Sequence[Point], a: Point, b: Point) -> float:
    """The signed margin of a ruler from a to b with a convex tile (PP-7).

    Above `CROSSING` the ruler passes through the interior, and the value is the smallest move (cm)
    after which it does not. Otherwise it is at most about 0 and only its sign means something.
    """
    least = math.inf
    for (px, py), (qx, qy) in edges(polygon):
        nx, ny = _left_of((px, py), (qx, qy))
        offset = nx * px + ny * py
        least = min(least, offset - min(nx * a[0] + ny * a[1], nx * b[0] + ny * b[1]))
    nx, ny = _left_of(a, b)
    across = [nx * (x - a[0]) + ny * (y - a[1]) for x, y in polygon]
    return min(least, max(across), -min(across))


def _left_of(p: Point, q: Point) -> Point:
    """The unit normal to the left of a line: outward of a clockwise side."""
    length = math.hypot(q[0] - p[0], q[1] - p[1])
    return -(q[1] - p[1]) / length, (q[0] - p[0]) / length


def distance(polygon: Sequence[Point], a: Point, b: Point) -> float:
    """How far (cm) a ruler that does not pass through a tile is from it; 0 if they touch."""
    if inside(polygon, a) or inside(polygon, b):
        return 0.0
    return min(_between(p, q, a, b) for p, q in edges(polygon))


def inside(polygon: Sequence[Point], point: Point) -> bool:
    """Whether a point lies in a clockwise convex polygon or on its edge."""
    x, y = point
    return all(
        (qx - px) * (y - py) - (qy - py) * (x - px) <= 0 for (px, py), (qx, qy) in edges(polygon)
    )


def _between(p: Point, q: Point, a: Point, b: Point) -> float:
    """The distance of two segments."""
    if _cross(p, q, a) * _cross(p, q, b) < 0 and _cross(a, b, p) * _cross(a, b, q) < 0:
        return 0.0
    return min(to_segment(p, a, b), to_segment(q, a, b), to_segment(a, p, q), to_segment(b, p, q))


def _cross(p: Point, q: Point, r: Point) -> float:
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def to_segment(point: Point, a: Point, b: Point) -> float:
    """The distance of a point from a segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    share = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / (dx * dx + dy * dy)
    share = min(1.0, max(0.0, share))
    return math.dist(point, (a[0] + share * dx, a[1] + share * dy))


def overlap(one: Sequence[Point], other: Sequence[Point]) -> float:
    """By how much (cm) two convex polygons overlap: the least move that parts them; ≤ 0: apart."""
    least = math.inf
    for polygon in (one, other):
        for p, q in edges(polygon):
            nx, ny = _left_of(p, q)
            first = [nx * x + ny * y for x, y in one]
            second = [nx * x + ny * y for x, y in other]
            least = min(least, max(first) - min(second), max(second) - min(first))
            if least <= 0:
                return least
    return least


def contact(side: tuple[Point, Point], other: tuple[Point, Point]) -> tuple[float, float] | None:
    """The stretch of a side (cm from its first corner) along which another tile's side lies.

    None if they do not lie against each other within `LAID`.
    """
    (px, py), (qx, qy) = side
    length = math.hypot(qx - px, qy - py)
    ux, uy = (qx - px) / length, (qy - py) / length
    along, across = [], []
    for x, y in other:
        along.append((x - px) * ux + (y - py) * uy)
        across.append(abs((y - py) * ux - (x - px) * uy))
    # the other side runs the other way; a side of a tile that lies over this one would not
    if max(across) > LAID or along[0] <= along[1]:
        return None
    start, end = max(0.0, along[1]), min(length, along[0])
    return (start, end) if end - start > LAID else None
