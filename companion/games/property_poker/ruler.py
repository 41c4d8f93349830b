"""The draw: the ruler from one anchor towards another, and what it covers (PP-7)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.games.property_poker.geometry import CROSSING, distance, margin
from companion.games.property_poker.hands import HANDS, Hand, best_hand
from companion.games.property_poker.tiles import Point

_MOST_TRIED = 8
_ORDER = ("none", *(hand.id for hand in HANDS))
LENGTH = 12.0
"""Of the ruler, in cm (PP-1)."""
OFFICIAL = {"record": 0.5, "table": 1.0}
"""Millimetres under which a tile is too close to call: by what is official, record or table."""


@dataclass(frozen=True)
class Verdict:
    """One tile and the ruler: covered or not, by how many mm, and where along the ruler (cm)."""

    covered: bool
    margin_mm: float
    close: bool
    along: float


@dataclass(frozen=True)
class Draw:
    """What a ruler covers, in order, and the best hand; `alarm`: the close tiles decide it."""

    start: Point
    end: Point
    verdicts: Mapping[str, Verdict]
    covered: tuple[str, ...]
    hand: Hand | None
    alarm: tuple[str, ...]
    """Hands that are possible if close tiles are judged otherwise, with the found one; or none."""

    @property
    def close(self) -> tuple[str, ...]:
        """The tiles that are too close to call."""
        return tuple(id for id, verdict in self.verdicts.items() if verdict.close)


def ruler_between(start: Point, aim: Point) -> tuple[Point, Point]:
    """The ruler's ends: from `start` towards `aim`, 12 cm long. Raises ValueError if they meet."""
    reach = math.dist(start, aim)
    if reach < CROSSING:
        raise ValueError("the two anchors lie on each other")
    scale = LENGTH / reach
    end = (start[0] + (aim[0] - start[0]) * scale, start[1] + (aim[1] - start[1]) * scale)
    return start, end


def judge(
    polygons: Mapping[str, Sequence[Point]],
    a: Point,
    b: Point,
    close_mm: float = OFFICIAL["record"],
    always: str | None = None,
) -> dict[str, Verdict]:
    """Each tile's verdict. `always`: the start tile, whose anchor the ruler starts at."""
    found = {}
    ux, uy = (b[0] - a[0]) / LENGTH, (b[1] - a[1]) / LENGTH
    for id, polygon in polygons.items():
        depth = margin(polygon, a, b)
        covered = depth > CROSSING
        mm = 10 * (depth if covered else distance(polygon, a, b))
        middle = [(x - a[0]) * ux + (y - a[1]) * uy for x, y in _chord(polygon, a, b)]
        along = sum(middle) / len(middle)
        # a rounded 0 is 0
        found[id] = Verdict(
            covered, 0.0 if mm < 1e-7 else mm, mm < close_mm and id != always, along
        )
    assert always is None or found[always].covered
    return found


def draw(
    polygons: Mapping[str, Sequence[Point]],
    start: str,
    anchors: tuple[Point, Point],
    close_mm: float = OFFICIAL["record"],
) -> Draw:
    """The draw from tile `start`: its anchor and the anchor aimed at (PP-7)."""
    a, b = ruler_between(*anchors)
    verdicts = judge(polygons, a, b, close_mm, start)
    covered = in_order(verdicts)
    margins = {id: verdicts[id].margin_mm for id in covered}
    hand = best_hand(covered, margins)
    return Draw(a, b, verdicts, covered, hand, _alarm(verdicts, covered, hand))


def in_order(verdicts: Mapping[str, Verdict]) -> tuple[str, ...]:
    """The covered tiles along the ruler."""
    covered = [id for id, verdict in verdicts.items() if verdict.covered]
    return tuple(sorted(covered, key=lambda id: (verdicts[id].along, id)))


def _alarm(
    verdicts: Mapping[str, Verdict], covered: Sequence[str], hand: Hand | None
) -> tuple[str, ...]:
    """The found hand and the others that judging close tiles otherwise can make; none if none.

    A hand only grows with more tiles, so of very many close ones all in and all out, the two
    extremes, are enough for an alarm.
    """
    close = [id for id, verdict in verdicts.items() if verdict.close]
    if not close:
        return ()
    sure = [id for id in covered if id not in close]
    found = hand.name.id if hand else "none"
    names = [found]
    few = len(close) <= _MOST_TRIED
    counts = range(len(close) + 1) if few else (0, len(close))
    for some in itertools.chain.from_iterable(itertools.combinations(close, n) for n in counts):
        made = best_hand([*sure, *some])
        name = made.name.id if made else "none"
        if name not in names:
            names.append(name)
    return (found, *sorted(names[1:], key=_ORDER.index)) if len(names) > 1 else ()


def _chord(polygon: Sequence[Point], a: Point, b: Point) -> list[Point]:
    """Points that say where along the ruler a tile lies: where its line meets the outline."""
    nx, ny = -(b[1] - a[1]), b[0] - a[0]
    across = [nx * (x - a[0]) + ny * (y - a[1]) for x, y in polygon]
    points = []
    count = len(polygon)
    for i, (d, e) in enumerate(zip(across, (*across[1:], across[0]), strict=True)):
        if (d < 0) != (e < 0):
            (px, py), (qx, qy) = polygon[i], polygon[(i + 1) % count]
            share = d / (d - e)
            points.append((px + share * (qx - px), py + share * (qy - py)))
    return points or list(polygon)
