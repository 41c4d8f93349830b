"""The score calculator: from plans to values, exact chance, reasons, and with dice to the result.

Pure arithmetic over `Fraction`; dice come from a source that the caller gives (GO-2, GO-4 … GO-8).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from companion.games.game_on.cards import PERSONAL_FOUL, Zone
from companion.games.game_on.house import House
from companion.games.game_on.plans import (
    AttackPlan,
    DefencePlan,
    Foul,
    check_attack,
    check_defence,
    check_foul,
    check_supply,
)
from companion.table.dice import DiceSource

CONTEST_CHANCE = Fraction(99, 200)
"""The attacker rolls higher than the defender; equal goes to the defender (GO-5)."""


@dataclass(frozen=True)
class Hurdle:
    """A contest or a defence-skill roll that comes before the tries (GO-7).

    `chance` is that the attack survives it; `value` is the number of a skill roll, None in a
    contest.
    """

    name: str
    chance: Fraction
    value: int | None


@dataclass(frozen=True)
class Attempt:
    """An attack with everything that is played against it, ready to roll."""

    plan: AttackPlan
    house: House
    values: tuple[int, ...]
    rolls_per_try: int
    hurdles: tuple[Hurdle, ...]
    foul: Foul | None
    steps: tuple[str, ...]

    @property
    def chance(self) -> Fraction:
        """The exact chance that the attack scores."""
        survives = Fraction(1)
        for hurdle in self.hurdles:
            survives *= hurdle.chance
        every_try_fails = Fraction(1)
        for value in self.values:
            every_try_fails *= 1 - self.house.chance(value) ** self.rolls_per_try
        return survives * (1 - every_try_fails)


@dataclass(frozen=True)
class Result:
    """What the dice said. `free_throws` are due at `free_throw_value` (GO-8, GO-9)."""

    scored: bool
    points: int
    void: str | None
    free_throws: int
    free_throw_value: int | None
    rolls: tuple[dict[str, Any], ...]
    reactions: tuple[str, ...]
    sentences: tuple[str, ...] = field(default=())


@dataclass
class _Sum:
    """Penalties while the defenders' plans are gone through."""

    tries: int
    every: int = 0
    single: dict[int, int] = field(default_factory=dict)
    extra_rolls: int = 0
    cap: int | None = None
    hurdles: list[Hurdle] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)


def resolve(
    plan: AttackPlan,
    defences: Sequence[DefencePlan] = (),
    foul: Foul | None = None,
    house: House | None = None,
) -> Attempt:
    """Add everything up (GO-4 … GO-8). Raises IllegalPlay naming the rule."""
    house = house or House()
    check_attack(plan)
    for defence in defences:
        check_defence(defence, plan, house)
    check_supply(defences)
    if foul:
        check_foul(foul, defences)
        return _fouled(plan, foul, house)
    steps = [_base_sentence(plan), *(_skill_sentence(plan))]
    total = _Sum(plan.tries)
    if plan.nullifier and defences:
        skill = plan.nullifier
        steps.append(
            f"{skill.id} {skill.zh}: every defence card and skill is without effect (GO-6)"
        )
    elif not plan.nullifier:
        for number, defence in enumerate(defences, 1):
            who = f"defender {number}: " if len(defences) > 1 else ""
            _add(defence, plan, house, total, who)
    steps += total.reasons
    start = plan.base + sum(skill.bonus for skill in plan.skills)
    values = tuple(
        _capped(start - total.every - total.single.get(number, 0), total.cap)
        for number in range(1, plan.tries + 1)
    )
    if total.cap is not None:
        steps.append(f"lockdown: no value above {total.cap}")
    attempt = Attempt(plan, house, values, 1 + total.extra_rolls, tuple(total.hurdles), None, ())
    return _explained(attempt, steps)


def _capped(value: int, cap: int | None) -> int:
    return value if cap is None else min(value, cap)


