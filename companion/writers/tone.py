"""Colours as they are printed: as designed, grey (a proof), or low-ink (for paper prototypes)."""

from __future__ import annotations

from enum import StrEnum

from companion.layouts.colors import Color

LOW_INK_SHARE = 0.10
"""How much of a surface's darkness low-ink mode keeps."""
OUTLINE: Color = (0.45, 0.45, 0.45)
"""In low-ink mode every filled shape gets a hairline in this grey, so that forms stay visible."""
BLACK: Color = (0.0, 0.0, 0.0)


class Tone(StrEnum):
    """How colours are turned into ink."""

    COLOR = "color"
    GREY = "grey"
    LOW_INK = "low-ink"


def surface(color: Color, tone: Tone) -> Color:
    """A fill colour."""
    if tone is Tone.GREY:
        return _grey(color)
    if tone is Tone.LOW_INK:
        red, green, blue = (1 - LOW_INK_SHARE * (1 - channel) for channel in color)
        return red, green, blue
    return color


def line(color: Color, tone: Tone) -> Color:
    """A stroke colour; in low-ink mode every line is grey, light ones too."""
    if tone is Tone.GREY:
        return _grey(color)
    if tone is Tone.LOW_INK:
        return OUTLINE
    return color


def ink(color: Color, tone: Tone) -> Color:
    """A text colour: black in low-ink mode, whatever it stood on."""
    if tone is Tone.GREY:
        return _grey(color)
    return BLACK if tone is Tone.LOW_INK else color


def _grey(color: Color) -> Color:
    red, green, blue = color
    value = 0.299 * red + 0.587 * green + 0.114 * blue
    return value, value, value
