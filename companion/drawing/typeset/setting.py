"""Fits paragraphs to a box and places their runs.

Vertical measure: the em square stands 0.88 em above the baseline and 0.12 em below it; the text's
top is the first em square's top, its bottom the last one's bottom.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.drawing.fonts import Font
from companion.drawing.scene import Item, Run
from companion.drawing.typeset.breaking import Span, break_line
from companion.drawing.typeset.charclass import stretches
from companion.drawing.typeset.measure import ICON_DROP, ICON_HEIGHT, Measured
from companion.layouts.colors import Color
from companion.units import MM_PER_PT

STEP = 0.25
"""Sizes are tried in steps of a quarter point."""
_ASCENT = 0.88
_MOST_STRETCH = 0.08
_SMALLEST = 1.0


@dataclass(frozen=True, slots=True)
class Style:
    """How a paragraph looks. `scale` and `gap` are relative to the text's size."""

    color: Color
    bold_color: Color
    align: str
    scale: float = 1.0
    gap: float = 0.0


@dataclass(frozen=True, slots=True)
class SetParagraph:
    """A measured paragraph (its hard lines) and its style."""

    lines: tuple[Measured, ...]
    style: Style


@dataclass(frozen=True, slots=True)
class Frame:
    """The box a text is set into: millimetres; `leading` in ems."""

    x: float
    y: float
    width: float
    height: float
    valign: str
    leading: float


def height_at(paragraphs: list[SetParagraph], frame: Frame, points: float) -> float:
    """The height in millimetres that the text takes at `points`."""
    size = points * MM_PER_PT
    total, scales = 0.0, []
    for number, paragraph in enumerate(paragraphs):
        scale = paragraph.style.scale
        width = frame.width / (size * scale)
        count = sum(len(break_line(line, width)) for line in paragraph.lines)
        total += count * frame.leading * scale + (paragraph.style.gap if number else 0.0)
        scales.append(scale)
    if not scales:
        return 0.0
    half = (frame.leading - 1) / 2
    return (total - half * (scales[0] + scales[-1])) * size


def _fits(paragraphs: list[SetParagraph], frame: Frame, points: float, whole_words: bool) -> bool:
    size = points * MM_PER_PT
    for paragraph in paragraphs:
        room = frame.width / (size * paragraph.style.scale) + 1e-9
        for line in paragraph.lines:
            if whole_words and line.widest > room:
                return False
            if line.advance and max(line.advance) > room:
                return False
    return height_at(paragraphs, frame, points) <= frame.height + 1e-6


def broken_word(paragraphs: list[SetParagraph], frame: Frame, points: float) -> str:
    """A word or number that is wider than the box at `points`, and so is broken; "" if none is."""
    for paragraph in paragraphs:
        room = frame.width / (points * MM_PER_PT * paragraph.style.scale) + 1e-9
        for line in paragraph.lines:
            if line.widest <= room:
                continue
            start = 0
            for end, last in zip(line.breaks, line.lasts, strict=True):
                if line.right(last) - line.left(start) > room:
                    return "".join(line.chars[start:last])
                start = end
    return ""


def best_size(
    paragraphs: list[SetParagraph], frame: Frame, floor: float, start: float
) -> float | None:
    """The largest of start, start − ¼ pt, … floor at which the text fits; None if none does.

    A size that keeps words whole is preferred to a larger one that breaks a word.
    """
    for whole_words in (True, False):
        size = _search(paragraphs, frame, floor, start, whole_words)
        if size is not None:
            return size
    return None


def needed_size(paragraphs: list[SetParagraph], frame: Frame, floor: float) -> float | None:
    """For a text that does not fit at `floor`: the size that would, down to 1 pt."""
    return _search(paragraphs, frame, _SMALLEST, floor, whole_words=False)


