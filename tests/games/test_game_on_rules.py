"""Game On's score calculator: the worked examples, GO-2 … GO-11, a literal twin, illegal plays."""

from __future__ import annotations

import csv
import itertools
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.errors import IllegalPlay
from companion.games.game_on.advise import (
    Hand,
    advise_attack,
    advise_defence,
    attack_plans,
    parse_hand,
)
from companion.games.game_on.cards import (
    ATTACK_SKILLS,
    ATTACKS,
    DEFENCE_SKILLS,
    DEFENCES,
    OTHERS,
    Attack,
    Defence,
    Zone,
)
from companion.games.game_on.house import House, parse_house
from companion.games.game_on.plans import (
    AttackPlan,
    DefencePlan,
    Foul,
    check_attack,
    check_defence,
    parse_attack,
    parse_defence,
)
from companion.games.game_on.resolver import play, resolve
from companion.shipped import CARDSETS
from companion.table.dice import TypedDice
from tests.conftest import run

HOUSE = House()


def attack(*cards: str, skills: Sequence[str] = ()) -> AttackPlan:
    return parse_attack(cards, skills)


def fight(plan: AttackPlan, *defences: str, house: House = HOUSE) -> Any:
    return resolve(plan, [parse_defence(text) for text in defences], None, house)


WORKED: list[tuple[AttackPlan, list[str], list[int], int, Fraction]] = [
    (attack("three-pointer:45"), [], [45], 1, Fraction(45, 100)),
    (attack("three-pointer:45", skills=["sniper"]), ["shot-defence"], [45], 1, Fraction(45, 100)),
    (attack("layup:55", "layup:60"), [], [70, 70], 1, Fraction(91, 100)),
    (
        attack("layup:55", "layup:60", skills=["athlete"]),
        ["paint-defence"],
        [65, 80],
        1,
        Fraction(93, 100),
    ),
    (attack("dunk:70"), ["ultimate-defence*2"], [35], 2, Fraction(1225, 10000)),
    (
        attack("dunk:70", skills=["drive-finisher"]),
        ["ultimate-defence*2", "paint-defence+pillar"],
        [70],
        1,
        Fraction(70, 100),
    ),
    (attack("mid-range:50"), ["block"], [35], 1, Fraction(17325, 100000)),
    (attack("post-up:55"), ["paint-defence+eraser"], [15], 1, Fraction(6, 100)),
    (attack("dunk:70"), ["ultimate-defence+lockdown"], [10], 1, Fraction(10, 100)),
    (
        attack("mid-range:45", "mid-range:50"),
        ["shot-defence*2"],
        [40, 40],
        2,
        Fraction(2944, 10000),
    ),
]


@pytest.mark.parametrize(("plan", "defences", "values", "rolls", "chance"), WORKED)
def test_the_ten_worked_examples(
    plan: AttackPlan, defences: list[str], values: list[int], rolls: int, chance: Fraction
) -> None:
    found = fight(plan, *defences)
    assert list(found.values) == values
    assert found.rolls_per_try == rolls
    assert found.chance == chance


def test_go_1_the_rules_know_the_cards_that_are_printed() -> None:
    """Names, kinds, stamina, points, copies and penalties agree with the card set."""
    printed: dict[str, dict[str, Any]] = {}
    for name in ("attack-defence.csv", "all-round.csv"):
        with (CARDSETS / "game-on" / name).open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream):
                base = row["id"].rsplit("-", 1)[0] if row["value"] else row["id"]
                entry = printed.setdefault(base, {**row, "count": 0})
                entry["count"] += int(row["count"])
    cards = [*ATTACKS, *DEFENCES, *ATTACK_SKILLS, *DEFENCE_SKILLS, *OTHERS]
    assert {card.id for card in cards} == set(printed)
    for card in cards:
        row = printed[card.id]
        assert (card.zh, card.en, card.copies) == (row["name@zh-TW"], row["name@en"], row["count"])
        if isinstance(card, Attack | Defence):
            assert card.stamina == int(row["stamina"])
        if isinstance(card, Attack):
            assert card.points == int(row["points"])
            assert (card.zone is Zone.PAINT) == (row["zone"] == "paint")
        if isinstance(card, Defence):
            assert row["hero"] == f"–{card.penalty}"
            zones = {"paint": {Zone.PAINT}, "outside": {Zone.SHOT}, "any": set(Zone)}
            assert set(card.against) == zones[row["zone"]]
    for skill in DEFENCE_SKILLS:
        cost = printed[skill.id]["cost"]
        assert cost == ("n" if skill.cost is None else str(skill.cost))


