"""The exact-target tracker: T1–T5, GO-13's excess, as rules and as commands."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.table.protocol import Event
from companion.table.tracker import Rules, TrackerGame
from tests.conftest import Answer, run


class Table:
    """Commands on a store of their own."""

    def __init__(self, folder: Path) -> None:
        self.store = str(folder / "s.sqlite")

    def __call__(self, *arguments: str) -> Answer:
        return run("track", *arguments, "--store", self.store)

    def show(self, name: str = "g", *options: str) -> Any:
        return self("show", name, "--json", *options).json

    def scores(self, name: str = "g") -> dict[str, int]:
        return {p["name"]: p["score"] for p in self.show(name)["players"]}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


@pytest.mark.parametrize(
    ("target", "plays", "scores", "over"),
    [
        (21, [18, 5], [18, 2], False),
        (7, [5, 3], [5, 1], False),
        (7, [7, 0], [7], True),
        (7, [5, 9], [5, 7], True),
        (7, [6, 8], [6, 7], True),
        (7, [6, 9], [6, 1], False),
    ],
)
def test_t1_excess(
    table: Table, target: int, plays: list[int], scores: list[int], over: bool
) -> None:
    table("new", "g", "--target", str(target), "--players", "Ann,Bob")
    for points, expected in zip(plays, scores, strict=False):
        table("add", "g", "Ann", str(points))
        assert table.scores()["Ann"] == expected
    assert table.show()["over"] is over
    assert table.show()["winner"] == ("Ann" if over else None)


def test_t2_reset_to(table: Table) -> None:
    table("new", "g", "--target", "50", "--players", "Ann", "--overshoot", "reset-to:25")
    for points in (12, 12, 12, 12):
        table("add", "g", "Ann", str(points))
    assert table.scores()["Ann"] == 48
    table("add", "g", "Ann", "3")
    assert table.scores()["Ann"] == 25
    table("add", "g", "Ann", "5")
    assert table.scores()["Ann"] == 30


@pytest.mark.parametrize(("policy", "score"), [("bust", 5), ("bounce", 6), ("excess", 1)])
def test_other_policies(table: Table, policy: str, score: int) -> None:
    table("new", "g", "--target", "7", "--players", "Ann", "--overshoot", policy)
    table("add", "g", "Ann", "5")
    table("add", "g", "Ann", "3")
    assert table.scores()["Ann"] == score


def test_t3_zero_changes_nothing_and_undo_after_the_win_lets_the_game_go_on(table: Table) -> None:
    table("new", "g", "--target", "7", "--players", "Ann,Bob")
    table("add", "g", "Ann", "0")
    assert table.scores() == {"Ann": 0, "Bob": 0}
    table("add", "g", "Ann", "7")
    refused = table("add", "g", "Bob", "1")
    assert refused.code == 4 and "the game is over: Ann won" in refused.err
    table("undo", "g")
    assert table.show()["over"] is False
    table("add", "g", "Bob", "2")
    table("add", "g", "Bob", "1")
    table("undo", "g")
    table("undo", "g")
    assert table.scores() == {"Ann": 0, "Bob": 0}
    table("redo", "g")
    assert table.scores()["Bob"] == 2
    table("add", "g", "Ann", "1")
    assert table("redo", "g").code == 5


def test_undo_past_the_start_is_an_error(table: Table) -> None:
    table("new", "g", "--target", "7", "--players", "Ann")
    answer = table("undo", "g")
    assert answer.code == 5 and "nothing to undo" in answer.err


def test_t4_ranks_and_needs(table: Table) -> None:
    table("new", "g", "--target", "21", "--players", "Ann,Bob,Cyd")
    for player, points in (("Ann", "10"), ("Bob", "10"), ("Cyd", "7")):
        table("add", "g", player, points)
    players = table.show()["players"]
    assert [p["rank"] for p in players] == [1, 1, 3]
    assert [p["needs"] for p in players] == [11, 11, 14]
    limited = table.show("g", "--largest", "11")["players"]
    assert [p["needs"] for p in limited] == [11, 11, None]


def test_t5_names_with_blanks_and_chinese_teams_and_edits(table: Table) -> None:
    table("new", "g", "--target", "11", "--teams", "Red Team=Ann Lee+小明,Blue=Bob+Cyd")
    table("add", "g", "小明", "2")
    table("add", "g", "ann lee", "3")
    table("add", "g", "Blue", "4")
    assert table.scores() == {"Red Team": 5, "Blue": 4}
    red = table.show()["players"][0]["members"]
    assert red == [{"name": "Ann Lee", "points": 3}, {"name": "小明", "points": 2}]
    first = json.loads(table("log", "g", "--json").out)["entries"][0]["number"]
    table("edit", "g", str(first), "8")
    # 8 + 3 is the target now, so Blue's later play is no longer legal
    assert table.scores() == {"Red Team": 5, "Blue": 4}
    table("edit", "g", str(first), "6")
    assert table.scores() == {"Red Team": 9, "Blue": 4}
    table("undo", "g")
    assert table.scores() == {"Red Team": 5, "Blue": 4}
    assert table("add", "g", "小名", "2").code == 2


def test_an_edit_that_makes_a_later_play_illegal_is_refused(table: Table) -> None:
    table("new", "g", "--target", "7", "--players", "Ann,Bob")
    table("add", "g", "Ann", "2")
    table("add", "g", "Bob", "2")
    refused = table("edit", "g", "1", "7")
    assert refused.code == 4 and "over" in refused.err
    assert table.scores() == {"Ann": 2, "Bob": 2}
    assert table("edit", "g", "9", "1").code == 5


def test_go_13_several_points_count_together_before_the_end_is_checked(table: Table) -> None:
    table("new", "g", "--target", "7", "--players", "Ann")
    table("add", "g", "Ann", "6")
    table("add", "g", "Ann", "1+1")
    assert table.scores()["Ann"] == 1 and table.show()["over"] is False


def test_round_mode_ends_with_the_supply(table: Table) -> None:
    table("new", "g", "--supply", "3", "--players", "Ann,Bob")
    for player, points in (("Ann", "3"), ("Bob", "0"), ("Bob", "2"), ("Bob", "1")):
        table("add", "g", player, points)
    shown = table.show()
    assert shown["over"] and shown["winners"] == ["Ann", "Bob"] and shown["winner"] is None
    assert table("add", "g", "Ann", "1").code == 4


def test_export_log_and_list(table: Table, tmp_path: Path) -> None:
    table("new", "g", "--target", "7", "--players", "Ann,小明")
    table("add", "g", "Ann", "2+1")
    table("add", "g", "小明", "5")
    rows = list(csv.DictReader(io.StringIO(table("export", "g").out)))
    assert [(r["player"], r["points"], r["score"]) for r in rows] == [
        ("Ann", "2+1", "3"),
        ("小明", "5", "5"),
    ]
    out = tmp_path / "g.json"
    table("export", "g", "--to", "json", "-o", str(out))
    assert [p["score"] for p in json.loads(out.read_text("utf-8"))["plays"]] == [3, 5]
    assert "g  2 events" in table("list").out
    assert "小明 5" in table("log", "g").out


def test_big_numbers_and_watch_show_the_game(table: Table) -> None:
    table("new", "g", "--target", "7", "--players", "Ann,小明")
    table("add", "g", "Ann", "7")
    assert "  ▀▀▀█\n    ▄▀    Ann\n" in table("show", "g", "--big").out
    assert "Ann wins" in table("watch", "g").out


@pytest.mark.parametrize(
    "arguments",
    [
        ["--players", "Ann"],
        ["--target", "0", "--players", "Ann"],
        ["--target", "7"],
        ["--target", "7", "--players", "Ann,Ann"],
        ["--target", "7", "--players", "Ann,"],
        ["--target", "7", "--players", "Ann", "--overshoot", "reset"],
        ["--target", "7", "--players", "Ann", "--overshoot", "reset-to:9"],
        ["--target", "7", "--players", "Ann", "--overshoot", "excess:2"],
        ["--target", "7", "--teams", "Red"],
        ["--target", "7", "--teams", "Red=Ann", "--players", "Bob"],
    ],
)
def test_a_game_that_cannot_be_is_refused_and_not_stored(
    table: Table, arguments: list[str]
) -> None:
    assert table("new", "g", *arguments).code == 2
    assert json.loads(table("list", "--json").out)["sessions"] == []


@pytest.mark.parametrize("points", ["-1", "x", "1.5", "2+", ""])
def test_points_that_are_none_are_refused(table: Table, points: str) -> None:
    table("new", "g", "--target", "7", "--players", "Ann")
    assert table("add", "g", "Ann", "--", points).code == 2


RULES = st.builds(
    lambda target, policy, share: Rules(target, policy, int(share * (target - 1))),
    st.integers(1, 60),
    st.sampled_from(["excess", "bust", "reset-to", "bounce"]),
    st.floats(0, 1),
)


@given(RULES, st.lists(st.integers(0, 200), max_size=20))
def test_the_score_stays_within_0_and_target(rules: Rules, plays: list[int]) -> None:
    score = 0
    for points in plays:
        if score == rules.target:
            break
        score = rules.land(score, points)
        assert rules.target is not None and 0 <= score <= rules.target


@given(st.integers(1, 60), st.integers(0, 59), st.integers(0, 300))
def test_excess_is_counting_off_again_and_again(target: int, score: int, points: int) -> None:
    """Independent: subtract the target until what is left is no more than it."""
    score = min(score, target - 1)
    total = score + points
    while total > target:
        total -= target
    assert Rules(target).land(score, points) == total


@given(st.lists(st.tuples(st.sampled_from("AB"), st.integers(0, 9)), min_size=1, max_size=15))
def test_apply_is_pure_and_a_shorter_fold_is_the_state_before(
    plays: list[tuple[str, int]],
) -> None:
    game = TrackerGame()
    start = game.start({"target": 1000, "players": ["A", "B"]})
    states = [start]
    for player, points in plays:
        event = Event("score", {"player": player, "points": [points]})
        states.append(game.apply(states[-1], event).state)
    again = start
    for (player, points), expected in zip(plays, states[1:], strict=True):
        event = Event("score", {"player": player, "points": [points]})
        again = game.apply(again, event).state
        assert again == expected


def test_an_edit_that_ends_the_game_early_names_the_entry_that_comes_too_late(
    tmp_path: Path,
) -> None:
    store = ("--store", str(tmp_path / "s.sqlite"))
    run("track", "new", "e", "--target", "7", "--players", "A,B", *store)
    for points in ("3", "2"):
        run("track", "add", "e", "A", points, *store)
    answer = run("track", "edit", "e", "1", "7", *store)
    assert answer.code == 4 and "entry 2 would not be legal" in answer.err
    assert run("track", "show", "e", "--json", *store).json["players"][0]["score"] == 5
