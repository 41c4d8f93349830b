"""Registration marks that a cutting machine's camera looks for (Silhouette type).

A black square at the top left, and two corner angles, at published places: see `MARKS`.
"""

from __future__ import annotations

from companion.sheets.model import Bar, Frame, Slot, Stroke

INSET = 10_000
"""From the paper's edges to the marks' outer edges: 10 mm."""
SQUARE = 5_000
"""Side of the square: 5 mm."""
ARM = 20_000
"""Length of an angle's arms: 20 mm."""
LINE = 500
"""Width of an angle's lines: 0.5 mm."""
CLEAR = 2_000
"""Kept free around a mark: 2 mm."""


def registration_bars(page_width: int, page_height: int) -> tuple[Bar, ...]:
    """The marks of one page, the same on every page of that size."""
    right, bottom = page_width - INSET, page_height - INSET
    return (
        Bar(INSET, INSET, SQUARE, SQUARE),
        Bar(right - ARM, INSET, ARM, LINE),
        Bar(right - LINE, INSET, LINE, ARM),
        Bar(INSET, bottom - LINE, ARM, LINE),
        Bar(INSET, bottom - ARM, LINE, ARM),
    )


def away_from(strokes: tuple[Stroke, ...], bars: tuple[Bar, ...]) -> tuple[Stroke, ...]:
    """The crop marks that keep clear of every mark: a camera takes a line beside it for an arm."""
    return tuple(stroke for stroke in strokes if not any(_near(stroke, bar) for bar in bars))


def _near(stroke: Stroke, bar: Bar) -> bool:
    left, right = sorted((stroke.x1, stroke.x2))
    top, bottom = sorted((stroke.y1, stroke.y2))
    return (
        left - CLEAR < bar.x + bar.width
        and right + CLEAR > bar.x
        and top - CLEAR < bar.y + bar.height
        and bottom + CLEAR > bar.y
    )


def free_slots(frame: Frame, bars: tuple[Bar, ...], bleed: int) -> tuple[list[Slot], list[Slot]]:
    """(slots that may be used, slots too near a mark), both in filling order."""
    used: list[Slot] = []
    blocked: list[Slot] = []
    for slot in frame.slots:
        near = any(_touches(slot, bar, bleed + CLEAR) for bar in bars)
        (blocked if near else used).append(slot)
    return used, blocked


def _touches(slot: Slot, bar: Bar, reach: int) -> bool:
    return (
        slot.x - reach < bar.x + bar.width
        and slot.x + slot.width + reach > bar.x
        and slot.y - reach < bar.y + bar.height
        and slot.y + slot.height + reach > bar.y
    )
