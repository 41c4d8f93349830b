"""House rules (GO-14): what the source leaves open, as named settings with a default."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from fractions import Fraction
from typing import Any

from companion.errors import UsageError, did_you_mean


@dataclass(frozen=True)
class House:
    """The settings. `single_target` is the try (from 1) that a lone defence lowers unless named."""

    double_zero: int = 100
    boundary: str = "at-most"
    single_target: int = 1
    skill_needs_card: bool = True
    foul_keeps_double_bonus: bool = True
    ultimate_defence_applies_to: str = "any"
    overshoot: str = "excess"

    def succeeds(self, roll: int, value: int) -> bool:
        """Whether a percentile roll succeeds against a value (GO-2)."""
        if value <= 0:
            return False
        if value >= 100:
            return True
        return roll < value if self.boundary == "under" else roll <= value

    def chance(self, value: int) -> Fraction:
        """The exact chance that one percentile roll succeeds against `value` (GO-2)."""
        if value <= 0:
            return Fraction(0)
        if value >= 100:
            return Fraction(1)
        # rolls run from 1 to 100, or from 0 to 99 when 00 and 0 read 0
        hits = value if self.double_zero == 100 else value + 1
        return Fraction(hits - (self.boundary == "under"), 100)

    def as_data(self) -> dict[str, Any]:
        """The settings as JSON data."""
        return asdict(self)


_CHOICES: dict[str, tuple[str, ...]] = {
    "double_zero": ("100", "0"),
    "boundary": ("at-most", "under"),
    "skill_needs_card": ("true", "false"),
    "foul_keeps_double_bonus": ("true", "false"),
    "ultimate_defence_applies_to": ("any", "shot"),
    "overshoot": ("excess", "bust", "bounce"),
}


def parse_house(settings: Iterable[str]) -> House:
    """`key=value` settings over the defaults. Raises UsageError naming key, value and choices."""
    house = House()
    for setting in settings:
        key, sign, value = setting.partition("=")
        name = key.strip().replace("-", "_")
        known = [field.name for field in fields(House)]
        if not sign or name not in known:
            hint = did_you_mean(name, known)
            raise UsageError(f"house rule '{setting}' is unknown ({hint}); write key=value")
        house = replace(house, **{name: _value(name, value.strip())})
    return house


def _value(name: str, text: str) -> Any:
    if name == "single_target":
        if not text.isdecimal() or not 1 <= int(text) <= 4:
            raise UsageError(f"single_target={text}: expected the number of a try, 1 to 4")
        return int(text)
    choices = _CHOICES[name]
    if text not in choices:
        raise UsageError(f"{name}={text}: expected {' or '.join(choices)}")
    if choices == ("true", "false"):
        return text == "true"
    return int(text) if text.isdecimal() else text
