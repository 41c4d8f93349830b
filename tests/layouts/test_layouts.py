"""Layout files: P17, extends, choices, conditions, colours, sizes; P30's 'not a length'."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.decks.model import Reference
from companion.errors import Place, Problems
from companion.layouts.colors import contrast, parse_hex
from companion.layouts.loader import LayoutLibrary
from companion.layouts.model import Layout
from companion.shipped import LAYOUTS
from companion.units import Extent, parse_extent, parse_length
from tests.conftest import PLAIN_LAYOUT, MakeDeck, run, text_of


def load(folder: Path, name: str) -> tuple[Layout | None, list[str]]:
    problems = Problems()
    layout = LayoutLibrary((folder,), problems).get(Reference(name, Place("deck.toml", 9, 1)))
    return layout, [str(problem) for problem in problems.items]


def test_p17_names_that_do_not_resolve_all_at_once(make_deck: MakeDeck) -> None:
    layout = """
size = "pocker"
blede = 3
[[element]]
name = "a"
type = "text"
text = "{cots}"
sise = [1, 2]
[[element]]
name = "b"
type = "rectangel"
[[element]]
name = "c"
type = "rectangle"
fill = "blakc"
at = ["5 mn", 3]
"""
    answer = run("check", str(make_deck(csv="id,cost\na,1\n", layout=layout)))
    assert answer.code == 3
    for place, hint in {
        "front.toml:2:8": "did you mean 'poker'?",
        "front.toml:3:1": "did you mean 'bleed'?",
        "front.toml:8:1": "did you mean 'size'?",
        "front.toml:11:8": "did you mean 'rectangle'?",
        "front.toml:15:8": "did you mean 'black'?",
        "front.toml:16:7": "a length such as 63",
    }.items():
        assert any(place in line and hint in line for line in answer.err.splitlines()), place


def test_p17_fields_and_unused_columns(make_deck: MakeDeck) -> None:
    layout = PLAIN_LAYOUT.replace("{name}", "{cots}")
    answer = run("check", str(make_deck(csv="id,cost,flavour\na,1,x\n", layout=layout)))
    assert answer.code == 3
    assert "front.toml:6:8: error: '{cots}'" in answer.err
    assert "did you mean 'cost'?" in answer.err
    unused = [line for line in answer.err.splitlines() if "no layout uses" in line]
    assert len([line for line in unused if "'flavour'" in line]) == 1
    assert "cards.csv:1:9: note" in unused[-1]


def test_p17_an_unknown_paper_suggests(make_deck: MakeDeck) -> None:
    answer = run("print", str(make_deck()), "--paper", "A44")
    assert answer.code == 2 and "did you mean 'a4'?" in answer.err


def test_ten_mistakes_in_one_deck_are_all_listed(make_deck: MakeDeck, tmp_path: Path) -> None:
    deck = make_deck(
        csv="id,count,name,text\na,two,Ada,ok\nb,1,Bob,{cion}\nb,1,Bea,x\nc,1,Cyd\n",
        layout="""
size = "poker"
bled = 3
[[element]]
name = "title"
type = "text"
text = "{nmae}"
font = "snas"
[[element]]
name = "body"
type = "rich-text"
text = "{text}"
color = "grene"
""",
        extra='[fonts]\nmine = "lost.ttf"\n',
        group='titel = "x"\n[[group]]\nname = "two"\ntable = "crads.csv"\nlayout = "frotn"\n',
    )
    answer = run("check", str(deck))
    assert answer.code == 3
    for place, words in {
        "deck.toml:4:8": "lost.ttf",
        "deck.toml:10:1": "did you mean 'title'?",
        "cards.csv:2:3": "'two' is no whole number",
        "cards.csv:3:9": "'{cion}'",
        "cards.csv:4:1": "stands twice",
        "cards.csv:5:5": "no cell for 'text'",
        "front.toml:3:1": "did you mean 'bleed'?",
        "front.toml:7:8": "did you mean 'name'?",
        "front.toml:8:8": "did you mean 'sans'?",
        "front.toml:13:9": "a colour such as",
        "deck.toml:13:9": "did you mean 'cards.csv'?",
        "deck.toml:14:10": "did you mean 'front'?",
    }.items():
        lines = [line for line in answer.err.splitlines() if place in line]
        assert len(lines) == 1 and words in lines[0], (place, answer.err)
    assert run("print", str(deck), "-o", str(tmp_path / "o.pdf")).code == 3
    assert not (tmp_path / "o.pdf").exists()


def test_extends_merges_by_name_and_keeps_every_override_in_a_diamond(tmp_path: Path) -> None:
    base = """