def test_go_2_boundary_and_double_zero() -> None:
    assert HOUSE.chance(45) == Fraction(45, 100)
    assert HOUSE.chance(0) == HOUSE.chance(-5) == 0
    assert HOUSE.chance(100) == HOUSE.chance(130) == 1
    assert House(boundary="under").chance(45) == Fraction(44, 100)
    assert House(double_zero=0).chance(45) == Fraction(46, 100)


@given(st.integers(-20, 120), st.sampled_from([0, 100]), st.sampled_from(["at-most", "under"]))
def test_go_2_the_chance_is_the_count_of_rolls_that_succeed(
    value: int, double_zero: int, boundary: str
) -> None:
    house = House(double_zero=double_zero, boundary=boundary)
    rolls = range(1, 101) if double_zero else range(100)
    hits = sum(house.succeeds(roll, value) for roll in rolls)
    assert house.chance(value) == Fraction(hits, 100)


def test_go_3_a_skill_that_fits_nothing_is_named() -> None:
    with pytest.raises(IllegalPlay, match=r"sniper.*does not fit dunk.*three-pointer.*GO-3"):
        attack("dunk:70", skills=["sniper"])
    with pytest.raises(IllegalPlay, match="cards of one name"):
        attack("dunk:70", "layup:55")
    with pytest.raises(IllegalPlay, match="stands twice"):
        attack("dunk:70", skills=["dunk-master", "灌籃高手"])


@pytest.mark.parametrize(
    ("defence", "message"),
    [
        ("shot-defence", "restricted to shot attacks.*paint-defence"),
        ("block*2", "may not be doubled"),
        ("charge*2", "may not be doubled"),
        ("paint-defence*2+pillar", "takes no skill"),
        ("paint-defence+pillar:2", "costs 3 stamina, 2 is paid"),
        ("paint-defence+versatile:0", "costs 1 stamina, 0 is paid"),
        ("pillar", "needs a defence card beside it"),
        ("paint-defence+eraser@1", "lowers every try"),
        ("paint-defence@2", "has 1 tries"),
    ],
)
def test_go_5_illegal_defences_name_the_rule(defence: str, message: str) -> None:
    with pytest.raises(IllegalPlay, match=f"{message}.*GO-"):
        fight(attack("dunk:70"), defence)


def test_go_5_restricted_cards_against_shots() -> None:
    for defence in ("paint-defence", "charge", "shot-defence+foul-drawer"):
        with pytest.raises(IllegalPlay, match="GO-5"):
            fight(attack("mid-range:50"), defence)


def test_go_4_go_6_several_defenders_add_up() -> None:
    found = fight(attack("dunk:70"), "paint-defence", "ultimate-defence*2", "paint-defence*2")
    assert found.values == (70 - 15 - 35 - 25,)
    assert found.rolls_per_try == 3


def test_go_6_lockdown_never_raises_a_lower_value() -> None:
    assert fight(attack("dunk:30"), "ultimate-defence+lockdown").values == (5,)


def test_go_7_hurdles_come_first_in_the_defenders_order() -> None:
    found = fight(attack("dunk:70"), "paint-defence+eraser", "block", "charge+foul-drawer")
    assert [h.name.split()[0] for h in found.hurdles] == [
        "eraser",
        "block",
        "charge",
        "foul-drawer",
    ]
    # the eraser's 60 voids it: no further die is thrown
    result = play(found, TypedDice([60, 0]))
    assert result.void is not None and result.void.startswith("eraser") and len(result.rolls) == 1


