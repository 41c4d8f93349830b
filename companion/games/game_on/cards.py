"""The facts of the cards that the rules need (GO-1), whatever the cards look like."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from companion.errors import UsageError, did_you_mean


class Zone(StrEnum):
    """Where an attack comes from."""

    SHOT = "shot"
    PAINT = "paint"


ANY = frozenset(Zone)
PAINT = frozenset({Zone.PAINT})
SHOT = frozenset({Zone.SHOT})


@dataclass(frozen=True)
class Card:
    """A card's names and how many of it the game has."""

    id: str
    zh: str
    en: str
    copies: int


@dataclass(frozen=True)
class Attack(Card):
    """An attack card; its attack value is printed on each single card."""

    zone: Zone
    points: int
    stamina: int


@dataclass(frozen=True)
class Defence(Card):
    """A defence card: which attacks it fits, its penalty, whether it begins with a contest."""

    against: frozenset[Zone]
    penalty: int
    stamina: int
    contest: bool = False


@dataclass(frozen=True)
class AttackSkill(Card):
    """A skill that fits some attacks: a bonus, or it makes every defence without effect."""

    fits: frozenset[str]
    bonus: int = 0
    nullifies: bool = False


@dataclass(frozen=True)
class DefenceSkill(Card):
    """A skill paid with stamina (`cost` None: any amount of 1 or more, 10 off for each).

    `roll_at_most`: the defender rolls; at or under it the attack is void. `cap` lowers the value.
    """

    against: frozenset[Zone]
    cost: int | None
    penalty: Mapping[Zone, int] = field(default_factory=dict, hash=False)
    roll_at_most: int | None = None
    cap: int | None = None


ATTACKS = (
    Attack("three-pointer", "三分跳投", "Three-point jumper", 4, Zone.SHOT, 3, 1),
    Attack("mid-range", "中距離跳投", "Mid-range jumper", 3, Zone.SHOT, 2, 2),
    Attack("post-up", "低位進攻", "Post-up", 2, Zone.PAINT, 2, 3),
    Attack("layup", "刁鑽上籃", "Crafty layup", 3, Zone.PAINT, 2, 4),
    Attack("dunk", "強力灌籃", "Power dunk", 3, Zone.PAINT, 2, 5),
)
DEFENCES = (
    Defence("paint-defence", "禁區防守", "Paint defence", 4, PAINT, 15, 2),
    Defence("shot-defence", "投籃防守", "Shot defence", 4, SHOT, 10, 2),
    Defence("charge", "進攻犯規", "Charge", 2, PAINT, 20, 4, contest=True),
    Defence("ultimate-defence", "終極防守", "Ultimate defence", 3, ANY, 25, 3),
    Defence("block", "封阻進攻", "Block", 2, ANY, 15, 5, contest=True),
)
_PAINT_ATTACKS = frozenset(attack.id for attack in ATTACKS if attack.zone is Zone.PAINT)
ATTACK_SKILLS = (
    AttackSkill("sniper", "遠程狙擊手", "Sniper", 1, frozenset({"three-pointer"}), 10),
    AttackSkill("spot-up", "定點射手", "Spot-up shooter", 1, frozenset({"mid-range"}), 10),
    AttackSkill("athlete", "運動健將", "Athlete", 1, frozenset({"layup"}), 10),
    AttackSkill("dunk-master", "灌籃高手", "Dunk master", 1, frozenset({"dunk"}), 10),
    AttackSkill("inside-expert", "內線精通者", "Inside expert", 1, _PAINT_ATTACKS, 10),
    AttackSkill(
        "dream-footwork", "迷幻步伐", "Dream footwork", 1, frozenset({"post-up"}), nullifies=True
    ),
    AttackSkill(
        "shot-creator",
        "投籃創造者",
        "Shot creator",
        1,
        frozenset({"mid-range", "three-pointer"}),
        nullifies=True,
    ),
    AttackSkill(
        "drive-finisher",
        "運球終結者",
        "Drive finisher",
        1,
        frozenset({"dunk", "layup"}),
        nullifies=True,
    ),
)


def _both(value: int) -> dict[Zone, int]:
    return dict.fromkeys(Zone, value)


DEFENCE_SKILLS = (
    DefenceSkill(
        "pillar", "防守支柱", "Defensive pillar", 2, ANY, 3, {Zone.PAINT: 50, Zone.SHOT: 30}
    ),
    DefenceSkill("eraser", "進攻刪除者", "Eraser", 1, ANY, 2, _both(25), roll_at_most=60),
    DefenceSkill(
        "foul-drawer", "犯規製造者", "Foul drawer", 1, PAINT, 2, _both(30), roll_at_most=60
    ),
    DefenceSkill("versatile", "全能防守者", "Versatile defender", 2, ANY, None),
    DefenceSkill("lockdown", "鎖定防守", "Lockdown", 1, ANY, 4, cap=10),
)
OTHERS = (
    Card("turnover", "進攻失誤", "Turnover", 2),
    Card("tactics", "戰術增強", "Tactics", 3),
    Card("steal", "超截球權", "Steal", 2),
    Card("technical-foul", "技術犯規", "Technical foul", 2),
    Card("personal-foul", "普通犯規", "Personal foul", 5),
    Card("tip-in", "補籃得分", "Tip-in", 2),
    Card("rebound", "籃板球", "Rebound", 9),
)
PERSONAL_FOUL = {Zone.PAINT: 35, Zone.SHOT: 20}
"""What a personal foul takes off the base value (GO-8)."""
TIP_IN_POINTS = 2
SCORE_CARDS = 30

C = TypeVar("C", bound=Card)


def find(typed: str, cards: Iterable[C], what: str) -> C:
    """The card of an id, English or Chinese name. Raises UsageError with a suggestion."""
    listed = list(cards)
    wanted = typed.strip().casefold()
    for card in listed:
        if wanted in (card.id, card.en.casefold(), card.zh):
            return card
    names = [name for card in listed for name in (card.id, card.zh)]
    hint = did_you_mean(typed, names) or "known: " + ", ".join(card.id for card in listed)
    raise UsageError(f"there is no {what} '{typed}' ({hint})")
