"""Where a card's back lands, so that it lies behind its front when the sheet is turned over."""

from __future__ import annotations

from enum import StrEnum

from companion.sheets.model import Bleed, Grid, Placement, Slot, Turn


class Duplex(StrEnum):
    """The edge that the printer turns the sheet over, or none: fronts only."""

    LONG_EDGE = "long-edge"
    SHORT_EDGE = "short-edge"
    NONE = "none"


def mirrors_left_right(grid: Grid, duplex: Duplex) -> bool:
    """Whether turning the sheet exchanges left and right (else top and bottom).

    The long edge of a portrait page is vertical, that of a landscape page is not.
    """
    portrait = grid.page_width <= grid.page_height
    return portrait == (duplex is Duplex.LONG_EDGE)


def back_of(front: Placement, grid: Grid, duplex: Duplex) -> Placement:
    """The back of a placed card: mirrored place, and turned so that the card's top edge agrees."""
    slot, bleed = front.slot, front.bleed
    if mirrors_left_right(grid, duplex):
        x = grid.page_width - slot.x - slot.width
        moved = Slot(
            x,
            slot.y,
            slot.width,
            slot.height,
            Turn(-slot.turn % 360),
            slot.row,
            grid.columns - 1 - slot.column,
        )
        return Placement(front.card, moved, Bleed(bleed.right, bleed.top, bleed.left, bleed.bottom))
    y = grid.page_height - slot.y - slot.height
    moved = Slot(
        slot.x,
        y,
        slot.width,
        slot.height,
        Turn((180 - slot.turn) % 360),
        grid.rows - 1 - slot.row,
        slot.column,
    )
    return Placement(front.card, moved, Bleed(bleed.left, bleed.bottom, bleed.right, bleed.top))
