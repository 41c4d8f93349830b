"""Unlimited Nine, a whole game on the session store: UN-2 … UN-12."""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import IllegalPlay, UsageError
from companion.games.unlimited_nine.at_bat import EMPTY, parse_cards
from companion.games.unlimited_nine.box import box_score, line_score
from companion.games.unlimited_nine.cards import (
    Ability,
    Change,
    Effect,
    Phase,
    Position,
    Power,
    Roster,
)
from companion.games.unlimited_nine.duel import Duel, Used, resolve
from companion.games.unlimited_nine.match import NineGame
from companion.games.unlimited_nine.simulate import play
from companion.games.unlimited_nine.state import Match, hand_sizes, scene
from companion.rosters import nine_roster
from companion.shipped import CARDSETS
from companion.table.protocol import Event
from tests.conftest import Answer, run

GAME = NineGame()
ROSTER: Roster = nine_roster("unlimited-nine")


def start(first: str = "hot-blood", second: str = "technique") -> Match:
    sides = [{"camp": camp, "captain": f"{camp}-c"} for camp in (first, second)]
    return GAME.begin(ROSTER, sides)


def add(state: Match, kind: str, **data: Any) -> Match:
    event = Event(kind, data)
    GAME.check(state, event)
    return GAME.apply(state, event).state


def out(state: Match) -> Match:
    return add(state, "at-bat", bat=None, pitch=["technique", 1])


def half(state: Match) -> Match:
    for _ in range(3):
        state = out(state)
    return state


def refused(state: Match, kind: str, **data: Any) -> str:
    with pytest.raises(IllegalPlay) as caught:
        GAME.check(state, Event(kind, data))
    return str(caught.value)


# setup, innings


