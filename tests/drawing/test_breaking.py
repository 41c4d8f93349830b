"""Chinese and English lines: P14, as properties over many texts and widths."""

from __future__ import annotations

import itertools
import re
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.drawing.fonts import Family, load_font
from companion.drawing.scene import Run
from companion.drawing.typeset.breaking import break_line
from companion.drawing.typeset.markup import Chars, Source
from companion.drawing.typeset.measure import Measured, measure
from companion.drawing.typeset.setting import Frame, SetParagraph, Style, place
from companion.errors import Place
from companion.shipped import FONTS
from companion.units import MM_PER_PT


@cache
def family() -> Family:
    font = load_font(FONTS / "PnPSansTC-Regular.ttf")
    return Family("sans", font, font)


def measured(text: str) -> Measured:
    missing: list[object] = []
    source = Source("text", Place("x", 1))
    (line,) = measure([Chars(text, False, source)], (family(),), missing)  # type: ignore[arg-type]
    assert not missing
    return line


def broken(text: str, ems: float) -> list[str]:
    line = measured(text)
    return ["".join(line.chars[s.start : s.last]) for s in break_line(line, ems)]


HAN = "當對手進入禁區防守時你的投籃消耗減少一點所有隊友獲得加成結算視為皆可"
NEVER_FIRST = "、。，；：？！）」』》〉…—"
NEVER_LAST = "（「『《〈"
WORDS = ["three-pointer", "Skill", "A", "10%", "+2", "2.5", "don’t", "(void)", "10 mm", "60"]
PIECES = st.one_of(
    st.text(HAN, min_size=1, max_size=6),
    st.sampled_from([*"、。，；：？！）」』》〉", "……", "——", *"（「『《〈"]),
    st.sampled_from(WORDS).map(lambda word: f" {word} "),
    st.sampled_from(WORDS),
)


def sentence(pieces: list[str]) -> str:
    return re.sub(r" +", " ", "".join(pieces)).strip()


def usable(text: str) -> bool:
    """Stops in a row, or a stop after an opening bracket, cannot be kept together at any width."""
    joined = text.replace(" ", "")
    return not re.search(f"[{NEVER_LAST}][{NEVER_FIRST}]|[{NEVER_FIRST}]{{3}}|[{NEVER_LAST}]{{2}}"
                         f"|^[{NEVER_FIRST}]|[{NEVER_LAST}]$", joined)  # fmt: skip


@given(st.lists(PIECES, min_size=1, max_size=30).map(sentence).filter(usable), st.floats(8, 30))
def test_p14_no_line_breaks_a_rule(text: str, ems: float) -> None:
    line = measured(text)
    if line.widest > ems:
        return
    spans = break_line(line, ems)
    for one, other in itertools.pairwise(spans):
        before, after = line.chars[one.last - 1], line.chars[other.start]
        assert after not in NEVER_FIRST
        assert before not in NEVER_LAST
        assert not (before in "…—" and after == before)
        if one.last == other.start:
            assert not (_latin(before) and _latin(after))


def _latin(char: str) -> bool:
    return char.isascii() and char.isalnum()


@given(st.lists(PIECES, min_size=1, max_size=30).map(sentence), st.floats(3, 30))
def test_nothing_is_lost_and_nothing_sticks_out(text: str, ems: float) -> None:
    line = measured(text)
    spans = break_line(line, ems)
    kept = "".join("".join(line.chars[s.start : s.last]) for s in spans)
    assert kept.replace(" ", "") == "".join(line.chars).replace(" ", "")
    widest_char = max(line.advance)
    for span in spans:
        if span.last > span.start:
            assert line.right(span.last) - line.left(span.start) <= max(ems, widest_char) + 1e-6


@given(st.lists(PIECES, min_size=1, max_size=20).map(sentence), st.floats(6, 25))
def test_a_wider_box_never_needs_more_lines(text: str, ems: float) -> None:
    line = measured(text)
    assert len(break_line(line, ems * 1.2)) <= len(break_line(line, ems))


def test_a_number_keeps_its_unit() -> None:
    for text in ("尺長共有十二點五公分約等於 125 mm", "每位玩家抽牌直到手上有12張牌為止"):
        for ems in range(6, 20):
            lines = broken(text, ems)
            assert not any(line.endswith(("125", "12", "1")) for line in lines)


def test_an_eighth_em_between_han_and_latin() -> None:
    line = measured("得3分")
    assert line.x[1] - line.x[0] - line.advance[0] == pytest.approx(0.125)
    assert line.x[2] - line.x[1] - line.advance[1] == pytest.approx(0.125)


def test_no_last_line_of_one_character_where_a_break_avoids_it() -> None:
    text = HAN[:17]
    lines = broken(text + "。", 8)
    assert len(lines[-1].rstrip("。")) >= 2


def test_closing_bracket_before_a_stop_is_squeezed() -> None:
    line = measured("「好」，")
    assert line.x[3] - line.x[2] - line.advance[2] == pytest.approx(-0.5)


@given(st.lists(PIECES, min_size=4, max_size=30).map(sentence), st.floats(20, 60))
def test_justified_lines_reach_the_edge_or_stay_ragged_and_stretch_little(
    text: str, width: float
) -> None:
    line = measured(text)
    points = 9.0
    em = points * MM_PER_PT
    style = Style((0, 0, 0), (0, 0, 0), "justify")
    frame = Frame(0, 0, width, 1000, "top", 1.3)
    runs = [r for r in place([SetParagraph((line,), style)], frame, points) if isinstance(r, Run)]
    by_line: dict[float, list[Run]] = {}
    for run in runs:
        by_line.setdefault(run.y, []).append(run)
    for on_line in by_line.values():
        last = on_line[-1]
        advance = sum(last.font.widths[ord(c)] for c in last.text) * em
        spread = last.spread * MM_PER_PT * (len(last.text) - 1)
        trim = 0.5 * em if last.text[-1] in "）」』》〉" else 0
        right = last.x + advance + spread - trim
        assert right <= max(width, em * max(line.advance)) + 1e-6
        assert all(0 <= run.spread <= 0.1 * points + 1e-9 for run in on_line)
