"""Text on cards as a user meets it: P11, P12, P13."""

from __future__ import annotations

import itertools
from pathlib import Path

import pypdfium2
import pytest
from fontTools.ttLib import TTFont

from companion.shipped import FONTS
from tests.conftest import MakeDeck, run, text_of, words

BOX = """
size = "poker"
[[element]]
name = "body"
type = "rich-text"
text = "{text}"
at = [5, 5]
size = [53, 20]
fit = [6, 9]
"""


def size_of(pdf: Path) -> float:
    import pdfplumber

    with pdfplumber.open(pdf) as document:
        sizes = {round(char["size"], 2) for char in document.pages[0].chars}
    assert len(sizes) == 1
    return sizes.pop()


def test_p11_short_text_keeps_the_start_size(make_deck: MakeDeck, tmp_path: Path) -> None:
    deck = make_deck(csv="id,text\na," + "word " * 8 + "\n", layout=BOX)
    out = tmp_path / "o.pdf"
    run("print", str(deck), "-o", str(out), "--no-labels")
    assert size_of(out) == 9


def test_p11_long_text_gets_the_largest_size_that_fits(make_deck: MakeDeck, tmp_path: Path) -> None:
    text = ("shuffle the deck and deal seven cards to each player " * 6)[:300]
    layout = BOX.replace("fit = [6, 9]", "fit = {fit}")
    out = tmp_path / "o.pdf"
    deck = make_deck(csv=f"id,text\na,{text}\n", layout=BOX)
    run("print", str(deck), "-o", str(out), "--no-labels")
    chosen = size_of(out)
    assert 6 <= chosen < 9
    # a quarter point more would not fit
    bigger = make_deck(
        csv=f"id,text\na,{text}\n",
        layout=layout.replace("{fit}", str(chosen + 0.25)),
        name="bigger",
    )
    answer = run("check", str(bigger))
    assert answer.code == 6
    assert f"it would need {chosen:g} pt" in answer.err


def test_p11_one_word_lines_shrink_too(make_deck: MakeDeck, tmp_path: Path) -> None:
    rows = "\n".join(["word"] * 7)
    deck = make_deck(csv=f'id,text\na,"{rows}"\n', layout=BOX)
    out = tmp_path / "o.pdf"
    run("print", str(deck), "-o", str(out), "--no-labels")
    assert size_of(out) < 9
    assert len(words(out, 0)) == 7


def test_p11_overflow_is_an_error_that_names_what_it_needs(
    make_deck: MakeDeck, tmp_path: Path
) -> None:
    deck = make_deck(csv="id,text\nscroll," + "word " * 600 + "\n", layout=BOX)
    out = tmp_path / "o.pdf"
    answer = run("print", str(deck), "-o", str(out))
    assert answer.code == 6
    assert "cards.csv:2:8" in answer.err
    for part in ("card 'scroll'", "field 'text'", "floor of 6 pt", "it would need"):
        assert part in answer.err
    assert not out.exists()
    warned = run("print", str(deck), "-o", str(out), "--overflow", "warn")
    assert warned.code == 0
    assert "warning" in warned.err and "drawn at the floor" in warned.err
    assert text_of(out).split().count("word") == 600


def test_p11_a_long_word_is_broken_not_clipped(make_deck: MakeDeck, tmp_path: Path) -> None:
    word = "Donaudampfschiff" * 4
    deck = make_deck(csv=f"id,text\na,{word}\n", layout=BOX)
    out = tmp_path / "o.pdf"
    assert run("print", str(deck), "-o", str(out), "--no-labels").code == 0
    found = words(out, 0)
    assert "".join(line.text for line in found) == word
    assert len(found) > 1


def test_words_are_kept_whole_by_shrinking_first(make_deck: MakeDeck, tmp_path: Path) -> None:
    narrow = BOX.replace("size = [53, 20]", "size = [22, 20]")
    deck = make_deck(csv="id,text\na,Crossbowmanship\n", layout=narrow)
    out = tmp_path / "o.pdf"
    run("print", str(deck), "-o", str(out), "--no-labels")
    assert [line.text for line in words(out, 0)] == ["Crossbowmanship"]
    assert size_of(out) < 9


def test_same_size_uses_the_smallest_size_for_all_cards(
    make_deck: MakeDeck, tmp_path: Path
) -> None:
    long_text = "deal seven cards to each player " * 8
    csv = f"id,text\na,short\nb,{long_text}\n"
    for same, count in (("true", 1), ("false", 2)):
        deck = make_deck(csv=csv, layout=BOX + f"same-size = {same}\n", name=f"deck-{same}")
        out = tmp_path / "o.pdf"
        run("print", str(deck), "-o", str(out), "--no-labels")
        import pdfplumber

        with pdfplumber.open(out) as document:
            assert len({round(char["size"], 2) for char in document.pages[0].chars}) == count


COIN = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">'
    '<rect x="0" y="0" width="10" height="10" fill="#ff0000"/></svg>'
)


