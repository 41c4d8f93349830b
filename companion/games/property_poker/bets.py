"""Stakes on the bet slip: where the ruler starts and aims, what is paid (PP-2, PP-6 … PP-8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.errors import UsageError, did_you_mean
from companion.games.property_poker.hands import BY_ID, HANDS

Stakes = Mapping[str, Mapping[str, int]]
"""Hand → player → stake."""
CHIPS = (
    (10_000_000_000, 1),
    (1_000_000_000, 8),
    (100_000_000, 8),
    (10_000_000, 10),
    (1_000_000, 10),
    (100_000, 10),
    (10_000, 10),
    (1000, 40),
    (500, 40),
    (100, 40),
    (50, 40),
)
"""Value and number of the chips in the box, large to small (PP-1)."""
ALL_MONEY = sum(value * count for value, count in CHIPS)
SMALLEST_CHIP = CHIPS[-1][0]


def parse_hand(text: str) -> str:
    """The id of a hand: `full-house`, `full house`, `葫蘆`. Raises UsageError."""
    typed = text.strip().casefold().replace(" ", "-").replace("_", "-")
    for hand in HANDS:
        if typed in (hand.id, hand.chinese):
            return hand.id
    hint = did_you_mean(typed, [word for hand in HANDS for word in (hand.id, hand.chinese)])
    raise UsageError(
        f"'{text}' is no hand: {', '.join(hand.id for hand in HANDS)}" + (f" ({hint})" * bool(hint))
    )


def totals(stakes: Stakes) -> dict[str, int]:
    """What lies on each hand, from small to large."""
    return {hand.id: sum(stakes.get(hand.id, {}).values()) for hand in HANDS}


def start_and_aim(stakes: Stakes) -> tuple[str, str]:
    """The hands whose lottery cards the ruler starts at and points to (PP-7).

    Highest and lowest total; of equal ones the smaller hand; never the same hand twice.
    """
    lies = totals(stakes)
    start = max(lies, key=lambda hand: lies[hand])
    aim = min((hand for hand in lies if hand != start), key=lambda hand: lies[hand])
    return start, aim


@dataclass(frozen=True)
class Payout:
    """What a player gets: his stake back, and what the bank pays besides."""

    back: int
    paid: int


def payouts(stakes: Stakes, winning: str | None) -> dict[str, Payout]:
    """Who gets what when a hand wins; nobody anything when none does (PP-8)."""
    if winning is None:
        return {}
    odds = BY_ID[winning].odds
    return {
        player: Payout(stake, stake * odds)
        for player, stake in stakes.get(winning, {}).items()
        if stake
    }


def in_chips(amount: int) -> dict[int, int]:
    """An amount in as few chips as the values allow; what no chip can pay is left out."""
    found = {}
    for value, _ in CHIPS:
        count, amount = divmod(amount, value)
        if count:
            found[value] = count
    return found


def figures(amount: int, language: str = "en") -> str:
    """12,345,678 or, in Chinese, 1234萬5678 with 億 above."""
    if language != "zh-TW" or abs(amount) < 10_000:
        return f"{amount:,}"
    sign, rest = ("-" if amount < 0 else ""), abs(amount)
    parts = []
    for unit, name in ((10**8, "億"), (10**4, "萬"), (1, "")):
        count, rest = divmod(rest, unit)
        if count:
            parts.append(f"{count}{name}")
    return sign + "".join(parts)


def chips_text(amount: int, language: str = "en") -> str:
    """`2 × 1,000 + 1 × 500`."""
    chips = in_chips(amount)
    if not chips:
        return "–"
    return " + ".join(f"{count} × {figures(value, language)}" for value, count in chips.items())
