"""Between a deck and what people do with it: P3, P4, P5, P10, P20 (--max-ppi), P23, P24, P25."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from PIL import Image
from pypdf import PdfReader
from shapely.geometry import LineString, box

from tests.conftest import (
    MM,
    PLAIN_BACK,
    PLAIN_LAYOUT,
    MakeDeck,
    lines_of,
    pages,
    run,
    text_of,
    words,
)

TWENTY = "id,name\n" + "".join(f"c{n},Card{n}\n" for n in range(1, 21))


def raster(pdf: Path, page: int = 0, scale: float = 4.0) -> np.ndarray:
    return np.asarray(pypdfium2.PdfDocument(pdf)[page].render(scale=scale).to_pil().convert("RGB"))


# P3, P4


def test_p3_a_profile_moves_backs_and_leaves_fronts_to_the_byte(
    make_deck: MakeDeck, tmp_path: Path
) -> None:
    deck = make_deck(csv=TWENTY, back=PLAIN_BACK)
    assert run("calibrate", "--printer", "HP", "--x", "1.2", "--y", "-0.7").code == 0
    assert run("calibrate", "--printer", "Brother", "--x", "-2", "--y", "0").code == 0
    plain, shifted = tmp_path / "a.pdf", tmp_path / "b.pdf"
    run("print", str(deck), "-o", str(plain))
    assert run("print", str(deck), "-o", str(shifted), "--printer", "HP").code == 0
    for before, after in zip(words(plain, 1), words(shifted, 1), strict=True):
        assert after.x - before.x == pytest.approx(1.2, abs=0.01)
        assert after.y - before.y == pytest.approx(-0.7, abs=0.01)
    fronts = [PdfReader(pdf).pages[0].get_contents().get_data() for pdf in (plain, shifted)]  # type: ignore[union-attr]
    assert fronts[0] == fronts[1]
    listed = run("list", "--json").json["printers"]
    assert set(listed) == {"HP", "Brother"}


def test_p3_an_unknown_printer_lists_the_known_ones(make_deck: MakeDeck) -> None:
    run("calibrate", "--printer", "Brother", "--x", "1", "--y", "1")
    answer = run("print", str(make_deck()), "--printer", "HP")
    assert answer.code == 2 and "Brother" in answer.err
    answer = run("print", str(make_deck()), "--printer", "Brother", "--paper", "letter")
    assert answer.code == 2 and "known: A4" in answer.err


def test_p3_a_shift_past_the_margin_warns_with_page_side_and_amount(
    make_deck: MakeDeck, tmp_path: Path
) -> None:
    run("calibrate", "--printer", "far", "--x", "-6", "--y", "0")
    deck = make_deck(csv=TWENTY, back=PLAIN_BACK)
    answer = run("print", str(deck), "--printer", "far", "-o", str(tmp_path / "o.pdf"))
    assert "page 2 (back)" in answer.err and "0.5 mm" in answer.err and "left" in answer.err


def test_profiles_that_cannot_be_are_refused() -> None:
    for arguments in (
        ["--printer", "x"],
        ["--x", "1", "--y", "1"],
        ["--printer", "x", "--x", "abc", "--y", "1"],
        ["--printer", "x", "--x", "40", "--y", "1"],
        ["--printer", "x", "--x", "1", "--y", "1", "--scale", "50"],
        ["--duplex", "none"],
        ["--paper", "a6"],
    ):
        assert run("calibrate", *arguments).code == 2


def test_rotation_and_scale_turn_about_the_middle_of_the_page() -> None:
    from companion.printers import Profile

    a, b, c, d, e, f = Profile(0, 0, 1.5, 101).matrix((210, 297))
    cx, cy = 105 * MM, 148.5 * MM
    assert (a * cx + c * cy + e, b * cx + d * cy + f) == pytest.approx((cx, cy))
    # clockwise: a point right of the middle goes down
    x, y = cx + 100, cy
    assert b * x + d * y + f < cy
    assert (a**2 + b**2) ** 0.5 == pytest.approx(1.01)


def test_p4_the_calibration_sheet(tmp_path: Path) -> None:
    out = tmp_path / "c.pdf"
    assert run("calibrate", "-o", str(out)).code == 0
    assert pages(out) == 2
    lines = lines_of(out, 0)
    ticks = sorted({round(x1, 3) for x1, y1, x2, y2 in lines if x1 == x2 and y1 == 20.0})
    assert ticks[-1] - ticks[0] == pytest.approx(100, abs=0.002)
    levels = sorted({y1 for x1, y1, x2, y2 in lines if y1 == y2 and x2 == pytest.approx(196)})
    assert levels[-1] - levels[0] == pytest.approx(100, abs=0.002)
    assert "this must measure 100 mm" in text_of(out)


def test_p4_the_cell_that_coincides_is_the_value_to_store(tmp_path: Path) -> None:
    """A printer that shifts backs by (−1, +0.5): the cell labelled +1, −0.5 lands on its front."""
    from companion.calibration import cells

    out = tmp_path / "c.pdf"
    run("calibrate", "-o", str(out))
    crosses = [
        ((x1 + x2) / 2, y1)
        for x1, y1, x2, y2 in lines_of(out, 1)
        if y1 == y2 and abs(x2 - x1 - 7) < 0.01
    ]
    on_front = {(round(x, 2), round(y, 2)): (dx, dy) for x, y, dx, dy in cells((210, 297))}
    landed = {(round(210 - (x - 1), 2), round(y + 0.5, 2)) for x, y in crosses}
    matching = [on_front[place] for place in landed if place in on_front]
    assert matching == [(1.0, -0.5)]


# P5


def test_p5_fold_over(make_deck: MakeDeck, tmp_path: Path) -> None:
    deck = make_deck(csv="name\nAda\nBob\n", back=PLAIN_BACK)
    out = tmp_path / "o.pdf"
    assert run("print", str(deck), "--fold", "-o", str(out), "--no-labels").code == 0
    assert pages(out) == 1
    from companion.sheets.impose import SheetStyle, impose

    plan = impose((63, 88), 0, [True, True], SheetStyle(fold=True))
    page = plan.pages[0]
    assert page.fold
    fold = page.fold.y1
    fronts = {p.card: p.slot for p in page.placements if not p.back}
    backs = {p.card: p.slot for p in page.placements if p.back}
    assert fronts.keys() == backs.keys()
    for card, front in fronts.items():
        assert backs[card].x == front.x
        assert backs[card].y - fold == fold - front.y - front.height > 0
        assert backs[card].turn == 180 and front.turn == 0
    found = {w.text: w.upside_down for w in words(out, 0)}
    assert found == {"Ada": False, "Bob": False, "back of Ada": True, "back of Bob": True}
    folds = [line for line in lines_of(out, 0) if line[1] == line[3] and line[2] - line[0] > 150]
    assert len(folds) == 1


# slots


def test_p23_start_slot_and_skipped_slots(make_deck: MakeDeck, tmp_path: Path) -> None:
    out = tmp_path / "o.pdf"
    deck = make_deck(csv=TWENTY)
    run("print", str(deck), "--start-slot", "4", "-o", str(out), "--no-labels")
    first = next(w for w in words(out, 0) if w.text == "Card1")
    assert first.x == pytest.approx(10.5 + 5, abs=0.01) and first.y > 104.5
    assert [w.text for w in words(out, 0)] == [f"Card{n}" for n in range(1, 7)]
    assert len(words(out, 1)) == 9
    run("print", str(deck), "--skip-slot", "1", "--skip-slot", "9", "-o", str(out), "--no-labels")
    assert len(words(out, 0)) == 7
    assert run("print", str(deck), "--start-slot", "10", "-o", str(out)).code == 2
    assert run("print", str(deck), "--skip-slot", "12", "-o", str(out)).code == 2


def test_ready_slots_as_data(make_deck: MakeDeck, tmp_path: Path) -> None:
    out = tmp_path / "o.pdf"
    deck = make_deck(csv=TWENTY)
    assert run("print", str(deck), "--sheet", "poker-9-a4", "-o", str(out)).code == 0
    assert words(out, 0)[0].x == pytest.approx(8.5 + 5, abs=0.01)
    lines = lines_of(out, 0)
    assert {8.5, 71.5, 73.5} <= {round(x1, 2) for x1, _, x2, _ in lines if x1 == x2}
    assert "did you mean" in run("print", str(deck), "--sheet", "poker-9-a5").err
    answer = run("print", str(deck), "--sheet", "poker-8-letter", "-o", str(out))
    assert answer.code == 6 and "63.5 × 88.9" in answer.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('paper = "a44"\nslot-size = [63, 88]\n[[slot]]\nat = [5, 5]\n', "did you mean 'a4'"),
        ('paper = "a4"\nslot-size = [63, 88]\n[[slot]]\nat = [5, 5]\nrotate = 45\n', "0, 90, 180"),
        ('paper = "a4"\nslot-size = [63, 88]\n[[slot]]\nat = [200, 5]\n', "leaves the paper"),
        ('paper = "a4"\nslot-size = [63, 88]\n', "has no slot"),
        ('paper = "a4"\nslot-size = [63, 88]\n' + "[[slot]]\nat = [5, 5]\n" * 2, "overlap"),
        ('paper = "a4"\nslot-size = [63, 88]\n[[grid]]\nat = [5, 5]\n', "has no 'columns'"),
    ],
)
def test_a_wrong_sheet_file(text: str, message: str, make_deck: MakeDeck, tmp_path: Path) -> None:
    path = tmp_path / "stock.toml"
    path.write_text(text, encoding="utf-8")
    answer = run("print", str(make_deck()), "--sheet", str(path))
    assert answer.code == 3 and message in answer.err and "stock.toml:" in answer.err


# P24


DARK = """
size = "poker"
bleed = 3
[[element]]
name = "ground"
type = "rectangle"
area = "bleed"
fill = "#201008"
[[element]]
name = "title"
type = "text"
text = "{name}"
color = "white"
font = "sans-bold"
at = [5, 40]
size = [53, 10]
fit = 20
"""


def test_p24_low_ink(make_deck: MakeDeck, tmp_path: Path) -> None:
    deck = make_deck(csv=TWENTY, layout=DARK, back=DARK)
    plain, light = tmp_path / "a.pdf", tmp_path / "b.pdf"
    run("print", str(deck), "-o", str(plain))
    run("print", str(deck), "-o", str(light), "--tone", "low-ink")
    for page in range(2):
        darkness = [1 - raster(pdf, page, 1.0).mean() / 255 for pdf in (plain, light)]
        assert darkness[0] > 0.60 and darkness[1] < 0.15
    assert [(w.text, w.x, w.y) for w in words(plain, 0)] == [
        (w.text, w.x, w.y) for w in words(light, 0)
    ]
    import pdfplumber

    with pdfplumber.open(light) as document:
        inks = {c["non_stroking_color"] for c in document.pages[0].chars if c["text"] == "C"}
    assert inks == {(0.0, 0.0, 0.0)} or inks == {(0, 0, 0)}


def test_grey_proof_has_no_colour(tmp_path: Path) -> None:
    out = tmp_path / "o.pdf"
    run("print", "game-on", "--tone", "grey", "--only", "1-9", "-o", str(out))
    pixels = raster(out, 0, 1.5).astype(int)
    assert abs(pixels[..., 0] - pixels[..., 2]).max() <= 2


# P25


def test_p25_registration_marks_and_blocked_slots(make_deck: MakeDeck, tmp_path: Path) -> None:
    deck = make_deck(csv=TWENTY, layout=DARK)
    out = tmp_path / "o.pdf"
    answer = run("print", str(deck), "--registration", "-o", str(out), "--marks", "none")
    assert answer.code == 0
    assert "slots 1, 3, 7 stay free" in answer.err
    scale = 4.0
    for page in range(pages(out)):
        pixels = raster(out, page, scale)
        per_mm = scale * MM

        def dark(x: float, y: float, pixels: np.ndarray = pixels, per_mm: float = per_mm) -> bool:
            return bool(pixels[int(y * per_mm), int(x * per_mm)].max() < 60)

        assert dark(11, 11) and dark(14, 14) and not dark(9, 9) and not dark(16, 16)
        assert dark(190, 10.25) and dark(199.75, 20) and not dark(195, 15)
        assert dark(10.25, 275) and dark(20, 286.75) and not dark(15, 280)


def test_p25_cut_files_have_one_closed_outline_for_each_used_slot(
    make_deck: MakeDeck, tmp_path: Path
) -> None:
    import xml.etree.ElementTree as ElementTree

    import ezdxf

    deck = make_deck(csv="id,name\n" + "".join(f"c{n},Card\n" for n in range(5)))
    svg, dxf = tmp_path / "cut.svg", tmp_path / "cut.dxf"
    assert run("export", str(deck), "--to", "svg", "-o", str(svg)).code == 0
    root = ElementTree.parse(svg).getroot()
    assert root.get("width") == "210mm" and root.get("viewBox") == "0 0 210 297"
    paths = [e.get("d", "") for e in root.iter() if e.tag.endswith("path")]
    assert len(paths) == 5 and all(path.endswith("Z") for path in paths)
    assert paths[0].startswith("M10.5000 16.5000 L73.5000 16.5000")
    assert run("export", str(deck), "--to", "dxf", "-o", str(dxf)).code == 0
    document = ezdxf.readfile(dxf)
    lines = list(document.modelspace().query("POLYLINE"))
    assert len(lines) == 5 and all(line.is_closed for line in lines)
    points = [(v.dxf.location.x, v.dxf.location.y) for v in lines[0].vertices]
    assert points[0] == (10.5, 280.5) and document.header["$INSUNITS"] == 4


# P10, P20


def test_p10_one_card_a_page_with_trim_and_bleed_boxes(make_deck: MakeDeck, tmp_path: Path) -> None:
    deck = make_deck(layout=DARK, back=DARK)
    out = tmp_path / "o.pdf"
    assert run("export", str(deck), "--to", "pdf", "-o", str(out)).code == 0
    reader = PdfReader(out)
    assert len(reader.pages) == 2
    page = reader.pages[0]
    assert [float(v) for v in page.mediabox] == pytest.approx([0, 0, 195.591, 266.457], abs=0.001)
    assert [float(v) for v in page.bleedbox] == pytest.approx([0, 0, 195.591, 266.457], abs=0.001)
    trim = [8.504, 8.504, 187.087, 257.953]
    assert [float(v) for v in page.trimbox] == pytest.approx(trim, abs=0.001)


PICTURE = """
size = "poker"
[[element]]
name = "art"
type = "picture"
picture = "art.png"
at = [5, 10]
size = [50.8, 25.4]
"""


def test_p20_max_ppi_caps_and_coarse_pictures_warn(make_deck: MakeDeck, tmp_path: Path) -> None:
    deck = make_deck(layout=PICTURE)
    random = np.random.default_rng(1)
    noise = random.integers(0, 255, (800, 1600, 3), dtype=np.uint8)
    Image.fromarray(noise).save(deck / "art.png")
    out = tmp_path / "o.pdf"
    run("print", str(deck), "-o", str(out), "--max-ppi", "150")
    (image,) = PdfReader(out).pages[0].images
    assert image.image is not None and image.image.size == (300, 150)
    Image.fromarray(noise[:100, :200]).save(deck / "art.png")
    answer = run("print", str(deck), "-o", str(out))
    assert answer.code == 0 and "lands at 100 ppi, under 150" in answer.err


@pytest.mark.parametrize("extend", ["mirror", "edge"])
def test_p8_bleed_is_made_from_the_picture(
    extend: str, make_deck: MakeDeck, tmp_path: Path
) -> None:
    layout = PICTURE.replace("at = [5, 10]\nsize = [50.8, 25.4]", 'area = "card"\nfit = "stretch"')
    layout = layout.replace('"poker"', '"poker"\nbleed = 3') + f'extend = "{extend}"\n'
    deck = make_deck(layout=layout)
    image = Image.new("RGB", (630, 880), "white")
    image.paste((255, 0, 0), (0, 0, 8, 880))
    image.paste((0, 0, 255), (8, 0, 60, 880))
    image.save(deck / "art.png")
    out = tmp_path / "o.pdf"
    assert run("export", str(deck), "--to", "pdf", "-o", str(out)).code == 0
    pixels = raster(out, 0, 10.0)
    scale = pixels.shape[1] / 69
    row = pixels[pixels.shape[0] // 2]
    outer, near = row[int(0.5 * scale)], row[int(2.6 * scale)]
    assert near[0] > 200 and near[2] < 60
    # mirrored, the blue stripe comes back; drawn out, the red edge goes on
    assert (outer[2] > 200) if extend == "mirror" else (outer[0] > 200 and outer[2] < 60)


def test_svg_pictures_and_tiles(make_deck: MakeDeck, tmp_path: Path) -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><defs><pattern id="p"/></defs>'
        '<rect width="20" height="10" fill="#00ff00"/></svg>'
    )
    layout = PICTURE.replace("art.png", "art.svg")
    deck = make_deck(layout=layout, files={"art.svg": svg})
    out = tmp_path / "o.pdf"
    answer = run("print", str(deck), "-o", str(out), "--marks", "none", "--no-labels")
    assert answer.code == 0 and "will lack its <pattern>" in answer.err
    pixels = raster(out)
    green = (pixels[..., 1] > 200) & (pixels[..., 0] < 60)
    columns = np.flatnonzero(green.any(axis=0))
    per_mm = 4 * MM
    assert columns[0] / per_mm == pytest.approx(15.5, abs=0.2)
    assert (columns[-1] - columns[0]) / per_mm == pytest.approx(50.8, abs=0.4)
    tiled = make_deck(layout=PICTURE + 'fit = "tile"\ntile = 10\n', name="tiled")
    Image.new("RGB", (200, 200), "red").save(tiled / "art.png")
    assert run("print", str(tiled), "-o", str(out)).code == 0
    assert len({i.name for i in PdfReader(out).pages[0].images}) == 1


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('<image href="http://example.com/a.png"/>', "another picture"),
        ('<use href="other.svg#a"/>', "refers to another file"),
        ("<text>hi</text>", "turn it into paths"),
        ("<script/>", "a script"),
        ('<path d="M0 0 L foo"/>', "a path that cannot be read"),
        ('<rect width="5" height="5" transform="trun(4)"/>', "a transform that cannot be read"),
    ],
)
def test_p30_svg_pictures_reach_for_nothing(body: str, message: str, make_deck: MakeDeck) -> None:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">{body}</svg>'
    layout = PICTURE.replace("art.png", "art.svg")
    answer = run("check", str(make_deck(layout=layout, files={"art.svg": svg})))
    assert answer.code == 6 and message in answer.err


def test_p18_placeholder(make_deck: MakeDeck, tmp_path: Path) -> None:
    out = tmp_path / "o.pdf"
    answer = run(
        "print", str(make_deck(layout=PICTURE)), "--missing", "placeholder", "-o", str(out)
    )
    assert answer.code == 0 and "a placeholder is drawn" in answer.err
    assert "art.png" in text_of(out)


# P23


def test_p23_changed_since_prints_what_changed_and_names_what_is_gone(
    make_deck: MakeDeck, tmp_path: Path
) -> None:
    deck = make_deck(csv=TWENTY + "gone,Gone\n", layout=PICTURE + PLAIN)
    Image.new("RGB", (600, 300), "red").save(deck / "art.png")
    out = tmp_path / "o.pdf"
    run("print", str(deck), "-o", str(out))
    old = out.read_bytes()
    again = run("print", str(deck), "-o", str(out), "--changed-since", "last")
    assert again.code == 0 and "nothing to print" in again.out and out.read_bytes() == old
    csv = TWENTY.replace("Card3\n", "Card33\n") + "new,New\n"
    (deck / "cards.csv").write_text(csv)
    some = tmp_path / "some.pdf"
    answer = run("print", str(deck), "-o", str(some), "--changed-since", str(out), "--json")
    assert answer.json["cards"] == 2 and answer.json["removed"] == ["gone"]
    assert set(text_of(some).split()) >= {"Card33", "New"}
    # a changed picture and a changed layout change every card that shows them
    run("print", str(deck), "-o", str(out))
    Image.new("RGB", (600, 300), "blue").save(deck / "art.png")
    answer = run("print", str(deck), "-o", str(some), "--changed-since", str(out), "--json")
    assert answer.json["cards"] == 21
    # what is already reprinted is not printed once more
    run("print", str(deck), "-o", str(out), "--changed-since", "last")
    assert "nothing" in run("print", str(deck), "-o", str(out), "--changed-since", "last").out


PLAIN = """
[[element]]
name = "title"
type = "text"
text = "{name}"
at = [5, 50]
size = [53, 20]
"""


def test_a_column_that_no_layout_uses_reprints_nothing(make_deck: MakeDeck, tmp_path: Path) -> None:
    deck = make_deck(csv="id,name,note\na,Ada,x\n")
    out = tmp_path / "o.pdf"
    run("print", str(deck), "-o", str(out))
    (deck / "cards.csv").write_text("id,name,note\na,Ada,y\n")
    assert "nothing" in run("print", str(deck), "-o", str(out), "--changed-since", "last").out


def test_a_wrong_manifest_is_refused(make_deck: MakeDeck, tmp_path: Path) -> None:
    deck = str(make_deck())
    assert run("print", deck, "--changed-since", str(tmp_path / "no.pdf")).code == 2
    bad = tmp_path / "bad.json"
    for text in ("{", "[]", '{"manifest": 9}', '{"manifest": 1, "deck": 1, "cards": 3}'):
        bad.write_text(text)
        assert run("print", deck, "--changed-since", str(bad)).code == 3


def test_diff_tells_card_by_card_and_field_by_field(make_deck: MakeDeck) -> None:
    old = make_deck(csv="id,copies,name\na,1,Ada\nb,1,Bob\n", name="old")
    new = make_deck(csv="id,copies,name\na,2,Ana\nc,3,Cyd\n", name="new")
    lines = run("diff", str(old), str(new)).out.splitlines()
    assert lines == ["~ a: copies 1 → 2", "~ a: name Ada → Ana", "– b", "+ c × 3"]
    assert run("diff", str(old), str(old)).out == "no difference\n"
    found = json.loads(run("diff", str(old), str(new), "--json").out)["differences"]
    assert found[1] == {"kind": "changed", "card": "a", "field": "name", "old": "Ada", "new": "Ana"}


def test_p18_pictures_of_every_kind_keep_their_tones(make_deck: MakeDeck, tmp_path: Path) -> None:
    """16-bit grey, as it is and when its pixels are made anew."""
    greys = np.repeat(np.linspace(40, 220, 600).astype(np.uint16)[None, :], 300, axis=0)
    deck = make_deck(layout=PICTURE)
    out = tmp_path / "o.pdf"
    Image.fromarray(greys * 257).save(deck / "art.png")
    for options in ((), ("--tone", "grey"), ("--max-ppi", "72")):
        answer = run("print", str(deck), "-o", str(out), "--marks", "none", "--no-labels", *options)
        assert answer.code == 0, answer.err
        # the picture lies from 15.5 to 66.3 mm across the page
        page = raster(out).astype(int)
        row = int(np.argwhere(page[..., 0] < 100)[:, 0].mean())
        card = page[row][int(16 * 4 * MM) : int(66 * 4 * MM), 0]
        assert card.min() < 60 and 200 < card.max() <= 225 and np.all(np.diff(card) >= -3)


def test_p18_a_cmyk_jpeg_with_its_marker_behind_a_profile(
    make_deck: MakeDeck, tmp_path: Path
) -> None:
    deck = make_deck(layout=PICTURE.replace("art.png", "art.jpg"))
    stream = io.BytesIO()
    Image.new("CMYK", (300, 300), (0, 255, 255, 0)).save(stream, "JPEG", quality=95)
    data = stream.getvalue()
    filler = b"\xff\xe2" + (6002).to_bytes(2, "big") + bytes(6000)
    (deck / "art.jpg").write_bytes(data[:2] + filler + data[2:])
    out = tmp_path / "o.pdf"
    assert run("print", str(deck), "-o", str(out), "--marks", "none", "--no-labels").code == 0
    page = raster(out).astype(int)
    inked = page[page.min(axis=2) < 200]
    assert len(inked) > 10_000
    red, green, blue = np.median(inked, axis=0)
    assert red > 180 and green < 90 and blue < 90


def test_svg_pictures_pass_the_check_and_follow_the_tone(
    make_deck: MakeDeck, tmp_path: Path
) -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="1in" height="25.4mm" '
        'viewBox="0 0 20 20"><rect width="20" height="20" fill="#ff0000" opacity="0.5"/></svg>'
    )
    deck = make_deck(layout=PICTURE.replace("art.png", "art.svg"), files={"art.svg": svg})
    answer = run("check", str(deck))
    assert answer.code == 0 and "will lack its transparency" in answer.err
    out = tmp_path / "o.pdf"
    run("print", str(deck), "-o", str(out), "--tone", "grey")
    pixels = raster(out).astype(int)
    assert np.abs(pixels[..., 0] - pixels[..., 1]).max() <= 2
    dark = np.argwhere(pixels[..., 1] < 200)
    assert len(dark) > 10_000


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ('fit = "tile"\ntile = 0.2\n', "at most 100 a side"),
        ('fit = "tile"\ntile = 10\nextend = "mirror"\n', "tiled and extended at once"),
        ('fit = "cover"\nextend = "edge"\n', "does not end at its box"),
    ],
)
def test_a_picture_that_cannot_be_drawn_as_asked_is_refused(
    options: str, says: str, make_deck: MakeDeck
) -> None:
    deck = make_deck(layout=PICTURE + options)
    Image.new("RGB", (400, 400), "red").save(deck / "art.png")
    answer = run("check", str(deck))
    assert answer.code == 6 and says in answer.err


def test_no_slot_from_the_start_slot_on_is_refused(make_deck: MakeDeck) -> None:
    answer = run("print", str(make_deck()), "--start-slot", "9", "--skip-slot", "9")
    assert answer.code == 6 and "no slot is free from slot 9 on" in answer.err


def test_cut_files_leave_free_what_the_print_leaves_free(
    make_deck: MakeDeck, tmp_path: Path
) -> None:
    layout = 'bleed = 3\nsize = "poker"\n' + PLAIN_LAYOUT.split("\n", 2)[2]
    deck = make_deck(csv=TWENTY, layout=layout)
    for paper, gap in (("letter", "4mm"), ("legal", "4mm"), ("a5", "0mm"), ("a4", "0mm")):
        shared = ("--paper", paper, "--gap", gap, "--registration")
        out, cut = tmp_path / "o.pdf", tmp_path / "c.svg"
        printed = run("print", str(deck), "-o", str(out), *shared)
        made = run("export", str(deck), "--to", "svg", "-o", str(cut), *shared)
        assert printed.code == made.code, made.err
        if printed.code == 0:
            on_first = PdfReader(out).pages[0].extract_text().count("Card")
            assert cut.read_text().count("<path") == on_first


def test_p23_copies_and_the_decks_own_texts_count_as_changes(
    make_deck: MakeDeck, tmp_path: Path
) -> None:
    layout = PLAIN_LAYOUT.replace("{name}", "{name} {deck} {version}")
    deck = make_deck(csv="id,copies,name\na,3,Ada\nb,1,Bob\n", layout=layout)
    out, again = tmp_path / "o.pdf", ("--changed-since", "last", "--json")
    run("print", str(deck), "-o", str(out))
    (deck / "cards.csv").write_text("id,copies,name\na,6,Ada\nb,1,Bob\n")
    assert run("print", str(deck), "-o", str(out), *again).json["cards"] == 6
    toml = deck / "deck.toml"
    toml.write_text(toml.read_text().replace('title = "Demo"', 'title = "Other"', 1))
    assert run("print", str(deck), "-o", str(out), *again).json["cards"] == 7
    stranger = make_deck(name="stranger")
    answer = run("print", str(stranger), "--changed-since", str(out))
    assert answer.code == 2 and "a print of 'demo'" in answer.err


def test_diff_sees_layouts_backs_and_pictures(make_deck: MakeDeck) -> None:
    old = make_deck(back=PLAIN_BACK, name="old", files={"art.svg": "<svg/>"})
    new = make_deck(name="new", files={"art.svg": "<svg></svg>"})
    lines = run("diff", str(old), str(new)).out
    assert "group all: back back → (blank)" in lines
    assert "file: art.svg one content → another" in lines


def test_profiles_that_are_no_numbers_are_refused(home: Path, make_deck: MakeDeck) -> None:
    answer = run("calibrate", "--printer", "p", "--x", "0", "--y", "0", "--rotate", "nan")
    assert answer.code == 2
    home.mkdir(exist_ok=True)
    for x in ("1", None, 500):
        (home / "printers.json").write_text(json.dumps({"p": {"A4": {"x": x, "y": 0}}}))
        answer = run("print", str(make_deck()), "--printer", "p")
        assert answer.code == 3 and "no printer profiles" in answer.err


def test_a_profile_is_found_however_the_paper_is_named(make_deck: MakeDeck, tmp_path: Path) -> None:
    deck = str(make_deck(csv=TWENTY, back=PLAIN_BACK))
    assert run("calibrate", "--printer", "p", "--x", "1", "--y", "0", "--paper", "A4").code == 0
    out = ("-o", str(tmp_path / "o.pdf"), "--printer", "p")
    for options in (
        ("--paper", "210x297mm"),
        ("--paper", "a4-portrait"),
        ("--sheet", "poker-9-a4"),
    ):
        answer = run("print", deck, *out, *options)
        assert answer.code == 0, answer.err


def test_p25_crop_marks_keep_clear_of_registration_marks(tmp_path: Path) -> None:
    out = tmp_path / "o.pdf"
    assert run("print", "game-on", "--registration", "--only", "1-6", "-o", str(out)).code == 0
    marks = [LineString([line[:2], line[2:]]) for line in lines_of(out, 0) if line[:2] != line[2:]]
    assert marks
    # the angles at the top right and bottom left, the square at the top left (A4, 10 mm inset)
    angles = [
        LineString([(180, 10), (200, 10), (200, 30)]),
        LineString([(10, 267), (10, 287), (30, 287)]),
        box(10, 10, 15, 15),
    ]
    assert min(mark.distance(angle) for mark in marks for angle in angles) > 1.9


def test_printers_calibrated_at_once_are_all_kept(home: Path) -> None:
    command = [sys.executable, "-m", "companion", "calibrate", "--x", "1", "--y", "0", "--printer"]
    started = [subprocess.Popen([*command, f"p{n}"], stdout=subprocess.DEVNULL) for n in range(6)]
    assert [process.wait() for process in started] == [0] * 6
    assert set(run("list", "--json").json["printers"]) == {f"p{n}" for n in range(6)}
