"""A tuck box for a deck: its size from the cards' number and thickness, cut and fold lines (P27).

The net, from left to right: glue flap, front, side, back, side; above the front the lid with its
tuck flap, below it the bottom; dust flaps on the sides.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.errors import PrintError
from companion.files.atomic import replacing
from companion.sheets.papers import PAPERS
from companion.units import number_text
from companion.writers.cutfile import Outline, dxf, svg

GLUE = 12.0
TUCK = 14.0
_TAPER = 3.0


@dataclass(frozen=True)
class Box:
    """Inner size of the box in millimetres."""

    width: float
    height: float
    depth: float

    @property
    def net(self) -> tuple[float, float]:
        """The size of the flat net."""
        return GLUE + 2 * self.width + 2 * self.depth, self.height + 2 * self.depth + TUCK


def box_for(card: tuple[float, float], count: int, thickness: float, play: float) -> Box:
    """The box for `count` cards of `thickness`: 54 of 0.30 mm with 1 mm play are 17.2 mm deep."""
    return Box(card[0] + play, card[1] + play, count * thickness + play)


def outlines(box: Box, left: float, top: float) -> list[Outline]:
    """Cut and fold lines with the net's top-left corner at (left, top)."""
    w, h, d = box.width, box.height, box.depth
    x = [left, left + GLUE]
    for side in (w, d, w, d):
        x.append(x[-1] + side)
    lid = top + TUCK
    body = lid + d
    foot = body + h
    end = foot + d
    cut = [
        # clockwise round the net, from the glue flap's upper corner
        (x[0], body + _TAPER),
        (x[1], body),
        (x[1], lid),
        (x[1] + _TAPER, top),
        (x[2] - _TAPER, top),
        (x[2], lid),
        (x[2], body),
        *_dust(x[2], x[3], body, -d),
        (x[4], body),
        *_dust(x[4], x[5], body, -d),
        (x[5], foot),
        *_dust(x[5], x[4], foot, d),
        (x[4], end),
        (x[3], end),
        *reversed(_dust(x[2], x[3], foot, d)),
        (x[2], end),
        (x[1], end),
        (x[1], foot),
        (x[0], foot - _TAPER),
    ]
    folds = [
        *(((a, body), (a, foot)) for a in x[1:5]),
        ((x[1], body), (x[2], body)),
        ((x[1], lid), (x[2], lid)),
        ((x[1], foot), (x[2], foot)),
        ((x[3], foot), (x[4], foot)),
        *(((a, y), (b, y)) for a, b in ((x[2], x[3]), (x[4], x[5])) for y in (body, foot)),
    ]
    return [
        Outline(tuple(cut)),
        *(Outline(line, "fold", closed=False, dashed=True) for line in folds),
    ]


def _dust(a: float, b: float, y: float, depth: float) -> list[tuple[float, float]]:
    """A dust flap on the edge from (a, y) to (b, y), tapered, 0.7 of the depth long."""
    # never so much that the flap of a thin box has no edge left
    inset = min(_TAPER, 0.3 * abs(b - a)) * (1 if b > a else -1)
    far = y + 0.7 * depth
    return [(a, y), (a + inset, far), (b - inset, far), (b, y)]


def write_tuckbox(box: Box, paper: tuple[float, float], margin: float, target: Path) -> None:
    """Write the net as SVG or DXF. Raises PrintError naming a paper that would do."""
    net = box.net
    turned = _turned_to_fit(net, paper, margin)
    if turned is None:
        fitting = [name for name, size in PAPERS.items() if _turned_to_fit(net, size, margin)]
        fitting.sort(key=lambda name: PAPERS[name][0] * PAPERS[name][1])
        hint = f"it would fit on {fitting[0]}" if fitting else "no known paper is large enough"
        raise PrintError(
            f"the box's net of {number_text(net[0], 1)} × {number_text(net[1], 1)} mm does not fit "
            f"on {number_text(paper[0])} × {number_text(paper[1])} mm; {hint}"
        )
    left, top = (turned[0] - net[0]) / 2, (turned[1] - net[1]) / 2
    lines = outlines(box, left, top)
    write = svg if target.suffix == ".svg" else dxf
    with replacing(target) as stream:
        stream.write(write(turned, lines).encode())


def _turned_to_fit(
    net: tuple[float, float], paper: tuple[float, float], margin: float
) -> tuple[float, float] | None:
    """The paper as it must lie for the net to fit, or None."""
    for width, height in (paper, paper[::-1]):
        if net[0] <= width - 2 * margin and net[1] <= height - 2 * margin:
            return width, height
    return None
