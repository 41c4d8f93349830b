"""Laying tiles: PP-4, the board record, slots, random boards, pictures."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import Problems
from companion.games.property_poker.board import (
    Board,
    Laid,
    check_board,
    faults_of,
    random_board,
    slots,
)
from companion.games.property_poker.geometry import Pose
from companion.games.property_poker.record import as_data, as_text, parse_line, read_record
from companion.games.property_poker.tiles import TILES
from tests.conftest import Answer, run

PLAIN = [id for id, tile in TILES.items() if not tile.is_ghost]


def board_of(*lines: str) -> Board:
    problems = Problems()
    board = read_record("\n".join(lines), "test", problems)
    assert not problems.items, problems.items
    return board


def faults(*lines: str, lottery: tuple[str, ...] = ()) -> list[str]:
    return [f"{f.id}: {f.message}" for f in check_board(board_of(*lines), lottery)]


# PP-4


def test_pp_4_a_side_wholly_in_contact_or_one_wholly_filled() -> None:
    assert not faults("7S @ 0 0 0", "KS.d on 7S.b")
    assert not faults("7S @ 0 0 0", "KC.a on 7S.b +1")  # its side of 1 lies within one of 3
    assert not faults("7S @ 0 0 0", "KH.a on 7S.b")  # its side of 4 fills the one of 3
    found = faults("7S @ 0 0 0", "KS.d on 7S.b +0.5")
    assert len(found) == 1 and "side d touches along 25.00 of 30.00 mm" in found[0]
    assert "touches no tile" in faults("7S @ 0 0 0", "KS @ 9 9 0")[0]


def test_pp_4_contact_with_several_tiles_together() -> None:
    # two diamonds' sides of 2 make room for a heart's side of 4
    lines = ("AC @ 0 0 90", "2C @ 4 0 90", "KS.c on AC.b +2.5")
    assert not faults("AC @ 0 0 90", "2C.a on AC.c")
    found = faults("AC @ 0 0 90", "2C @ 4 0 90", "KS @ 2 2 0")
    assert not found, (found, lines)


def test_pp_4_an_overlap_is_named_with_the_other_tile_and_mm() -> None:
    found = faults("7S @ 0 0 0", "KS @ 2.75 0 0")
    assert found == ["KS: overlaps 7S by 2.50 mm"]
    # a corner that pokes in
    poked = faults("7S @ 0 0 0", f"KS @ {1.5 + 1.5 * math.sqrt(2) - 0.1} 0 45")
    assert poked == ["KS: overlaps 7S by 1.00 mm"]


def test_pp_4_on_top_of_the_same_shape_but_not_of_a_lottery_tile() -> None:
    board = board_of("7S @ 0 0 0", "KS.d on 7S.b", "9S over 7S")
    assert board.hidden == {"7S"} and set(board.visible) == {"KS", "9S"}
    assert not check_board(board)
    assert "lottery" in faults("7S @ 0 0 0", "9S over 7S", lottery=("7S",))[0]
    # by coordinates too, turned by a symmetry of the shape
    assert board_of("7S @ 0 0 0", "9S @ 0 0 90").hidden == {"7S"}
    # the hidden tile no longer counts
    assert "touches no tile" in faults("7H @ 0 0 0", "9H over 7H", "8S @ 20 0 0")[0]


# the record


def test_the_sides_are_lettered_clockwise_with_the_label_upright() -> None:
    board = board_of("7S @ 0 0 0", "KS.d on 7S.b", "QS.c on 7S.a", "JS.a on 7S.c")
    places = {id: (tile.pose.x, tile.pose.y) for id, tile in board.visible.items()}
    assert places["KS"] == pytest.approx((3, 0))
    assert places["QS"] == pytest.approx((0, 3))
    assert places["JS"] == pytest.approx((0, -3))


def test_first_corner_end_and_shift_go_clockwise_round_the_other() -> None:
    # clockwise round 7S its side b runs downwards
    places = {
        line: board_of("7S @ 0 0 0", line)["KC"].pose
        for line in ("KC.b on 7S.b", "KC.b on 7S.b end", "KC.b on 7S.b +0.5")
    }
    tops = [pose.y + 2 for pose in places.values()]
    assert tops == pytest.approx([1.5, 2.5, 1.0])


def test_every_line_that_lays_no_tile_is_named_with_its_place() -> None:
    problems = Problems()
    text = "7S @ 0 0 0\nKK.a on 7S.b\n  9H.e on 7S.a\n8S under 7S\n7S @ 1 1 1\n5H over 7S\n"
    read_record(text, "t.board", problems)
    found = [(p.place.line, p.place.column, p.message) for p in problems.errors if p.place]
    assert [line for line, _, _ in found] == [2, 3, 4, 5, 6]
    assert found[1][1] == 3 and "9H has no side 'e': a, b, c" in found[1][2]
    assert "lies on the board already" in found[3][2]
    assert "different shapes" in found[4][2]


@pytest.mark.parametrize(
    "text",
    ["{", '{"tiles": 3}', '{"tiles": [3]}', '{"tiles": [{"id": "7S", "at": ["a", 0]}]}', "[]"],
)
def test_json_that_is_no_board_is_named(text: str) -> None:
    problems = Problems()
    read_record(text, "b.json", problems)
    assert problems.errors


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 20))
def test_a_random_board_is_legal_and_survives_its_record_and_json(seed: int, count: int) -> None:
    rng = random.Random(seed)
    board = random_board(rng.sample(list(TILES), count), rng, tries=2)
    assert not check_board(board)
    for text in (as_text(board), json.dumps(as_data(board))):
        problems = Problems()
        again = read_record(text, "x", problems)
        assert not problems.items and not check_board(again)
        for one, other in zip(board.laid, again.laid, strict=True):
            assert one.id == other.id
            assert (other.pose.x, other.pose.y) == pytest.approx((one.pose.x, one.pose.y), abs=1e-9)
    # coordinates alone, rounded as a person writes them
    rounded = {
        "tiles": [
            {
                "id": tile.id,
                "at": [round(tile.pose.x, 5), round(tile.pose.y, 5)],
                "turn": round(tile.pose.degrees, 4),
            }
            for tile in board.laid
        ]
    }
    problems = Problems()
    assert not check_board(read_record(json.dumps(rounded), "x", problems))


# slots


def test_slots_are_all_the_legal_flush_places_and_no_other() -> None:
    board = board_of("7S @ 0 0 0", "KH.a on 7S.b")
    found = slots(board, "5S")
    assert all(not faults_of(board, slot) for slot in found)
    assert found[-1].said == "5S over 7S"
    places = {tuple(sorted((round(x, 6), round(y, 6)) for x, y in slot.polygon)) for slot in found}
    assert len(places) == len(found)
    # every flush place by hand, over all own sides
    wanted = set()
    for to in ("7S", "KH"):
        for to_side in "abcd"[: 4 if to == "7S" else 3]:
            for side in "abcd":
                for end in ("", " end"):
                    tile = parse_line(f"5S.{side} on {to}.{to_side}{end}", board)
                    if not faults_of(board, tile):
                        wanted.add(
                            tuple(sorted((round(x, 6), round(y, 6)) for x, y in tile.polygon))
                        )
    assert wanted <= places


def test_pp_4_the_first_tile_may_lie_anywhere() -> None:
    assert not faults_of(Board(), Laid("7S", Pose(3, 4), "7S @ 3 4 0"))


# commands


def board(*arguments: str) -> Answer:
    return run("property-poker", "board", *arguments)


def test_a_board_grows_by_add_and_slots(tmp_path: Path) -> None:
    file = tmp_path / "t.board"
    assert board("add", str(file), "7S @ 0 0 0").code == 0
    assert board("add", str(file), "KH.a on 7S.b").code == 0
    before = file.read_bytes()
    refused = board("add", str(file), "QS.d on 7S.b")
    assert refused.code == 4 and "overlaps KH" in refused.err and "mm" in refused.err
    assert file.read_bytes() == before
    board("add", str(tmp_path / "copy"), "7H @ 0 0 0")
    covered = board("add", str(tmp_path / "copy"), "8H @ 0 0 120")
    assert "exactly on 7H, which is hidden now" in covered.out
    listed = board("slots", str(file), "5D").out
    assert listed.lstrip().startswith("1  5D.")
    assert board("slots", str(file), "5D", "--take", "1").code == 0
    assert file.read_text("utf-8").count("\n") == 3
    assert board(str(file)).code == 0
    assert "5D lies on the board already" in board("slots", str(file), "5D").err
    assert "--take 900" in board("slots", str(file), "6D", "--take", "900").err


def test_comments_of_a_record_stay_when_a_tile_is_added(tmp_path: Path) -> None:
    file = tmp_path / "t.board"
    file.write_text("# Friday\n7S @ 0 0 0  # anchor", "utf-8")
    assert board("add", str(file), "KH.a on 7S.b").code == 0
    assert file.read_text("utf-8") == "# Friday\n7S @ 0 0 0  # anchor\nKH.a on 7S.b\n"


def test_a_board_is_checked_as_a_whole(tmp_path: Path) -> None:
    file = tmp_path / "bad.board"
    file.write_text("7S @ 0 0 0\nKS @ 2.75 0 0\nQS @ 30 0 0\n", "utf-8")
    answer = board(str(file), "--json")
    assert answer.code == 3
    assert [fault["tile"] for fault in answer.json["faults"]] == ["KS", "QS"]
    assert "KS: overlaps 7S by 2.50 mm (PP-4)" in answer.err


def test_a_random_board_by_seed_drawn_as_png_and_svg(tmp_path: Path) -> None:
    from PIL import Image

    one, two = (board("random", "--seed", "5", "--tiles", "9") for _ in range(2))
    assert one.out == two.out and one.out.count("\n") == 9
    file = tmp_path / "r.board"
    file.write_text(one.out, "utf-8")
    png, svg = tmp_path / "r.png", tmp_path / "r.svg"
    for target in (png, svg):
        assert board(str(file), "--picture", str(target)).code == 0
    image = Image.open(png)
    table = board_of(*one.out.strip().split("\n"))
    points = [point for tile in table.laid for point in tile.polygon]
    wide = max(x for x, _ in points) - min(x for x, _ in points)
    assert image.width / 150 * 2.54 == pytest.approx(wide + 2.4, abs=0.05)
    text = svg.read_text("utf-8")
    for tile in table.laid:
        rank = TILES[tile.id].id[:-1]
        assert f">{rank}</text>" in text


@settings(max_examples=40)
@given(st.floats(-200, 200), st.floats(-200, 200), st.floats(-720, 720))
def test_what_is_written_can_be_read_and_is_the_same_place(x: float, y: float, turn: float) -> None:
    problems = Problems()
    data = json.dumps({"tiles": [{"id": "7S", "at": [x, y], "turn": turn}]})
    board = read_record(data, "x", problems)
    again = board_of(*as_text(board).strip().split("\n"))
    assert not problems.items
    for (px, py), (qx, qy) in zip(board["7S"].polygon, again["7S"].polygon, strict=True):
        assert (px, py) == pytest.approx((qx, qy), abs=1e-8)


def test_tiles_exactly_on_top_do_not_creep() -> None:
    lines = ["7S @ 0 0 0", "6S @ 3 0 0", "8S @ 0.0009 0 0"]
    assert board_of(*lines)["8S"].pose.x == 0
    found = faults(*lines, "9S @ 0.0018 0 0")
    assert any("9S: overlaps 8S" in fault for fault in found)


@pytest.mark.parametrize(
    "raw",
    [
        b'\xef\xbb\xbf{"tiles": [{"id": "7S", "at": [0, 0]}]}',
        "7S @ 0 0 0\n".encode("utf-16"),
        b"\xef\xbb\xbf7S @ 0 0 0\r\n",
    ],
)
def test_a_record_grows_whatever_its_encoding(raw: bytes, tmp_path: Path) -> None:
    file = tmp_path / "t.board"
    file.write_bytes(raw)
    assert board("add", str(file), "KS.d on 7S.b").code == 0
    assert board("add", str(file), "QS.d on KS.b").code == 0
    shown = board(str(file), "--json")
    assert shown.code == 0
    assert [tile["said"] for tile in shown.json["tiles"]][1:] == ["KS.d on 7S.b", "QS.d on KS.b"]


@pytest.mark.parametrize("name", ["", ".", "-"])
def test_what_is_no_file_takes_no_tile(name: str) -> None:
    answer = board("add", name, "7S @ 0 0 0")
    assert answer.code == 2 and "is no file" in answer.err


def test_a_board_that_is_not_legal_is_remarked_on_when_it_is_measured(tmp_path: Path) -> None:
    file = tmp_path / "heap.board"
    file.write_text("7S @ 0 0 0\nKS @ 1 0 0\n", "utf-8")
    answer = run("property-poker", "draw", str(file), "--start", "7S", "--aim", "KS")
    assert answer.code == 0 and "not a legal board: KS overlaps 7S by 20.00 mm" in answer.err


def test_standard_input_is_a_board() -> None:
    answer = run("property-poker", "board", "-", stdin="7S @ 0 0 0\nKH.a on 7S.b\n")
    assert answer.code == 0 and "2 tiles, all legally laid" in answer.err
