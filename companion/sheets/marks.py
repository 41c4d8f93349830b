"""Crop marks: where scissors go."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from companion.sheets.model import Frame, Placement, Slot, Stroke

OFFSET = 500
"""Between a card's bleed and the start of a margin mark."""
SHORTEST = 1000
"""A margin mark shorter than this is no help; it is left out and reported."""
_LONGEST = 6000
_ARM = 2500


class Marks(StrEnum):
    """Which crop marks a page gets."""

    NONE = "none"
    MARGIN = "margin"
    FULL = "full"
    CORNERS = "corners"


def cut_positions(slots: Iterable[Slot]) -> tuple[list[int], list[int]]:
    """The x of all vertical cuts and the y of all horizontal ones, sorted."""
    xs: set[int] = set()
    ys: set[int] = set()
    for slot in slots:
        xs.update((slot.x, slot.x + slot.width))
        ys.update((slot.y, slot.y + slot.height))
    return sorted(xs), sorted(ys)


def crop_marks(
    placements: tuple[Placement, ...], frame: Frame, mode: Marks, margin: int, outer_bleed: int
) -> tuple[Stroke, ...]:
    """The strokes for one page; none of them touches a bleed or leaves the printable area."""
    if mode is Marks.NONE or not placements:
        return ()
    slots = [placement.slot for placement in placements]
    if mode is Marks.CORNERS:
        return tuple(dict.fromkeys(stroke for slot in slots for stroke in _corners(slot)))
    xs, ys = cut_positions(slots)
    right, bottom = frame.page_width - margin, frame.page_height - margin
    if mode is Marks.FULL:
        return (
            *(Stroke(x, margin, x, bottom) for x in xs),
            *(Stroke(margin, y, right, y) for y in ys),
        )
    reach = outer_bleed + OFFSET
    strokes: list[Stroke] = []
    for x in xs:
        strokes += _vertical(x, max(margin, frame.top - reach - _LONGEST), frame.top - reach)
        below = frame.bottom + reach
        strokes += _vertical(x, below, min(bottom, below + _LONGEST))
    for y in ys:
        strokes += _horizontal(y, max(margin, frame.left - reach - _LONGEST), frame.left - reach)
        beside = frame.right + reach
        strokes += _horizontal(y, beside, min(right, beside + _LONGEST))
    return tuple(strokes)


def room_for_marks(frame: Frame, margin: int) -> int:
    """The outer bleed that leaves room for the shortest margin mark on all four sides."""
    return max(0, frame.edge - margin - OFFSET - SHORTEST)


def marks_have_room(frame: Frame, margin: int) -> bool:
    """Whether margin marks fit at all beside cards without bleed."""
    return frame.edge - margin - OFFSET >= SHORTEST


def _vertical(x: int, y1: int, y2: int) -> list[Stroke]:
    return [Stroke(x, y1, x, y2)] if y2 - y1 >= SHORTEST else []


def _horizontal(y: int, x1: int, x2: int) -> list[Stroke]:
    return [Stroke(x1, y, x2, y)] if x2 - x1 >= SHORTEST else []


def _corners(slot: Slot) -> list[Stroke]:
    strokes = []
    for x in (slot.x, slot.x + slot.width):
        for y in (slot.y, slot.y + slot.height):
            strokes.append(Stroke(x - _ARM, y, x + _ARM, y))
            strokes.append(Stroke(x, y - _ARM, x, y + _ARM))
    return strokes
