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
    """Card number `card` (an index into the run) in a slot: its front, or its back."""

    card: int
    slot: Slot
    bleed: Bleed
    back: bool = False


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
class Bar:
    """A black rectangle: a registration mark of a cutter, or a part of one."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Page:
    """One side of one sheet. `fold` is a dashed line."""

    sheet: int
    side: str
    placements: tuple[Placement, ...]
    marks: tuple[Stroke, ...] = ()
    label: Label | None = None
    fold: Stroke | None = None
    bars: tuple[Bar, ...] = ()


@dataclass(frozen=True)
class Frame:
    """The slots of a sheet in filling order. `fold` is the y of a fold line (fronts lie above)."""

    page_width: int
    page_height: int
    slots: tuple[Slot, ...]
    columns: int
    rows: int
    fold: int | None = None

    @property
    def left(self) -> int:
        """The left edge of the leftmost slot."""
        return min(slot.x for slot in self.slots)

    @property
    def top(self) -> int:
        """The upper edge of the topmost slot."""
        return min(slot.y for slot in self.slots)

    @property
    def right(self) -> int:
        """The right edge of the rightmost slot."""
        return max(slot.x + slot.width for slot in self.slots)

    @property
    def bottom(self) -> int:
        """The lower edge of the lowest slot; with a fold, of the lowest back."""
        if self.fold is not None:
            return 2 * self.fold - self.top
        return max(slot.y + slot.height for slot in self.slots)

    @property
    def edge(self) -> int:
        """The narrowest margin beside the slots."""
        return min(
            self.left, self.top, self.page_width - self.right, self.page_height - self.bottom
        )


@dataclass(frozen=True, slots=True)
class SheetPlan:
    """Pages in printing order, with what a report needs. `notes` are warnings."""

    frame: Frame
    pages: tuple[Page, ...]
    sheets: int
    notes: tuple[str, ...] = field(default=())
