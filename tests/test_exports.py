"""Exports, previews, new decks, other table formats: P16 (XLSX), P21, P26, P27."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from shapely.geometry import Polygon

from companion.export import atlases
from companion.tuckbox import box_for, outlines
from tests.conftest import PLAIN_BACK, PLAIN_LAYOUT, MakeDeck, run, text_of

CARD = """
size = "poker"
bleed = 3
[[element]]
name = "ground"
type = "rectangle"
area = "bleed"
fill = "#3060c0"
[[element]]
name = "title"
type = "text"
text = "{name}"
color = "white"
at = [5, 5]
size = [53, 20]
"""


def test_p21_single_card_pictures(make_deck: MakeDeck, tmp_path: Path) -> None:
    csv = "id,count,name\n" + "".join(f"c{n},2,Card{n}\n" for n in range(1, 13))
    deck = str(make_deck(csv=csv, layout=CARD))
    out = tmp_path / "png"
    assert run("export", deck, "--to", "png", "-o", str(out)).code == 0
    names = sorted(path.name for path in out.iterdir())
    assert len(names) == 12 and names[0] == "01-c1.png" and names[-1] == "12-c12.png"
    image = Image.open(out / "01-c1.png")
    assert image.size == (815, 1110)
    assert image.info["dpi"] == pytest.approx((300, 300), abs=0.1)
    trimmed = tmp_path / "trim"
    run("export", deck, "--to", "png", "-o", str(trimmed), "--bleed", "0", "--copies")
    assert len(list(trimmed.iterdir())) == 24
    assert Image.open(trimmed / "01-c1.png").size == (744, 1039)
    shop = tmp_path / "shop"
    run(
        "export",
        deck,
        "--to",
        "png",
        "-o",
        str(shop),
        "--preset",
        "makeplayingcards",
        "--only",
        "c1",
    )
    assert Image.open(shop / "1-c1.png").size == (819, 1114)


def test_single_cards_look_as_on_the_sheet(make_deck: MakeDeck, tmp_path: Path) -> None:
    """The same scene, so the same pixels, whichever way it goes out."""
    import pypdfium2

    deck = str(make_deck(csv="id,name\na,Ada 三分跳投\n", layout=CARD))
    sheet, out = tmp_path / "s.pdf", tmp_path / "png"
    run("print", deck, "-o", str(sheet), "--marks", "none", "--no-labels")
    run("export", deck, "--to", "png", "-o", str(out), "--bleed", "0")
    card = np.asarray(Image.open(out / "1-a.png").convert("RGB")).astype(int)
    page = pypdfium2.PdfDocument(sheet)[0].render(scale=300 / 72).to_pil().convert("RGB")
    left, top = round(10.5 / 25.4 * 300), round(16.5 / 25.4 * 300)
    part = np.asarray(page.crop((left, top, left + 744, top + 1039))).astype(int)
    assert abs(card - part).mean() < 1.5


def test_p26_tabletop_simulator(make_deck: MakeDeck, tmp_path: Path) -> None:
    csv = "id,name\n" + "".join(f"c{n},Card{n}\n" for n in range(1, 72))
    deck = str(make_deck(csv=csv, layout=CARD, back=PLAIN_BACK.replace("of {name}", "")))
    out = tmp_path / "tts"
    assert run("export", deck, "--to", "tts", "-o", str(out)).code == 0
    data = json.loads((out / "demo.json").read_text(encoding="utf-8"))
    state = data["ObjectStates"][0]
    first, second = state["CustomDeck"]["1"], state["CustomDeck"]["2"]
    assert (first["NumWidth"], first["NumHeight"]) == (10, 7)
    assert second["NumWidth"] * second["NumHeight"] < 10
    assert len(state["DeckIDs"]) == 71 and state["DeckIDs"][69] == 200
    places = {entry["id"]: entry for entry in data["companion"]}
    assert places["c1"] == {"id": "c1", "sheet": 1, "row": 1, "column": 1}
    assert places["c69"] == {"id": "c69", "sheet": 1, "row": 7, "column": 9}
    assert places["c70"] == {"id": "c70", "sheet": 2, "row": 1, "column": 1}
    for number, sheet in (("1", first), ("2", second)):
        image = Image.open(out / sheet["FaceURL"])
        assert max(image.size) <= 4096, number
        assert image.width % sheet["NumWidth"] == 0 and image.height % sheet["NumHeight"] == 0
    # one back for all: one picture
    assert first["BackURL"] == "demo-back.png" and not first["UniqueBack"]
    assert (out / "demo-back.png").exists()


@pytest.mark.parametrize("count", [1, 2, 9, 68, 69, 70, 138, 139, 300])
def test_p26_atlases_hold_every_card_and_keep_a_cell_free(count: int) -> None:
    sheets = atlases(count)
    assert [card for sheet in sheets for card in sheet.cards] == list(range(count))
    for sheet in sheets:
        assert len(sheet.cards) < sheet.columns * sheet.rows <= 70
        assert 2 <= sheet.columns <= 10 and 2 <= sheet.rows <= 7


def test_p27_tuck_box(make_deck: MakeDeck, tmp_path: Path) -> None:
    import xml.etree.ElementTree as ElementTree

    assert box_for((63, 88), 54, 0.30, 1.0).depth == pytest.approx(17.2)
    deck = str(make_deck(csv="id,count,name\na,54,Ada\n"))
    out = tmp_path / "box.svg"
    assert run("export", deck, "--to", "tuckbox", "-o", str(out)).code == 0
    root = ElementTree.parse(out).getroot()
    assert {e.get("id") for e in root if e.get("id")} == {"cut", "fold"}
    answer = run("export", deck, "--to", "tuckbox", "--paper", "a6", "-o", str(tmp_path / "b.svg"))
    assert answer.code == 6 and "it would fit on a5" in answer.err
    assert not (tmp_path / "b.svg").exists()


def test_p27_the_panels_of_the_box_meet() -> None:
    """Folded edges that meet are equally long: every fold line's ends lie on the outline."""
    from shapely.geometry import LineString, Polygon

    box = box_for((63, 88), 54, 0.3, 1.0)
    cut, *folds = outlines(box, 0, 0)
    net = Polygon(cut.points)
    assert net.is_valid
    width, height = box.net
    assert net.bounds == pytest.approx((0, 0, width, height))
    for fold in folds:
        line = LineString(fold.points)
        assert net.buffer(1e-6).contains(line)
    upright = sorted(abs(f.points[0][0]) for f in folds if f.points[0][0] == f.points[1][0])
    panels = [b - a for a, b in zip(upright, [*upright[1:], width], strict=True)]
    assert panels == pytest.approx([box.width, box.depth, box.width, box.depth])