size = "poker"
[[element]]
name = "a"
type = "rectangle"
fill = "#111111"
[[element]]
name = "b"
type = "rectangle"
fill = "#222222"
"""
    over = 'extends = "base"\n[[element]]\nname = "{}"\ntype = "rectangle"\nfill = "#{}"\n'
    (tmp_path / "base.toml").write_text(base)
    (tmp_path / "left.toml").write_text(over.format("a", "AA0000"))
    (tmp_path / "right.toml").write_text(over.format("b", "00BB00"))
    (tmp_path / "top.toml").write_text('extends = ["left", "right"]\n')
    layout, problems = load(tmp_path, "top")
    assert layout and not problems
    fills = {element.name: element.fill for element in layout.elements}  # type: ignore[attr-defined]
    assert fills == {"a": parse_hex("#AA0000"), "b": parse_hex("#00BB00")}


def test_a_circle_of_extends_is_named_with_its_path(tmp_path: Path) -> None:
    for name, other in (("a", "b"), ("b", "c"), ("c", "a")):
        (tmp_path / f"{name}.toml").write_text(f'extends = "{other}"\nsize = "poker"\n')
    layout, problems = load(tmp_path, "a")
    assert layout is None
    assert len(problems) == 1 and "a → b → c → a" in problems[0]


def test_hidden_moved_and_reordered_elements(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text(
        'size = "poker"\n[[element]]\nname = "a"\ntype = "rectangle"\nfill = "black"\n'
        '[[element]]\nname = "b"\ntype = "rectangle"\nfill = "black"\n'
    )
    (tmp_path / "child.toml").write_text(
        'extends = "base"\n[[element]]\nname = "a"\nshow = false\n'
        '[[element]]\nname = "under"\ntype = "rectangle"\nfill = "black"\nbefore = "b"\n'
    )
    layout, problems = load(tmp_path, "child")
    assert layout and not problems
    assert [element.name for element in layout.elements] == ["under", "b"]


def test_a_layout_outside_the_folders_is_not_read(make_deck: MakeDeck, tmp_path: Path) -> None:
    (tmp_path / "evil.toml").write_text('size = "poker"\n')
    deck = make_deck()
    text = (deck / "deck.toml").read_text().replace('"front"', '"../../evil"')
    (deck / "deck.toml").write_text(text)
    answer = run("check", str(deck))
    assert answer.code == 3 and "there is no layout '../../evil'" in answer.err


def test_a_choice_without_an_answer_names_card_and_value(make_deck: MakeDeck) -> None:
    layout = """
size = "poker"
[[element]]
name = "band"
type = "rectangle"
fill = { by = "kind", attack = "black", defence = "white" }
"""
    answer = run("check", str(make_deck(csv="id,kind\na,attack\nb,atack\n", layout=layout)))
    assert answer.code == 3
    assert "cards.csv:3:3" in answer.err
    assert "kind = 'atack'" in answer.err and "did you mean 'attack'?" in answer.err


def test_conditions_show_an_element_only_where_they_hold(
    make_deck: MakeDeck, tmp_path: Path
) -> None:
    layout = """
size = "poker"
[[element]]
name = "a"
type = "text"
text = "A{id}"
when = { field = "kind", in = ["x", "y"] }
[[element]]
name = "b"
type = "text"
text = "B{id}"
at = [0, 20]
when = [{ field = "kind", not = "x" }, { field = "note", empty = false }]
"""
    out = tmp_path / "o.pdf"
    csv = "id,kind,note\n1,x,n\n2,y,\n3,z,n\n"
    assert run("print", str(make_deck(csv=csv, layout=layout)), "-o", str(out)).code == 0
    found = set(text_of(out).replace("·", " ").split())
    assert {"A1", "A2", "B3"} <= found and not {"B1", "B2", "A3"} & found


@pytest.mark.parametrize(
    ("text", "mm"),
    [
        (63, 63.0),
        ("63mm", 63.0),
        ("6.3 cm", 63.0),
        ("2.5in", 63.5),
        ("180pt", 63.5),
        ("750px", 63.5),
    ],
)
def test_lengths_in_every_unit(text: object, mm: float) -> None:
    assert parse_length(text) == pytest.approx(mm)


def test_extents_of_the_card() -> None:
    assert parse_extent("50%").of(63) == 31.5
    assert parse_extent("100% - 5mm + 1").of(63) == 59
    assert parse_extent("-3") == Extent(-3)


@pytest.mark.parametrize(
    "text", ["", "abc", "5 5", "__import__('os')", "1e400mm", "5%%", "--3", True, None, [1]]
)
def test_p30_a_value_that_is_code_is_not_a_length(text: object) -> None:
    with pytest.raises(ValueError, match="a length such as"):
        parse_extent(text)


def test_shipped_text_colours_have_contrast() -> None:
    """Text on bands and panels reaches 4.5 : 1 (the WCAG ratio)."""
    layout, problems = load(LAYOUTS, "game-on/all-round")
    assert layout and not problems
    color = layout.palette.color
    white = parse_hex("#fff")
    for family in ("attack", "defence", "support", "ruling", "reaction"):
        band = color(family)
        assert band and contrast(band, white) >= 4.5
    quiet, ink = color("quiet"), color("ink")
    assert quiet and ink and contrast(quiet, white) >= 4.5 and contrast(ink, white) >= 7
    for family in ("attack 12%", "defence 12%", "support 12%", "reaction 12%"):
        panel = color(family)
        assert panel and contrast(ink, panel) >= 4.5
