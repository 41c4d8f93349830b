"""Crop marks: where scissors go."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from companion.sheets.model import Grid, Placement, Slot, Stroke

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
    placements: tuple[Placement, ...], grid: Grid, mode: Marks, margin: int, outer_bleed: int
) -> tuple[Stroke, ...]:
    """The strokes for one page; none of them touches a bleed or leaves the printable area."""
    if mode is Marks.NONE or not placements:
        return ()
    slots = [placement.slot for placement in placements]
    if mode is Marks.CORNERS:
        return tuple(dict.fromkeys(stroke for slot in slots for stroke in _corners(slot)))
    xs, ys = cut_positions(slots)
    left, top = margin, margin
    right, bottom = grid.page_width - margin, grid.page_height - margin
    if mode is Marks.FULL:
        return (
            *(Stroke(x, top, x, bottom) for x in xs),
            *(Stroke(left, y, right, y) for y in ys),
        )
    reach = outer_bleed + OFFSET
    strokes: list[Stroke] = []
    for x in xs:
        strokes += _vertical(x, max(top, grid.y - reach - _LONGEST), grid.y - reach)
        strokes += _vertical(x, grid.bottom + reach, min(bottom, grid.bottom + reach + _LONGEST))
    for y in ys:
        strokes += _horizontal(y, max(left, grid.x - reach - _LONGEST), grid.x - reach)
        strokes += _horizontal(y, grid.right + reach, min(right, grid.right + reach + _LONGEST))
    return tuple(strokes)


def room_for_marks(grid: Grid, margin: int) -> int:
    """The outer bleed that leaves room for the shortest margin mark on all four sides."""
    return max(0, min(grid.x, grid.y) - margin - OFFSET - SHORTEST)


def marks_have_room(grid: Grid, margin: int) -> bool:
    """Whether margin marks fit at all beside cards without bleed."""
    return min(grid.x, grid.y) - margin - OFFSET >= SHORTEST


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
