"""Property Poker on paper, measured in the PDF: PP-1, PP-2, PP-11."""

from __future__ import annotations

import csv
import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pdfplumber
import pypdfium2
import pytest
from shapely.geometry import Point, Polygon

from companion import shapes
from companion.shipped import CARDSETS
from tests.conftest import MM, pages, run, text_of, words

FOLDER = CARDSETS / "property-poker"
SIDES = {
    "spades": shapes.rectangle(30, 30),
    "clubs": shapes.rectangle(10, 40),
    "hearts": shapes.isosceles(40, 40),
    "diamonds": shapes.rhombus(20),
    "ghost-triangles": shapes.isosceles(30, 70),
    "ghost-trapezoids": shapes.trapezoid(50, 40, 50),
}


def printed(tmp_path: Path, *options: str) -> Path:
    out = tmp_path / "pp.pdf"
    answer = run("print", "property-poker", "-o", str(out), *options)
    assert answer.code == 0, answer.err
    return out


def boundaries(pdf: Path) -> list[Polygon]:
    """The closed outlines of the tiles on page 1, in millimetres."""
    with pdfplumber.open(pdf) as document:
        page = document.pages[0]
        found = []
        for thing in (*page.curves, *page.rects):
            points = [(x / MM, y / MM) for x, y in thing["pts"]]
            stroked = thing["stroke"] and not thing["fill"]
            if stroked and abs(thing["linewidth"] - 0.2 * MM) < 0.01 and 3 <= len(points) <= 5:
                found.append(Polygon(points))
    return found


def circles(pdf: Path) -> list[tuple[float, float]]:
    """The middles of the 5.4 mm label circles on page 1, however their tile is turned."""
    found = []
    with pdfplumber.open(pdf) as document:
        for curve in document.pages[0].curves:
            points = np.array(curve["pts"][:4]) / MM
            middle = points.mean(axis=0)
            radii = np.hypot(*(points - middle).T)
            if curve["fill"] and len(points) == 4 and np.allclose(radii, 2.7, atol=0.01):
                found.append((float(middle[0]), float(middle[1])))
    return found


def label_texts(pdf: Path) -> list[str]:
    """What stands in each label circle, in the order of the file."""
    with pdfplumber.open(pdf) as document:
        chars = [c for c in document.pages[0].chars if c["size"] > 5]
    found = []
    for x, y in circles(pdf):
        inside = [
            c["text"]
            for c in chars
            if np.hypot((c["x0"] + c["x1"]) / 2 / MM - x, (c["top"] + c["bottom"]) / 2 / MM - y)
            < 2.6
        ]
        found.append("".join(inside))
    return found


@pytest.mark.parametrize(("gap", "cm", "runs"), [("0mm", 380, 60), ("2mm", 650, 250)])
def test_pp_1_all_56_tiles_on_one_sheet_at_exact_size(
    gap: str, cm: int, runs: int, tmp_path: Path
) -> None:
    out = tmp_path / "t.pdf"
    answer = run(
        "print", "property-poker", "--part", "tiles", "--gap", gap, "-o", str(out), "--json"
    )
    assert answer.code == 0 and pages(out) == 1 and answer.json["cards"] == 56
    tiles = boundaries(out)
    assert len(tiles) == 56
    wanted = Counter(
        tuple(sorted(round(s, 2) for s in SIDES[name].sides))
        for name in SIDES
        for _ in range(13 if "ghost" not in name else 2)
    )
    found = Counter()
    for tile in tiles:
        corners = list(tile.exterior.coords)
        sides = [np.hypot(bx - ax, by - ay) for (ax, ay), (bx, by) in itertools.pairwise(corners)]
        true = min(SIDES.values(), key=lambda s: abs(s.area - tile.area))
        for side, expected in zip(sorted(sides), sorted(true.sides), strict=True):
            assert side == pytest.approx(expected, abs=0.01)
        assert tile.area == pytest.approx(true.area, abs=0.5)
        found[tuple(sorted(round(s, 2) for s in true.sides))] += 1
        left, top, right, bottom = tile.bounds
        assert left >= 10 - 0.01 and top >= 10 - 0.01 and right <= 200.01 and bottom <= 287.01
    assert found == wanted
    for one, other in itertools.combinations(tiles, 2):
        assert one.buffer(-0.002).intersection(other).area < 1e-6
    (report,) = answer.json["cutting"]
    numbers = [int(word) for word in report.replace(":", "").split() if word.isdigit()]
    assert numbers[3] <= cm and numbers[4] <= runs


def test_pp_1_the_label_stands_on_the_centroid(tmp_path: Path) -> None:
    out = printed(tmp_path, "--part", "tiles")
    middles = circles(out)
    assert len(middles) == 56
    for tile in boundaries(out):
        center = tile.centroid
        assert min(Point(m).distance(center) for m in middles) < 0.05


def test_pp_1_ranks_once_a_suit_and_ghosts(tmp_path: Path) -> None:
    ranks = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    tags: list[int] = []
    for name in SIDES:
        with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
        tags += [int(row["tag"]) for row in rows]
        if "ghost" not in name:
            assert [row["rank"] for row in rows] == ranks
    assert sorted(tags) == list(range(56))
    shown = Counter(label_texts(printed(tmp_path, "--part", "tiles")))
    assert shown == {**dict.fromkeys(ranks, 4), **{f"G{n}": 1 for n in (1, 2, 3, 4)}}


