"""Sheets as data. All lengths are whole micrometres, origin top-left, y down."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum


class Turn(IntEnum):
    """Clockwise rotation of a card on the page, in degrees."""

    NONE = 0
    RIGHT = 90
    HALF = 180
    LEFT = 270


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for one card: its trim box on the page, and how the card is turned in it."""

    x: int
    y: int
    width: int
    height: int
    turn: Turn
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Bleed:
    """How far a card may paint over its trim on each side of the slot."""

    left: int
    top: int
    right: int
    bottom: int


@dataclass(frozen=True, slots=True)
class Placement:
    """Card number `card` (an index into the run) in a slot."""

    card: int
    slot: Slot
    bleed: Bleed


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line."""

    x1: int
    y1: int
    x2: int
    y2: int


@dataclass(frozen=True, slots=True)
class Label:
    """A line of small text in the margin: start of its baseline, the room it has, its direction."""

    x: int
    y: int
    room: int
    text: str
    upwards: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """One side of one sheet."""

    sheet: int
    side: str
    placements: tuple[Placement, ...]
    marks: tuple[Stroke, ...] = ()
    label: Label | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows and columns of equal slots, centred on the page.

    `width`, `height` are the slot's on the page (the card's exchanged if `turned`).
    """

    page_width: int
    page_height: int
    columns: int
    rows: int
    x: int
    y: int
    width: int
    height: int
    gap: int
    turned: bool

    @property
    def capacity(self) -> int:
        """Cards a page."""
        return self.columns * self.rows

    @property
    def right(self) -> int:
        """The right edge of the last column."""
        return self.x + self.columns * self.width + (self.columns - 1) * self.gap

    @property
    def bottom(self) -> int:
        """The lower edge of the last row."""
        return self.y + self.rows * self.height + (self.rows - 1) * self.gap

    def slot(self, index: int) -> Slot:
        """Slot number `index`, row by row from the top left, for a front."""
        row, column = divmod(index, self.columns)
        return Slot(
            self.x + column * (self.width + self.gap),
            self.y + row * (self.height + self.gap),
            self.width,
            self.height,
            Turn.RIGHT if self.turned else Turn.NONE,
            row,
            column,
        )


@dataclass(frozen=True, slots=True)
class SheetPlan:
    """Pages in printing order, with what a report needs."""

    grid: Grid
    pages: tuple[Page, ...]
    sheets: int
    notes: tuple[str, ...] = field(default=())
