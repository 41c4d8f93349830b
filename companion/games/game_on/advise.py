"""What should I play? Every legal play of a hand with its exact chance, best first. No sampling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from companion.errors import IllegalPlay, UsageError
from companion.games.game_on.cards import (
    ATTACK_SKILLS,
    ATTACKS,
    DEFENCE_SKILLS,
    DEFENCES,
    OTHERS,
    Attack,
    AttackSkill,
    Defence,
    DefenceSkill,
    find,
)
from companion.games.game_on.house import House
from companion.games.game_on.plans import AttackPlan, DefencePlan, check_defence
from companion.games.game_on.resolver import resolve

MOST_CARDS = 12


@dataclass(frozen=True)
class Hand:
    """The cards of a hand that can attack or defend. Attack cards carry their printed values."""

    attacks: tuple[tuple[Attack, int], ...] = ()
    attack_skills: tuple[AttackSkill, ...] = ()
    defences: tuple[Defence, ...] = ()
    defence_skills: tuple[DefenceSkill, ...] = ()


@dataclass(frozen=True)
class AttackAdvice:
    """One legal attack: its chance, expected points, and the worst reply if a hand was stated."""

    plan: AttackPlan
    chance: Fraction
    reply: DefencePlan | None
    reply_chance: Fraction

    @property
    def expected(self) -> Fraction:
        """Points times the chance after the worst reply."""
        return self.plan.card.points * self.reply_chance


@dataclass(frozen=True)
class DefenceAdvice:
    """One legal defence: the attack's chance against it, and what it burns."""

    plan: DefencePlan
    chance: Fraction
    paid_with: tuple[str, ...]
    burnt: int
    """Stamina of every card that leaves the hand: cards played and cards that pay."""


def parse_hand(text: str) -> Hand:
    """`three-pointer:45, sniper, block, eraser` → a hand. Raises UsageError.

    An attack card that only pays stamina needs no value. Cards that neither attack nor defend
    (rebound, tactics …) are passed over.
    """
    attacks: list[tuple[Attack, int]] = []
    skills: list[AttackSkill] = []
    defences: list[Defence] = []
    defence_skills: list[DefenceSkill] = []
    parts = [part.strip() for part in text.replace("，", ",").split(",") if part.strip()]
    if len(parts) > MOST_CARDS:
        raise UsageError(f"a hand of {len(parts)} cards; at most {MOST_CARDS}")
    for part in parts:
        name, _, value = part.replace("：", ":").partition(":")
        known = [*ATTACKS, *ATTACK_SKILLS, *DEFENCES, *DEFENCE_SKILLS, *OTHERS]
        card = find(name, known, "card")
        if card in OTHERS:
            continue
        value = value.strip().removesuffix("%")
        if value and not (isinstance(card, Attack) and value.isdecimal()):
            raise UsageError(
                f"'{part}': an attack card has a printed value such as dunk:70, others have none"
            )
        if isinstance(card, Attack):
            number = int(value[:9] or 0)
            if value and not 1 <= number <= 100:
                raise UsageError(f"'{part}': an attack value is a percentage from 1 to 100")
            attacks.append((card, number))
        elif isinstance(card, AttackSkill):
            skills.append(card)
        elif isinstance(card, Defence):
            defences.append(card)
        elif isinstance(card, DefenceSkill):
            defence_skills.append(card)
    held = Counter([*(card for card, _ in attacks), *skills, *defences, *defence_skills])
    for card, count in held.items():
        if count > card.copies:
            raise UsageError(f"a hand with {count} {card.id}; there are {card.copies} (GO-1)")
    return Hand(tuple(attacks), tuple(skills), tuple(defences), tuple(defence_skills))


