"""Where a card's back lands: behind its front when the sheet is turned over or folded."""

from __future__ import annotations

from enum import StrEnum

from companion.sheets.model import Bleed, Frame, Placement, Slot, Turn


class Duplex(StrEnum):
    """The edge that the printer turns the sheet over, or none: fronts only."""

    LONG_EDGE = "long-edge"
    SHORT_EDGE = "short-edge"
    NONE = "none"


def mirrors_left_right(frame: Frame, duplex: Duplex) -> bool:
    """Whether turning the sheet exchanges left and right (else top and bottom).

    The long edge of a portrait page is vertical, that of a landscape page is not.
    """
    portrait = frame.page_width <= frame.page_height
    return portrait == (duplex is Duplex.LONG_EDGE)


def back_of(front: Placement, frame: Frame, duplex: Duplex) -> Placement:
    """The back of a placed card: mirrored place, and turned so that the card's top edge agrees.

    On a frame with a fold line, the back lies below it on the same page.
    """
    slot, bleed = front.slot, front.bleed
    if frame.fold is None and mirrors_left_right(frame, duplex):
        x = frame.page_width - slot.x - slot.width
        column = frame.columns - 1 - slot.column
        turn = Turn(-slot.turn % 360)
        moved = Slot(x, slot.y, slot.width, slot.height, turn, slot.row, column)
        mirrored = Bleed(bleed.right, bleed.top, bleed.left, bleed.bottom)
    else:
        axis = frame.page_height if frame.fold is None else 2 * frame.fold
        y = axis - slot.y - slot.height
        row = frame.rows - 1 - slot.row
        turn = Turn((180 - slot.turn) % 360)
        moved = Slot(slot.x, y, slot.width, slot.height, turn, row, slot.column)
        mirrored = Bleed(bleed.left, bleed.bottom, bleed.right, bleed.top)
    return Placement(front.card, moved, mirrored, back=True)