def _fouled(plan: AttackPlan, foul: Foul, house: House) -> Attempt:
    """A personal foul clears every skill and defence; the base is lowered instead (GO-8)."""
    base = plan.base if house.foul_keeps_double_bonus else max(plan.values)
    lowered = PERSONAL_FOUL[plan.card.zone]
    steps = [
        _base_sentence(plan) if house.foul_keeps_double_bonus else f"base {base}",
        "personal foul 普通犯規: every defence and skill is cleared; "
        f"–{lowered} ({plan.card.zone})",
    ]
    values = (base - lowered,) * plan.tries
    return _explained(Attempt(plan, house, values, 1, (), foul, ()), steps)


def _explained(attempt: Attempt, steps: list[str]) -> Attempt:
    values = " and ".join(str(value) for value in attempt.values)
    rolls = attempt.rolls_per_try
    needs = "" if rolls == 1 else f", {rolls} rolls a try, each a success"
    last = f"value {values}{needs}; chance {attempt.chance} ≈ {float(attempt.chance) * 100:.2f}%"
    return Attempt(
        attempt.plan,
        attempt.house,
        attempt.values,
        attempt.rolls_per_try,
        attempt.hurdles,
        attempt.foul,
        (*steps, last),
    )


def _base_sentence(plan: AttackPlan) -> str:
    if plan.tries == 1:
        return f"base {plan.base} ({plan.card.id} {plan.card.zh})"
    listed = ", ".join(str(value) for value in plan.values)
    text = f"base {max(plan.values)} = best of {listed}"
    for number in range(2, plan.tries + 1):
        text += f"; +10 {_ORDINALS[number]} {plan.card.id}"
    return f"{text}: {plan.base}, {plan.tries} tries"


_ORDINALS = {2: "second", 3: "third", 4: "fourth"}
"""A deck has at most four attack cards of one name (GO-1)."""


def _skill_sentence(plan: AttackPlan) -> Iterator[str]:
    for skill in plan.skills:
        if skill.bonus:
            yield f"+{skill.bonus} {skill.id} {skill.zh}"


def _add(defence: DefencePlan, plan: AttackPlan, house: House, total: _Sum, who: str) -> None:
    """One defender's plan (GO-5): hurdles first, then what it takes off."""
    card, skill = defence.card, defence.skill
    if card and card.contest:
        total.hurdles.append(Hurdle(f"{card.id} {card.zh}", CONTEST_CHANCE, None))
        total.reasons.append(
            f"{who}{card.id} {card.zh}: contest, the defender wins at or above; "
            f"else –{card.penalty}"
        )
        total.every += card.penalty
    elif card and defence.copies > 1:
        penalty = card.penalty + 10 * (defence.copies - 1)
        total.every += penalty
        total.extra_rolls += defence.copies - 1
        total.reasons.append(
            f"{who}–{penalty} {card.id} {card.zh} × {defence.copies}, "
            f"{defence.copies} rolls for each try"
        )
    elif card and not skill and plan.tries > 1:
        target = defence.target or min(house.single_target, plan.tries)
        total.single[target] = total.single.get(target, 0) + card.penalty
        total.reasons.append(f"{who}–{card.penalty} {card.id} {card.zh} on try {target}")
    elif card:
        total.every += card.penalty
        total.reasons.append(f"{who}–{card.penalty} {card.id} {card.zh}")
    if skill:
        _add_skill(defence, plan.card.zone, house, total, who)


def _add_skill(defence: DefencePlan, zone: Zone, house: House, total: _Sum, who: str) -> None:
    skill = defence.skill
    assert skill
    name = f"{skill.id} {skill.zh}"
    if skill.cap is not None:
        total.cap = skill.cap if total.cap is None else min(total.cap, skill.cap)
        return
    penalty = 10 * defence.paid if skill.cost is None else skill.penalty[zone]
    total.every += penalty
    if skill.roll_at_most is None:
        total.reasons.append(f"{who}–{penalty} {name} ({defence.paid} stamina)")
        return
    void = house.chance(skill.roll_at_most)
    total.hurdles.append(Hurdle(name, 1 - void, skill.roll_at_most))
    total.reasons.append(
        f"{who}{name}: the defender rolls, {_reach(skill.roll_at_most, house)} voids the attack; "
        f"else –{penalty}"
    )


