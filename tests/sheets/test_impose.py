"""Sheets as plain numbers: P1, P2, P6, P7, P22."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import PrintError, UsageError
from companion.sheets.duplex import Duplex
from companion.sheets.grid import fit_grid
from companion.sheets.impose import PageOrder, SheetStyle, impose
from companion.sheets.marks import Marks
from companion.sheets.model import Page, SheetPlan, Turn
from companion.sheets.papers import PAPERS, paper_size

POKER = (63, 88)


def plan(backs: list[bool], **style: object) -> SheetPlan:
    return impose(POKER, 0, backs, SheetStyle(**style))  # type: ignore[arg-type]


def slots(page: Page) -> dict[int, tuple[int, int, Turn]]:
    return {p.card: (p.slot.row + 1, p.slot.column + 1, p.slot.turn) for p in page.placements}


def names(result: SheetPlan) -> list[str]:
    return [f"{page.side[0].upper()}{page.sheet}" for page in result.pages]


def test_p1_long_edge_puts_backs_behind_their_fronts() -> None:
    back = plan([True] * 4).pages[1]
    upright = Turn.NONE
    assert slots(back) == {
        0: (1, 3, upright),
        1: (1, 2, upright),
        2: (1, 1, upright),
        3: (2, 3, upright),
    }


def test_p1_short_edge_turns_backs_upside_down() -> None:
    back = plan([True] * 4, duplex=Duplex.SHORT_EDGE).pages[1]
    half = Turn.HALF
    assert slots(back) == {0: (3, 1, half), 1: (3, 2, half), 2: (3, 3, half), 3: (2, 1, half)}


@pytest.mark.parametrize("paper", ["a4", "a4-landscape", "letter", "a3", "a6", "legal-landscape"])
@pytest.mark.parametrize("duplex", [Duplex.LONG_EDGE, Duplex.SHORT_EDGE])
@pytest.mark.parametrize("card", [(63, 88), (88, 63), (70, 120), (44, 67)])
def test_a_turned_over_sheet_shows_each_back_behind_its_front_with_the_same_top(
    paper: str, duplex: Duplex, card: tuple[float, float]
) -> None:
    """Independent of the code's formulas: turn the sheet as a printer does and look through it."""
    result = impose(card, 2, [True] * 5, SheetStyle(paper=paper_size(paper), duplex=duplex))
    width, height = result.frame.page_width, result.frame.page_height
    vertical_edge = (width < height) == (duplex is Duplex.LONG_EDGE)

    def seen_from_front(x: float, y: float) -> tuple[float, float]:
        return (width - x, y) if vertical_edge else (x, height - y)

    def corners(slot: object, turn: int) -> tuple[tuple[float, float], tuple[float, float]]:
        """The middle of the card, and the middle of its top edge."""
        cx, cy = slot.x + slot.width / 2, slot.y + slot.height / 2  # type: ignore[attr-defined]
        half_w, half_h = slot.width / 2, slot.height / 2  # type: ignore[attr-defined]
        top = {0: (0, -half_h), 90: (half_w, 0), 180: (0, half_h), 270: (-half_w, 0)}[turn]
        return (cx, cy), (cx + top[0], cy + top[1])

    fronts = {p.card: p for p in result.pages[0].placements}
    backs = {p.card: p for p in result.pages[1].placements}
    assert fronts.keys() == backs.keys()
    for card_number, front in fronts.items():
        back = backs[card_number]
        middle, top = corners(front.slot, front.slot.turn)
        back_middle, back_top = corners(back.slot, back.slot.turn)
        assert seen_from_front(*back_middle) == middle
        assert seen_from_front(*back_top) == top


def test_p2_partial_pages_and_mixed_backs() -> None:
    mixed = [number not in (2, 10) for number in range(1, 11)]
    result = plan(mixed)
    assert names(result) == ["F1", "B1", "F2"]
    assert len(result.pages[0].placements) == 9
    assert len(result.pages[1].placements) == 8
    assert len(result.pages[2].placements) == 1
    # the grid never re-centres on a short page
    assert result.pages[2].placements[0].slot == result.pages[0].placements[0].slot


def test_p2_without_backs_only_fronts() -> None:
    assert [len(plan([False] * n).pages) for n in (1, 9, 10, 18)] == [1, 1, 2, 2]


def test_p2_an_empty_back_page_in_the_middle_is_kept() -> None:
    result = plan([False] * 9 + [True])
    assert names(result) == ["F1", "B1", "F2", "B2"]
    assert result.pages[1].placements == ()
    assert result.pages[1].label is None


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (PageOrder.INTERLEAVED, ["F1", "B1", "F2", "B2"]),
        (PageOrder.SEPARATE, ["F1", "F2", "B1", "B2"]),
        (PageOrder.SEPARATE_REVERSED, ["F1", "F2", "B2", "B1"]),
    ],
)
def test_p6_page_order_changes_no_slot(order: PageOrder, expected: list[str]) -> None:
    result = plan([True] * 10, order=order)
    assert names(result) == expected
    usual = {(p.sheet, p.side): slots(p) for p in plan([True] * 10).pages}
    assert {(p.sheet, p.side): slots(p) for p in result.pages} == usual


