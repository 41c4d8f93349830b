"""Game On matches: GO-8 … GO-13, undo, replay, teams, round mode."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import IllegalPlay
from companion.games.game_on.match import Match, MatchGame
from companion.table.protocol import Event
from tests.conftest import Answer, run

GAME = MatchGame()


class Court:
    def __init__(self, folder: Path) -> None:
        self.store = str(folder / "s.sqlite")

    def __call__(self, *arguments: str) -> Answer:
        return run("game-on", "match", *arguments, "--store", self.store)

    def ok(self, *arguments: str) -> Answer:
        answer = self(*arguments)
        assert answer.code == 0, answer.err
        return answer

    def show(self) -> Any:
        return self("show", "m", "--json").json


@pytest.fixture
def court(tmp_path: Path) -> Court:
    return Court(tmp_path)


def reach(court: Court, points: int) -> None:
    """Ann scores `points` with twos and a three; Bob misses in between."""
    while points:
        kind, worth = ("three-pointer", 3) if points % 2 else ("dunk", 2)
        court.ok("shot", "m", "Ann", kind, "made")
        court.ok("pass", "m")
        points -= worth


def test_go_13_free_throws_at_6_of_7_one_made_wins_both_made_gives_1(court: Court) -> None:
    court.ok("new", "m", "--players", "Ann,Bob", "--to", "7")
    reach(court, 6)
    court.ok("shot", "m", "Ann", "dunk", "missed", "--foul")
    court.ok("free-throw", "m", "made")
    # all are thrown before the end is checked (GO-8)
    assert court.show()["over"] is False and court.show()["free_throws_due"] == 1
    court.ok("free-throw", "m", "made")
    assert court.show()["scores"]["Ann"] == 1
    court.ok("undo", "m")
    court.ok("free-throw", "m", "missed")
    shown = court.show()
    assert shown["over"] and shown["winners"] == ["Ann"]
    assert court("tip-in", "m", "Ann", "made").code == 4


def test_go_13_one_made_and_the_last_missed_wins_at_6_of_7(court: Court) -> None:
    court.ok("new", "m", "--players", "Ann,Bob", "--to", "7")
    reach(court, 6)
    court.ok("shot", "m", "Ann", "dunk", "missed", "--foul")
    court.ok("free-throw", "m", "made")
    court.ok("free-throw", "m", "missed")
    assert court.show()["winners"] == ["Ann"]
    assert court("shot", "m", "Bob", "dunk", "made").code == 4
    assert court("technical", "m", "Bob", "made").code == 4


def test_go_12_a_play_of_five_takes_two_score_cards(court: Court) -> None:
    court.ok("new", "m", "--players", "Ann,Bob", "--rounds")
    court.ok("shot", "m", "Ann", "three-pointer", "made", "--foul")
    court.ok("free-throw", "m", "missed")
    court.ok("tip-in", "m", "Ann", "made")
    assert court.show()["scores"]["Ann"] == 5 and court.show()["score_cards"] == 28


@given(st.data(), st.sampled_from([7, 11, None]))
def test_go_13_a_match_that_is_over_stays_over(data: st.DataObject, target: int | None) -> None:
    """Random legal plays: no score passes the target, no score card too many, no win is lost."""
    state = GAME.start({"players": ["Ann", "Bob", "Cyd"], "target": target})
    who, made = st.sampled_from(["Ann", "Bob", "Cyd"]), st.booleans()
    kinds = st.sampled_from(["three-pointer", "dunk"])
    events = st.one_of(
        st.fixed_dictionaries({"player": who, "kind": kinds, "made": made, "foul": made}).map(
            lambda d: Event("shot", d)
        ),
        made.map(lambda m: Event("free-throw", {"made": m})),
        st.fixed_dictionaries({"player": who, "made": made}).map(lambda d: Event("tip-in", d)),
        who.map(lambda p: Event("rebound", {"player": p})),
        st.fixed_dictionaries({"player": who, "made": made}).map(lambda d: Event("technical", d)),
        st.sampled_from([Event("pass", {}), Event("done", {})]),
    )
    for event in data.draw(st.lists(events, max_size=60)):
        try:
            GAME.check(state, event)
        except IllegalPlay:
            continue
        assert not state.over
        state = GAME.apply(state, event).state
        assert target is None or all(score <= target for score in state.scores.values())
        assert state.supply is None or 0 <= state.supply <= 30
        counted = sum(t.points for kinds in state.tallies.values() for t in kinds.values())
        pending = state.play.points if state.play else 0
        if target is None:
            assert counted == sum(state.scores.values()) + pending


def test_go_13_a_made_two_and_its_bonus_throw_at_5_gives_1(court: Court) -> None:
    court.ok("new", "m", "--players", "Ann,Bob", "--to", "7")
    reach(court, 5)
    court.ok("shot", "m", "Ann", "dunk", "made", "--foul")
    court.ok("free-throw", "m", "made")
    assert court.show()["scores"]["Ann"] == 1


def test_go_12_points_of_each_kind(court: Court) -> None:
    court.ok("new", "m", "--players", "Ann,Bob,Cyd", "--to", "11")
    court.ok("shot", "m", "Ann", "三分跳投", "made")
    court.ok("shot", "m", "Bob", "中距離跳投", "made")
    court.ok("shot", "m", "Cyd", "layup", "missed")
    court.ok("tip-in", "m", "Cyd", "made")
    shown = court.show()
    assert shown["scores"] == {"Ann": 3, "Bob": 2, "Cyd": 2}
    cyd = shown["players"][2]
    assert cyd["by_kind"]["layup"] == {"attempts": 1, "made": 0, "points": 0}
    assert cyd["by_kind"]["tip-in"] == {"attempts": 1, "made": 1, "points": 2}


def test_go_10_rebounds_answer_tip_ins_and_rebounds(court: Court) -> None:
    court.ok("new", "m", "--players", "Ann,Bob,Cyd", "--to", "7")
    court.ok("shot", "m", "Ann", "dunk", "missed")
    assert "GO-10" in court("tip-in", "m", "Bob", "made").err
    court.ok("rebound", "m", "Bob")
    refused = court("tip-in", "m", "Ann", "made")
    assert refused.code == 4 and "Bob's rebound is on the table" in refused.err
    court.ok("rebound", "m", "Cyd")
    court.ok("done", "m")
    assert court.show()["attacker"] == "Cyd"


def test_a_shot_ends_the_reactions_and_the_attack_goes_round(court: Court) -> None:
    court.ok("new", "m", "--players", "Ann,Bob,Cyd", "--to", "7", "--first", "Bob")
    wrong = court("shot", "m", "Ann", "dunk", "made")
    assert wrong.code == 4 and "Bob has the attack" in wrong.err
    court.ok("shot", "m", "Bob", "dunk", "missed")
    court.ok("shot", "m", "Cyd", "dunk", "missed")
    court.ok("rebound", "m", "Cyd")
    court.ok("shot", "m", "Cyd", "dunk", "made")
    assert court.show()["attacker"] == "Ann"
    court.ok("turnover", "m")
    assert court.show()["attacker"] == "Bob"


def test_go_9_a_last_throw_made_ends_the_play_missed_may_be_tipped_in(court: Court) -> None:
    court.ok("new", "m", "--players", "Ann,Bob", "--to", "11")
    court.ok("shot", "m", "Ann", "three-pointer", "missed", "--foul")
    assert court("shot", "m", "Bob", "dunk", "made").code == 4
    assert court("rebound", "m", "Bob").code == 4
    for made in ("made", "made", "missed"):
        court.ok("free-throw", "m", made)
    court.ok("tip-in", "m", "Ann", "made")
    shown = court.show()
    assert shown["scores"]["Ann"] == 4 and shown["attacker"] == "Bob"


def test_go_11_a_technical_foul_gives_a_throw_and_the_attack(court: Court) -> None:
    court.ok("new", "m", "--players", "Ann,Bob,Cyd", "--to", "7")
    court.ok("technical", "m", "Cyd", "made")
    shown = court.show()
    assert shown["scores"]["Cyd"] == 1 and shown["attacker"] == "Cyd"
    court.ok("shot", "m", "Cyd", "dunk", "missed")
    court.ok("technical", "m", "Ann", "missed")
    assert court.show()["attacker"] == "Ann" and court.show()["scores"]["Ann"] == 0


def test_go_13_round_mode_ends_when_30_score_cards_are_gone(court: Court) -> None:
    court.ok("new", "m", "--players", "Ann,Bob", "--rounds")
    state = GAME.start({"players": ["Ann", "Bob"], "target": None})
    for number in range(30):
        assert not state.over
        player = ("Ann", "Bob")[number % 2]
        kind = "three-pointer" if player == "Bob" else "dunk"
        event = Event("shot", {"player": player, "kind": kind, "made": True})
        GAME.check(state, event)
        state = GAME.apply(state, event).state
    assert state.over and state.scores == {"Ann": 30, "Bob": 45}
    outcome = GAME.outcome(state)
    assert outcome and outcome.winners == ("Bob",) and outcome.termination == "score cards"
    with pytest.raises(IllegalPlay, match="over"):
        GAME.check(state, Event("pass"))


def test_go_13_teams_sit_alternately_and_score_together(court: Court) -> None:
    court.ok("new", "m", "--teams", "Red=Ann+小明,Blue=Bob+Cyd", "--to", "11")
    court.ok("shot", "m", "Ann", "dunk", "missed")
    court.ok("tip-in", "m", "小明", "made")
    court.ok("shot", "m", "Bob", "three-pointer", "made")
    shown = court.show()
    assert shown["scores"] == {"Red": 2, "Blue": 3} and shown["attacker"] == "小明"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--players", "Ann", "--to", "7"],
        ["--players", "A,B,C,D,E,F,G", "--to", "7"],
        ["--players", "Ann,Bob", "--to", "21"],
        ["--teams", "R=A+B,B=C+D", "--to", "7"],
        ["--teams", "R=A+B,B=C", "--to", "11"],
        ["--players", "Ann,Bob"],
        ["--players", "Ann,Bob", "--to", "7", "--rounds"],
        ["--players", "Ann,Bob", "--to", "7", "--first", "Cyd"],
        ["--players", "Ann,Ann", "--to", "7"],
    ],
)
def test_a_match_that_cannot_be_is_refused(court: Court, arguments: list[str]) -> None:
    assert court("new", "m", *arguments).code == 2


def test_names_are_found_whatever_their_case(court: Court) -> None:
    court.ok("new", "m", "--players", "Ann,Bob", "--to", "7")
    court.ok("shot", "m", "ann", "dunk", "made")
    assert court.show()["scores"]["Ann"] == 2


def test_go_14_house_rules_are_kept_with_the_match(court: Court) -> None:
    court.ok("new", "m", "--players", "Ann,Bob", "--to", "7", "--house", "overshoot=bust")
    reach(court, 6)
    court.ok("shot", "m", "Ann", "dunk", "made")
    assert court.show()["scores"]["Ann"] == 6
    assert court.show()["house"]["overshoot"] == "bust"


def test_undo_redo_and_log(court: Court) -> None:
    court.ok("new", "m", "--players", "Ann,Bob", "--to", "7")
    court.ok("shot", "m", "Ann", "dunk", "made")
    court.ok("shot", "m", "Bob", "dunk", "made")
    court.ok("undo", "m")
    assert court.show()["attacker"] == "Bob"
    court.ok("redo", "m")
    assert court.show()["scores"] == {"Ann": 2, "Bob": 2}
    assert "Ann: dunk made; Ann: 0 → 2; Bob has the attack" in court("log", "m").out


EVENTS = st.one_of(
    st.builds(
        lambda p, k, m, f: Event("shot", {"player": p, "kind": k, "made": m, "foul": f}),
        st.sampled_from(["A", "B", "C"]),
        st.sampled_from(["dunk", "three-pointer", "mid-range"]),
        st.booleans(),
        st.booleans(),
    ),
    st.builds(lambda m: Event("free-throw", {"made": m}), st.booleans()),
    st.builds(
        lambda k, p, m: Event(k, {"player": p, "made": m}),
        st.sampled_from(["tip-in", "technical"]),
        st.sampled_from(["A", "B", "C"]),
        st.booleans(),
    ),
    st.builds(lambda p: Event("rebound", {"player": p}), st.sampled_from(["A", "B", "C"])),
    st.sampled_from([Event("pass"), Event("done"), Event("turnover")]),
)


@given(st.lists(EVENTS, max_size=60), st.sampled_from([7, 11, None]))
def test_a_match_replayed_from_its_log_gives_the_same_state(
    events: list[Event], target: int | None
) -> None:
    start = GAME.start({"players": ["A", "B", "C"], "target": target})
    state, log = start, []
    for event in events:
        try:
            GAME.check(state, event)
        except IllegalPlay:
            continue
        state = GAME.apply(state, event).state
        log.append(event)
        invariants(state)
    again = start
    for event in log:
        GAME.check(again, event)
        again = GAME.apply(again, event).state
    assert again == state


def invariants(state: Match) -> None:
    for score in state.scores.values():
        assert score >= 0
        if state.rules.target:
            assert score <= state.rules.target
    made = sum(t.points for kinds in state.tallies.values() for t in kinds.values())
    pending = state.play.points if state.play else 0
    if state.rules.target is None:
        assert sum(state.scores.values()) + pending == made
    assert state.attacker in state.order
