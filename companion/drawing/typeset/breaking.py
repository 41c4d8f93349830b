"""Lines at a given width in ems: greedy, by bisection over the prefix sums."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from companion.drawing.typeset.measure import Measured

_SLACK = 1e-9
_BAD_START = ("C", "S", "D", "c")


class Span(NamedTuple):
    """Characters `start` to `last` (exclusive, blanks at the end left out) form one line."""

    start: int
    last: int
    final: bool


def break_line(line: Measured, width: float) -> list[Span]:
    """The lines of one hard line at `width` ems.

    Never empty: a blank line is one empty span. A stretch without a break that is wider than the
    line is broken between characters.
    """
    count = len(line.chars)
    if count == 0:
        return [Span(0, 0, True)]
    spans: list[Span] = []
    start, k = 0, 0
    breaks, ends = line.breaks, line.ends
    while start < count:
        limit = line.left(start) + width + _SLACK
        found = bisect_right(ends, limit, k) - 1
        if found >= k:
            k = found + 1
            spans.append(Span(start, max(line.lasts[found], start), breaks[found] == count))
            start = breaks[found]
        else:
            stop = _forced(line, start, limit)
            spans.append(Span(start, stop, stop == count))
            start = stop
    return _without_orphan(line, spans, width)


def _forced(line: Measured, start: int, limit: float) -> int:
    """Where to break inside an unbreakable stretch: as late as fits, at least one character.

    If it can be helped, not before a stop, not after an opening bracket, not inside a number.
    """
    stop = start + 1
    while stop < len(line.chars) and line.x[stop] + line.advance[stop] <= limit:
        stop += 1
    for better in range(stop, start, -1):
        before, after = line.classes[better - 1], line.classes[better : better + 1]
        if after not in _BAD_START and before not in "Oo" and before + after != "nn":
            return better
    return stop


def _without_orphan(line: Measured, spans: list[Span], width: float) -> list[Span]:
    """If the last line holds one character (and its punctuation), break the one before earlier."""
    if len(spans) < 2 or not _is_orphan(line, spans[-1]):
        return spans
    before, last = spans[-2], spans[-1]
    if last.start not in line.breaks:
        return spans
    k = line.breaks.index(last.start) - 1
    while k >= 0 and line.breaks[k] > before.start:
        start = line.breaks[k]
        if line.right(last.last) - line.left(start) > width + _SLACK:
            break
        earlier = Span(before.start, line.lasts[k], False)
        moved = Span(start, last.last, True)
        if _visible(line, earlier) < 2:
            break
        if not _is_orphan(line, moved):
            return [*spans[:-2], earlier, moved]
        k -= 1
    return spans


def _is_orphan(line: Measured, span: Span) -> bool:
    letters = [cls for cls in line.classes[span.start : span.last] if cls in "HIan"]
    return len(letters) <= 1 and span.last > span.start


def _visible(line: Measured, span: Span) -> int:
    return sum(cls in "HIan" for cls in line.classes[span.start : span.last])
