"""Wrong decks and layouts of many kinds: one clear message each, never a fault of our own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import MakeDeck, run

ELEMENT = 'size = "poker"\n[[element]]\nname = "a"\n'
TEXT = ELEMENT + 'type = "text"\ntext = "{name}"\n'
RECTANGLE = ELEMENT + 'type = "rectangle"\nfill = "black"\n'


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        (TEXT + 'color = "none"\n', "a text without one would be lost"),
        (TEXT + 'color = " "\n', "a colour such as"),
        (TEXT + "font = []\n", "a font's name"),
        (TEXT + "leading = 0\n", "a number from 0.5 to 5"),
        (TEXT + "fit = [9, 6]\n", "floor ≤ start"),
        (TEXT + "fit = 0\n", "from 1 to 500"),
        (TEXT + "when = { languages = 3 }\n", "1 or 2 languages"),
        (TEXT + 'when = { field = "name" }\n', "'field' and one of"),
        (TEXT + 'when = { feild = "name", is = "x" }\n', "the keys"),
        (RECTANGLE + f"stroke-width = {'9' * 400}\n", "a length such as"),
        (RECTANGLE + "stroke-width = -1\n", "a length from 0"),
        (RECTANGLE + "dash = [0, 0]\n", "not all 0"),
        (RECTANGLE + 'repeat = "x"\n', "a whole number from 0 to 500"),
        (ELEMENT + 'type = "rectangle"\n', "draws nothing"),
        (ELEMENT + 'type = "line"\nfrom = [0, 0]\nto = [1, 1]\nfill = "black"\n', "draws nothing"),
        (ELEMENT + 'type = "icon"\nicon = "pip"\nsize = [0, 0]\n', "its box has no size"),
        (ELEMENT + 'type = "rich-text"\n', "either 'text' or 'paragraphs'"),
        (ELEMENT + 'type = "rich-text"\nparagraphs = [{ text = "x", scale = 0 }]\n', "0.1 to 10"),
        (ELEMENT + "show = false\n", "has no 'type'"),
        (TEXT + RECTANGLE.removeprefix('size = "poker"\n'), "stands twice in this file"),
        ('size = "poker"\nbleed = 1000\n', "a bleed from 0 to 20 mm"),
        ('size = "poker"\nsafe = -1\n', "a length from 0"),
        ('size = "poker"\n[colors]\na = "red"\nb = "#12"\n', "a = 'red' in [colors]"),
        ('size = "poker"\n[colors]\n"dark red" = "#ff0000"\n', "cannot name a colour"),
        ("bleed = 3\n", "has no size"),
        ("size = [0, 10]\n", "between 5 mm and 1 m"),
        ('size = "poker"\nelement = 3\n', "[[element]] tables"),
        ("size = \n", "not valid TOML"),
        (f"size = {'9' * 5000}\n", "not valid TOML"),
        (".".join("a" * 3000) + " = 1\n", "layouts/front.toml"),
        ("[" * 3000, "layouts/front.toml"),
    ],
)
def test_a_wrong_layout(layout: str, message: str, make_deck: MakeDeck) -> None:
    answer = run("check", str(make_deck(layout=layout)))
    assert answer.code == 3, answer
    assert message in answer.err
    assert "unexpected" not in answer.err


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "Demo"', "", "has no 'title'"),
        ('title = "Demo"', "title = 3", "a table from language to text"),
        ('title = "Demo"', 'title = { fr = "x" }', "which the deck does not list"),
        ('["en"]', "[]", "one or more different language tags"),
        ('["en"]', '["en", "EN"]', "different language tags"),
        ('["en"]', '["english!"]', "a language tag"),
        ('"cards.csv"', '"cards\\u0000.csv"', "is no file name"),
        ('"cards.csv"', f'"{"x" * 300}.csv"', "no"),
        ('"cards.csv"', '"../../etc/passwd"', "outside the deck's folder"),
        ('"cards.csv"', '"layouts"', "there is no table"),
        ('"front"', f'"{"x" * 300}"', "there is no layout"),
        ('"front"', '"a\\u0000b"', "there is no layout"),
        ("[[group]]", "[group]", "[[group]]"),
        ("[[group]]", "[[gruop]]", "did you mean 'group'?"),
        ('name = "all"', "", "has no 'name'"),
    ],
)
def test_a_wrong_deck(old: str, new: str, message: str, make_deck: MakeDeck) -> None:
    deck = make_deck()
    text = (deck / "deck.toml").read_text(encoding="utf-8")
    assert old in text
    (deck / "deck.toml").write_text(text.replace(old, new), encoding="utf-8")
    answer = run("check", str(deck))
    assert answer.code == 3, answer
    assert message in answer.err and "deck.toml" in answer.err
    assert "unexpected" not in answer.err


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("id,name,,\na,Ada,,\nb,Bob,,\n", ""),
        ("sep=;\nid;name\na;Ada\n", ""),
        ("\ufeff\ufeffid,name\na,Ada\n", ""),
        ("ID,name\na,Ada\n", ""),
        ('id,name\na,"Ada\n', "a quote is never closed"),
        ("id,name,name@\na,Ada,x\n", "are the same field"),
        ("id,name@en,name @en\na,Ada,x\n", "are the same field"),
        ("id,count@en,name\na,2,Ada\n", "a number of copies has no language"),
        (f"id,count,name\na,{'9' * 5000},Ada\n", "is no whole number"),
        ("id,name@fr\na,Ada\n", "which the deck does not list"),
        ("id,name\na,Ada\x00\n", "no glyph"),
    ],
)
def test_tables_of_spreadsheets(table: str, message: str, make_deck: MakeDeck) -> None:
    deck = make_deck(csv=table)
    answer = run("check", str(deck))
    assert (answer.code == 0) == (message == ""), answer
    assert message in answer.err and "unexpected" not in answer.err


def test_the_count_can_be_printed(make_deck: MakeDeck, tmp_path: Path) -> None:
    from tests.conftest import text_of

    deck = make_deck(csv="name,count\nAda,3\nBob,\n", layout=TEXT.replace("{name}", "×{count}"))
    out = tmp_path / "o.pdf"
    assert run("print", str(deck), "-o", str(out)).code == 0
    assert text_of(out).count("×3") == 3 and text_of(out).count("×1") == 1


def test_a_print_never_replaces_a_file_of_the_deck(make_deck: MakeDeck) -> None:
    deck = make_deck()
    answer = run("print", str(deck), "-o", str(deck / "deck.toml"))
    assert answer.code == 2 and "is a file of the deck" in answer.err
    assert (deck / "deck.toml").read_text(encoding="utf-8").startswith("title")


@pytest.mark.parametrize(
    "arguments",
    [["--only", ""], ["--lang", ""], ["-o", ""], ["-o", "-", "--json"], ["--lang", "en+en"]],
)
def test_empty_and_contradicting_options(arguments: list[str], make_deck: MakeDeck) -> None:
    assert run("print", str(make_deck()), *arguments).code == 2


def test_margins_that_leave_nothing_are_said(make_deck: MakeDeck) -> None:
    answer = run("print", str(make_deck()), "--margin", "200")
    assert answer.code == 6 and "leave nothing of the paper" in answer.err
