"""What attacker and defenders play, how they type it, and whether it is legal (GO-3, GO-5)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from companion.errors import IllegalPlay, UsageError
from companion.games.game_on.cards import (
    ANY,
    ATTACK_SKILLS,
    ATTACKS,
    DEFENCE_SKILLS,
    DEFENCES,
    SHOT,
    Attack,
    AttackSkill,
    Defence,
    DefenceSkill,
    Zone,
    find,
)
from companion.games.game_on.house import House


@dataclass(frozen=True)
class AttackPlan:
    """Attack cards of one name with their printed values, and skills (GO-3)."""

    card: Attack
    values: tuple[int, ...]
    skills: tuple[AttackSkill, ...] = ()

    @property
    def tries(self) -> int:
        """One try for each attack card (GO-4)."""
        return len(self.values)

    @property
    def base(self) -> int:
        """The highest printed value, 10 more for each further card (GO-4)."""
        return max(self.values) + 10 * (self.tries - 1)

    @property
    def nullifier(self) -> AttackSkill | None:
        """A skill that makes every defence without effect (GO-6)."""
        return next((skill for skill in self.skills if skill.nullifies), None)


@dataclass(frozen=True)
class DefencePlan:
    """One defender's plan (GO-5): `copies` of a card, a skill with the stamina paid for it, and the
    try (from 1) that a lone card lowers in a double attack."""

    card: Defence | None
    copies: int = 1
    skill: DefenceSkill | None = None
    paid: int = 0
    target: int | None = None

    def __str__(self) -> str:
        parts = []
        if self.card:
            parts.append(self.card.id + (f"*{self.copies}" if self.copies > 1 else ""))
        if self.skill:
            parts.append(f"{self.skill.id}:{self.paid}")
        return "+".join(parts) + ("" if self.target is None else f"@{self.target}")


@dataclass(frozen=True)
class Foul:
    """A personal foul: the number on the card, and who played it (GO-8)."""

    value: int
    by_attacker: bool


_ATTACK = re.compile(r"(?P<name>.+?)\s*[:：]\s*(?P<value>\d{1,3})%?")
_DEFENCE = re.compile(
    r"(?P<card>[^+＋*:：@]+?)\s*(?:[*×xX]\s*(?P<copies>\d))?(?:[:：]\s*(?P<alone>\d{1,2}))?"
    r"(?:[+＋]\s*(?P<skill>[^+*:@]+?)\s*(?:[:：]\s*(?P<paid>\d{1,2}))?)?(?:@(?P<target>\d))?"
)


def parse_attack(cards: Sequence[str], skills: Sequence[str]) -> AttackPlan:
    """`three-pointer:45` once a card, skills by name. Raises UsageError or IllegalPlay (GO-3)."""
    if not cards:
        raise UsageError("an attack needs a card, such as three-pointer:45")
    played = [_attack_card(text) for text in cards]
    names = {card.id for card, _ in played}
    if len(names) > 1:
        raise IllegalPlay(
            f"a double attack takes cards of one name, not {' and '.join(sorted(names))} (GO-3)"
        )
    found = [find(text, ATTACK_SKILLS, "attack skill") for text in skills]
    plan = AttackPlan(played[0][0], tuple(value for _, value in played), tuple(found))
    check_attack(plan)
    return plan


def _attack_card(text: str) -> tuple[Attack, int]:
    match = _ATTACK.fullmatch(text.strip())
    if not match:
        card = find(text, ATTACKS, "attack card")
        raise UsageError(f"'{text}' needs its printed value: {card.id}:45")
    card, value = find(match["name"], ATTACKS, "attack card"), int(match["value"])
    if not 1 <= value <= 100:
        raise UsageError(f"'{text}': an attack value is a percentage from 1 to 100")
    return card, value


def check_attack(plan: AttackPlan) -> None:
    """Raise IllegalPlay if a skill fits nothing or stands twice (GO-3)."""
    if plan.tries > plan.card.copies:
        raise IllegalPlay(
            f"{plan.tries} {plan.card.id} cards; the deck has {plan.card.copies} (GO-1)"
        )
    for skill in plan.skills:
        if plan.card.id not in skill.fits:
            fitting = ", ".join(sorted(skill.fits))
            raise IllegalPlay(
                f"{skill.id} {skill.zh} does not fit {plan.card.id}; it fits {fitting} (GO-3)"
            )
        if plan.skills.count(skill) > 1:
            raise IllegalPlay(f"{skill.id} {skill.zh} stands twice; its bonus counts once (GO-4)")


def parse_defence(text: str) -> DefencePlan:
    """`shot-defence`, `ultimate-defence*2`, `paint-defence+eraser`, `block+versatile:3`,
    `shot-defence@2`. Raises UsageError."""
    match = _DEFENCE.fullmatch(text.strip())
    if not match:
        raise UsageError(
            f"'{text}' is no defence; write shot-defence, ultimate-defence*2, "
            "paint-defence+eraser, shot-defence+versatile:3 or shot-defence@2"
        )
    first = match["card"].strip()
    copies = 1 if match["copies"] is None else int(match["copies"])
    target = int(match["target"]) if match["target"] else None
    if match["skill"] is None and not _is_defence(first):
        skill = _skill(first)
        return DefencePlan(None, copies, skill, _paid(skill, match["alone"]), target)
    card = find(first, DEFENCES, "defence card")
    if match["alone"]:
        raise UsageError(f"'{text}': {card.id} takes no number; {card.id}*2 plays two")
    if match["skill"] is None:
        return DefencePlan(card, copies, target=target)
    skill = _skill(match["skill"])
    return DefencePlan(card, copies, skill, _paid(skill, match["paid"]), target)


def _is_defence(name: str) -> bool:
    wanted = name.casefold()
    if any(wanted in (s.id, s.en.casefold(), s.zh) for s in DEFENCE_SKILLS):
        return False
    find(name, [*DEFENCES, *DEFENCE_SKILLS], "defence card or skill")
    return True


def _skill(name: str) -> DefenceSkill:
    return find(name, DEFENCE_SKILLS, "defence skill")


def _paid(skill: DefenceSkill, text: str | None) -> int:
    if text:
        return int(text)
    if skill.cost is None:
        raise UsageError(f"{skill.id} needs the stamina paid for it: {skill.id}:3")
    return skill.cost


def check_defence(plan: DefencePlan, attack: AttackPlan, house: House) -> None:
    """Raise IllegalPlay, naming the rule and what would be legal, if the plan may not be played
    against the attack (GO-5)."""
    zone = attack.card.zone
    card, skill = plan.card, plan.skill
    if card is None and house.skill_needs_card:
        raise IllegalPlay(
            f"{plan.skill.id if plan.skill else 'a skill'} needs a defence card beside it, such as "
            f"{_fitting(zone, house)} (GO-5; house rule skill_needs_card)"
        )
    if card:
        against = card.against
        if card.id == "ultimate-defence" and house.ultimate_defence_applies_to == "shot":
            against = SHOT
        if zone not in against:
            raise IllegalPlay(
                f"{card.id} {card.zh} is restricted to {_zones(against)}; against the {zone} "
                f"attack {attack.card.id} play {_fitting(zone, house)} (GO-5)"
            )
    if card and not 1 <= plan.copies <= card.copies:
        raise IllegalPlay(f"{plan.copies} {card.id} cards; there are {card.copies} (GO-1)")
    if card is None and plan.copies > 1:
        raise IllegalPlay(f"'{plan}': a skill is not doubled (GO-5)")
    if card and plan.copies > 1:
        _check_double(plan, card)
    if skill:
        _check_skill(skill, plan, zone)
    if plan.target is not None:
        _check_target(plan, attack)


def _check_double(plan: DefencePlan, card: Defence) -> None:
    if card.contest:
        raise IllegalPlay(f"{card.id} {card.zh} may not be doubled; play one (GO-5)")
    if plan.skill:
        raise IllegalPlay(
            f"a double defence takes no skill; play one {card.id} with {plan.skill.id} (GO-5)"
        )


def _check_skill(skill: DefenceSkill, plan: DefencePlan, zone: Zone) -> None:
    if zone not in skill.against:
        raise IllegalPlay(
            f"{skill.id} {skill.zh} is restricted to {_zones(skill.against)} (GO-5, GO-1)"
        )
    least = 1 if skill.cost is None else skill.cost
    if plan.paid < least:
        raise IllegalPlay(f"{skill.id} costs {least} stamina, {plan.paid} is paid (GO-5)")


def _check_target(plan: DefencePlan, attack: AttackPlan) -> None:
    lone = plan.card and not plan.card.contest and plan.copies == 1 and not plan.skill
    if not lone:
        raise IllegalPlay(f"'{plan}' lowers every try; it names none (GO-5)")
    if plan.target is None or not 1 <= plan.target <= attack.tries:
        raise IllegalPlay(f"'{plan}': the attack has {attack.tries} tries (GO-4)")


def check_supply(plans: Sequence[DefencePlan]) -> None:
    """Raise IllegalPlay if all defenders together play more of a card than there is (GO-1)."""
    played: Counter[Defence | DefenceSkill] = Counter()
    for plan in plans:
        if plan.card:
            played[plan.card] += plan.copies
        if plan.skill:
            played[plan.skill] += 1
    for card, count in played.items():
        if count > card.copies:
            raise IllegalPlay(f"{count} {card.id} cards are played; there are {card.copies} (GO-1)")


def check_foul(foul: Foul, defences: Sequence[DefencePlan]) -> None:
    """Raise IllegalPlay if the attacker plays a foul though no defender has used a card (GO-8)."""
    if foul.by_attacker and not defences:
        raise IllegalPlay(
            "the attacker may play a personal foul only after a defender has used a card (GO-8)"
        )


def _fitting(zone: Zone, house: House) -> str:
    names = [card.id for card in DEFENCES if zone in card.against]
    if zone is Zone.PAINT and house.ultimate_defence_applies_to == "shot":
        names.remove("ultimate-defence")
    return " or ".join(names)


def _zones(zones: frozenset[Zone]) -> str:
    return "any attack" if zones == ANY else f"{next(iter(zones))} attacks"