def _search(
    paragraphs: list[SetParagraph], frame: Frame, floor: float, start: float, whole_words: bool
) -> float | None:
    if _fits(paragraphs, frame, start, whole_words):
        return start
    steps = int((start - floor) / STEP + 1e-9)
    sizes = [start - STEP * i for i in range(1, steps + 1)]
    if not sizes or sizes[-1] > floor + 1e-9:
        sizes.append(floor)
    low, high = 0, len(sizes)  # sizes[high:] are known to fit
    while low < high:
        middle = (low + high) // 2
        if _fits(paragraphs, frame, sizes[middle], whole_words):
            high = middle
        else:
            low = middle + 1
    return sizes[low] if low < len(sizes) else None


def place(paragraphs: list[SetParagraph], frame: Frame, points: float) -> list[Item]:
    """Runs and icons of the text at `points`."""
    size = points * MM_PER_PT
    height = height_at(paragraphs, frame, points)
    spare = frame.height - height
    y = frame.y + {"top": 0.0, "middle": spare / 2, "bottom": spare}[frame.valign]
    half = (frame.leading - 1) / 2
    items: list[Item] = []
    for number, paragraph in enumerate(paragraphs):
        scale = paragraph.style.scale
        em = size * scale
        y += paragraph.style.gap * size if number else -half * em
        for line in paragraph.lines:
            for span in break_line(line, frame.width / em):
                baseline = y + (half + _ASCENT) * em
                _place_span(items, line, span, paragraph.style, frame, baseline, points * scale)
                y += frame.leading * em
    return items


def _place_span(
    items: list[Item],
    line: Measured,
    span: Span,
    style: Style,
    frame: Frame,
    baseline: float,
    points: float,
) -> None:
    if span.start >= span.last:
        return
    em = points * MM_PER_PT
    left = line.left(span.start)
    spare = frame.width / em - (line.right(span.last) - left)
    shift = {"center": spare / 2, "right": spare}.get(style.align, 0.0)
    spread = _spread(line, span, spare) if style.align == "justify" else 0.0
    origin = frame.x + (shift - left) * em
    widened = 0
    at = span.start
    while at < span.last:
        x = origin + (line.x[at] + widened * spread) * em
        icon = line.icons.get(at)
        if icon:
            stop = at + 1
            top = baseline - (ICON_HEIGHT - ICON_DROP) * em
            items.append(icon.placed(x, top, ICON_HEIGHT * em, style.color))
        else:
            stop, widens = _run_end(line, at, span.last, spread)
            color = style.bold_color if line.bold[at] else style.color
            text = "".join(line.chars[at:stop])
            inner = spread * points if widens else 0.0
            items.append(Run(x, baseline, text, line.fonts[at], points, color, inner))
        if spread:
            widened += sum(
                stretches(line.classes[i - 1], line.classes[i])
                for i in range(at + 1, min(stop + 1, span.last))
            )
        at = stop


def _spread(line: Measured, span: Span, spare: float) -> float:
    """Ems to add at each stretchable place, or 0 if the line stays ragged."""
    if span.final or spare <= 0:
        return 0.0
    places = sum(
        stretches(line.classes[i - 1], line.classes[i]) for i in range(span.start + 1, span.last)
    )
    spread = spare / places if places else 0.0
    return spread if spread <= _MOST_STRETCH else 0.0


def _run_end(line: Measured, start: int, last: int, spread: float) -> tuple[int, bool]:
    """The end of the characters that can be written as one run from `start`, and whether the
    places inside it are widened (all of them or none)."""
    font: Font = line.fonts[start]
    bold = line.bold[start]
    widens = False
    end = start + 1
    while end < last and line.fonts[end] is font and line.bold[end] == bold:
        if end in line.icons:
            break
        # a run is set with the font's own advances: it ends where a gap was put in or taken out
        if abs(line.x[end] - line.x[end - 1] - font.widths[ord(line.chars[end - 1])]) > 1e-9:
            break
        if spread:
            wide = stretches(line.classes[end - 1], line.classes[end])
            if end - start == 1:
                widens = wide
            elif wide != widens:
                break
        end += 1
    return end, widens