ROWS = [["name", "Qty"], ["Scout", 2], ["Wall", 0], ["Gate", None], ["007", 1],
        ['He said "go", then left\nnext line', 1]]  # fmt: skip


def xlsx(path: Path, rows: list[list[Any]]) -> None:
    import openpyxl

    workbook = openpyxl.Workbook()
    for row in rows:
        workbook.active.append(row)
    workbook.save(path)


@pytest.mark.parametrize("kind", ["xlsx", "json", "toml", "tsv"])
def test_p16_other_formats_give_the_same_cards(
    kind: str, make_deck: MakeDeck, tmp_path: Path
) -> None:
    deck = make_deck()
    path = deck / f"cards.{kind}"
    if kind == "xlsx":
        xlsx(path, ROWS)
    elif kind == "json":
        records = [dict(zip(ROWS[0], row, strict=True)) for row in ROWS[1:]]
        path.write_text(json.dumps(records), encoding="utf-8")
    elif kind == "tsv":
        lines = ["\t".join(json.dumps(c).replace('\\"', '""').replace("\\n", "\n") if isinstance(c, str)
                           else "" if c is None else str(c) for c in row) for row in ROWS]  # fmt: skip
        path.write_text("\n".join(lines), encoding="utf-8")
    else:
        cards = [
            f"[[card]]\nname = {json.dumps(row[0])}\n"
            + (f"Qty = {row[1]}\n" if row[1] is not None else "")
            for row in ROWS[1:]
        ]
        path.write_text("\n".join(cards), encoding="utf-8")
    toml = (deck / "deck.toml").read_text().replace("cards.csv", path.name)
    (deck / "deck.toml").write_text(toml)
    out = tmp_path / "o.pdf"
    answer = run("print", str(deck), "-o", str(out), "--json")
    assert answer.code == 0, answer.err
    assert answer.json["cards"] == 5
    text = text_of(out)
    assert text.count("Scout") == 2 and text.count("007") == 1 and "Wall" not in text
    assert 'He said "go", then left' in text


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("cards.xlsx", b"not a workbook", "is no XLSX workbook"),
        ("cards.json", b"{", "is no JSON"),
        ("cards.json", b'{"a": 1}', "a list of objects"),
        ("cards.json", b'[{"name": ["x"]}]', "neither text nor a number"),
        ("cards.toml", b"name = 3", "[[card]]"),
        ("cards.toml", b"[[card]]\nname = [1]\n", "a text or a number"),
        ("cards.ods", b"", "known: .csv"),
    ],
)
def test_wrong_tables_of_other_formats(
    name: str, content: bytes, message: str, make_deck: MakeDeck
) -> None:
    deck = make_deck()
    (deck / name).write_bytes(content)
    toml = (deck / "deck.toml").read_text().replace("cards.csv", name)
    (deck / "deck.toml").write_text(toml)
    answer = run("check", str(deck))
    assert answer.code == 3 and message in answer.err and name in answer.err


