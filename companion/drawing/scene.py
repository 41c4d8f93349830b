"""The display list: what stands where on one face, in millimetres from the trim's top-left corner.

Every writer draws scenes and nothing else, so a card looks the same in every format. y runs down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from companion.drawing.fonts import Font
from companion.drawing.pictures import PictureFile
from companion.layouts.colors import Color

Op: TypeAlias = tuple[str, tuple[float, ...]]
"""A path step: ("M", (x, y)), ("L", (x, y)), ("C", (x1, y1, x2, y2, x, y)), ("Z", ())."""

Matrix: TypeAlias = tuple[float, float, float, float, float, float]
"""x' = a·x + c·y + e, y' = b·x + d·y + f, with y running down."""


@dataclass(frozen=True, slots=True)
class Path:
    """A filled and stroked outline; `even_odd` chooses the filling rule."""

    ops: tuple[Op, ...]
    fill: Color | None
    stroke: Color | None = None
    stroke_width: float = 0.25
    dash: tuple[float, ...] = ()
    round_ends: bool = False
    even_odd: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """Characters of one font, size and colour on one baseline.

    `x`, `y` in millimetres (baseline), `points` the size, `spread` extra points after each
    character.
    """

    x: float
    y: float
    text: str
    font: Font
    points: float
    color: Color
    spread: float = 0.0


@dataclass(frozen=True, slots=True)
class Image:
    """A picture drawn into the box x, y, width, height; clipped to an outline if one is given."""

    picture: PictureFile
    x: float
    y: float
    width: float
    height: float
    clip: tuple[Op, ...] = ()


@dataclass(frozen=True, slots=True)
class Turned:
    """Items under a transformation."""

    matrix: Matrix
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Items that many faces share; a writer draws them once. Equal only to itself."""

    items: tuple[Item, ...]


Item: TypeAlias = Path | Run | Image | Turned | Block


@dataclass(frozen=True, eq=False)
class Scene:
    """One face of a card: trim size, bleed, and items from bottom to top."""

    width: float
    height: float
    bleed: float
    items: tuple[Item, ...]

    def pictures(self) -> Iterator[PictureFile]:
        """Every picture that is drawn."""
        yield from _pictures(self.items)


def _pictures(items: tuple[Item, ...]) -> Iterator[PictureFile]:
    for item in items:
        if isinstance(item, Image):
            yield item.picture
        elif isinstance(item, Turned | Block):
            yield from _pictures(item.items)