def _reach(value: int, house: House) -> str:
    return f"under {value}" if house.boundary == "under" else f"{value} or less"


def play(attempt: Attempt, source: DiceSource) -> Result:
    """Roll it through in the order of GO-7; stops as soon as the result stands.

    A contest takes the attacker's roll, then the defender's.
    """
    rolls: list[dict[str, Any]] = []

    def roll(what: str) -> int:
        thrown = source.percentile(what)
        value = thrown.value(attempt.house.double_zero)
        rolls.append(
            {
                "what": what,
                "value": value,
                "tens": thrown.tens,
                "units": thrown.units,
                "origin": thrown.origin,
            }
        )
        return value

    sentences: list[str] = []
    void = _hurdles(attempt, roll, sentences)
    scored = void is None and _tries(attempt, roll, sentences)
    return _result(attempt, scored, void, rolls, sentences)


def _hurdles(attempt: Attempt, roll: Any, sentences: list[str]) -> str | None:
    """The name of what voids the attack, or None."""
    for hurdle in attempt.hurdles:
        if hurdle.value is None:
            attacker = roll(f"{hurdle.name}, attacker")
            defender = roll(f"{hurdle.name}, defender")
            void = defender >= attacker
            sentences.append(
                f"{hurdle.name}: attacker {attacker}, defender {defender}: "
                + ("the attack fails" if void else "the attack goes on")
            )
        else:
            value = roll(f"{hurdle.name}, defender")
            void = attempt.house.succeeds(value, hurdle.value)
            sentences.append(
                f"{hurdle.name}: {value}: " + ("the attack is void" if void else "no effect")
            )
        if void:
            return hurdle.name
    return None


def _tries(attempt: Attempt, roll: Any, sentences: list[str]) -> bool:
    for number, value in enumerate(attempt.values, 1):
        good = True
        for part in range(1, attempt.rolls_per_try + 1):
            label = f"try {number}" if len(attempt.values) > 1 else "attack"
            if attempt.rolls_per_try > 1:
                label += f", roll {part} of {attempt.rolls_per_try}"
            rolled = roll(label)
            good = attempt.house.succeeds(rolled, value)
            sentences.append(f"{label}: {rolled} against {value}: {'in' if good else 'no'}")
            if not good:
                break
        if good:
            return True
    return False


def _result(
    attempt: Attempt,
    scored: bool,
    void: str | None,
    rolls: list[dict[str, Any]],
    sentences: list[str],
) -> Result:
    card = attempt.plan.card
    points = card.points if scored else 0
    free_throws = free_throws_due(card.id, scored) if attempt.foul else 0
    reactions: tuple[str, ...] = ()
    if scored:
        sentences.append(f"{points} points")
    elif not free_throws:
        reactions = ("tip-in by the attacker", "rebound by anyone")
        sentences.append("no points; the attacker may tip in, anyone may rebound")
    if free_throws:
        assert attempt.foul
        sentences.append(
            f"{free_throws} free throw{'s' if free_throws > 1 else ''} at {attempt.foul.value}"
        )
    return Result(
        scored,
        points,
        void,
        free_throws,
        attempt.foul.value if attempt.foul else None,
        tuple(rolls),
        reactions,
        tuple(sentences),
    )


def free_throws_due(card_id: str, scored: bool) -> int:
    """After a personal foul: 1 if the attack scored, else 2, or 3 for a three-pointer (GO-8)."""
    if scored:
        return 1
    return 3 if card_id == "three-pointer" else 2
