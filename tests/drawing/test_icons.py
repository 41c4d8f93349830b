"""Icons: what of SVG is read, and that everything else is refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.drawing.icons import IconShelf, load_icon
from companion.drawing.svgpath import parse_path
from companion.shipped import ICONS
from tests.conftest import MakeDeck, run


def svg(body: str, box: str = "0 0 10 10", attributes: str = "") -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {attributes}>{body}</svg>'


@pytest.mark.parametrize(
    "text",
    [
        svg('<path d="M2 5a3 3 0 016 0z"/>'),
        svg('<path d="M2 5a3 3 0 0 1 6 0z" fill="red"/>'),
        svg('<rect width="3px" height="3" rx="1" ry="1" fill="rgb(1,2,3)"/>'),
        svg('<polygon points="1-1 9-1.5.5 3"/>', "  0,0 , 10 10 "),
        svg('<g xmlns:i="http://i" i:label="x"><i:note/><circle r="2"/></g><metadata/><defs/>'),
        svg('<circle r="2"/>', attributes='preserveAspectRatio="none" xml:space="preserve"'),
        svg('<path d="M0 0L1 1" stroke="#000" stroke-linejoin="round" stroke-linecap="square"/>'),
    ],
)
def test_ordinary_svg_is_read(text: str, tmp_path: Path) -> None:
    path = tmp_path / "x.svg"
    path.write_text(text, encoding="utf-8")
    assert load_icon(path).shapes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no SVG"),
        ("<svg/>", "viewBox"),
        (svg(""), "draws nothing"),
        (svg('<path d=""/>'), "draws nothing"),
        (svg('<path d="L5 5 9 1z"/>'), "must begin with M"),
        (svg('<path d="M0 0 Q1"/>'), "a number is missing after Q"),
        (svg('<path d="M0 0 X"/>'), "a number is missing"),
        (svg('<path d="M0 0 A1e200 1e200 0 0 1 5 5z"/>'), "no number of ordinary size"),
        (svg('<circle r="nan"/>'), "no number of ordinary size"),
        (svg('<circle r="-2"/>'), "r is negative"),
        (svg('<rect width="-3" height="3"/>'), "width is negative"),
        (svg('<rect width="3" height="3" rx="1" ry="2"/>'), "different rx and ry"),
        (svg('<circle r="2"/>', "0 0 nan 10"), "no number"),
        (svg('<circle r="2"/>', "0 0 1e-300 10"), "viewBox"),
        (svg('<circle r="2" transform="scale(2)"/>'), "attribute 'transform' of <circle>"),
        (svg("<text>hello</text>"), "<text> cannot be drawn"),
        (svg('<svg viewBox="0 0 1 1"><circle r="2"/></svg>'), "<svg> cannot be drawn"),
        (svg('<circle r="2" fill="url(#g)"/>'), "no plain colour"),
        (svg('<circle r="2" stroke-dasharray="-2 1"/>'), "dash is negative"),
        (svg("<g>" * 300 + '<circle r="2"/>' + "</g>" * 300), "nested too deeply"),
        ('<!DOCTYPE svg [<!ENTITY a "b">]>' + svg('<circle r="2"/>'), "entities"),
    ],
)
def test_what_cannot_be_drawn_is_refused_by_name(
    text: str, message: str, make_deck: MakeDeck
) -> None:
    layout = 'size = "poker"\n[[element]]\nname = "i"\ntype = "icon"\nicon = "x"\nsize = [9, 9]\n'
    deck = make_deck(layout=layout, files={"icons/x.svg": text})
    answer = run("check", str(deck))
    assert answer.code == 3 and message in answer.err and "x.svg" in answer.err


def test_every_shipped_icon_can_be_drawn() -> None:
    shelf = IconShelf((ICONS,))
    assert len(shelf.files) > 20
    assert all(shelf.get(name).shapes for name in shelf.files)


@given(st.text("MmLlHhVvCcSsQqTtAaZz0123456789.-+ ,e", max_size=40))
def test_path_data_is_read_or_refused(text: str) -> None:
    try:
        steps = parse_path(text)
    except ValueError:
        return
    assert steps[0][0] == "M"
    assert all(abs(number) < 1e9 for _, numbers in steps for number in numbers)
