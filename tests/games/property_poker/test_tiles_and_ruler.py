"""Tiles, crossing and the draw: PP-1, PP-7, worked examples A, B, C."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import shapes
from companion.errors import UsageError
from companion.games.property_poker.board import Board, random_board
from companion.games.property_poker.geometry import (
    CROSSING,
    Pose,
    corners,
    distance,
    edges,
    margin,
    to_segment,
)
from companion.games.property_poker.ruler import LENGTH, draw, judge, ruler_between
from companion.games.property_poker.tiles import OUTLINES, TILES, Kind, Point, parse_tile
from tests.conftest import run
from tests.games.property_poker.exact import exact_board, exactly_covered

PRINTED = {
    Kind.SPADES: shapes.rectangle(30, 30),
    Kind.CLUBS: shapes.rectangle(10, 40),
    Kind.HEARTS: shapes.isosceles(40, 40),
    Kind.DIAMONDS: shapes.rhombus(20),
    Kind.GHOST_TRIANGLE: shapes.isosceles(30, 70),
    Kind.GHOST_TRAPEZOID: shapes.trapezoid(50, 40, 50),
}
PLAIN = [id for id, tile in TILES.items() if not tile.is_ghost]


@pytest.mark.parametrize("kind", list(Kind))
def test_the_outline_is_the_printed_one_about_its_anchor(kind: Kind) -> None:
    shape = PRINTED[kind]
    ax, ay = shape.anchor
    for (x, y), (px, py) in zip(OUTLINES[kind], shape.points, strict=True):
        assert (x, y) == pytest.approx(((px - ax) / 10, (ay - py) / 10), abs=1e-9)


def to_side(id: str, side: int) -> float:
    return to_segment((0, 0), *edges(OUTLINES[TILES[id].kind])[side])


def test_worked_example_a_anchors_to_sides_and_corners() -> None:
    triangle = OUTLINES[Kind.HEARTS]
    assert math.hypot(*triangle[0]) == pytest.approx(4 / math.sqrt(3))
    assert to_side("2H", 0) == pytest.approx(2 / math.sqrt(3))
    assert to_side("2S", 0) == pytest.approx(1.5)
    assert to_side("2D", 0) == pytest.approx(math.sqrt(3) / 2)
    assert (to_side("2C", 1), to_side("2C", 0)) == pytest.approx((0.5, 2))


def row(count: int) -> dict[str, tuple[Point, ...]]:
    names = ("AS", "2S", "3S", "4S", "5S", "6S")[:count]
    return {id: corners(id, Pose(3 * i, 0)) for i, id in enumerate(names)}


def test_worked_example_b_squares_in_a_row() -> None:
    found = draw(row(5), "AS", ((0, 0), (12, 0)))
    assert found.covered == ("AS", "2S", "3S", "4S", "5S")
    assert found.end == pytest.approx((12, 0))
    six = draw(row(6), "AS", ((0, 0), (12, 0)))
    assert six.covered == found.covered and "6S" not in six.covered
    assert six.verdicts["6S"].margin_mm == pytest.approx(15)


def test_worked_example_c_along_a_common_edge() -> None:
    tiles = {"AS": corners("AS", Pose(-1.5, 5)), "2S": corners("2S", Pose(1.5, 5))}
    verdicts = judge(tiles, (0, 0), (0, 12))
    for verdict in verdicts.values():
        assert not verdict.covered and verdict.margin_mm == 0 and verdict.close


def turned(polygon: Sequence[Point], angle: float, shift: Point) -> tuple[Point, ...]:
    c, s = math.cos(angle), math.sin(angle)
    return tuple((shift[0] + c * x - s * y, shift[1] + s * x + c * y) for x, y in polygon)


def six_triangles() -> dict[str, tuple[Point, ...]]:
    """Six hearts round a common corner at (0, 0)."""
    height = 4 / math.sqrt(3)
    found = {}
    for i, rank in enumerate(("A", "2", "3", "4", "5", "6")):
        angle = math.radians(60 * i + 30)
        pose = Pose(height * math.cos(angle), height * math.sin(angle))
        # a corner looks at the middle
        turn = math.degrees(angle) + 90
        found[f"{rank}H"] = corners(f"{rank}H", Pose.turned(pose.x, pose.y, turn))
    return found


NASTY: list[tuple[str, Mapping[str, Sequence[Point]], Point, Point, set[str]]] = [
    (
        "along a shared edge of squares",
        {"AS": corners("AS", Pose(-1.5, 5)), "2S": corners("2S", Pose(1.5, 5))},
        (0, 0),
        (0, 12),
        set(),
    ),
    (
        "along the edges of triangles that share a corner",
        six_triangles(),
        (-6, 0),
        (6, 0),
        set(),
    ),
    (
        "through the common corner of six triangles, into two of them",
        six_triangles(),
        (-6 * math.cos(0.5), -6 * math.sin(0.5)),
        (6 * math.cos(0.5), 6 * math.sin(0.5)),
        {"AH", "4H"},
    ),
    (
        "ends exactly on an edge",
        {"AS": corners("AS", Pose(0, 0)), "2S": corners("2S", Pose(13.5, 0))},
        (0, 0),
        (12, 0),
        {"AS"},
    ),
    (
        "touches a corner from outside",
        {"AS": corners("AS", Pose(3, 1.5)), "2C": corners("2C", Pose(5.0, -2))},
        (-4, 0),
        (8, 0),
        set(),
    ),
]


@pytest.mark.parametrize(("name", "tiles", "a", "b", "covered"), NASTY, ids=[n[0] for n in NASTY])
def test_pp_7_nasty_rulers_on_thousands_of_rigid_motions(
    name: str, tiles: Mapping[str, Sequence[Point]], a: Point, b: Point, covered: set[str]
) -> None:
    del name
    rng = random.Random(1)
    for _ in range(2000):
        angle, shift = rng.uniform(0, 2 * math.pi), (rng.uniform(-50, 50), rng.uniform(-50, 50))
        moved = {id: turned(polygon, angle, shift) for id, polygon in tiles.items()}
        (p, r) = turned((a, b), angle, shift)
        found = {id for id, polygon in moved.items() if margin(polygon, p, r) > CROSSING}
        assert found == covered


def lines_of(board: Board) -> list[str]:
    return [tile.said for tile in board.laid]


@pytest.mark.parametrize("part", range(4))
def test_pp_7_the_covered_set_is_the_exact_one_on_1000_boards(part: int) -> None:
    for seed in range(250 * part, 250 * part + 250):
        rng = random.Random(seed)
        board = random_board(rng.sample(PLAIN, 6), rng, tries=1)
        exact = exact_board(lines_of(board))
        polygons = board.polygons()
        for _ in range(2):
            start, aim = rng.sample(list(polygons), 2)
            poses = board[start].pose, board[aim].pose
            found = draw(polygons, start, ((poses[0].x, poses[0].y), (poses[1].x, poses[1].y)))
            assert set(found.covered) == exactly_covered(exact, start, aim), (seed, start, aim)


@settings(max_examples=200)
@given(
    st.sampled_from(list(Kind)),
    st.floats(0, 360),
    st.tuples(st.floats(-8, 8), st.floats(-8, 8)),
    st.floats(0, 360),
)
def test_pp_7_the_margin_is_the_smallest_move_that_changes_the_answer(
    kind: Kind, turn: float, at: Point, heading: float
) -> None:
    import shapely

    polygon = Pose.turned(*at, turn).place(OUTLINES[kind])
    angle = math.radians(heading)
    a, b = (0.0, 0.0), (LENGTH * math.cos(angle), LENGTH * math.sin(angle))
    depth = margin(polygon, a, b)
    line, tile = shapely.LineString([a, b]), shapely.Polygon(polygon)
    if depth > CROSSING:
        assert line.distance(tile) == 0
        for step in range(72):
            direction = math.radians(5 * step)
            for share, stays in ((0.999, True), (1.001, None)):
                dx, dy = (share * depth * f(direction) for f in (math.cos, math.sin))
                still = margin(polygon, (a[0] + dx, a[1] + dy), (b[0] + dx, b[1] + dy)) > 0
                assert still or stays is None
    else:
        assert distance(polygon, a, b) == pytest.approx(line.distance(tile), abs=1e-9)


def test_close_tiles_raise_the_alarm_only_if_they_decide() -> None:
    tiles = dict(row(4))
    tiles["9H"] = corners("9H", Pose.turned(11.0, 2 / math.sqrt(3) - 0.03, 0))
    found = draw(tiles, "AS", ((0, 0), (9, 0)))
    assert found.covered == ("AS", "2S", "3S", "4S", "9H") and found.close == ("9H",)
    assert not found.alarm and found.hand is None  # high card with it, four tiles without it
    tiles["5D"] = corners("5D", Pose.turned(6, 0.9, 0))
    tiles = {id: tiles[id] for id in ("AS", "2S", "3S", "4S")}
    tiles["5S"] = corners("5S", Pose.turned(13.47, 0, 0))
    decided = draw(tiles, "AS", ((0, 0), (9, 0)))
    assert decided.close == ("5S",) and decided.alarm == ("straight-flush", "none")


def test_the_start_tile_is_always_covered_and_two_tiles_are_needed() -> None:
    with pytest.raises(ValueError, match="on each other"):
        ruler_between((1, 1), (1, 1))


@pytest.mark.parametrize(
    ("typed", "id"),
    [("7s", "7S"), ("10H", "10H"), ("TH", "10H"), ("K♦", "KD"), ("g1", "G1"), (" a♠ ", "AS")],
)
def test_m2_tiles_are_typed_as_people_say_them(typed: str, id: str) -> None:
    assert parse_tile(typed) == id


@pytest.mark.parametrize("typed", ["1S", "11H", "7X", "G5", "", "7SS"])
def test_what_is_no_tile_is_named(typed: str) -> None:
    with pytest.raises(UsageError, match="is no tile"):
        parse_tile(typed)


# at the table


@pytest.fixture
def board(tmp_path: Path) -> Path:
    file = tmp_path / "table.board"
    text = "AS @ 0 0 0\n2S.d on AS.b\n3S.d on 2S.b\n4S.d on 3S.b\n5S.d on 4S.b\n6S.d on 5S.b\n"
    file.write_text(text, "utf-8")
    return file


def test_a_draw_as_a_command(board: Path, tmp_path: Path) -> None:
    picture = tmp_path / "draw.svg"
    answer = run(
        *("property-poker", "draw", str(board), "--start", "AS", "--aim", "a♠".replace("a", "5")),
        *("--json", "--picture", str(picture)),
    )
    assert answer.code == 0, answer.err
    found = answer.json
    assert found["covered"] == ["AS", "2S", "3S", "4S", "5S"]
    assert found["tiles"]["6S"] == {
        "covered": False,
        "margin_mm": pytest.approx(15),
        "close": False,
    }
    assert found["hand"]["name"] == "straight-flush" and found["hand"]["wilds"] == {}
    assert found["ruler"] == {"from": [0, 0], "to": [pytest.approx(12), pytest.approx(0)]}
    assert picture.read_text("utf-8").startswith("<svg")
    said = run("property-poker", "draw", str(board), "--start", "AS", "--aim", "5S").out
    assert "straight-flush 柳丁: AS 2S 3S 4S 5S" in said


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--start", "AS", "--aim", "AS"], "needs two tiles"),
        (["--start", "KH", "--aim", "AS"], "--start KH: not on the board"),
        (["--start", "AX", "--aim", "AS"], "is no tile"),
        (["--start", "AS", "--aim", "2S", "--official", "paper"], "not one of record, table"),
        (["--start", "AS", "--aim", "2S", "--picture", "x.gif"], "ends in .png or .svg"),
    ],
)
def test_a_draw_that_cannot_be_is_named(board: Path, arguments: list[str], says: str) -> None:
    answer = run("property-poker", "draw", str(board), *arguments)
    assert answer.code == 2 and says in answer.err


def test_official_table_widens_the_band(board: Path) -> None:
    with board.open("a", encoding="utf-8") as stream:
        stream.write("7H @ 6 3.7 180\n")  # its corner ends 0.8 mm above the ruler's line
    board.write_text(board.read_text("utf-8").replace("7H @ 6 3.7 180", "7H @ 6 2.389 180"))
    flags = [
        run(
            "property-poker", "draw", str(board), "--start", "AS", "--aim", "5S", *more, "--json"
        ).json["tiles"]["7H"]["close"]
        for more in ([], ["--official", "table"], ["--close", "0.9"])
    ]
    assert flags == [False, True, True]