def red_boxes(pdf: Path) -> list[tuple[float, float, float]]:
    """Red blobs of page 1: (left, top, bottom) in millimetres, by connected columns."""
    import numpy as np

    scale = 600 / 72
    pixels = np.asarray(pypdfium2.PdfDocument(pdf)[0].render(scale=scale).to_pil().convert("RGB"))
    red = (pixels[..., 0] > 200) & (pixels[..., 1] < 60)
    boxes = []
    rows = np.flatnonzero(red.any(axis=1))
    for band in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1):
        columns = np.flatnonzero(red[band[0] : band[-1] + 1].any(axis=0))
        for blob in np.split(columns, np.flatnonzero(np.diff(columns) > 1) + 1):
            boxes.append(tuple(v * 25.4 / 600 for v in (blob[0], band[0], band[-1] + 1)))
    return boxes


@pytest.mark.parametrize("align", ["left", "center", "right"])
def test_p12_inline_icons_sit_on_the_baseline(
    align: str, make_deck: MakeDeck, tmp_path: Path
) -> None:
    text = '"{coin}\n{coin}before\nafter{coin}\nmiddle {coin} icon\nplain"'
    layout = BOX.replace("fit = [6, 9]", f'fit = 9\nalign = "{align}"').replace("20]", "25]")
    deck = make_deck(csv=f"id,text\na,{text}\n", layout=layout, files={"icons/coin.svg": COIN})
    out = tmp_path / "o.pdf"
    assert run("print", str(deck), "-o", str(out), "--marks", "none", "--no-labels").code == 0
    boxes = red_boxes(out)
    assert len(boxes) == 4
    baselines = sorted({round(w.y, 2) for w in words(out, 0)})
    assert len(baselines) == 4
    # equal line heights, with or without an icon
    steps = [b - a for a, b in itertools.pairwise(baselines)]
    assert max(steps) - min(steps) < 0.02
    line = steps[0]
    baselines.insert(0, baselines[0] - line)
    heights = [(base - top, bottom - base) for (_, top, bottom), base in zip(
        sorted(boxes, key=lambda b: b[1]), baselines, strict=False)]  # fmt: skip
    for above, below in heights:
        assert above == pytest.approx(heights[0][0], abs=0.06)
        assert below == pytest.approx(heights[0][1], abs=0.06)


def test_p12_first_on_a_wrapped_line(make_deck: MakeDeck, tmp_path: Path) -> None:
    layout = BOX.replace("fit = [6, 9]", "fit = 9").replace("size = [53, 20]", "size = [24, 20]")
    deck = make_deck(
        csv="id,text\na,三張卡牌換一枚{coin}再抽牌\n", layout=layout, files={"icons/coin.svg": COIN}
    )
    out = tmp_path / "o.pdf"
    assert run("print", str(deck), "-o", str(out), "--marks", "none", "--no-labels").code == 0
    (left, _, _), = red_boxes(out)  # fmt: skip
    assert left == pytest.approx(10.5 + 5, abs=0.1)


def test_p12_a_misspelt_icon_suggests_the_right_one(make_deck: MakeDeck) -> None:
    deck = make_deck(csv="id,text\na,Pay {cion}\n", layout=BOX, files={"icons/coin.svg": COIN})
    answer = run("check", str(deck))
    assert answer.code == 3
    assert "cards.csv:2:3" in answer.err and "did you mean 'coin'?" in answer.err


def test_p13_a_missing_glyph_fails_with_everything_one_needs(make_deck: MakeDeck) -> None:
    deck = make_deck(csv="id,text\nhall,三\nname,王堃\n", layout=BOX)
    answer = run("check", str(deck))
    assert answer.code == 6
    for part in ("cards.csv:3:6", "U+5803", "card 'name'", "field 'text'", "PnPSansTC-Regular"):
        assert part in answer.err


def tiny_font(path: Path, chars: str) -> None:
    """A font with just a few characters, cut from the shipped one."""
    from fontTools import subset

    font = TTFont(FONTS / "PnPSansTC-Regular.ttf")
    cutter = subset.Subsetter()
    cutter.populate(text=chars)
    cutter.subset(font)
    for record in font["name"].names:
        record.string = "Tiny"
    font.save(path)


def test_p13_a_fallback_list_takes_each_character_from_the_first_font_that_has_it(
    make_deck: MakeDeck, tmp_path: Path
) -> None:
    from pypdf import PdfReader

    deck = make_deck(
        csv="id,text\na,abc三\n",
        layout=BOX + 'font = ["tiny", "sans"]\n',
        extra='fonts = { tiny = "tiny.ttf" }',
    )
    tiny_font(deck / "tiny.ttf", "ab")
    out = tmp_path / "o.pdf"
    answer = run("print", str(deck), "-o", str(out), "--no-labels")
    assert answer.code == 0, answer.err
    assert "abc三" in text_of(out).replace(" ", "")
    fonts = PdfReader(out).pages[0]["/Resources"]["/Font"]
    names = {font.get_object()["/BaseFont"] for font in fonts.values()}
    assert any("Tiny" in name for name in names) and any("Sans" in name for name in names)