def mark_positions(result: SheetPlan, page: int = 0) -> tuple[list[float], list[float]]:
    marks = result.pages[page].marks
    xs = sorted({m.x1 / 1000 for m in marks if m.x1 == m.x2})
    ys = sorted({m.y1 / 1000 for m in marks if m.y1 == m.y2})
    return xs, ys


def test_p7_cut_marks_of_the_default_grid() -> None:
    xs, ys = mark_positions(plan([True] * 9))
    assert xs == [10.5, 73.5, 136.5, 199.5]
    assert ys == [16.5, 104.5, 192.5, 280.5]


def test_p7_gap_and_bleed() -> None:
    result = impose(POKER, 1.5, [False] * 9, SheetStyle(gap=3))
    assert mark_positions(result)[0] == [7.5, 70.5, 73.5, 136.5, 139.5, 202.5]


def test_p7_fronts_only_unless_asked() -> None:
    assert plan([True] * 9).pages[1].marks == ()
    assert plan([True] * 9, marks_on_backs=True).pages[1].marks


def test_p7_none_means_no_stroke() -> None:
    assert plan([True] * 9, marks=Marks.NONE, marks_on_backs=True).pages[0].marks == ()


@pytest.mark.parametrize("bleed", [0, 1.5, 3])
@pytest.mark.parametrize("gap", [0, 2, 6])
@pytest.mark.parametrize("paper", ["a4", "letter", "a3", "a5"])
def test_p7_margin_marks_touch_no_bleed_and_stay_printable(
    bleed: float, gap: float, paper: str
) -> None:
    result = impose(POKER, bleed, [False] * 18, SheetStyle(paper=paper_size(paper), gap=gap))
    grid = result.frame
    for page in result.pages:
        for mark in page.marks:
            assert min(mark.x1, mark.x2) >= 5000 and min(mark.y1, mark.y2) >= 5000
            assert max(mark.x1, mark.x2) <= grid.page_width - 5000
            assert max(mark.y1, mark.y2) <= grid.page_height - 5000
            for p in page.placements:
                left, right = p.slot.x - p.bleed.left, p.slot.x + p.slot.width + p.bleed.right
                top, bottom = p.slot.y - p.bleed.top, p.slot.y + p.slot.height + p.bleed.bottom
                across = mark.x1 <= right and mark.x2 >= left
                along = mark.y1 <= bottom and mark.y2 >= top
                assert not (across and along)


def test_no_room_for_margin_marks_is_said() -> None:
    style = SheetStyle(paper=(199, 274), margin=5)
    assert "no room for crop marks" in impose(POKER, 0, [False], style).notes[0]
    assert impose(POKER, 0, [False], SheetStyle()).notes == ()


@pytest.mark.parametrize(
    ("card", "paper", "count", "turned"),
    [
        ((63, 88), "a4", 9, False),
        ((63.5, 88.9), "letter", 9, False),
        ((63, 88), "a5", 4, False),
        ((63, 88), "a3", 18, True),
        ((70, 120), "a4", 4, False),
    ],
)
def test_p22_how_many_fit(card: tuple[float, float], paper: str, count: int, turned: bool) -> None:
    grid = fit_grid(paper_size(paper), card, 5, 0)
    assert (len(grid.slots), grid.slots[0].turn == Turn.RIGHT) == (count, turned)


def test_p22_too_large_names_the_printable_area() -> None:
    with pytest.raises(PrintError, match="200 × 287 mm"):
        fit_grid(PAPERS["a4"], (300, 300), 5, 0)


@given(
    st.integers(1, 6), st.integers(1, 6), st.integers(20_000, 90_000), st.integers(20_000, 90_000)
)
def test_cards_that_fit_exactly_are_never_lost_to_rounding(
    columns: int, rows: int, width: int, height: int
) -> None:
    paper = (columns * width / 1000 + 10, rows * height / 1000 + 10)
    grid = fit_grid(paper, (width / 1000, height / 1000), 5, 0)
    assert len(grid.slots) >= columns * rows


@given(st.lists(st.booleans(), min_size=1, max_size=40), st.sampled_from(list(PageOrder)))
def test_every_card_is_printed_once_and_every_back_once(
    backs: list[bool], order: PageOrder
) -> None:
    result = plan(backs, order=order)
    fronts = [p.card for page in result.pages if page.side == "front" for p in page.placements]
    printed = [p.card for page in result.pages if page.side == "back" for p in page.placements]
    assert sorted(fronts) == list(range(len(backs)))
    assert sorted(printed) == [i for i, has in enumerate(backs) if has]


def test_papers_by_name_landscape_and_measure() -> None:
    assert paper_size("A4") == (210, 297)
    assert paper_size("letter-landscape") == (279.4, 215.9)
    assert paper_size("200x300mm") == (200, 300)
    assert paper_size("8.5x11in") == pytest.approx((215.9, 279.4))
    with pytest.raises(UsageError, match="did you mean 'a4'"):
        paper_size("A44")