@pytest.mark.parametrize(
    ("card", "value", "thrown", "points", "throws"),
    [
        ("dunk:70", 35, "30,5", 2, 1),
        ("dunk:70", 35, "30,6", 0, 2),
        ("mid-range:50", 30, "30,1", 0, 2),
        ("three-pointer:45", 25, "20,5", 3, 1),
        ("three-pointer:45", 25, "20,6", 0, 3),
    ],
)
def test_go_8_a_personal_foul_clears_everything_and_gives_free_throws(
    card: str, value: int, thrown: str, points: int, throws: int
) -> None:
    answer = run(
        *("game-on", "attack", "--attack", card, "--defence", "block"),
        *("--foul", "75", "--dice", thrown, "--json"),
    ).json
    assert answer["values"] == [value] and answer["before"] == []
    outcome = answer["outcome"]
    assert (outcome["points"], outcome["free_throws"]) == (points, throws)
    assert outcome["free_throw_value"] == 75


def test_go_8_who_may_call_it() -> None:
    plan = attack("dunk:70")
    with pytest.raises(IllegalPlay, match="GO-8"):
        resolve(plan, (), Foul(70, by_attacker=True), HOUSE)
    assert resolve(plan, (), Foul(70, by_attacker=False), HOUSE).values == (35,)
    double = attack("layup:55", "layup:60")
    assert resolve(double, (), Foul(70, False), HOUSE).values == (35, 35)
    plain = House(foul_keeps_double_bonus=False)
    assert resolve(double, (), Foul(70, False), plain).values == (25, 25)


def test_house_rules() -> None:
    house = parse_house(["single_target=2", "skill-needs-card=false", "boundary=under"])
    assert fight(attack("layup:55", "layup:60"), "paint-defence", house=house).values == (70, 55)
    assert fight(attack("dunk:70"), "pillar", house=house).values == (20,)
    shots_only = parse_house(["ultimate_defence_applies_to=shot"])
    with pytest.raises(IllegalPlay, match="restricted to shot attacks"):
        fight(attack("dunk:70"), "ultimate-defence", house=shots_only)
    answer = run("game-on", "attack", "--attack", "dunk:70", "--house", "boundry=under")
    assert answer.code == 2 and "did you mean 'boundary'?" in answer.err


def test_a_named_try_is_lowered() -> None:
    assert fight(attack("layup:55", "layup:60"), "paint-defence@2").values == (70, 55)


# a literal twin: the rules read again from docs/rules/game-on.md, dice counted one by one

ROLLS = range(1, 101)


def counted(value: int, times: int) -> Fraction:
    """All of `times` rolls at or under `value`, by counting the results of one die pair."""
    hits = sum(1 for roll in ROLLS if roll <= value)
    return Fraction(hits, 100) ** times


CONTESTS_WON = Fraction(sum(1 for a, d in itertools.product(ROLLS, ROLLS) if a > d), 10_000)
VOIDED = Fraction(sum(1 for roll in ROLLS if roll <= 60), 100)


def twin(plan: AttackPlan, defences: Sequence[DefencePlan], foul: Foul | None) -> Fraction:
    tries = len(plan.values)
    value = max(plan.values) + 10 * (tries - 1)
    paint = plan.card.zone is Zone.PAINT
    if foul:
        value -= 35 if paint else 20
        miss = Fraction(1)
        for _ in range(tries):
            miss *= 1 - counted(value, 1)
        return 1 - miss
    value += sum(10 for s in plan.skills if not s.nullifies)
    taken = [0] * tries
    rolls, cap, alive = 1, 10_000, Fraction(1)
    if any(s.nullifies for s in plan.skills):
        defences = ()
    for defence in defences:
        card = defence.card
        assert card
        penalty = {
            "paint-defence": 15,
            "shot-defence": 10,
            "charge": 20,
            "ultimate-defence": 25,
            "block": 15,
        }[card.id]
        if card.id in ("charge", "block"):
            alive *= CONTESTS_WON
            taken = [t + penalty for t in taken]
        elif defence.copies > 1:
            taken = [t + penalty + 10 * (defence.copies - 1) for t in taken]
            rolls += defence.copies - 1
        elif defence.skill is None:
            taken[(defence.target or 1) - 1] += penalty
        else:
            taken = [t + penalty for t in taken]
        if defence.skill:
            extra = 0
            match defence.skill.id:
                case "pillar":
                    extra = 50 if paint else 30
                case "eraser":
                    alive *= 1 - VOIDED
                    extra = 25
                case "foul-drawer":
                    alive *= 1 - VOIDED
                    extra = 30
                case "versatile":
                    extra = 10 * defence.paid
                case "lockdown":
                    cap = 10
            taken = [t + extra for t in taken]
    miss = Fraction(1)
    for t in taken:
        miss *= 1 - counted(min(value - t, cap), rolls)
    return alive * (1 - miss)