def test_bold_without_a_bold_file_is_said(make_deck: MakeDeck) -> None:
    deck = make_deck(
        csv="id,text\na,**ab**\n",
        layout=BOX + 'font = "tiny"\n',
        extra='fonts = { tiny = "tiny.ttf" }',
    )
    tiny_font(deck / "tiny.ttf", "ab")
    answer = run("check", str(deck))
    assert answer.code == 6 and "has no bold file" in answer.err


@pytest.mark.parametrize("content", [b"", b"OTTO" + bytes(40), b"\0\1\0\0" + bytes(9), b"x" * 500])
def test_a_font_that_cannot_be_embedded_is_refused(content: bytes, make_deck: MakeDeck) -> None:
    deck = make_deck(
        csv="id,text\na,ab\n", layout=BOX + 'font = "mine"\n', extra='fonts = { mine = "m.ttf" }'
    )
    (deck / "m.ttf").write_bytes(content)
    answer = run("check", str(deck))
    assert answer.code == 3
    assert "deck.toml:3:18" in answer.err and "'m.ttf' cannot be used" in answer.err


def test_narrow_quotes_beside_latin_are_copied_as_ordinary_ones(
    make_deck: MakeDeck, tmp_path: Path
) -> None:
    deck = make_deck(csv="id,text\na,don’t “go” … 他說“好”\n", layout=BOX)
    out = tmp_path / "o.pdf"
    run("print", str(deck), "-o", str(out), "--no-labels")
    assert "don’t “go” …" in text_of(out)


def test_markup_faults_are_named(make_deck: MakeDeck) -> None:
    deck = make_deck(csv="id,text\na,**open\nb,one } brace\n", layout=BOX)
    answer = run("check", str(deck))
    assert answer.code == 3
    assert "cards.csv:2:3" in answer.err and "nothing closes it" in answer.err
    assert "cards.csv:3:3" in answer.err and "a single '}'" in answer.err


def test_escaped_markup_is_plain(make_deck: MakeDeck, tmp_path: Path) -> None:
    deck = make_deck(csv="id,text\na,2\\*3 \\{x\\}\n", layout=BOX)
    out = tmp_path / "o.pdf"
    assert run("print", str(deck), "-o", str(out)).code == 0
    assert "2*3 {x}" in text_of(out)


def test_text_outside_the_card_is_an_error_near_the_cut_a_warning(make_deck: MakeDeck) -> None:
    for at, code, message in (
        ("[50, 25]", 6, "leaves the card by"),
        ("[100, 45]", 6, "leaves the card by"),
        ("[1, 25]", 0, "of the cut (safe area 3 mm)"),
        ("[5, 25]", 0, ""),
    ):
        layout = BOX.replace("at = [5, 5]", f"at = {at}").replace(
            'size = "poker"', 'size = "poker"\nsafe = 3'
        )
        name = f"d{at[1:4].strip(',')}"
        deck = make_deck(csv="id,text\na,Half of it is lost here\n", layout=layout, name=name)
        answer = run("check", str(deck))
        assert answer.code == code and message in answer.err, (at, answer)


def test_a_word_that_must_be_broken_is_said(make_deck: MakeDeck) -> None:
    layout = BOX.replace("fit = [6, 9]", "fit = 12").replace("[53, 20]", "[12, 60]")
    answer = run("check", str(make_deck(csv="id,text\na,Pay congratulations\n", layout=layout)))
    assert answer.code == 0
    assert "'congratulations' is wider than its box at 12 pt and is broken" in answer.err


def test_overflow_blames_the_longest_field(make_deck: MakeDeck) -> None:
    layout = BOX.replace("{text}", "{id} {name} {text}")
    deck = make_deck(csv="id,name,text\na,Ada," + "word " * 600 + "\n", layout=layout)
    answer = run("check", str(deck))
    assert answer.code == 6 and "cards.csv:2:7" in answer.err and "field 'text'" in answer.err


def test_a_margin_label_without_glyphs_is_said_and_shows_no_box(
    make_deck: MakeDeck, tmp_path: Path
) -> None:
    deck = make_deck(layout=BOX.replace("{text}", "{name}"))
    toml = (deck / "deck.toml").read_text(encoding="utf-8").replace('"Demo"', '"狼堃 Wolf"')
    (deck / "deck.toml").write_text(toml, encoding="utf-8")
    out = tmp_path / "o.pdf"
    answer = run("print", str(deck), "-o", str(out))
    assert answer.code == 0 and "no glyph for '堃' (U+5803), left out" in answer.err
    assert "狼 Wolf" in text_of(out)


def test_decomposed_accents_are_the_same_letters(make_deck: MakeDeck, tmp_path: Path) -> None:
    out = tmp_path / "o.pdf"
    deck = make_deck(csv="id,text\na,cafe\u0301\n", layout=BOX)
    assert run("print", str(deck), "-o", str(out)).code == 0
    assert "caf\u00e9" in text_of(out)
