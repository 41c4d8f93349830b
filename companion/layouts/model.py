"""Layouts and their elements as frozen data. Lengths are extents, resolved against the card.

An attribute typed `Value[…]` may be a plain value, a `Template` or a `ByField` choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from companion.errors import Place
from companion.layouts.colors import Palette
from companion.layouts.values import ByField, Condition, Template
from companion.shapes import Shape
from companion.units import Extent

Value: TypeAlias = Any
"""What it says in the comment beside it, or a Template or ByField that yields it."""

Point: TypeAlias = tuple[Extent, Extent]


@dataclass(frozen=True)
class FontChoice:
    """Font families in order: each character comes from the first that has it."""

    names: tuple[str, ...]
    place: Place


@dataclass(frozen=True, kw_only=True)
class Element:
    """What every element has. Box: top-left corner and size, from the trim's top-left."""

    name: str
    place: Place
    at: Point
    size: Point
    area: str | None
    when: tuple[Condition, ...]
    rotate: float
    show: bool


@dataclass(frozen=True, kw_only=True)
class Painted(Element):
    """Something filled and stroked, drawn once or `repeat` times, each `step` further."""

    fill: Value  # Color | None
    stroke: Value  # Color | None
    stroke_width: float
    dash: tuple[float, ...]
    repeat: Value  # int
    step: tuple[float, float]
    centered: bool


@dataclass(frozen=True, kw_only=True)
class Rectangle(Painted):
    """A rectangle; `corner` rounds it (millimetres)."""

    corner: float


@dataclass(frozen=True, kw_only=True)
class Circle(Painted):
    """The largest circle in the box, or the ellipse that fills it."""

    ellipse: bool


@dataclass(frozen=True, kw_only=True)
class Line(Painted):
    """A stroke from one point to another."""

    start: Point
    end: Point


@dataclass(frozen=True, kw_only=True)
class Polygon(Painted):
    """A closed shape through points."""

    points: tuple[Point, ...]


@dataclass(frozen=True, kw_only=True)
class Outline(Painted):
    """The layout's own shape, or the card's rounded rectangle."""


@dataclass(frozen=True, kw_only=True)
class Tag(Painted):
    """A square camera tag (ArUco 4 × 4), as large as the box allows, in the fill's colour."""

    tag: Value  # int


@dataclass(frozen=True, kw_only=True)
class Icon(Painted):
    """A vector icon by name, as large as the box allows; `fill` replaces currentColor."""

    icon: Value  # str
    align: str
    valign: str


@dataclass(frozen=True, kw_only=True)
class Picture(Element):
    """A PNG or JPEG file of the deck's folder."""

    picture: Value  # str
    fit: str
    corner: float
    tile: float
    extend: str
    align: str
    valign: str


@dataclass(frozen=True, kw_only=True)
class Paragraph:
    """One paragraph of a text: its template, and how it differs from the element's style."""

    text: Template | ByField
    font: FontChoice | None
    color: Value  # Color | None; None: the element's
    bold_color: Value
    scale: float
    align: str | None
    gap: float
    when: tuple[Condition, ...]


@dataclass(frozen=True, kw_only=True)
class Text(Element):
    """Text set into a box: the largest size from `fit` (points: floor, start) that fits."""

    paragraphs: tuple[Paragraph, ...]
    rich: bool
    font: FontChoice
    fit: tuple[float, float]
    color: Value  # Color
    bold_color: Value  # Color | None
    align: str
    valign: str
    leading: float
    same_size: bool


@dataclass(frozen=True)
class Layout:
    """A card's look. Millimetres; `safe` and `bleed` are distances from the trim."""

    name: str
    place: Place
    width: float
    height: float
    corner: float
    bleed: float
    safe: float
    palette: Palette
    elements: tuple[Element, ...]
    shape: Shape | None = None
    """An outline other than a rectangle; width and height are those of its box."""
    files: tuple[str, ...] = ()
    """The files that it is made of."""