def advise_attack(hand: Hand, against: Hand | None, house: House) -> list[AttackAdvice]:
    """Every legal attack, most expected points first (then chance, then fewer cards)."""
    advice = []
    for plan in attack_plans(hand):
        chance = resolve(plan, (), None, house).chance
        replies = advise_defence(against, plan, (), house) if against else []
        worst = replies[0] if replies and replies[0].chance < chance else None
        advice.append(
            AttackAdvice(
                plan, chance, worst.plan if worst else None, worst.chance if worst else chance
            )
        )
    advice.sort(
        key=lambda a: (-a.expected, -a.reply_chance, a.plan.tries + len(a.plan.skills), str(a.plan))
    )
    return advice


def attack_plans(hand: Hand) -> Iterator[AttackPlan]:
    """Every distinct legal attack of a hand (GO-3)."""
    for card in dict.fromkeys(card for card, value in hand.attacks if value):
        values = sorted((v for c, v in hand.attacks if c is card and v), reverse=True)
        fitting = [s for s in dict.fromkeys(hand.attack_skills) if card.id in s.fits]
        chosen = {combo for n in range(1, len(values) + 1) for combo in combinations(values, n)}
        for combo in sorted(chosen, reverse=True):
            for count in range(len(fitting) + 1):
                for skills in combinations(fitting, count):
                    yield AttackPlan(card, combo, skills)


def advise_defence(
    hand: Hand, attack: AttackPlan, others: Sequence[DefencePlan], house: House
) -> list[DefenceAdvice]:
    """Every legal defence against `attack` (with the other defenders' plans standing), lowest
    chance first, then least stamina burnt, then fewest cards."""
    advice = []
    for plan, payers in defence_plans(hand, attack, house):
        chance = resolve(attack, (*others, plan), None, house).chance
        own = plan.card.stamina * plan.copies if plan.card else 0
        burnt = own + sum(card.stamina for card in payers)
        advice.append(DefenceAdvice(plan, chance, tuple(card.id for card in payers), burnt))
    advice.sort(key=lambda a: (a.chance, a.burnt, len(a.paid_with), str(a.plan)))
    return advice


def defence_plans(
    hand: Hand, attack: AttackPlan, house: House
) -> Iterator[tuple[DefencePlan, tuple[Attack | Defence, ...]]]:
    """Every distinct legal defence of a hand with the cards that pay for its skill (GO-5)."""
    counts = Counter(hand.defences)
    tries: list[int | None] = [None] if attack.tries == 1 else list(range(1, attack.tries + 1))
    for card, copies in counts.items():
        for target in tries if not card.contest else [None]:
            yield from _if_legal(DefencePlan(card, target=target), (), attack, house)
        for doubled in range(2, copies + 1):
            yield from _if_legal(DefencePlan(card, doubled), (), attack, house)
    played: list[Defence | None] = [*counts]
    if not house.skill_needs_card:
        played.append(None)
    for chosen in played:
        for skill in dict.fromkeys(hand.defence_skills):
            for paid, payers in _payments(hand, chosen, skill):
                plan = DefencePlan(chosen, 1, skill, paid)
                yield from _if_legal(plan, payers, attack, house)


def _if_legal(
    plan: DefencePlan, payers: tuple[Attack | Defence, ...], attack: AttackPlan, house: House
) -> Iterator[tuple[DefencePlan, tuple[Attack | Defence, ...]]]:
    try:
        check_defence(plan, attack, house)
    except IllegalPlay:
        return
    yield plan, payers


def _payments(
    hand: Hand, played: Defence | None, skill: DefenceSkill
) -> Iterator[tuple[int, tuple[Attack | Defence, ...]]]:
    """(stamina that counts, cards that pay): for a fixed cost the cheapest way, for any amount the
    way with fewest cards for each sum."""
    purse: list[Attack | Defence] = [card for card, _ in hand.attacks]
    purse += hand.defences
    if played:
        purse.remove(played)
    best: dict[int, tuple[Attack | Defence, ...]] = {}
    for count in range(1, len(purse) + 1):
        for cards in combinations(sorted(purse, key=lambda card: card.stamina), count):
            best.setdefault(sum(card.stamina for card in cards), cards)
    if skill.cost is None:
        yield from sorted(best.items())
        return
    enough = [total for total in best if total >= skill.cost]
    if enough:
        yield skill.cost, best[min(enough)]