def test_a_new_deck_prints_at_once_in_both_languages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "My wolves").code == 0
    for language in ("en", "zh-TW", "en+zh-TW"):
        answer = run("check", "My wolves", "--lang", language, "--json")
        assert answer.code == 0
        assert [p for p in answer.json["problems"] if p["level"] != "note"] == []
    run("print", "My wolves")
    assert "Wolf" in text_of(tmp_path / "output" / "My wolves.pdf")
    assert run("new", "My wolves").code == 2
    assert run("new", "../x").code == 2


# previews


def test_preview_writes_a_contact_sheet_and_a_gallery(make_deck: MakeDeck, tmp_path: Path) -> None:
    deck = make_deck(csv="id,count,name\na,3,Ada\nb,1,Bob\n", layout=CARD, back=PLAIN_BACK)
    answer = run("preview", str(deck), "-o", str(tmp_path / "p"), "--json")
    assert answer.code == 0 and answer.json["faces"] == 4
    assert Image.open(tmp_path / "p" / "demo.png").width > 1000
    page = (tmp_path / "p" / "demo.html").read_text(encoding="utf-8")
    assert page.count("data:image/png;base64,") == 4
    assert "http://" not in page.replace("http://www.w3.org", "") and "https://" not in page


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        pytest.skip("needs Debian's chromium and chromium-driver")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for flag in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ):
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    yield driver
    driver.quit()


def shown(browser: Any) -> list[str]:
    """In one step: the page may reload between two."""
    script = """return [...document.querySelectorAll("figure")]
        .filter(figure => figure.offsetParent !== null).map(figure => figure.dataset.search)"""
    return list(browser.execute_script(script))


def until(check: Any, what: str) -> None:
    """Wait for something that another process does, without a fixed time."""
    deadline = time.monotonic() + 40
    while not check():
        assert time.monotonic() < deadline, what
        os.sched_yield()


def test_the_gallery_searches_filters_and_shows_problems(
    browser: Any, make_deck: MakeDeck, tmp_path: Path
) -> None:
    csv = "id,name\nwolf,狼 Wolf\nbear,Bear\nlong," + "word " * 200 + "\n"
    deck = make_deck(csv=csv, layout=CARD, back=PLAIN_BACK.replace("of {name}", ""))
    run("preview", str(deck), "-o", str(tmp_path))
    browser.get((tmp_path / "demo.html").as_uri())
    assert len(shown(browser)) == 6
    browser.find_element("id", "search").send_keys("狼")
    assert shown(browser) == ["wolf 狼 wolf"] * 2
    browser.find_element("id", "backs").click()
    assert len(shown(browser)) == 1
    browser.find_element("id", "search").clear()
    browser.find_element("id", "search").send_keys(" ")
    browser.find_element("id", "search").clear()
    browser.find_element("id", "faulty").click()
    until(lambda: len(shown(browser)) == 1, "only the faulty card")
    problems = browser.find_element("css selector", ".problems").text
    assert "does not fit" in problems


