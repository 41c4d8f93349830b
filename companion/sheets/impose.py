"""A run of cards → pages: slots filled in order, backs behind their fronts, pages in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.sheets.duplex import Duplex, back_of
from companion.sheets.grid import fit_grid
from companion.sheets.marks import Marks, crop_marks, marks_have_room, room_for_marks
from companion.sheets.model import Bleed, Grid, Label, Page, Placement, SheetPlan, Slot
from companion.units import number_text, to_um


class PageOrder(StrEnum):
    """The order of fronts (F) and backs (B)."""

    INTERLEAVED = "interleaved"
    SEPARATE = "separate"
    SEPARATE_REVERSED = "separate-reversed"


@dataclass(frozen=True)
class SheetStyle:
    """How cards are put on paper. Lengths in millimetres."""

    paper: tuple[float, float] = (210, 297)
    margin: float = 5.0
    gap: float = 0.0
    duplex: Duplex = Duplex.LONG_EDGE
    marks: Marks = Marks.MARGIN
    marks_on_backs: bool = False
    order: PageOrder = PageOrder.INTERLEAVED
    labels: bool = True


def impose(
    card: tuple[float, float],
    bleed: float,
    has_back: Sequence[bool],
    style: SheetStyle,
    label: str = "",
) -> SheetPlan:
    """Pages for a run of equal cards; `has_back[i]` tells whether card i has a back.

    `card` and `bleed` in millimetres. An empty back page is kept between printed pages (the
    sheets would lose step) and dropped at the end. Raises PrintError if no card fits.
    """
    grid = fit_grid(style.paper, card, style.margin, style.gap)
    margin = to_um(style.margin)
    wanted = to_um(bleed)
    outer = min(wanted, room_for_marks(grid, margin), grid.x, grid.y)
    if style.marks is not Marks.MARGIN:
        outer = min(wanted, max(0, min(grid.x, grid.y) - margin))
    maker = _PageMaker(grid, style, margin, outer, min(wanted, grid.gap // 2), label)
    fronts, backs = [], []
    for sheet, first in enumerate(range(0, len(has_back), grid.capacity), 1):
        cards = range(first, min(first + grid.capacity, len(has_back)))
        front = maker.front(sheet, cards)
        fronts.append(front)
        backs.append(maker.back(sheet, [p for p in front.placements if has_back[p.card]]))
    pages = _ordered(fronts, backs, style.order, style.duplex is not Duplex.NONE)
    return SheetPlan(grid, tuple(pages), len(fronts), tuple(_notes(grid, style, margin)))


@dataclass(frozen=True)
class _PageMaker:
    grid: Grid
    style: SheetStyle
    margin: int
    outer: int
    inner: int
    label: str

    def front(self, sheet: int, cards: range) -> Page:
        placements = []
        for index, card in enumerate(cards):
            slot = self.grid.slot(index)
            placements.append(Placement(card, slot, self._bleed(slot)))
        return self._page(sheet, "front", tuple(placements), marked=True)

    def back(self, sheet: int, fronts: list[Placement]) -> Page:
        placements: tuple[Placement, ...] = ()
        if self.style.duplex is not Duplex.NONE:
            placements = tuple(back_of(p, self.grid, self.style.duplex) for p in fronts)
        return self._page(sheet, "back", placements, marked=self.style.marks_on_backs)

    def _page(
        self, sheet: int, side: str, placements: tuple[Placement, ...], *, marked: bool
    ) -> Page:
        mode = self.style.marks if marked else Marks.NONE
        marks = crop_marks(placements, self.grid, mode, self.margin, self.outer)
        label = self._label(sheet, side) if self.style.labels and placements else None
        return Page(sheet, side, placements, marks, label)

    def _bleed(self, slot: Slot) -> Bleed:
        last_column, last_row = self.grid.columns - 1, self.grid.rows - 1
        return Bleed(
            self.outer if slot.column == 0 else self.inner,
            self.outer if slot.row == 0 else self.inner,
            self.outer if slot.column == last_column else self.inner,
            self.outer if slot.row == last_row else self.inner,
        )

    def _label(self, sheet: int, side: str) -> Label | None:
        """Between two crop marks: below the first column, else left of the last row, else none."""
        text = f"{self.label} · {sheet} {side}"
        grid, inset = self.grid, self.margin + _LABEL_DROP
        if grid.page_height - grid.bottom - self.outer >= self.margin + _LABEL_HEIGHT:
            x, y = grid.x + _LABEL_INDENT, grid.page_height - inset
            return Label(x, y, grid.width - 2 * _LABEL_INDENT, text)
        if grid.x - self.outer >= self.margin + _LABEL_HEIGHT:
            x, y = self.margin + _LABEL_HEIGHT - _LABEL_DROP, grid.bottom - _LABEL_INDENT
            return Label(x, y, grid.height - 2 * _LABEL_INDENT, text, upwards=True)
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


def _notes(grid: Grid, style: SheetStyle, margin: int) -> list[str]:
    if style.marks is Marks.MARGIN and not marks_have_room(grid, margin):
        return [
            "there is no room for crop marks on "
            + ("the left and right" if grid.x < grid.y else "the top and bottom")
            + f" (margin {number_text(style.margin)} mm); try --marks corners or full"
        ]
    return []