def test_un_2_two_camps_nine_players_each_one_for_each_position() -> None:
    state = start()
    for team in state.teams:
        assert len(team.order) == 9 and set(team.positions.values()) == set(Position)
    with pytest.raises(UsageError, match="draw again"):
        start("genius", "genius")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"camp": "fire"}, "no camp"),
        ({"captain": "genius-p"}, "not of camp hot-blood"),
        ({"order": ["hot-blood-p"] * 9}, "stands twice"),
        ({"order": 7}, "a list of nine"),
        ({"name": 7}, "no name for a side"),
        ({"name": "技巧"}, "the other's camp"),
        ({"order": ["hot-blood-pp"]}, "did you mean 'hot-blood-p'"),
        ({"name": "technique"}, "both sides are called"),
    ],
)
def test_un_2_a_side_that_cannot_be_is_named(change: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        GAME.begin(ROSTER, [{"camp": "hot-blood", **change}, {"camp": "technique"}])


def test_un_3_three_innings_batting_goes_on_in_order_level_is_a_draw() -> None:
    state = start()
    batters = []
    for _ in range(6):
        for _ in range(3):
            batters.append((state.half, state.batting.batter))
            state = out(state)
    own = [batter for side, batter in batters if side == 0]
    assert own == list(state.teams[0].order)
    outcome = GAME.outcome(state)
    assert outcome and outcome.termination == "draw" and len(outcome.winners) == 2
    assert "game is over" in refused(state, "walk")


def test_un_3_events_come_first_the_first_side_first_each_name_once() -> None:
    state = start()
    state = add(state, "event", side=1, event="pep-rally")
    assert "comes first" in refused(state, "event", side=0, event="scouting")
    assert "has been used" in refused(state, "event", side=1, event="pep-rally")
    assert "did you mean 'pep-rally'" in refused(state, "event", side=1, event="pep-raly")
    state = out(state)
    assert "start of an inning" in refused(state, "event", side=1, event="scouting")
    for _ in range(5):
        state = out(state)
    assert state.inning == 2
    add(state, "event", side=0, event="pep-rally")


def test_un_3_injured_players_turn_over_after_the_inning() -> None:
    state = add(start(), "event", side=0, event="collision", player="technique-ss")
    assert "technique-ss" not in state.teams[1].students
    state = half(half(state))
    assert state.teams[1].students == {"technique-ss"} and not state.teams[1].injured
    state = add(state, "event", side=1, event="dust-and-tears", player="technique-ss")
    assert not state.teams[1].students


def test_un_3_an_event_that_names_a_player_needs_one_that_it_can_name() -> None:
    state = start()
    assert "technique-p" in refused(state, "event", side=0, event="collision")
    assert "nobody now" in refused(state, "event", side=0, event="first-aid")
    assert "names no player" in refused(
        state, "event", side=0, event="pep-rally", player="technique-p"
    )


def test_un_3_what_an_event_adds_ends_with_the_inning() -> None:
    state = add(start(), "event", side=0, event="thousand-swings")
    assert hand_sizes(state)[0] == hand_sizes(start())[0] + 1
    state = half(half(state))
    assert hand_sizes(state)[0] == hand_sizes(replace(state, used=()))[0]


# hands


def figures(id: str) -> Any:
    return ROSTER.players[id].front


def test_un_4_hand_sizes_from_the_cards_with_one_more_for_the_captains_camp() -> None:
    state = start()
    batting = figures("hot-blood-p").batting
    fielding = figures("technique-p").pitching + figures("technique-c").pitching_bonus
    assert hand_sizes(state) == (batting + 1, fielding + 1)


def test_un_4_a_student_brings_his_own_figures_and_no_one_more() -> None:
    state = start()
    turned = replace(state.teams[0], students=frozenset({state.teams[0].batter}))
    state = replace(state, teams=(turned, state.teams[1]))
    assert hand_sizes(state)[0] == ROSTER.players["hot-blood-p"].student.batting


def test_un_4_more_cards_than_the_hand_are_refused() -> None:
    size = hand_sizes(start())[0]
    says = refused(start(), "at-bat", bat=["genius", size + 1], pitch=None)
    assert f"a hand of {size}" in says
    add(start(), "at-bat", bat=["genius", size], pitch=None)


# the at-bat


def test_un_5_a_walk_pushes_only_forced_runners() -> None:
    state = add(add(start(), "walk", redraw=True), "walk", redraw=False)
    assert state.bases == ("hot-blood-c", "hot-blood-p", None) and state.outs == 0
    assert state.teams[0].lines["hot-blood-p"].at_bats == 0


def test_un_6_same_colour_and_no_card() -> None:
    same = add(start(), "at-bat", bat=["technique", 3], pitch=["technique", 4])
    assert same.last and same.last.margin == 3
    none = add(start(), "at-bat", bat=["technique", 3], pitch=None)
    assert none.last and none.last.margin == 3
    assert "one colour" in refused(start(), "at-bat", bat=["blue", 3], pitch=None)


def test_un_7_a_margin_above_the_table_uses_its_highest_row() -> None:
    table = figures("hot-blood-p").table
    assert figures("hot-blood-p").row(9) == table[max(table)]
    assert figures("hot-blood-p").row(0) is None
    assert figures("hot-blood-ss").row(0) is not None


def test_un_8_the_fielder_at_the_position_catches_with_bonus_cards() -> None:
    state = start()
    to, _ = figures("hot-blood-p").table[3]
    fielder = state.fielding.at(to)
    reach = figures("hot-blood-p").batting + 3
    missing = reach - figures(fielder).fielding
    assert missing > 0
    state = add(start(), "at-bat", bat=["genius", 3], pitch=None, bonus=missing)
    assert state.last and state.last.kind == "caught" and state.last.fielder == fielder
    for other in (missing - 1, missing + 1):
        says = refused(start(), "at-bat", bat=["genius", 3], pitch=None, bonus=other)
        assert other == 0 or f"needs {missing} bonus cards" in says
    assert "no ball to catch" in refused(start(), "at-bat", bat=None, pitch=None, bonus=1)


def test_un_8_a_student_never_catches() -> None:
    state = start()
    to, _ = figures("hot-blood-p").table[1]
    turned = replace(state.teams[1], students=frozenset({state.teams[1].at(to)}))
    state = replace(state, teams=(state.teams[0], turned))
    after = add(state, "at-bat", bat=["genius", 1], pitch=None)
    assert after.last and after.last.kind == "hit"
    assert "no catch" in refused(state, "at-bat", bat=["genius", 1], pitch=None, bonus=1)


# abilities


def used(player: str, phase: Phase, effect: str, amount: int) -> Used:
    return Used(player, Ability(phase, (Power.GENIUS,), Effect(Change(effect), amount)))


def duel(bat: str, pitch: str, *abilities: Used) -> Duel:
    return Duel(parse_cards(bat), parse_cards(pitch), abilities)


def test_un_10_effects_change_power_margin_fielding_bases() -> None:
    now = scene(start())
    plain = resolve(duel("genius*4", "technique*2"), now)
    for effect, phase, amount, gained in (
        ("batter-power", Phase.BATTING, 1, 1),
        ("pitcher-power", Phase.PITCHING, 1, -1),
        ("margin", Phase.PITCHING, -1, -1),
        ("margin", Phase.BATTING, 2, 2),
    ):
        result = resolve(duel("genius*4", "technique*2", used("x", phase, effect, amount)), now)
        assert plain.margin is not None and result.margin == plain.margin + gained
    caught = used("hot-blood-p", Phase.FIELDING, "fielding", 9)
    assert resolve(duel("genius*4", "none", caught), now).kind == "caught"


def test_un_10_the_pitchers_power_stays_0_against_his_own_colour() -> None:
    more = used("technique-p", Phase.PITCHING, "pitcher-power", 3)
    result = resolve(duel("genius*2", "genius*4", more), scene(start()))
    assert result.margin == 2


def test_un_10_where_two_contradict_the_fielding_sides_stands() -> None:
    ours = used("hot-blood-p", Phase.BATTING, "margin", 1)
    theirs = used("technique-c", Phase.FIELDING, "margin", -1)
    result = resolve(duel("genius*4", "technique*2", ours, theirs), scene(start()))
    assert result.margin == 1 and result.void == (ours,)


def test_un_10_an_ability_moves_runners_without_a_hit_but_not_with_the_third_out() -> None:
    steals = used("hot-blood-2b", Phase.RUNNING, "advance", 1)
    bases = (None, "hot-blood-2b", None)
    now = replace(scene(start()), bases=bases)
    assert resolve(duel("none", "none", steals), now).bases == (None, None, "hot-blood-2b")
    two_out = replace(now, outs=2)
    assert resolve(duel("none", "none", steals), two_out).bases == bases
    held = used("technique-lf", Phase.FIELDING, "advance", -1)
    assert resolve(duel("none", "none", steals, held), now).bases == bases


def test_un_10_a_bunt_moves_all_runners_and_nobody_passes_another() -> None:
    bunt = used("hot-blood-p", Phase.BATTING, "advance", 1)
    now = replace(scene(start()), bases=("a", "b", "c"))
    result = resolve(duel("none", "none", bunt), now)
    assert result.bases == (None, "a", "b") and result.home == ("c",)


def test_un_10_one_ability_a_player_paid_from_the_hand_at_the_right_time() -> None:
    state = start()
    says = refused(state, "at-bat", bat=None, pitch=None, abilities=[["hot-blood-ss", "fielding"]])
    assert "no fielding ability to use now" in says and "technique-p (pitching)" in says
    twice = [["technique-p", "pitching"]] * 2
    assert "one ability an at-bat" in refused(
        state, "at-bat", bat=None, pitch=None, abilities=twice
    )
    size = hand_sizes(state)[1]
    full = {"bat": None, "pitch": ["technique", size], "abilities": twice[:1]}
    assert f"spends {size + 1} cards" in refused(state, "at-bat", **full)


# positions, figures


def test_un_11_two_on_one_position_one_of_them_becomes_a_student() -> None:
    state = start()
    says = refused(state, "position", player="hot-blood-ss", to="CF")
    assert "which of them turns into an ordinary student" in says
    moved = add(state, "position", player="hot-blood-ss", to="CF", student="hot-blood-cf")
    team = moved.teams[0]
    assert team.at(Position.CENTRE) == "hot-blood-ss" and team.students == {"hot-blood-cf"}
    assert team.at(Position.SHORT) == "hot-blood-cf"
    stayed = add(state, "position", player="hot-blood-ss", to="CF", student="hot-blood-ss")
    assert stayed.teams[0].at(Position.CENTRE) == "hot-blood-cf"
    assert stayed.teams[0].students == {"hot-blood-ss"}
    again = refused(stayed, "position", player="hot-blood-ss", to="CF", student="hot-blood-ss")
    assert "ordinary student already" in again
    changed = add(state, "position", player="hot-blood-ss", to="CF", exchange=True)
    assert not changed.teams[0].students
    assert changed.teams[0].at(Position.SHORT) == "hot-blood-cf"
    assert set(changed.teams[0].positions.values()) == set(Position)


def test_un_12_line_and_box_score_add_up() -> None:
    state = play(ROSTER, (Power.HOT_BLOOD, Power.GENIUS), random.Random(7))
    for row, team in zip(line_score(state), state.teams, strict=True):
        rows = box_score(state, team)
        assert sum(row["innings"]) == row["runs"] == sum(r["runs"] for r in rows)
        assert row["hits"] == sum(r["hits"] for r in rows)
        assert row["runs"] == sum(r["batted_in"] for r in rows)


@settings(max_examples=40)
@given(st.integers(0, 10**9), st.permutations(list(Power)))
def test_every_half_adds_up_and_no_event_of_a_whole_game_is_illegal(
    seed: int, camps: list[Power]
) -> None:
    """outs + runs + left on base = batters in a half; no two runners on one base."""
    events: list[Event] = []
    end = play(ROSTER, (camps[0], camps[1]), random.Random(seed), events.append)
    state = GAME.begin(ROSTER, [{"camp": team.camp} for team in end.teams])
    batters, runs = 0, 0
    for event in events:
        GAME.check(state, event)
        step = GAME.apply(state, event)
        assert all(step.sentences)
        if event.kind in ("at-bat", "walk"):
            assert step.state.last
            batters += 1
            runs += len(step.state.last.home)
        on_base = [runner for runner in step.state.bases if runner]
        assert len(set(on_base)) == len(on_base)
        if (state.inning, state.half) != (step.state.inning, step.state.half):
            assert 3 + runs + step.state.teams[state.half].left[-1] == batters
            assert step.state.bases == EMPTY
            batters, runs = 0, 0
        state = step.state
    assert state == end


# at the table


@pytest.fixture
def table() -> Answer:
    answer = run("unlimited-nine", "new", "cup", "--first", "熱血", "--second", "genius")
    assert answer.code == 0, answer.err
    return answer


def at_bat(*arguments: str) -> Answer:
    return run("unlimited-nine", "at-bat", "cup", *arguments)


def test_a_game_is_played_shown_undone_and_resumed(table: Answer) -> None:
    assert "hot-blood at bat" in table.out and "events now" in table.out
    answer = at_bat("--bat", "熱血*4", "--pitch", "technique*2", "--json")
    assert answer.code == 0, answer.err
    found = answer.json
    assert found["margin"] == 2 and found["result"] in ("hit", "caught")
    assert {"direction", "runs", "bases", "outs", "inning", "half", "score"} <= set(found)
    before = run("unlimited-nine", "show", "cup").out
    assert at_bat("--walk").code == 0
    assert run("unlimited-nine", "undo", "cup").code == 0
    assert run("unlimited-nine", "show", "cup").out == before
    assert run("unlimited-nine", "redo", "cup").code == 0
    log = run("unlimited-nine", "log", "cup").out
    assert "walks" in log and "margin 2" in log
    assert "雷震宇" in run("unlimited-nine", "box", "cup").out


def test_abilities_are_named_by_role_position_or_name(table: Answer) -> None:
    state = run("unlimited-nine", "show", "cup")
    assert "pitching 夏星河" in state.out
    answer = at_bat("--bat", "熱血*3", "--pitch", "技巧*2", "--ability", "pitcher", "--json")
    assert answer.code == 0 and answer.json["margin"] == 0
    answer = at_bat("--bat", "熱血*3", "--pitch", "none", "--ability", "唐夢", "--json")
    assert answer.code == 0 and answer.json["margin"] == 2
    answer = at_bat("--bat", "熱血*3", "--pitch", "none", "--ability", "second")
    assert answer.code == 2 and "nobody is on second" in answer.err


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["at-bat", "cup", "--margin", "3"], 2, "leave out --margin"),
        (["at-bat", "cup"], 2, "--bat and --pitch"),
        (["at-bat", "cup", "--walk", "--bonus", "1"], 2, "stands alone"),
        (["at-bat", "--ability", "batter", "--walk"], 2, "name it first"),
        (["at-bat", "cup", "--bat", "熱血*12", "--pitch", "none"], 4, "a hand of"),
        (["event", "cup", "genius", "pep raly"], 4, "no event 'pep raly'"),
        (["event", "cup", "nobody", "pep-rally"], 2, "no side is called"),
        (["position", "cup", "馬飛", "XX"], 4, "no position"),
        (["injured", "cup", "Ma Feii"], 2, "did you mean 'Ma Fei'"),
        (["new", "cup"], 5, "already"),
        (["new", "x", "--first", "hotblood"], 2, "did you mean 'hot-blood'"),
        (["new", "x", "--first", "genius", "--second", "天才"], 2, "must differ"),
        (["new", "x", "--order", "P,C"], 2, "each of the nine once"),
        (["new", "x", "--deck", "game-on"], 3, "no group 'players'"),
    ],
)
def test_what_is_wrong_is_named(table: Answer, arguments: list[str], code: int, says: str) -> None:
    del table
    answer = run("unlimited-nine", *arguments)
    assert answer.code == code and says in answer.err, answer.err


