"""Colours: hex, a name from the layout's `[colors]`, or either with a percent for a paler tint."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

Color = tuple[float, float, float]
"""Red, green, blue from 0 to 1."""

BASIC: dict[str, Color] = {"black": (0.0, 0.0, 0.0), "white": (1.0, 1.0, 1.0)}
EXPECTED = "a colour such as #B5451B, a name from [colors], or 'none'"
_SHAPE = re.compile(r"(?P<base>#?[\w-]+)(?:\s+(?P<percent>\d{1,3})%)?")
_HEX = re.compile(r"#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})")


class UnknownColor(ValueError):
    """A colour name that the palette lacks."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(EXPECTED)


@dataclass(frozen=True)
class Palette:
    """The colours that a layout names."""

    colors: Mapping[str, Color]

    def color(self, text: str) -> Color | None:
        """The colour that `text` means; None for 'none'. "attack 30%" is a tint on white.

        Raises UnknownColor or ValueError(expected).
        """
        if text == "none":
            return None
        match = _SHAPE.fullmatch(text.strip())
        if not match:
            raise ValueError(EXPECTED)
        base = self._base(match["base"])
        if match["percent"] is None:
            return base
        share = int(match["percent"]) / 100
        if share > 1:
            raise ValueError("a tint of at most 100%")
        red, green, blue = (1 - share * (1 - channel) for channel in base)
        return red, green, blue

    def _base(self, name: str) -> Color:
        if name.startswith("#"):
            return parse_hex(name)
        if name in self.colors:
            return self.colors[name]
        if name in BASIC:
            return BASIC[name]
        raise UnknownColor(name)

    @property
    def names(self) -> list[str]:
        """Every name that can be used."""
        return [*self.colors, *BASIC, "none"]


def parse_hex(text: object) -> Color:
    """#RGB or #RRGGBB. Raises ValueError(expected)."""
    if not isinstance(text, str) or not _HEX.fullmatch(text):
        raise ValueError("a colour such as #B5451B")
    digits = text[1:] if len(text) == 7 else "".join(c * 2 for c in text[1:])
    red, green, blue = (int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return red, green, blue


def contrast(first: Color, second: Color) -> float:
    """The WCAG contrast ratio of two colours, 1 to 21."""
    bright, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(color: Color) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