def test_watching_rebuilds_keeps_the_last_good_page_and_reloads_it(
    browser: Any, make_deck: MakeDeck, tmp_path: Path
) -> None:
    from companion.preview import watch

    deck = make_deck(csv="id,name\na,Ada\n", layout=CARD)
    out = tmp_path / "p"
    told: list[object] = []
    ended = threading.Event()
    worker = threading.Thread(
        target=watch, args=(str(deck), None, out, told.append, ended.is_set), daemon=True
    )
    worker.start()
    try:
        until(lambda: len(told) == 1, "the first build")
        browser.get((out / "demo.html").as_uri())
        assert shown(browser) == ["a ada"]
        # let the page learn the first stamp before the next build replaces it
        until(lambda: browser.execute_script("return known !== null"), "the first stamp")
        (deck / "cards.csv").write_text("id,name\na,Ada\nb,Bob\n")
        until(lambda: len(shown(browser)) == 2, "the page with Bob")
        (deck / "cards.csv").write_text("id,name\na\n")
        until(
            lambda: (
                "no cell for 'name'" in browser.execute_script("return document.body.innerText")
            ),
            "the error in the page",
        )
        assert len(shown(browser)) == 2
    finally:
        ended.set()
        worker.join(timeout=20)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([["id", "name", "count"], ["a", "Ada", "=1+2"]], "has no stored result"),
        ([["id", "name", "count"], ["a", "#DIV/0!", 1]], "the error #DIV/0!"),
    ],
)
def test_a_workbook_never_prints_a_blank_for_what_it_holds(
    rows: list[list[Any]], says: str, make_deck: MakeDeck
) -> None:
    deck = make_deck()
    xlsx(deck / "cards.xlsx", rows)
    toml = deck / "deck.toml"
    toml.write_text(toml.read_text().replace("cards.csv", "cards.xlsx"), encoding="utf-8")
    answer = run("check", str(deck))
    assert answer.code == 3 and says in answer.err and "cards.xlsx:2:" in answer.err


def test_a_stray_cell_far_out_is_refused(make_deck: MakeDeck) -> None:
    import openpyxl

    deck = make_deck()
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active["A1"], book.active["XFD1048576"] = "name", "x"
    book.save(deck / "cards.xlsx")
    toml = deck / "deck.toml"
    toml.write_text(toml.read_text().replace("cards.csv", "cards.xlsx"), encoding="utf-8")
    answer = run("check", str(deck))
    assert answer.code == 3 and "XFD1048576, far out" in answer.err


def test_exports_never_replace_the_decks_files_or_a_device(
    make_deck: MakeDeck, tmp_path: Path
) -> None:
    deck = make_deck(files={"icons/coin.svg": "<svg/>"})
    before = (deck / "cards.csv").read_bytes()
    for options in (
        ("--to", "pdf", "-o", str(deck / "cards.csv")),
        ("--to", "svg", "-o", str(deck / "icons" / "coin.svg")),
        ("--to", "svg", "-o", str(tmp_path / "cut.dxf")),
        ("--to", "pdf", "-o", "/dev/null/x.pdf"),
    ):
        assert run("export", str(deck), *options).code in (2, 6)
    assert (deck / "cards.csv").read_bytes() == before
    assert (deck / "icons" / "coin.svg").read_text() == "<svg/>"
    assert run("calibrate", "-o", str(deck / "deck.toml")).code == 2
    folder = tmp_path / "folder.pdf"
    folder.mkdir()
    answer = run("print", str(deck), "-o", str(folder))
    assert answer.code == 6 and "is a folder" in answer.err


def test_a_wider_bleed_is_filled(make_deck: MakeDeck, tmp_path: Path) -> None:
    layout = PLAIN_LAYOUT + (
        '[[element]]\nname = "ground"\ntype = "rectangle"\narea = "bleed"\nfill = "#FF0000"\n'
        'before = "title"\n'
    )
    deck = make_deck(layout=layout)
    for bleed in ("3.175mm", "6mm"):
        out = tmp_path / bleed
        answer = run("export", str(deck), "--to", "png", "--bleed", bleed, "-o", str(out))
        assert answer.code == 0, answer.err
        with Image.open(next(out.glob("*.png"))) as image:
            rgb = image.convert("RGB")
            corners = [rgb.getpixel(at) for at in ((1, 1), (rgb.width - 2, rgb.height - 2))]
        assert corners == [(255, 0, 0)] * 2


@pytest.mark.parametrize("count", [1, 3, 10, 54, 100])
def test_p27_a_box_of_any_depth_has_a_cut_line_that_never_crosses_itself(count: int) -> None:
    box = box_for((63, 88), count, 0.3, 1.0)
    (cut,) = (line for line in outlines(box, 0, 0) if line.closed)
    assert Polygon(cut.points).is_valid
