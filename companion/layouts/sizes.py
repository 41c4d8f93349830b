"""Card sizes by name, in millimetres (width, height), upright."""

from __future__ import annotations

from companion.errors import did_you_mean
from companion.files.located import Node
from companion.files.records import Misfit
from companion.units import parse_length

CARD_SIZES: dict[str, tuple[float, float]] = {
    "poker": (63, 88),
    "poker-us": (63.5, 88.9),
    "bridge": (57, 89),
    "bridge-narrow": (56, 87),
    "mini": (44, 67),
    "mini-us": (41, 63),
    "tarot": (70, 120),
    "square": (63, 63),
    "square-large": (70, 70),
    "jumbo": (89, 127),
    "business": (85, 55),
    "a7": (74, 105),
    "a6": (105, 148),
}
_EXPECTED = "a card size such as poker, bridge, tarot or [63, 88]"


def card_size(node: Node) -> tuple[float, float]:
    """A size by name, or two lengths. Raises Misfit with a suggestion."""
    if isinstance(node.value, str):
        name = node.value.strip().lower()
        if name not in CARD_SIZES:
            raise Misfit(_EXPECTED, node, did_you_mean(name, CARD_SIZES))
        return CARD_SIZES[name]
    if node.array is None or len(node.array) != 2:
        raise Misfit(_EXPECTED, node)
    width, height = (parse_length(item.plain()) for item in node.array)
    if not (5 <= width <= 1000 and 5 <= height <= 1000):
        raise Misfit("a width and a height between 5 mm and 1 m", node)
    return width, height
