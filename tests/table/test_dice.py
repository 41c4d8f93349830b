"""Dice: D1–D5, GO-2's percentile roll, and odds against brute force and another library."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import UsageError
from companion.table.dice import Percentile, RolledDice, TypedDice, parse_faces, succeeds
from companion.table.expressions import parse, roll
from companion.table.odds import odds
from tests.conftest import run


@pytest.mark.parametrize(
    ("tens", "units", "value"), [(0, 2, 2), (0, 9, 9), (0, 0, 100), (90, 0, 90), (40, 7, 47)]
)
def test_d1_tens_and_units(tens: int, units: int, value: int) -> None:
    assert Percentile(tens, units).value() == value
    assert run("roll", "--dice", f"{tens:02},{units}", "--json").json["total"] == value


@pytest.mark.parametrize(("double_zero", "first"), [(100, 1), (0, 0)])
def test_d1_go_2_all_100_faces_are_a_bijection(double_zero: int, first: int) -> None:
    values = [Percentile(10 * t, u).value(double_zero) for t in range(10) for u in range(10)]
    assert sorted(values) == list(range(first, first + 100))


@pytest.mark.parametrize("value", [0, 1, 45, 99, 100])
def test_go_2_a_value_succeeds_in_exactly_so_many_of_100(value: int) -> None:
    rolls = [Percentile(10 * t, u).value() for t in range(10) for u in range(10)]
    assert sum(succeeds([r], value) for r in rolls) == value
    assert sum(succeeds([r], value, under=True) for r in rolls) == max(0, value - 1)


def test_d2_the_same_dice_written_differently() -> None:
    assert parse("1D20") == parse("1d20")
    assert (
        run("odds", "d6", "--json").json["chances"] == run("odds", "1d6", "--json").json["chances"]
    )
    assert odds("d%").weights == odds("d100").weights


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("2d6 & 3", 5),
        ("2d6**2", 5),
        ("2d", 3),
        ("d0", 1),
        ("4d6kh5", 4),
        ("(2d6", 5),
        ("2d6)", 4),
        ("", 1),
        ("1d1!", 4),
        ("3d6dh3", 4),
        ("9999d6", 1),
        ("١d6", 1),
    ],
)
def test_d2_a_fault_points_at_its_column_and_nothing_is_rolled(text: str, column: int) -> None:
    with pytest.raises(UsageError, match=rf"column {column}:"):
        parse(text)
    if text:
        answer = run("roll", "--", text)
        assert answer.code == 2 and answer.out == ""


def test_d3_without_a_seed_processes_do_not_agree() -> None:
    command = [sys.executable, "-m", "companion", "roll", "--json"]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(20)]
    assert len({p.communicate()[0] for p in processes}) > 1


def test_d3_a_seed_gives_the_same_three_rolls_in_every_new_session(tmp_path: Path) -> None:
    def three(session: str) -> list[int]:
        store = str(tmp_path / "s.sqlite")
        options = ["--seed", "friday", "--session", session, "--store", store, "--json"]
        return [run("roll", *options).json["total"] for _ in range(3)]

    first, second = three("one"), three("two")
    assert first == second
    assert len(set(first)) > 1


def test_d4_best_of_and_least() -> None:
    assert odds("2d20kh1").mean == Fraction(553, 40)
    assert odds("d20").best_of(2).mean == Fraction(553, 40)
    assert odds("3d12-4").least == -1


def test_d5_typed_dice_mean_the_same() -> None:
    answer = run("roll", "2d6+1", "--dice", "3,5", "--json").json
    assert answer["total"] == 9
    assert {d["origin"] for d in answer["thrown"][0]["dice"]} == {"typed"}
    assert run("roll", "d10", "--dice", "0", "--json").json["total"] == 10


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--dice", "40"], "too few"),
        (["--dice", "40,7,3"], "3 dice were typed in, 2 are needed"),
        (["--dice", "45,7"], "no face of the tens die"),
        (["--dice", "40,12"], "no face of the units die"),
        (["d6", "--dice", "7"], "no face of a d6"),
        (["d6", "--dice", "0"], "no face of a d6"),
        (["--dice", "4x"], "no die face"),
    ],
)
def test_d5_wrong_dice_are_an_error_before_anything_is_recorded(
    arguments: list[str], message: str, tmp_path: Path
) -> None:
    store = ["--session", "a", "--store", str(tmp_path / "s.sqlite")]
    answer = run("roll", *arguments, *store)
    assert answer.code == 2 and message in answer.err
    events = run("session", "list", "--store", str(tmp_path / "s.sqlite"), "--json").json
    assert all(session["events"] == 0 for session in events["sessions"])


def test_d5_dice_are_asked_for_until_a_face_exists() -> None:
    answer = run("roll", "--ask", "--at-most", "50", "--json", stdin="45\n40\nx\n7\n")
    assert answer.code == 0
    # the test runner echoes what is typed, as a terminal would
    found = json.loads(answer.out[answer.out.index("{") :])
    assert found["total"] == 47 and found["success"] is True
    assert "no face of the tens die" in answer.err


@pytest.mark.parametrize(
    ("dice", "options", "success"),
    [
        ("40,5,90,0", ["--tries", "2", "--at-most", "45"], True),
        ("40,5,90,0", ["--tries", "2", "--at-most", "45", "--all"], False),
        ("40,5", ["--under", "45"], False),
        ("40,4", ["--under", "45"], True),
        ("0,0", ["--at-most", "99"], False),
        # GO-2: a value of 0 never succeeds, one of 100 always does
        ("0,0", ["--at-most", "0", "--double-zero", "0"], False),
        ("0,0", ["--under", "100"], True),
    ],
)
def test_tries_under_and_all(dice: str, options: list[str], success: bool) -> None:
    assert run("roll", "--dice", dice, *options, "--json").json["success"] is success


def test_a_contest_is_the_defenders_at_or_above() -> None:
    for dice, winner in (("40,5,40,5", "defender"), ("40,5,40,4", "attacker")):
        answer = run("roll", "--versus", "--dice", dice, "--json").json
        assert answer["contest"]["winner"] == winner


EXPRESSIONS = [
    "2d6+1",
    "4d6kh3",
    "4d6dl1",
    "5d4kl2",
    "3d6dh1",
    "d%",
    "2d3*2-d4",
    "(d4-1)*3",
    "-d6+2",
    "2d6*2d4",
    "3d12-4",
]


def literal(text: str) -> Counter[int]:
    """Brute force: throw every combination of faces through the roller itself."""
    sides: list[int] = []

    class Recorder:
        def die(self, count: int, what: str) -> object:
            sides.append(count)
            return TypedDice([1]).die(count, what)

    tree = parse(text)
    roll(tree, Recorder())  # type: ignore[arg-type]
    counts: Counter[int] = Counter()
    for faces in itertools.product(*(range(1, s + 1) for s in sides)):
        counts[roll(tree, TypedDice(faces)).total] += 1
    return counts


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_odds_agree_with_brute_force(text: str) -> None:
    counts = literal(text)
    total = sum(counts.values())
    found = odds(text)
    assert {r: found.chance(r) for r in found.weights} == {
        r: Fraction(c, total) for r, c in counts.items()
    }


@given(st.integers(1, 8), st.integers(1, 12), st.data())
def test_odds_agree_with_another_library(count: int, sides: int, data: st.DataObject) -> None:
    keep = data.draw(st.integers(1, count))
    for word, pool in (
        ("kh", icepool.d(sides).highest(count, keep)),
        ("kl", icepool.d(sides).lowest(count, keep)),
    ):
        found = odds(f"{count}d{sides}{word}{keep}")
        assert {r: found.chance(r) for r in found.weights} == {
            r: pool.probability(r) for r in pool.outcomes()
        }


@given(st.sampled_from(EXPRESSIONS), st.sampled_from(EXPRESSIONS), st.integers(1, 4))
def test_versus_and_best_of_add_up(one: str, other: str, count: int) -> None:
    first, second = odds(one), odds(other)
    assert sum(first.versus(second)) == 1
    assert first.versus(second)[0] == second.versus(first)[2]
    best = first.best_of(count)
    for value in first.weights:
        assert best.at_most(value) == first.at_most(value) ** count
    worst = first.worst_of(count)
    for value in first.weights:
        assert worst.at_least(value) == first.at_least(value) ** count


def test_odds_command_answers_exact_fractions() -> None:
    answer = run("odds", "d100", "--at-most", "45", "--versus", "d100", "--json").json
    assert answer["at_most"] == {"num": 9, "den": 20, "approx": 0.45}
    assert answer["versus"]["higher"] == {"num": 99, "den": 200, "approx": 0.495}
    assert "expected 7\n" in run("odds", "2d6").out


def test_odds_that_cannot_be_listed_are_refused() -> None:
    for text in ("3d6!", "1000d1000000", "400d999kh200"):
        answer = run("odds", text)
        assert answer.code == 2 and answer.out == ""


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_odds_plot(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"plot.{suffix}"
    assert run("odds", "2d6", "--plot", str(path)).code == 0
    start = path.read_bytes()[:200]
    assert start.startswith(b"\x89PNG") if suffix == "png" else b"<?xml" in start
    assert run("odds", "2d6", "--plot", str(tmp_path / "plot.gif")).code == 2


def test_exploding_dice_explode() -> None:
    assert roll(parse("2d6!"), TypedDice([6, 6, 2, 3])).total == 17


def test_seeded_rolls_cover_all_faces_evenly() -> None:
    """Not a proof of randomness: a check that no face is out of reach."""
    rolls = Counter(RolledDice.seeded("x", i).percentile("").value() for i in range(5000))
    assert set(rolls) == set(range(1, 101))


def test_faces_are_typed_with_commas_or_blanks() -> None:
    assert parse_faces("40,7") == parse_faces("40 7") == [40, 7]
