"""Lengths as people write them ("63mm", "2.5in", "100% - 5") into millimetres.

Millimetres are the default unit. Pixels are read at 300 a inch. Sheet arithmetic uses whole
micrometres (`to_um`), so that cards which fit exactly are never lost to rounding.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

MM_PER_INCH = 25.4
PT_PER_MM = 72 / MM_PER_INCH
MM_PER_PT = MM_PER_INCH / 72

_UNITS = {
    "": 1.0,
    "mm": 1.0,
    "cm": 10.0,
    "in": MM_PER_INCH,
    '"': MM_PER_INCH,
    "pt": MM_PER_PT,
    "px": MM_PER_INCH / 300,
}
_TERM = re.compile(r"\s*([+-]?)\s*(\d+(?:\.\d+)?|\.\d+)\s*(mm|cm|in|\"|pt|px|%)?\s*")
EXPECTED = "a length such as 63, 63mm, 2.5in, 180pt, 750px"
EXPECTED_EXTENT = EXPECTED + ', or a part of the card such as "50%" or "100% - 5mm"'
_LONGEST_MM = 10_000.0


@dataclass(frozen=True)
class Extent:
    """A length that may lean on the card: `mm + percent / 100 × side`."""

    mm: float = 0.0
    percent: float = 0.0

    def of(self, side: float) -> float:
        """Millimetres on a card whose side is `side` millimetres."""
        return self.mm + self.percent / 100 * side


def parse_extent(value: object) -> Extent:
    """Read a number (mm) or a sum of terms with units and percent.

    Raises ValueError, saying what was expected, for anything else.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(EXPECTED_EXTENT)
    if isinstance(value, int | float):
        return Extent(_sane(value))
    mm = percent = 0.0
    position = 0
    while position < len(value):
        match = _TERM.match(value, position)
        if not match or (position and not match[1]):
            raise ValueError(EXPECTED_EXTENT)
        amount = float(match[2]) * (-1 if match[1] == "-" else 1)
        if match[3] == "%":
            percent += amount
        else:
            mm += amount * _UNITS[match[3] or ""]
        position = match.end()
    if not position:
        raise ValueError(EXPECTED_EXTENT)
    return Extent(_sane(mm), _sane(percent))


def parse_length(value: object) -> float:
    """Read an absolute length; millimetres. Raises ValueError saying what was expected."""
    try:
        extent = parse_extent(value)
    except ValueError:
        raise ValueError(EXPECTED) from None
    if extent.percent:
        raise ValueError(EXPECTED)
    return extent.mm


def _sane(number: float) -> float:
    # a whole number may be too large for a float: compare before converting
    if abs(number) > _LONGEST_MM or not math.isfinite(number):
        raise ValueError(EXPECTED + ", at most 10 m")
    return float(number)


def to_um(mm: float) -> int:
    """Millimetres to the nearest whole micrometre."""
    return round(mm * 1000)


def number_text(value: float, digits: int = 2) -> str:
    """A number without needless zeros: 63, 88.9."""
    return f"{value:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{value:.0f}"
