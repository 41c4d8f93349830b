"""The two-page calibration sheet (P4): rulers of exactly 100 mm, cross-hairs, displaced backs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path as FilePath

from companion.drawing.fonts import Font, FontShelf
from companion.drawing.scene import Item, Path, Run, Scene
from companion.drawing.svgpath import ellipse
from companion.files.atomic import replacing
from companion.layouts.colors import Color
from companion.units import MM_PER_PT

STEPS = tuple(step / 2 for step in range(-4, 5))
"""Displacements of the back's cells: −2 … +2 mm by 0.5."""
_BLACK: Color = (0.0, 0.0, 0.0)
_HAIR = 0.1


def write_calibration(path: FilePath, paper: tuple[float, float], duplex_vertical: bool) -> None:
    """Write the sheet for `paper` (mm); `duplex_vertical`: turned about a vertical edge."""
    from companion.writers.pdf import Metadata, write_pages

    font = FontShelf.with_shipped().shipped_regular()
    metadata = Metadata("Calibration sheet", "print at 100 %", "en")
    pages = [front(paper, font), back(paper, font, duplex_vertical)]
    write_pages(lambda: replacing(path), pages, metadata, font)


def cells(paper: tuple[float, float]) -> Iterator[tuple[float, float, float, float]]:
    """(x, y, displacement right, displacement down): the middle of each cell on the front."""
    pitch_x = (paper[0] - 40) / len(STEPS)
    pitch_y = min(pitch_x, (paper[1] - 80) / len(STEPS))
    top = 60.0
    for row, dy in enumerate(STEPS):
        for column, dx in enumerate(STEPS):
            yield 20 + (column + 0.5) * pitch_x, top + (row + 0.5) * pitch_y, dx, dy


def front(paper: tuple[float, float], font: Font) -> Scene:
    """Rulers, cross-hairs, and what to do."""
    items: list[Item] = [
        _text("1. Print both pages at 100 %, double-sided: this must measure 100 mm", 20, 14, font),
        _text(
            "2. Hold the sheet against the light: on the back, find the cell whose cross lies on "
            "the front's.",
            20,
            43,
            font,
        ),
        _text(
            "3. companion calibrate --printer NAME --x … --y …   with the two numbers in that cell",
            20,
            48,
            font,
        ),
    ]
    items += _ruler(20, 20, 100, 0, font)
    items += _ruler(paper[0] - 14, 60, 0, 100, font)
    for x, y, _, _ in cells(paper):
        items += _cross(x, y, 3.5)
    return Scene(*paper, 0, tuple(items))


def back(paper: tuple[float, float], font: Font, duplex_vertical: bool) -> Scene:
    """Crosses where the front's come through, each displaced and labelled with its displacement."""
    items: list[Item] = [_text("back", 20, 14, font)]
    for x, y, dx, dy in cells(paper):
        cx, cy = (paper[0] - x, y) if duplex_vertical else (x, paper[1] - y)
        items += _cross(cx + dx, cy + dy, 3.5)
        items.append(_text(f"x {dx:+g}", cx - 7, cy + 7.2, font, 5.5))
        items.append(_text(f"y {dy:+g}", cx + 1.5, cy + 7.2, font, 5.5))
    return Scene(*paper, 0, tuple(items))


def _text(text: str, x: float, y: float, font: Font, points: float = 9) -> Run:
    return Run(x, y, text, font, points, _BLACK)


def _stroke(x1: float, y1: float, x2: float, y2: float, width: float = _HAIR) -> Path:
    return Path((("M", (x1, y1)), ("L", (x2, y2))), None, _BLACK, width)


def _cross(x: float, y: float, arm: float) -> list[Item]:
    return [
        _stroke(x - arm, y, x + arm, y),
        _stroke(x, y - arm, x, y + arm),
        Path(ellipse(x, y, 1, 1), None, _BLACK, _HAIR),
    ]


def _ruler(x: float, y: float, across: float, down: float, font: Font) -> list[Item]:
    """A ruler with a tick each millimetre; its end ticks are exactly its length apart."""
    length = round(across + down)
    items: list[Item] = [_stroke(x, y, x + across, y + down, 0.2)]
    for step in range(length + 1):
        tall = 6.0 if step % 10 == 0 else 4.5 if step % 5 == 0 else 3.0
        if across:
            items.append(_stroke(x + step, y, x + step, y + tall))
        else:
            items.append(_stroke(x, y + step, x - tall, y + step))
    em = 9 * MM_PER_PT
    label_x, label_y = (x + across + 3, y + em) if across else (x - 9, y + down + em + 2)
    items.append(_text("100 mm", label_x, label_y, font))
    return items
