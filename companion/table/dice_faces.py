"""How dice look in a terminal: boxes side by side, the white die light, the black die heavy."""

from __future__ import annotations

from collections.abc import Iterable

LIGHT = tuple("╭─╮│╰╯")
HEAVY = tuple("┏━┓┃┗┛")


def draw(dice: Iterable[tuple[str, bool]]) -> list[str]:
    """Three lines for dice given as (face, heavy)."""
    lines = ["", "", ""]
    for face, heavy in dice:
        corner, bar, right, side, low, low_right = HEAVY if heavy else LIGHT
        width = len(face) + 2
        lines[0] += f"{corner}{bar * width}{right} "
        lines[1] += f"{side} {face} {side} "
        lines[2] += f"{low}{bar * width}{low_right} "
    return [line.rstrip() for line in lines]