def test_un_2_what_is_not_said_is_drawn_and_the_seed_draws_it_again() -> None:
    first = run("unlimited-nine", "new", "a", "--seed", "5", "--json").json
    second = run("unlimited-nine", "new", "b", "--seed", "5", "--json").json
    assert {**first, "name": ""} == {**second, "name": ""}
    assert {row["name"] for row in first["score"]} < set(Power)


def test_figures_that_break_the_rules_are_named_by_file_line_and_column(tmp_path: Path) -> None:
    deck = tmp_path / "nine"
    shutil.copytree(CARDSETS / "unlimited-nine", deck)
    table = deck / "players.csv"
    text = table.read_text("utf-8")
    table.write_text(
        text.replace("pitcher-power+1,", "pitcher-power-1,", 1).replace(",SS,6,", ",SO,6,", 1),
        "utf-8",
    )
    answer = run("unlimited-nine", "new", "x", "--deck", str(deck))
    assert answer.code == 3
    assert "players.csv:2:" in answer.err and "a pitching ability may be" in answer.err
    assert "'SO' is none of P, C" in answer.err and "camp hot-blood has no" not in answer.err
    table.write_text(text.replace(",SS,6,", ",CF,6,", 1), "utf-8")
    answer = run("unlimited-nine", "new", "x", "--deck", str(deck))
    assert answer.code == 3 and "camp hot-blood has no SS" in answer.err


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (",batting,", ",bating,", "players have no column 'batting' (did you mean 'bating'?)"),
        (
            "雷震宇,Lei Zhen-yu,熱血,Hot blood,投手,Pitcher,5,4,",
            "a,b,c,d,e,f,,4,",
            "batting of 'hot-b",
        ),
        ("{hot-blood},pitcher-power+1", "{hot},pitcher-power+1", "power sources in braces"),
        ("pitcher-power+1", "pitcher-power", "pitcher-power with one digit"),
        (",pitching,{", ",piching,{", "did you mean 'pitching'"),
        (",P,1,3B,1,LF,1,CF,2,", ",P,1,3B,1,,,CF,2,", "the batting table has no row 3"),
        (",P,1,3B,1,LF,1,CF,2,", ",P,1,3B,7,LF,1,CF,2,", "from 1 to 4"),
        ("Second base,6,,,5,", "Second base,6,4,,5,", "a player at 2B has none"),
    ],
)
def test_each_wrong_figure_is_named_at_its_place(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    deck = tmp_path / "nine"
    shutil.copytree(CARDSETS / "unlimited-nine", deck)
    table = deck / "players.csv"
    text = table.read_text("utf-8")
    assert old in text
    table.write_text(text.replace(old, new, 1), "utf-8")
    answer = run("unlimited-nine", "new", "x", "--deck", str(deck))
    assert answer.code == 3 and says in answer.err and "players.csv:" in answer.err, answer.err
    # what is printed is warned of
    checked = run("check", str(deck))
    assert says in checked.err


def test_un_1_fourteen_events_of_each_colour(tmp_path: Path) -> None:
    deck = tmp_path / "nine"
    shutil.copytree(CARDSETS / "unlimited-nine", deck)
    table = deck / "events.csv"
    text = table.read_text("utf-8")
    table.write_text(text.replace("pep-rally,3,", "pep-rally,2,"), "utf-8")
    answer = run("unlimited-nine", "simulate", "--deck", str(deck))
    assert answer.code == 3 and "13 events of hot-blood, not 14" in answer.err
    table.write_text("\n".join(text.split("\n")[:7]), "utf-8")
    answer = run("unlimited-nine", "simulate", "--deck", str(deck))
    assert answer.code == 3 and "no event of technique, genius" in answer.err


def test_a_dry_run_says_what_would_catch_and_records_nothing(table: Answer) -> None:
    del table
    answer = at_bat("--bat", "熱血*4", "--pitch", "none", "--dry-run")
    assert answer.code == 0 and "more would catch it (bonus: genius)" in answer.out
    assert run("unlimited-nine", "log", "cup", "--json").json["entries"] == []


def test_a_held_runner_takes_no_further_base_on_a_hit() -> None:
    runs = used("hot-blood-2b", Phase.RUNNING, "bases", 1)
    held = used("technique-lf", Phase.FIELDING, "advance", -1)
    now = replace(scene(start()), bases=("hot-blood-2b", None, None))
    student = replace(now, fielder=lambda position: ("x", figures("technique-p"), True))
    free = resolve(duel("genius*2", "none", runs), student)
    assert free.bases == ("hot-blood-p", None, "hot-blood-2b")
    assert resolve(duel("genius*2", "none", runs, held), student).bases == (
        "hot-blood-p",
        "hot-blood-2b",
        None,
    )


def test_a_game_goes_out_and_comes_back(table: Answer, tmp_path: Path) -> None:
    at_bat("--walk")
    file = tmp_path / "cup.jsonl"
    assert run("session", "export", "cup", "--out", str(file)).code == 0
    assert run("session", "import", str(file), "--as", "again").code == 0
    assert run("unlimited-nine", "show", "again").out == run("unlimited-nine", "show", "cup").out
