"""A run of cards → pages: slots filled in order, backs behind their fronts, pages in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.errors import PrintError, UsageError
from companion.sheets.duplex import Duplex, back_of
from companion.sheets.grid import fit_fold, fit_grid
from companion.sheets.marks import Marks, crop_marks, marks_have_room, room_for_marks
from companion.sheets.model import (
    Bar,
    Bleed,
    Frame,
    Label,
    Page,
    Placement,
    SheetPlan,
    Slot,
    Stroke,
)
from companion.sheets.registration import away_from, free_slots, registration_bars
from companion.units import number_text, to_um


class PageOrder(StrEnum):
    """The order of fronts (F) and backs (B)."""

    INTERLEAVED = "interleaved"
    SEPARATE = "separate"
    SEPARATE_REVERSED = "separate-reversed"


@dataclass(frozen=True)
class SheetStyle:
    """How cards are put on paper. Lengths in millimetres; slots count from 1.

    `frame` replaces the grid by ready slots (label stock, pre-scored paper). `bleed` limits the
    layouts' bleed.
    """

    paper: tuple[float, float] = (210, 297)
    margin: float = 5.0
    gap: float = 0.0
    bleed: float | None = None
    duplex: Duplex = Duplex.LONG_EDGE
    fold: bool = False
    marks: Marks = Marks.MARGIN
    marks_on_backs: bool = False
    order: PageOrder = PageOrder.INTERLEAVED
    labels: bool = True
    start_slot: int = 1
    skip_slots: frozenset[int] = frozenset()
    registration: bool = False
    frame: Frame | None = None


def impose(
    card: tuple[float, float],
    bleed: float,
    has_back: Sequence[bool],
    style: SheetStyle,
    label: str = "",
) -> SheetPlan:
    """Pages for a run of equal cards; `has_back[i]` tells whether card i has a back.

    `card` and `bleed` in millimetres. An empty back page is kept between printed pages (the
    sheets would lose step) and dropped at the end. Raises PrintError if no card fits, UsageError
    for slots that the sheet does not have.
    """
    frame = _frame(card, style)
    margin = to_um(style.margin)
    wanted = to_um(bleed if style.bleed is None else min(bleed, style.bleed))
    outer = min(wanted, max(0, frame.edge))
    if style.marks is Marks.MARGIN:
        outer = min(wanted, room_for_marks(frame, margin))
    bars = registration_bars(frame.page_width, frame.page_height) if style.registration else ()
    slots, blocked = _usable(frame, style, bars, wanted)
    maker = _PageMaker(frame, style, margin, outer, wanted, label, bars)
    fronts, backs = maker.sheets(slots, has_back)
    duplex = style.duplex is not Duplex.NONE and not style.fold
    pages = _ordered(fronts, backs, style.order, duplex)
    notes = (*_notes(frame, style, margin), *blocked)
    return SheetPlan(frame, tuple(pages), len(fronts), notes)


def _frame(card: tuple[float, float], style: SheetStyle) -> Frame:
    if style.fold:
        return fit_fold(style.paper, card, style.margin, style.gap)
    if style.frame is None:
        return fit_grid(style.paper, card, style.margin, style.gap)
    size = (to_um(card[0]), to_um(card[1]))
    for slot in style.frame.slots:
        upright = (slot.width, slot.height) if slot.turn % 180 == 0 else (slot.height, slot.width)
        if upright != size:
            raise PrintError(
                f"the sheet's slots are {upright[0] / 1000:g} × {upright[1] / 1000:g} mm, "
                f"the cards {number_text(card[0])} × {number_text(card[1])} mm"
            )
    return style.frame


def _usable(
    frame: Frame, style: SheetStyle, bars: tuple[Bar, ...], bleed: int
) -> tuple[list[Slot], list[str]]:
    """The slots that are filled, and a note on those that a registration mark takes."""
    count = len(frame.slots)
    for number in (style.start_slot, *style.skip_slots):
        if not 1 <= number <= count:
            raise UsageError(f"there is no slot {number}: the sheet has the slots 1 to {count}")
    free, blocked = free_slots(frame, bars, min(bleed, 1000)) if bars else (list(frame.slots), [])
    slots = [
        slot
        for number, slot in enumerate(frame.slots, 1)
        if slot in free and number not in style.skip_slots
    ]
    if not slots:
        raise PrintError("no slot is left to print on")
    notes = []
    if blocked:
        numbers = ", ".join(str(frame.slots.index(slot) + 1) for slot in blocked)
        verb = "slots {} stay free: they are" if len(blocked) > 1 else "slot {} stays free: it is"
        notes.append(f"{verb.format(numbers)} too near a registration mark")
    return slots, notes


@dataclass(frozen=True)
class _PageMaker:
    frame: Frame
    style: SheetStyle
    margin: int
    outer: int
    wanted: int
    label: str
    bars: tuple[Bar, ...]

    def sheets(self, slots: list[Slot], has_back: Sequence[bool]) -> tuple[list[Page], list[Page]]:
        """Front and back page of every sheet; the first starts at its start slot."""
        first = self.frame.slots[self.style.start_slot - 1]
        order = {slot: number for number, slot in enumerate(self.frame.slots)}
        bleeds = {slot: self._bleed(slot) for slot in slots}
        room = [slot for slot in slots if order[slot] >= order[first]]
        if not room:
            raise PrintError(
                f"no slot is free from slot {self.style.start_slot} on; start at an earlier one"
            )
        fronts: list[Page] = []
        backs: list[Page] = []
        card = 0
        while card < len(has_back):
            placed = [
                Placement(number, slot, bleeds[slot])
                for number, slot in zip(range(card, len(has_back)), room, strict=False)
            ]
            card += len(placed)
            with_back = [p for p in placed if has_back[p.card]]
            sheet = len(fronts) + 1
            fronts.append(self._front(sheet, placed, with_back))
            backs.append(self._back(sheet, with_back))
            room = slots
        return fronts, backs

    def _front(self, sheet: int, placed: list[Placement], with_back: list[Placement]) -> Page:
        frame = self.frame
        if frame.fold is None:
            return self._page(sheet, "front", tuple(placed), marked=True)
        backs = tuple(back_of(p, frame, self.style.duplex) for p in with_back)
        page = self._page(sheet, "fold", (*placed, *backs), marked=True)
        fold = Stroke(self.margin, frame.fold, frame.page_width - self.margin, frame.fold)
        return replace(page, fold=fold)

    def _back(self, sheet: int, with_back: list[Placement]) -> Page:
        placements: tuple[Placement, ...] = ()
        if self.style.duplex is not Duplex.NONE and self.frame.fold is None:
            placements = tuple(back_of(p, self.frame, self.style.duplex) for p in with_back)
        return self._page(sheet, "back", placements, marked=self.style.marks_on_backs)

    def _page(
        self, sheet: int, side: str, placements: tuple[Placement, ...], *, marked: bool
    ) -> Page:
        mode = self.style.marks if marked else Marks.NONE
        marks = crop_marks(placements, self.frame, mode, self.margin, self.outer)
        marks = away_from(marks, self.bars)
        label = self._label(sheet, side) if self.style.labels and placements else None
        return Page(sheet, side, placements, marks, label, bars=self.bars if side != "back" else ())

    def _bleed(self, slot: Slot) -> Bleed:
        """Half the way to the nearest slot on each side, the outer bleed where there is none."""
        nearest: dict[str, int] = {}

        def see(side: str, distance: int) -> None:
            if distance >= 0:
                nearest[side] = min(nearest.get(side, distance), distance)

        for other in self.frame.slots:
            if other is slot:
                continue
            if other.y < slot.y + slot.height and slot.y < other.y + other.height:
                see("right", other.x - slot.x - slot.width)
                see("left", slot.x - other.x - other.width)
            if other.x < slot.x + slot.width and slot.x < other.x + other.width:
                see("bottom", other.y - slot.y - slot.height)
                see("top", slot.y - other.y - other.height)
        if self.frame.fold is not None:
            see("bottom", 2 * (self.frame.fold - slot.y - slot.height))
        sides = ("left", "top", "right", "bottom")
        return Bleed(*(self._limit(nearest.get(side)) for side in sides))

    def _limit(self, distance: int | None) -> int:
        return self.outer if distance is None else min(self.wanted, distance // 2)

    def _label(self, sheet: int, side: str) -> Label | None:
        """Between two crop marks: below the first column, else left of the last row, else none."""
        text = f"{self.label} · {sheet} {side}"
        frame, inset = self.frame, self.margin + _LABEL_DROP
        slot = frame.slots[0]
        if frame.page_height - frame.bottom - self.outer >= self.margin + _LABEL_HEIGHT:
            x, y = frame.left + _LABEL_INDENT, frame.page_height - inset
            return Label(x, y, slot.width - 2 * _LABEL_INDENT, text)
        if frame.left - self.outer >= self.margin + _LABEL_HEIGHT:
            x, y = self.margin + _LABEL_HEIGHT - _LABEL_DROP, frame.bottom - _LABEL_INDENT
            return Label(x, y, slot.height - 2 * _LABEL_INDENT, text, upwards=True)
        return None


_LABEL_HEIGHT = 2600
_LABEL_DROP = 500
_LABEL_INDENT = 1500


def _ordered(fronts: list[Page], backs: list[Page], order: PageOrder, duplex: bool) -> list[Page]:
    if not duplex or not any(page.placements for page in backs):
        return fronts
    if order is PageOrder.INTERLEAVED:
        pages = [page for pair in zip(fronts, backs, strict=True) for page in pair]
    elif order is PageOrder.SEPARATE:
        pages = [*fronts, *backs]
    else:
        return [*fronts, *reversed(backs)]
    while not pages[-1].placements:
        pages.pop()
    return pages


def _notes(frame: Frame, style: SheetStyle, margin: int) -> list[str]:
    notes = []
    if style.marks is Marks.MARGIN and not marks_have_room(frame, margin):
        sides = min(frame.left, frame.page_width - frame.right)
        ends = min(frame.top, frame.page_height - frame.bottom)
        notes.append(
            "there is no room for crop marks on "
            + ("the left and right" if sides < ends else "the top and bottom")
            + f" (margin {number_text(style.margin)} mm); try --marks corners or full"
        )
    if style.frame is not None and frame.edge < margin:
        notes.append("the sheet's slots reach into the margin that the printer may not print")
    return notes
