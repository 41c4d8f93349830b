"""The display list: what stands where on one face, in millimetres from the trim's top-left corner.

Every writer draws scenes and nothing else, so a card looks the same in every format. y runs down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from companion.drawing.fonts import Font
from companion.errors import Place
from companion.layouts.colors import Color
from companion.units import MM_PER_PT

if TYPE_CHECKING:
    from companion.drawing.pictures import PictureFile

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
    cap: int = 0
    """Line ends: 0 butt, 1 round, 2 square."""
    join: int = 0
    """Corners of the line: 0 mitre, 1 round, 2 bevel."""
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
    """A picture drawn into the box x, y, width, height; clipped to an outline if one is given.

    `flip` mirrors it left to right and top to bottom; `part` draws only an edge of it ("left",
    "top-right" …), stretched over the box.
    """

    picture: PictureFile
    x: float
    y: float
    width: float
    height: float
    clip: tuple[Op, ...] = ()
    place: Place | None = None
    """Where its name is written, for messages."""
    flip: tuple[bool, bool] = (False, False)
    part: str = ""


@dataclass(frozen=True, slots=True)
class Turned:
    """Items under a transformation, clipped to an outline in their coordinates if one is given."""

    matrix: Matrix
    items: tuple[Item, ...]
    clip: tuple[Op, ...] = ()


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
    anchor: tuple[float, float] | None = None
    """The centroid of a shape other than a rectangle."""

    def images(self) -> Iterator[Image]:
        """Every picture that is drawn."""
        yield from _images(self.items)


def _images(items: tuple[Item, ...]) -> Iterator[Image]:
    for item in items:
        if isinstance(item, Image):
            yield item
        elif isinstance(item, Turned | Block):
            yield from _images(item.items)


def text_bounds(items: tuple[Item, ...]) -> tuple[float, float, float, float] | None:
    """left, top, right, bottom of all texts (by the height of digits), mm; None without text."""
    corners = [corner for item in items for corner in _corners(item)]
    if not corners:
        return None
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def _corners(item: Item) -> Iterator[tuple[float, float]]:
    if isinstance(item, Run):
        em = item.points * MM_PER_PT
        wide = sum(item.font.widths.get(ord(c), 1.0) for c in item.text) * em
        wide += item.spread * MM_PER_PT * (len(item.text) - 1)
        # the empty halves of brackets hang over the edges of a line
        left = item.x + (em / 2 if item.text[0] in _HALF_EMPTY_LEFT else 0)
        right = item.x + wide - (em / 2 if item.text[-1] in _HALF_EMPTY_RIGHT else 0)
        for x in (left, right):
            for y in (item.y - _CAP_HEIGHT * em, item.y):
                yield x, y
    elif isinstance(item, Turned):
        a, b, c, d, e, f = item.matrix
        for inner in item.items:
            for x, y in _corners(inner):
                yield a * x + c * y + e, b * x + d * y + f


_CAP_HEIGHT = 0.73
_HALF_EMPTY_LEFT = "（「『《〈【〔"
_HALF_EMPTY_RIGHT = "）」』》〉】〕"