@st.composite
def attacks(draw: st.DrawFn) -> AttackPlan:
    card = draw(st.sampled_from(ATTACKS))
    values = draw(st.lists(st.integers(1, 100), min_size=1, max_size=card.copies))
    fitting = [s for s in ATTACK_SKILLS if card.id in s.fits]
    skills = draw(st.lists(st.sampled_from(fitting), unique_by=lambda s: s.id, max_size=3))
    plan = AttackPlan(card, tuple(values), tuple(skills))
    check_attack(plan)
    return plan


@st.composite
def defences_against(draw: st.DrawFn, plan: AttackPlan) -> DefencePlan:
    card = draw(st.sampled_from([d for d in DEFENCES if plan.card.zone in d.against]))
    kind = draw(st.sampled_from(["normal", "double", "combined"]))
    if kind == "double" and not card.contest:
        return DefencePlan(card, draw(st.integers(2, card.copies)))
    if kind == "combined":
        skill = draw(st.sampled_from([s for s in DEFENCE_SKILLS if plan.card.zone in s.against]))
        paid = skill.cost if skill.cost else draw(st.integers(1, 9))
        return DefencePlan(card, 1, skill, paid)
    target = None if card.contest else draw(st.none() | st.integers(1, plan.tries))
    return DefencePlan(card, target=target)


@settings(max_examples=500)
@given(st.data())
def test_the_resolver_agrees_with_a_literal_twin_on_random_legal_plays(data: st.DataObject) -> None:
    plan = data.draw(attacks())
    defences = data.draw(st.lists(defences_against(plan), max_size=4))
    used = Counter(d.card for d in defences for _ in range(d.copies))
    skills = Counter(d.skill for d in defences if d.skill)
    assume(all(n <= card.copies for card, n in (*used.items(), *skills.items()) if card))
    foul = data.draw(st.none() | st.builds(Foul, st.integers(1, 100), st.just(value=False)))
    for defence in defences:
        check_defence(defence, plan, HOUSE)
    assert resolve(plan, defences, foul, HOUSE).chance == twin(plan, defences, foul)


@pytest.mark.parametrize(
    ("plans", "says"),
    [
        (["shot-defence*0"], "there are 4"),
        (["shot-defence*9"], "there are 4"),
        (["ultimate-defence*2", "ultimate-defence*2"], "4 ultimate-defence cards are played"),
        (["block+lockdown", "shot-defence+lockdown"], "2 lockdown cards are played"),
        (["shot-defence@0"], "the attack has 1 tries"),
        (["shot-defence:3"], "takes no number"),
    ],
)
def test_go_1_nobody_plays_more_cards_than_there_are(plans: list[str], says: str) -> None:
    options = [part for plan in plans for part in ("--defence", plan)]
    answer = run("game-on", "attack", "--attack", "three-pointer:45", *options)
    assert answer.code in (2, 4) and says in answer.err


def test_versatile_can_be_played_alone_where_the_house_allows_it() -> None:
    options = ("--house", "skill_needs_card=false", "--defence", "versatile:3", "--json")
    answer = run("game-on", "attack", "--attack", "mid-range:45", *options)
    assert answer.json["values"] == [15]


