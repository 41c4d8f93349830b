"""Cut files in millimetres: SVG and DXF (R12), closed outlines and lines on named layers.

y runs down from the paper's top-left corner in SVG, up from its bottom-left corner in DXF.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True)
class Outline:
    """A polygon or polyline on a layer; `round` is the radius of a rectangle's corners."""

    points: tuple[Point, ...]
    layer: str = "cut"
    closed: bool = True
    dashed: bool = False


_COLORS: Mapping[str, tuple[str, int]] = {
    "cut": ("#e00000", 1),
    "fold": ("#0060e0", 5),
    "shared": ("#00a040", 3),
}


def rounded_rectangle(x: float, y: float, width: float, height: float, corner: float) -> Outline:
    """A rectangle whose corners are arcs of 16 chords each (within 0.01 mm for 3 mm)."""
    import math

    r = min(corner, width / 2, height / 2)
    if r <= 0:
        right, bottom = x + width, y + height
        return Outline(((x, y), (right, y), (right, bottom), (x, bottom)))
    centers = (
        (x + width - r, y + r, -90),
        (x + width - r, y + height - r, 0),
        (x + r, y + height - r, 90),
        (x + r, y + r, 180),
    )
    points = [
        (
            cx + r * math.cos(math.radians(start + 90 * step / 16)),
            cy + r * math.sin(math.radians(start + 90 * step / 16)),
        )
        for cx, cy, start in centers
        for step in range(17)
    ]
    return Outline(tuple(points))


def svg(paper: tuple[float, float], outlines: Iterable[Outline]) -> str:
    """An SVG of the paper's size, one group a layer."""
    layers: dict[str, list[Outline]] = {}
    for outline in outlines:
        layers.setdefault(outline.layer, []).append(outline)
    width, height = paper
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}">'
    ]
    for layer, members in layers.items():
        color = _COLORS.get(layer, ("#000000", 7))[0]
        lines.append(f'  <g id="{layer}" fill="none" stroke="{color}" stroke-width="0.1">')
        for outline in members:
            points = " L".join(f"{x:.4f} {y:.4f}" for x, y in outline.points)
            dash = ' stroke-dasharray="3 3"' if outline.dashed else ""
            end = " Z" if outline.closed else ""
            lines.append(f'    <path d="M{points}{end}"{dash}/>')
        lines.append("  </g>")
    return "\n".join([*lines, "</svg>", ""])


def dxf(paper: tuple[float, float], outlines: Iterable[Outline]) -> str:
    """A DXF R12 of polylines, units millimetres."""
    members = list(outlines)
    layers = list(dict.fromkeys(outline.layer for outline in members))
    out = [*_pairs((0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009"))]
    out += _pairs((9, "$INSUNITS"), (70, 4), (0, "ENDSEC"))
    out += _pairs((0, "SECTION"), (2, "TABLES"), (0, "TABLE"), (2, "LAYER"), (70, len(layers)))
    for layer in layers:
        color = _COLORS.get(layer, ("", 7))[1]
        out += _pairs((0, "LAYER"), (2, layer), (70, 0), (62, color), (6, "CONTINUOUS"))
    out += _pairs((0, "ENDTAB"), (0, "ENDSEC"), (0, "SECTION"), (2, "ENTITIES"))
    for outline in members:
        out += _pairs((0, "POLYLINE"), (8, outline.layer), (66, 1), (70, int(outline.closed)))
        for x, y in outline.points:
            out += _pairs((0, "VERTEX"), (8, outline.layer), (10, f"{x:.4f}"))
            out += _pairs((20, f"{paper[1] - y:.4f}"), (30, "0.0"))
        out += _pairs((0, "SEQEND"), (8, outline.layer))
    out += _pairs((0, "ENDSEC"), (0, "EOF"))
    return "\n".join(out) + "\n"


def _pairs(*groups: tuple[int, object]) -> list[str]:
    return [line for code, value in groups for line in (f"{code:>3}", str(value))]
