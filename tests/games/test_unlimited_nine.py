"""Unlimited Nine, one at-bat: UN-5 … UN-9, the twelve worked examples, B1, B2."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.unlimited_nine.at_bat import (
    Bases,
    Laid,
    advance,
    bases_text,
    is_caught,
    margin_of,
    parse_bases,
    parse_cards,
    walk,
)
from companion.games.unlimited_nine.cards import Power
from tests.conftest import run

ALL_BASES: list[Bases] = [parse_bases("-".join(bits)) for bits in itertools.product("01", repeat=3)]
BATTER = "batter"


def on(bases: Bases) -> int:
    """How many runners stand on the bases."""
    return sum(runner is not None for runner in bases)


def at_bat(*arguments: str) -> dict[str, object]:
    answer = run("unlimited-nine", "at-bat", *arguments, "--json")
    assert answer.code == 0, answer.err
    found: dict[str, object] = answer.json
    return found


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        # the worked examples, in their order
        (
            ["--bat", "hot-blood*4", "--pitch", "technique*2", "--student", "--hit-bases", "1"],
            {"margin": 2},
        ),
        (
            ["--bat", "genius*3", "--pitch", "天才*5", "--student", "--hit-bases", "1"],
            {"margin": 3},
        ),
        (["--bat", "hot-blood*2", "--pitch", "genius*2"], {"margin": 0, "result": "out"}),
        (["--batting", "5", "--margin", "2", "--fielding", "7"], {"result": "caught", "outs": 1}),
        (
            ["--batting", "5", "--margin", "3", "--fielding", "7", "--bonus", "1"],
            {"result": "caught"},
        ),
        (
            ["--batting", "1", "--margin", "1", "--student", "--hit-bases", "1"],
            {"result": "hit", "bases": "1-0-0"},
        ),
        (
            ["--margin", "3", "--student", "--hit-bases", "2", "--bases", "1-0-1"],
            {"bases": "0-1-1", "runs": 1},
        ),
        (
            ["--margin", "3", "--student", "--hit-bases", "4", "--bases", "1-1-1"],
            {"bases": "0-0-0", "runs": 4},
        ),
        (["--walk", "--bases", "1-1-0"], {"result": "walk", "bases": "1-1-1", "runs": 0}),
        (["--walk", "--bases", "0-1-0"], {"bases": "1-1-0", "runs": 0}),
        (["--walk", "--bases", "1-1-1"], {"bases": "1-1-1", "runs": 1}),
        (
            [
                *("--margin", "1", "--student", "--hit-bases", "1"),
                *("--bases", "1-1-0", "--extra", "first:2"),
            ],
            {"bases": "1-1-1", "runs": 0},
        ),
    ],
)
def test_the_worked_examples(arguments: list[str], expected: dict[str, object]) -> None:
    found = at_bat(*arguments)
    assert {key: found[key] for key in expected} == expected


def test_b1_a_two_base_hit_with_a_runner_on_first() -> None:
    assert advance(("A", None, None), "B", 2) == ((None, "B", "A"), ())


def test_b2_three_outs_clear_the_bases_and_count_who_is_left() -> None:
    found = at_bat("--margin", "0", "--outs", "2", "--bases", "1-0-1")
    assert found["half_over"] and found["left_on_base"] == 2 and found["bases"] == "0-0-0"


def test_un_6_a_batter_with_a_row_0_hits_at_margin_0() -> None:
    flags = ("--margin", "0", "--student", "--hit-bases", "1")
    assert at_bat(*flags, "--zero-row")["result"] == "hit"
    assert at_bat(*flags)["result"] == "out"


@given(st.sampled_from(Power), st.integers(0, 9), st.sampled_from(Power), st.integers(0, 9))
def test_un_6_the_same_colour_makes_the_pitchers_power_0(
    a: Power, m: int, b: Power, n: int
) -> None:
    bat, pitch = (Laid(power, count) for power, count in ((a, m), (b, n)))
    assert margin_of(bat, pitch) == (m if a == b else m - n)


def test_un_8_every_catch_by_counting() -> None:
    for batting, margin, fielding, bonus in itertools.product(
        range(8), range(5), range(9), range(4)
    ):
        reach = sum(1 for _ in range(fielding)) + sum(1 for _ in range(bonus))
        needed = len([*range(batting), *range(margin)])
        assert is_caught(batting, margin, fielding, bonus) is (needed <= reach)
        assert not is_caught(batting, margin, fielding, bonus, student=True)


@pytest.mark.parametrize("bases", ALL_BASES)
def test_un_5_a_walk_never_moves_an_unforced_runner(bases: Bases) -> None:
    after, home = walk(bases, BATTER)
    assert after[0] == BATTER
    assert on(after) + len(home) == on(bases) + 1
    if bases[0] is None:
        assert after[1:] == bases[1:]
    elif bases[1] is None:
        assert after[2] == bases[2]


@pytest.mark.parametrize("bases", ALL_BASES)
@pytest.mark.parametrize("hit", [1, 2, 3, 4])
def test_un_9_without_abilities_everybody_moves_just_the_hit(bases: Bases, hit: int) -> None:
    places = {BATTER: hit} | {who: n + hit for n, who in enumerate(bases, 1) if who}
    after, home = advance(bases, BATTER, hit)
    assert {who: n for n, who in enumerate(after, 1) if who} == {
        who: place for who, place in places.items() if place < 4
    }
    assert set(home) == {who for who, place in places.items() if place >= 4}


@given(
    st.sampled_from(ALL_BASES),
    st.integers(1, 4),
    st.dictionaries(st.sampled_from([BATTER, "first", "second", "third"]), st.integers(1, 3)),
)
def test_un_9_nobody_is_lost_shares_a_base_or_falls_behind_the_hit(
    bases: Bases, hit: int, extra: dict[str, int]
) -> None:
    after, home = advance(bases, BATTER, hit, extra)
    everybody = [who for who in (*after, *home) if who]
    assert sorted(everybody) == sorted([BATTER, *(who for who in bases if who)])
    # the order of the runners stays
    order = [*home, *(who for who in reversed(after) if who)]
    assert order == [*(who for who in reversed(bases) if who), BATTER]
    plain, plain_home = advance(bases, BATTER, hit)
    assert len(home) >= len(plain_home) and on(plain) >= on(after)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--bat", "geniu*3", "--pitch", "none"], "did you mean 'genius'?"),
        (["--bat", "genius*99", "--pitch", "none"], "there are 14"),
        (["--bat", "genius*3"], "needs --bat and --pitch"),
        (["--margin", "3"], "needs --batting and --fielding"),
        (["--margin", "3", "--student"], "--hit-bases says how far"),
        (["--margin", "3", "--bat", "genius"], "instead of"),
        (["--walk", "--margin", "3"], "there is no duel"),
        (["--walk", "--bases", "1-2-0"], "write first-second-third"),
        (
            ["--margin", "1", "--student", "--hit-bases", "1", "--extra", "fourth:1"],
            "write batter, first",
        ),
    ],
)
def test_what_is_missing_or_wrong_is_named(arguments: list[str], says: str) -> None:
    answer = run("unlimited-nine", "at-bat", *arguments)
    assert answer.code == 2 and says in answer.err and not answer.out


def test_cards_and_bases_are_typed_as_people_say_them() -> None:
    assert parse_cards("熱血×4") == parse_cards("Hot blood*4") == Laid(Power.HOT_BLOOD, 4)
    assert parse_cards("none") == parse_cards("技巧*0")
    assert bases_text(parse_bases("1-0-1")) == "1-0-1"
