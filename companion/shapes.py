"""Outlines in millimetres, shared by cards, tiles and the ruler.

A shape's corners run clockwise as one sees them (y down), inside a box whose top-left corner is
(0, 0). Side i runs from corner i to corner i + 1; sides are lettered a, b, c … in that order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Point = tuple[float, float]
SIDE_TOLERANCE = 0.001
"""Millimetres by which a side of a validated shape may differ from what was asked for."""
_CIRCLE_CORNERS = 96


@dataclass(frozen=True)
class Shape:
    """A simple closed outline. `round` shapes stand for a circle and have no sides to speak of."""

    points: tuple[Point, ...]
    kind: str = "polygon"
    round: bool = False

    @property
    def width(self) -> float:
        """Of the box around it."""
        return max(x for x, _ in self.points)

    @property
    def height(self) -> float:
        """Of the box around it."""
        return max(y for _, y in self.points)

    @property
    def sides(self) -> tuple[float, ...]:
        """The lengths of the sides, a, b, c …"""
        return tuple(math.dist(p, q) for p, q in self.edges)

    @property
    def edges(self) -> tuple[tuple[Point, Point], ...]:
        """The sides as pairs of corners."""
        return tuple(zip(self.points, (*self.points[1:], self.points[0]), strict=True))

    @property
    def area(self) -> float:
        """In square millimetres."""
        return polygon_area(self.points)

    @property
    def anchor(self) -> Point:
        """The centroid of the area: where a label stands and a ruler is aimed (PP-1)."""
        return centroid(self.points)


def centroid(points: Sequence[Point]) -> Point:
    """The centroid of a simple polygon's area."""
    area = _signed_area(points)
    sx = sy = 0.0
    for (x1, y1), (x2, y2) in zip(points, (*points[1:], points[0]), strict=True):
        cross = x1 * y2 - x2 * y1
        sx += (x1 + x2) * cross
        sy += (y1 + y2) * cross
    return sx / (6 * area), sy / (6 * area)


def polygon_area(points: Sequence[Point]) -> float:
    """The area of a simple polygon."""
    return abs(_signed_area(points))


def _signed_area(points: Sequence[Point]) -> float:
    pairs = zip(points, (*points[1:], points[0]), strict=True)
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs) / 2


def from_points(points: Sequence[Point], kind: str = "polygon") -> Shape:
    """A shape through points, moved so that its box begins at (0, 0). Raises ValueError."""
    if len(points) < 3:
        raise ValueError("a shape needs three corners or more")
    if polygon_area(points) < 1:
        raise ValueError("a shape needs an area of at least 1 mm²")
    if _crosses_itself(points):
        raise ValueError("a shape whose sides do not cross")
    if _signed_area(points) < 0:  # with y down, a positive area is clockwise on paper
        points = [points[0], *reversed(points[1:])]
    left, top = min(x for x, _ in points), min(y for _, y in points)
    return Shape(tuple((x - left, y - top) for x, y in points), kind)


def from_sides(sides: Sequence[float], angles: Sequence[float]) -> Shape:
    """A shape from its sides and the inner angle after each, clockwise, side a along the top.

    `sides` in millimetres, `angles` in degrees. Raises ValueError if it does not close.
    """
    if len(sides) != len(angles) or len(sides) < 3:
        raise ValueError("as many angles as sides, three or more")
    if any(side <= 0 for side in sides):
        raise ValueError("sides longer than 0")
    points = [(0.0, 0.0)]
    heading = 0.0
    for side, angle in zip(sides, angles, strict=True):
        x, y = points[-1]
        points.append((x + side * math.cos(heading), y + side * math.sin(heading)))
        heading += math.pi - math.radians(angle)
    gap = math.dist(points[0], points[-1])
    if gap > SIDE_TOLERANCE:
        raise ValueError(f"sides and angles that close; these leave {gap:.3f} mm open")
    return from_points(points[:-1])


def regular(corners: int, across_flats: float) -> Shape:
    """A regular polygon, a corner up if the number of corners is odd, else a flat side up.

    `across_flats`: from a side to the opposite side (or corner). Raises ValueError.
    """
    if not 3 <= corners <= 24 or across_flats <= 0:
        raise ValueError("3 to 24 corners and a size over 0")
    half = math.pi / corners
    inner = across_flats / 2 if corners % 2 == 0 else across_flats / (1 + 1 / math.cos(half))
    radius = inner / math.cos(half)
    first = -math.pi / 2 + (0 if corners % 2 else half) - (0 if corners % 2 else 2 * half)
    points = [
        (radius * math.cos(first + 2 * half * n), radius * math.sin(first + 2 * half * n))
        for n in range(corners)
    ]
    return from_points(points, "regular")


def circle(diameter: float) -> Shape:
    """A round token. Raises ValueError."""
    if diameter <= 0:
        raise ValueError("a diameter over 0")
    r = diameter / 2
    steps = [2 * math.pi * n / _CIRCLE_CORNERS for n in range(_CIRCLE_CORNERS)]
    points = tuple((r + r * math.cos(step), r + r * math.sin(step)) for step in steps)
    return Shape(points, "circle", round=True)


def rectangle(width: float, height: float) -> Shape:
    """A rectangle: a top, b right, c bottom, d left."""
    return from_points([(0, 0), (width, 0), (width, height), (0, height)], "rectangle")


def rhombus(side: float, acute: float = 60.0) -> Shape:
    """A rhombus with its long diagonal upright: a upper right, b lower right, c, d."""
    half = math.radians(acute) / 2
    tall, wide = side * math.cos(half), side * math.sin(half)
    return from_points([(wide, 0), (2 * wide, tall), (wide, 2 * tall), (0, tall)], "rhombus")


def isosceles(base: float, leg: float) -> Shape:
    """A triangle, point up: a right, b bottom, c left. Raises ValueError if it cannot be."""
    if leg <= base / 2:
        raise ValueError("legs longer than half the base")
    tall = math.sqrt(leg**2 - base**2 / 4)
    return from_points([(base / 2, 0), (base, tall), (0, tall)], "isosceles")


def trapezoid(bottom: float, top: float, leg: float) -> Shape:
    """An isosceles trapezoid: a top, b right, c bottom, d left. Raises ValueError."""
    inset = (bottom - top) / 2
    if leg <= abs(inset):
        raise ValueError("legs longer than half the difference of the parallel sides")
    tall = math.sqrt(leg**2 - inset**2)
    left = max(0.0, -inset)
    return from_points(
        [
            (left + inset, 0),
            (left + inset + top, 0),
            (left + bottom, tall),
            (left, tall),
        ],
        "trapezoid",
    )


def _crosses_itself(points: Sequence[Point]) -> bool:
    """Whether two sides that are not neighbours touch."""
    from shapely.geometry import LinearRing

    return not LinearRing(points).is_simple