@pytest.mark.parametrize("gap", ["0mm", "2mm"])
def test_a_camera_finds_all_56_tags_on_their_tiles(gap: str, tmp_path: Path) -> None:
    """Independent reader: OpenCV's detector on the rasterised sheet."""
    cv2 = pytest.importorskip("cv2")
    out = printed(tmp_path, "--part", "tiles", "--gap", gap)
    scale = 5.0
    image = np.asarray(pypdfium2.PdfDocument(out)[0].render(scale=scale).to_pil().convert("L"))
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(image)
    assert sorted(int(i) for i in ids.ravel()) == list(range(56))
    tiles = boundaries(out)
    order = ("spades", "hearts", "clubs", "diamonds")
    for found, number in zip(corners, ids.ravel(), strict=True):
        tag = Polygon([(x / scale / MM, y / scale / MM) for x, y in found.reshape(4, 2)])
        (tile,) = (t for t in tiles if t.contains(tag.centroid))
        name = (
            order[number // 13]
            if number < 52
            else ("ghost-triangles", "ghost-trapezoids")[int(number > 53)]
        )
        assert tile.area == pytest.approx(SIDES[name].area, rel=0.01)
        # black keeps at least 1.2 mm from the cut
        assert tile.exterior.distance(tag) >= 1.2 - 0.1


def test_tags_and_letters_can_be_switched_off(tmp_path: Path) -> None:
    plain = printed(tmp_path, "--part", "tiles")
    assert Counter(w.text for w in words(plain, 0))["a"] == 56
    bare = printed(tmp_path, "--part", "tiles", "--hide", "tag", "--hide", "letter")
    assert "a" not in {w.text for w in words(bare, 0)}
    answer = run("print", "property-poker", "--hide", "tags", "-o", str(tmp_path / "x.pdf"))
    assert answer.code == 2 and "no layout has such an element" in answer.err


def test_pp_1_the_ruler_is_120_mm(tmp_path: Path) -> None:
    out = printed(tmp_path, "--part", "ruler")
    with pdfplumber.open(out) as document:
        page = document.pages[0]
        edge = max(
            (line for line in page.lines if abs(line["linewidth"] - 0.4 * MM) < 0.01),
            key=lambda line: line["x1"] - line["x0"],
        )
        assert (edge["x1"] - edge["x0"]) / MM == pytest.approx(120, abs=0.001)
        ticks = sorted(
            {round(line["x0"] / MM, 3) for line in page.lines if line["x0"] == line["x1"]}
        )
    assert len(ticks) == 121
    assert np.diff(ticks) == pytest.approx(np.ones(120), abs=0.002)


def test_pp_1_chips_are_counted() -> None:
    with (FOLDER / "chips.csv").open(encoding="utf-8", newline="") as stream:
        rows: list[dict[str, Any]] = list(csv.DictReader(stream))
    copies = {int(row["id"].removeprefix("chip-")): int(row["copies"]) for row in rows}
    assert copies == {
        **dict.fromkeys((50, 100, 500, 1000), 40),
        **dict.fromkeys((10**4, 10**5, 10**6, 10**7), 10),
        **dict.fromkeys((10**8, 10**9), 8),
        10**10: 1,
    }
    assert len({row["notches"] for row in rows}) == len({row["color"] for row in rows}) == 11


def test_pp_1_pp_2_cards_slip_and_aid_in_both_languages(tmp_path: Path) -> None:
    for language, texts in {
        "zh-TW": ["一對", "柳丁", "1:2500"],
        "en": ["Pair", "Straight flush", "1:2500"],
    }.items():
        slip = text_of(printed(tmp_path, "--part", "slip", "--lang", language))
        assert all(text in slip for text in texts)
        answer = run("check", "property-poker", "--lang", language, "--json")
        assert answer.code == 0
        assert [p for p in answer.json["problems"] if p["level"] != "note"] == []
    answer = run(
        "print", "property-poker", "--part", "cards", "-o", str(tmp_path / "c.pdf"), "--json"
    )
    assert answer.json["cards"] == answer.json["backs"] == 54
    assert "did you mean 'chips'?" in run("print", "property-poker", "--part", "chip").err


def test_cut_files_of_tiles_have_outlines_and_shared_lines(tmp_path: Path) -> None:
    import ezdxf

    out = tmp_path / "tiles.dxf"
    assert (
        run("export", "property-poker", "--to", "dxf", "--part", "tiles", "-o", str(out)).code == 0
    )
    lines = list(ezdxf.readfile(out).modelspace().query("POLYLINE"))
    layers = Counter(line.dxf.layer for line in lines)
    assert layers["cut"] == 56 and layers["shared"] > 0
    cut = [line for line in lines if line.dxf.layer == "cut"]
    assert all(line.is_closed for line in cut)
    # the same places as on the printed sheet (a DXF's y runs up)
    printed_tiles = boundaries(printed(tmp_path, "--part", "tiles"))
    for line in cut:
        tile = Polygon([(p.x, 297 - p.y) for p in line.points()])
        assert min(tile.centroid.distance(other.centroid) for other in printed_tiles) < 0.01


def test_pp_11_every_deck_has_two_jokers_and_four_ghost_tiles() -> None:
    with (FOLDER / "cards.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 54 and sum(row["suit"] == "" for row in rows) == 2