def test_rolling_it_through_agrees_with_the_chance_over_every_result() -> None:
    """Every dice result of a void roll and a two-roll try, thrown literally."""
    found = fight(attack("dunk:70"), "ultimate-defence*2", "paint-defence+eraser")
    steps = range(1, 101, 9)  # a sample of faces, weighted below by how many results they stand for
    scored = Fraction(0)
    for first, second, third in itertools.product(steps, steps, steps):
        faces = [f for roll in (first, second, third) for f in ((roll // 10 * 10) % 100, roll % 10)]
        result = play(found, _Patient(faces))
        void = first <= 60
        expected = not void and second <= found.values[0] and third <= found.values[0]
        assert result.scored is expected
        scored += result.scored
    assert scored == 0 or found.chance > 0


class _Patient(TypedDice):
    """Typed dice of which some may stay unused."""


@pytest.mark.parametrize("value", [1, 35, 99, 100])
def test_every_result_of_a_single_try_is_counted(value: int) -> None:
    found = fight(attack(f"dunk:{value}"))
    hits = sum(
        play(found, TypedDice([tens, units])).scored
        for tens in range(0, 100, 10)
        for units in range(10)
    )
    assert Fraction(hits, 100) == found.chance


# advice


def test_advice_for_the_defence_is_complete_and_best_first() -> None:
    hand = parse_hand("block,eraser,mid-range:50,paint-defence,ultimate-defence,ultimate-defence")
    plan = attack("dunk:70")
    found = advise_defence(hand, plan, (), HOUSE)
    chances = [entry.chance for entry in found]
    assert chances == sorted(chances)
    plans = {str(entry.plan) for entry in found}
    assert {"block", "paint-defence", "ultimate-defence", "ultimate-defence*2"} <= plans
    assert {"block+eraser:2", "paint-defence+eraser:2", "ultimate-defence+eraser:2"} <= plans
    assert len(plans) == len(found) == 7
    best = found[0]
    assert str(best.plan) == "block+eraser:2"
    assert best.paid_with == ("mid-range",) and best.burnt == 5 + 2


def test_advice_never_pays_with_a_card_that_is_played() -> None:
    hand = parse_hand("block,eraser")
    assert [str(e.plan) for e in advise_defence(hand, attack("dunk:70"), (), HOUSE)] == ["block"]


@st.composite
def hands(draw: st.DrawFn) -> Hand:
    attack_cards = draw(
        st.lists(st.tuples(st.sampled_from(ATTACKS), st.integers(1, 100)), max_size=3)
    )
    skills = draw(st.lists(st.sampled_from(ATTACK_SKILLS), unique_by=lambda s: s.id, max_size=2))
    defences = draw(st.lists(st.sampled_from(DEFENCES), max_size=3))
    defence_skills = draw(st.lists(st.sampled_from(DEFENCE_SKILLS), max_size=2))
    held = Counter([*(card for card, _ in attack_cards), *defences, *defence_skills])
    assume(all(count <= card.copies for card, count in held.items()))
    return Hand(tuple(attack_cards), tuple(skills), tuple(defences), tuple(defence_skills))


@settings(max_examples=60)
@given(hands(), attacks())
def test_advised_plays_are_legal_payable_and_exact(hand: Hand, plan: AttackPlan) -> None:
    for entry in advise_defence(hand, plan, (), HOUSE):
        check_defence(entry.plan, plan, HOUSE)
        assert entry.chance == twin(plan, [entry.plan], None)
        purse = [card.id for card, _ in hand.attacks] + [card.id for card in hand.defences]
        used = [
            *entry.paid_with,
            *([entry.plan.card.id] * entry.plan.copies if entry.plan.card else []),
        ]
        assert all(used.count(name) <= purse.count(name) for name in used)
        if entry.plan.skill:
            stamina = {card.id: card.stamina for card in (*ATTACKS, *DEFENCES)}
            assert sum(stamina[name] for name in entry.paid_with) >= entry.plan.paid


@settings(max_examples=40)
@given(hands(), hands())
def test_advised_attacks_expect_the_worst_reply(hand: Hand, other: Hand) -> None:
    assume(hand.attacks)
    found = advise_attack(hand, other, HOUSE)
    assert len(found) == len(list(attack_plans(hand)))
    for entry in found:
        replies = advise_defence(other, entry.plan, (), HOUSE)
        lowest = min([entry.chance, *(reply.chance for reply in replies)])
        assert entry.reply_chance == lowest
    expected = [entry.expected for entry in found]
    assert expected == sorted(expected, reverse=True)


# commands


def test_a_real_hand_may_hold_cards_that_neither_attack_nor_defend() -> None:
    hand = "dunk:70%,rebound,戰術增強,sniper"
    plays = run("game-on", "advise", "attack", "--hand", hand, "--json").json["plays"]
    assert [play["attack"] for play in plays] == [["dunk:70"]]


def test_the_command_answers_in_json_with_chinese_names() -> None:
    answer = run(
        *("game-on", "attack", "--attack", "三分跳投:45", "--skill", "遠程狙擊手"),
        *("--defence", "投籃防守", "--json"),
    ).json
    assert answer["values"] == [45] and answer["rolls_per_try"] == 1
    assert answer["chance"] == {"num": 9, "den": 20, "approx": 0.45}
    assert answer["outcome"] is None
    assert "+10 sniper 遠程狙擊手" in answer["steps"]


def test_typed_dice_too_many_or_too_few() -> None:
    base = ("game-on", "attack", "--attack", "dunk:70")
    assert run(*base, "--dice", "30").code == 2
    assert "4 dice were typed in, 2 are needed" in run(*base, "--dice", "30,1,30,1").err
    assert run(*base, "--dice", "30,1", "--json").json["outcome"]["scored"] is True


def test_dice_are_asked_for_in_order() -> None:
    answer = run(
        *("game-on", "attack", "--attack", "mid-range:50", "--defence", "block", "--ask"),
        stdin="90\n0\n10\n0\n30\n5\n",
    )
    asked = [line for line in answer.err.splitlines() if "die" in line]
    assert "attacker" in answer.err and answer.code == 0, asked
    assert "2 points" in answer.out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--attack", "dunk"], 2, "needs its printed value: dunk:45"),
        (["--attack", "dnk:70"], 2, "did you mean 'dunk'?"),
        (["--attack", "dunk:0"], 2, "from 1 to 100"),
        (["--attack", "dunk:70", "--defence", "blok"], 2, "did you mean 'block'?"),
        (["--attack", "dunk:70", "--defence", "block+pilar"], 2, "did you mean 'pillar'?"),
        (["--attack", "dunk:70", "--defence", "block+versatile"], 2, "versatile:3"),
        (["--attack", "dunk:70", "--defence", "*"], 2, "is no defence"),
        (["--attack", "dunk:70", "--defence", "shot-defence"], 4, "GO-5"),
        (["--attack", "dunk:70", "--foul", "70", "--foul-by", "attacker"], 4, "GO-8"),
        (["--attack", "dunk:70", "--foul-by", "attacker"], 2, "--foul"),
    ],
)
def test_faults_are_one_line_with_their_code(arguments: list[str], code: int, message: str) -> None:
    answer = run("game-on", "attack", *arguments)
    assert answer.code == code and message in answer.err and answer.err.count("\n") == 1
    assert answer.out == ""


def test_advise_commands() -> None:
    shown = run(
        *("game-on", "advise", "defence", "--attack", "dunk:70"), *("--hand", "block,eraser,layup")
    )
    assert shown.out.splitlines()[0].strip().startswith("5.94%  block+eraser:2")
    assert "70%  nothing" in shown.out
    answer = run(
        *("game-on", "advise", "attack", "--hand", "dunk:70,dunk:65,drive-finisher"),
        *("--against", "block", "--json"),
    ).json
    assert answer["plays"][0]["skills"] == ["drive-finisher"]
    assert answer["plays"][0]["attack"] == ["dunk:70", "dunk:65"]
