"""The PDF itself: P1, P7, P15, P29, boxes, forms, metadata."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from pypdf import PdfReader

from tests.conftest import MM, PLAIN_BACK, MakeDeck, lines_of, pages, run, text_of, words

FOUR = "name\nAda\nBob\nCyd\nDan\n"


def title(pdf: Path, page: int, text: str) -> tuple[float, float, bool]:
    word = next(w for w in words(pdf, page) if w.text == text)
    return round(word.x, 2), round(word.y, 2), word.upside_down


def test_p1_flip_edges_on_paper(make_deck: MakeDeck, tmp_path: Path) -> None:
    deck = make_deck(csv=FOUR, back=PLAIN_BACK)
    out = tmp_path / "o.pdf"
    run("print", str(deck), "-o", str(out), "--duplex", "long-edge")
    # the text's box is 5 mm from the card's left edge: slot (1,3) starts at 136.5
    ada = title(out, 1, "back of Ada")
    assert ada[0] == pytest.approx(141.5, abs=0.01) and not ada[2]
    assert title(out, 1, "back of Dan")[0] == pytest.approx(141.5, abs=0.01)
    assert title(out, 1, "back of Dan")[1] == pytest.approx(ada[1] + 88, abs=0.01)
    run("print", str(deck), "-o", str(out), "--duplex", "short-edge")
    ada = title(out, 1, "back of Ada")
    # slot (3,1) turned by 180°: the text starts 5 mm from the slot's right edge
    assert ada[0] == pytest.approx(73.5 - 5, abs=0.01) and ada[2]
    assert ada[1] > 192.5


def test_p7_marks_on_paper(make_deck: MakeDeck, tmp_path: Path) -> None:
    deck = make_deck(csv="name,count\nAda,9\n", back=PLAIN_BACK)
    out = tmp_path / "o.pdf"
    run("print", str(deck), "-o", str(out))
    lines = lines_of(out, 0)
    assert sorted({x1 for x1, _, x2, _ in lines if x1 == x2}) == pytest.approx(
        [10.5, 73.5, 136.5, 199.5], abs=0.01
    )
    assert sorted({y1 for _, y1, _, y2 in lines if y1 == y2}) == pytest.approx(
        [16.5, 104.5, 192.5, 280.5], abs=0.01
    )
    assert lines_of(out, 1) == []
    run("print", str(deck), "-o", str(out), "--marks", "none")
    assert lines_of(out, 0) == []


@pytest.mark.parametrize("deck", ["game-on"])
def test_p15_fonts_are_embedded_subset_and_asked_for(deck: str, tmp_path: Path) -> None:
    out = tmp_path / "o.pdf"
    run("print", deck, "-o", str(out))
    seen = 0
    for page in PdfReader(out).pages:
        for font in fonts_of(page["/Resources"]):
            seen += 1
            assert font["/Subtype"] == "/TrueType"
            assert "+NotoSansTC" in font["/BaseFont"]
            assert "/FontFile2" in font["/FontDescriptor"]
            assert "/ToUnicode" in font
    assert seen


def fonts_of(resources: object) -> list[dict[str, object]]:
    resources = resources.get_object()  # type: ignore[attr-defined]
    found = [f.get_object() for f in resources.get("/Font", {}).values()]
    for xobject in resources.get("/XObject", {}).values():
        inner = xobject.get_object().get("/Resources")
        if inner:
            found.extend(fonts_of(inner))
    return found


def test_p15_text_comes_out_in_reading_order_card_by_card(tmp_path: Path) -> None:
    out = tmp_path / "o.pdf"
    run("print", "game-on", "-o", str(out), "--only", "three-pointer-35,sniper,technical-foul-70")
    text = text_of(out)
    order = ["三分跳投", "Three-point jumper", "遠程狙擊手", "Sniper", "技術犯規", "Technical foul"]
    places = [text.index(part) for part in order]
    assert places == sorted(places)


def test_p29_identical_bytes_whatever_the_clock_folder_and_hash_seed(tmp_path: Path) -> None:
    digests = set()
    for number, zone in enumerate(("UTC", "Asia/Taipei")):
        folder = tmp_path / str(number)
        folder.mkdir()
        environment = {**os.environ, "PYTHONHASHSEED": str(number), "TZ": zone}
        subprocess.run(
            [sys.executable, "-m", "companion", "print", "game-on", "-o", "x.pdf"],
            cwd=folder,
            env=environment,
            check=True,
            capture_output=True,
        )
        digests.add((folder / "x.pdf").read_bytes())
    assert len(digests) == 1


def test_boxes_and_metadata(tmp_path: Path) -> None:
    out = tmp_path / "o.pdf"
    run("print", "game-on", "-o", str(out), "--lang", "en")
    reader = PdfReader(out)
    assert reader.metadata and reader.metadata.title == "Game On"
    assert "0.1" in str(reader.metadata.subject)
    page = reader.pages[0]
    trim = [float(v) / MM for v in page.trimbox]
    assert trim == pytest.approx([10.5, 16.5, 199.5, 280.5], abs=0.01)
    bleed = [float(v) / MM for v in page.bleedbox]
    assert bleed == pytest.approx([7.5, 13.5, 202.5, 283.5], abs=0.01)


def test_equal_faces_are_stored_once(make_deck: MakeDeck, tmp_path: Path) -> None:
    sizes = []
    for count in (9, 900):
        deck = make_deck(csv=f"name,count\nAda,{count}\n", back=PLAIN_BACK, name=f"d{count}")
        out = tmp_path / f"{count}.pdf"
        run("print", str(deck), "-o", str(out))
        sizes.append(out.stat().st_size)
        assert pages(out) == 2 * count // 9
    assert (sizes[1] - sizes[0]) / 891 < 200


BLEEDING = """
size = "poker"
bleed = 3
[[element]]
name = "ground"
type = "rectangle"
area = "bleed"
fill = { by = "color", red = "#ff0000", blue = "#0000ff" }
"""


@pytest.mark.parametrize("gap", ["0mm", "2mm", "5mm"])
def test_p8_bleed_never_paints_inside_another_trim(
    gap: str, make_deck: MakeDeck, tmp_path: Path
) -> None:
    deck = make_deck(csv="id,color\na,red\nb,blue\nc,red\nd,blue\ne,red\nf,blue\n", layout=BLEEDING)
    out = tmp_path / "o.pdf"
    run("print", str(deck), "-o", str(out), "--gap", gap, "--paper", "a4", "--no-labels")
    scale = 4.0
    image = pypdfium2.PdfDocument(out)[0].render(scale=scale).to_pil()
    pixels = np.asarray(image.convert("RGB"))
    space = float(gap[:-2])
    columns = 3
    width = columns * 63 + (columns - 1) * space
    left, top = (210 - width) / 2, (297 - (3 * 88 + 2 * space)) / 2
    per_mm = scale * MM
    for number in range(6):
        row, column = divmod(number, columns)
        x, y = left + column * (63 + space), top + row * (88 + space)
        inside = pixels[
            int((y + 0.6) * per_mm) : int((y + 87.4) * per_mm),
            int((x + 0.6) * per_mm) : int((x + 62.4) * per_mm),
        ]
        expected = [255, 0, 0] if number % 2 == 0 else [0, 0, 255]
        assert (inside == expected).all()
