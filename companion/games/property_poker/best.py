"""The best hand that one ruler can cover, exactly, and the ruler that a hand can lay (PP-10).

Three steps.

1. Which tiles can be covered together: if a ruler covers some tiles, then so does one that runs
   infinitesimally to one side of a line through a corner of one of them. (For a fixed angle the
   length that is needed is a convex, piecewise linear function of the offset: its least value lies
   at a corner.) Round each corner the angles to all other corners are sorted; between two
   neighbouring angles the order of entries and exits is fixed, and the needed length is convex in
   the angle: two ends and at most one minimum inside decide.
2. The value of each such set, by counting (see `hands.py`), for all sets at once.
3. Of all five tiles that make the best hand, the ruler with the largest margin: for a fixed angle a
   small linear programme in offset, slide and margin; over the angle branch and bound, since
   turning a 12 cm ruler about its middle costs at most 6 cm of margin a radian.

Lengths in cm, angles in radians. Numbers of tiles are bits of a 64-bit mask.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.games.property_poker.geometry import CROSSING
from companion.games.property_poker.hands import HAND_TILES, RUNS, Hand, best_hand
from companion.games.property_poker.ruler import LENGTH, in_order, judge
from companion.games.property_poker.tiles import SUITS, TILES, Point

Floats = NDArray[np.float64]
Masks = NDArray[np.uint64]
_Lines = tuple[Floats, Floats, Floats, NDArray[np.bool_]]

SLOPE = LENGTH / 2
"""How much margin (cm) a turn by one radian costs at most."""
CENTRED = 1e-5
"""How near (cm) the margin found is to the largest one."""
_BINS = 64
_SAME = 1e-9
_MOST_NODES = 20_000


@dataclass(frozen=True)
class Placement:
    """A ruler, what it covers of the own tiles in order, the hand, and the hand's margin."""

    start: Point
    end: Point
    covered: tuple[str, ...]
    hand: Hand
    margin_mm: float


def best_placement(
    polygons: Mapping[str, Sequence[Point]], min_margin: float = 0.0
) -> Placement | None:
    """The best hand of the tiles under one ruler; of all rulers with it, the safest.

    `polygons`: the tiles that count for the player, jokers' ghosts included. `min_margin` (cm): the
    hand must survive such a wobble. None if no ruler makes a hand. At most 64 tiles.
    """
    # no ruler runs deeper through a tile than half of its greatest width
    ids = [id for id, polygon in polygons.items() if _widest(polygon) / 2 >= min_margin]
    if len(ids) < HAND_TILES:
        return None
    tiles = _Tiles.of([polygons[id] for id in ids])
    masks, bins = coverable(tiles)
    values = values_of(masks, ids)
    for value in range(int(values.max(initial=0)), 0, -1):
        fives, where = _fives(masks, bins, values, ids, value)
        found = _centre(tiles, fives, where, min_margin)
        if found:
            return _placement(polygons, found, min_margin)
    return None


def _widest(polygon: Sequence[Point]) -> float:
    return max(math.dist(p, q) for p in polygon for q in polygon)


def _placement(
    polygons: Mapping[str, Sequence[Point]], ruler: tuple[Point, Point], min_margin: float
) -> Placement:
    verdicts = judge(polygons, *ruler)
    covered = in_order(verdicts)
    margins = {id: verdicts[id].margin_mm for id in covered}
    # a tile that a wobble uncovers may not make the hand better
    sure = [id for id in covered if margins[id] >= 10 * (min_margin - CENTRED)]
    hand = best_hand(sure, margins)
    assert hand is not None
    return Placement(*ruler, covered, hand, min(margins[id] for id in hand.tiles))


@dataclass(frozen=True)
class _Tiles:
    """All tiles as arrays; tiles with three sides repeat their last corner and side.

    `corners` (n, 4, 2); `normals` (n, 4, 2) outward unit normals; `offsets` (n, 4): normal
    times corner.
    """

    corners: Floats
    normals: Floats
    offsets: Floats

    @staticmethod
    def of(polygons: Sequence[Sequence[Point]]) -> _Tiles:
        padded = [[*polygon, *[polygon[-1]] * (4 - len(polygon))] for polygon in polygons]
        corners = np.array(padded, dtype=float)
        sides = np.empty_like(corners)
        for i, polygon in enumerate(polygons):
            around = np.array([*polygon, polygon[0]], dtype=float)
            steps = np.diff(around, axis=0)
            sides[i, : len(polygon)] = steps
            sides[i, len(polygon) :] = steps[-1]
        lengths = np.hypot(sides[..., 0], sides[..., 1])
        # outward of a clockwise side is to its left
        normals = np.stack([-sides[..., 1], sides[..., 0]], axis=-1) / lengths[..., None]
        return _Tiles(corners, normals, (normals * corners).sum(-1))


# step 1: which tiles can be covered together


def coverable(tiles: _Tiles) -> tuple[Masks, Masks]:
    """(sets of tiles that one ruler can cover, 64 bins of angles in which it can), as bit masks.

    Among them are all sets that no other contains. Sets of fewer than five tiles are left out.
    """
    found: dict[int, int] = {}
    centres = tiles.corners.mean(axis=1)
    reaches = np.hypot(*(tiles.corners - centres[:, None]).transpose(2, 0, 1)).max(axis=1)
    for point in _distinct(tiles.corners.reshape(-1, 2)):
        away = np.hypot(*(centres - point).T)
        near = np.flatnonzero(away <= LENGTH + reaches)
        if len(near) >= HAND_TILES:
            masks, bins = _round_corner(tiles, point, near)
            for mask, bin_ in zip(masks.tolist(), bins.tolist(), strict=True):
                found[mask] = found.get(mask, 0) | bin_
    return (
        np.array(list(found), dtype=np.uint64),
        np.array(list(found.values()), dtype=np.uint64),
    )


def _distinct(points: Floats) -> Floats:
    """The points without those that coincide."""
    order = np.unique(np.round(points, 7), axis=0, return_index=True)[1]
    kept: Floats = points[order]
    return kept


def _round_corner(tiles: _Tiles, point: Floats, near: NDArray[np.intp]) -> tuple[Masks, Masks]:
    """The sets under rulers that turn about one corner, with their bins of angles."""
    rel = tiles.corners[near] - point
    at_point = np.hypot(rel[..., 0], rel[..., 1]) < _SAME
    angles = np.arctan2(rel[..., 1], rel[..., 0])[~at_point] % math.pi
    angles = np.sort(angles)
    angles = np.append(angles, angles[0] + math.pi)
    wide = np.diff(angles) > 1e-10
    lows, highs = angles[:-1][wide], angles[1:][wide]
    middles = (lows + highs) / 2
    across = np.stack([-np.sin(middles), np.cos(middles)])
    depth = (rel.reshape(-1, 2) @ across).T.reshape(len(middles), len(near), 4)
    depth[:, at_point] = 0.0
    low, high = depth.min(axis=2), depth.max(axis=2)
    # a line a little to the one side, then a little to the other
    one, other = (low <= 0) & (high > 0), (low < 0) & (high >= 0)
    crossed = np.concatenate([one, other])
    # a set whose tiles do not meet at this corner is found at another one
    enough = (crossed.sum(axis=1) >= HAND_TILES) & crossed[:, at_point.any(axis=1)].any(axis=1)
    enough[len(one) :] &= (one != other).any(axis=1)
    if not enough.any():
        return np.empty(0, np.uint64), np.empty(0, np.uint64)
    crossed = crossed[enough]
    lows, highs, middles = (np.tile(a, 2)[enough] for a in (lows, highs, middles))
    normals = tiles.normals[near]
    offsets = tiles.offsets[near] - normals @ point
    offsets[np.abs(offsets) < _SAME] = 0.0
    return _windows(crossed, lows, highs, middles, normals, offsets, near)


def _windows(
    crossed: NDArray[np.bool_],
    lows: Floats,
    highs: Floats,
    middles: Floats,
    normals: Floats,
    offsets: Floats,
    near: NDArray[np.intp],
) -> tuple[Masks, Masks]:
    """For each line and each first exit, the farthest last entry that 12 cm can span."""
    width = int(crossed.sum(axis=1).max())
    chosen = np.argsort(~crossed, axis=1, kind="stable")[:, :width]
    real = np.take_along_axis(crossed, chosen, axis=1)
    along = np.stack([np.cos(middles), np.sin(middles)], axis=1)
    facing = np.einsum("nek,lk->lne", normals, along)
    facing = np.take_along_axis(facing, chosen[:, :, None], axis=1)
    offset = offsets[chosen]
    with np.errstate(divide="ignore", invalid="ignore"):
        place = offset / facing
    entries = np.where(facing < -1e-13, place, -np.inf)
    exits = np.where(facing > 1e-13, place, np.inf)
    enter, leave = entries.argmax(axis=2), exits.argmin(axis=2)
    entry = np.take_along_axis(entries, enter[:, :, None], axis=2)[..., 0]
    exit_ = np.take_along_axis(exits, leave[:, :, None], axis=2)[..., 0]
    lines = np.arange(len(chosen))[:, None]
    enter_normal, leave_normal = normals[chosen, enter], normals[chosen, leave]
    enter_offset, leave_offset = (
        offset[lines, np.arange(width), enter],
        offset[lines, np.arange(width), leave],
    )
    # pairs (line, first to be left, last to be entered), round the corner itself
    first = real & (exit_ <= _SAME)
    last = real & (entry >= -_SAME)
    line, j, k = np.nonzero(first[:, :, None] & last[:, None, :])
    fits = _fits(
        (enter_normal[line, k], enter_offset[line, k]),
        (leave_normal[line, j], leave_offset[line, j]),
        lows[line],
        highs[line],
    )
    line, j, k = line[fits], j[fits], k[fits]
    if not len(line):
        return np.empty(0, np.uint64), np.empty(0, np.uint64)
    # of all last entries that fit, the farthest: a set with a nearer one is part of it
    farthest = np.full(entry.shape, -np.inf)
    np.maximum.at(farthest, (line, j), entry[line, k])
    line, j = np.nonzero(farthest > -np.inf)
    inside = (
        real[line]
        & (exit_[line] >= exit_[line, j][:, None] - _SAME)
        & (entry[line] <= farthest[line, j][:, None] + _SAME)
    )
    bits = np.uint64(1) << near.astype(np.uint64)
    masks = np.where(inside, bits[chosen[line]], np.uint64(0)).sum(axis=1, dtype=np.uint64)
    many = inside.sum(axis=1) >= HAND_TILES
    masks, line = masks[many], line[many]
    if not len(line):
        return masks, masks
    bins = _bins(lows[line], highs[line])
    unique, back = np.unique(masks, return_inverse=True)
    joined = np.zeros(len(unique), np.uint64)
    np.bitwise_or.at(joined, back, bins)
    return unique, joined


def _fits(
    entry: tuple[Floats, Floats], exit_: tuple[Floats, Floats], low: Floats, high: Floats
) -> NDArray[np.bool_]:
    """Whether the length from exit to entry is under 12 cm somewhere between two angles.

    The length is a sum of offset / cos(angle − side's angle) with offsets of one sign: convex.
    """
    at_low, slope_low = _length(entry, exit_, low)
    at_high, slope_high = _length(entry, exit_, high)
    limit = LENGTH - CROSSING
    fits = (at_low < limit) | (at_high < limit)
    # the tangents at both ends meet below the curve
    with np.errstate(divide="ignore", invalid="ignore"):
        meet = (at_high - at_low - slope_high * (high - low)) / (slope_low - slope_high)
        bound = at_low + slope_low * meet
    unsure = np.flatnonzero(~fits & (slope_low < 0) & (slope_high > 0) & (bound < limit))
    if len(unsure):
        a, b = low[unsure].copy(), high[unsure].copy()
        sides = tuple((normal[unsure], offset[unsure]) for normal, offset in (entry, exit_))
        least = np.full(len(unsure), np.inf)
        for _ in range(50):
            middle = (a + b) / 2
            value, slope = _length(sides[0], sides[1], middle)
            least = np.minimum(least, value)
            a, b = np.where(slope < 0, middle, a), np.where(slope < 0, b, middle)
        fits[unsure] = least < limit
    return fits


def _length(
    entry: tuple[Floats, Floats], exit_: tuple[Floats, Floats], angle: Floats
) -> tuple[Floats, Floats]:
    """(needed length, its slope) at an angle; infinite where a side runs along the ruler."""
    cos, sin = np.cos(angle), np.sin(angle)
    value, slope = np.zeros(len(angle)), np.zeros(len(angle))
    for sign, (normal, offset) in ((1.0, entry), (-1.0, exit_)):
        facing = normal[:, 0] * cos + normal[:, 1] * sin
        turning = -normal[:, 0] * sin + normal[:, 1] * cos
        with np.errstate(divide="ignore", invalid="ignore"):
            place = np.where(offset == 0.0, 0.0, offset / facing)
            change = np.where(offset == 0.0, 0.0, -offset * turning / facing**2)
        value += sign * place
        slope += sign * change
    return value, slope


def _bins(low: Floats, high: Floats) -> Masks:
    """The bins of angles from low to high (less than π apart) as bits."""
    first = np.floor(low / math.pi * _BINS).astype(int)
    last = np.minimum(np.floor(high / math.pi * _BINS).astype(int), first + _BINS - 1)
    bins = np.zeros(len(low), np.uint64)
    for step in range(int((last - first).max()) + 1):
        bit = np.uint64(1) << ((first + step) % _BINS).astype(np.uint64)
        bins |= np.where(first + step <= last, bit, np.uint64(0))
    return bins


# step 2: what the sets are worth

_RUN_OF = np.array(
    [max((mask & run).bit_count() for run in RUNS) for mask in range(1 << 13)], dtype=np.int8
)
_BITS_OF = np.array([mask.bit_count() for mask in range(1 << 13)], dtype=np.int8)


def values_of(masks: Masks, ids: Sequence[str]) -> NDArray[np.int64]:
    """1 (pair) to 8 (straight flush) of each set, 0 for none; as `hands.value_of`, for all."""
    suits = np.zeros((4, len(masks)), dtype=np.int64)
    wilds = np.zeros(len(masks), dtype=np.int64)
    count = np.zeros(len(masks), dtype=np.int64)
    for number, id in enumerate(ids):
        has = ((masks >> np.uint64(number)) & np.uint64(1)).astype(np.int64)
        tile = TILES[id]
        count += has
        if tile.rank is None:
            wilds += has
        else:
            suits[SUITS.index(tile.kind)] |= has << tile.rank
    ranks = np.stack([((suits >> rank) & 1).sum(axis=0) for rank in range(13)])
    ranks.sort(axis=0)
    most, second = ranks[-1], ranks[-2]
    tests = (
        most + wilds >= 2,
        np.maximum(0, 2 - most) + np.maximum(0, 2 - second) <= wilds,
        most + wilds >= 3,
        _RUN_OF[suits[0] | suits[1] | suits[2] | suits[3]] + wilds >= 5,
        (_BITS_OF[suits] + wilds >= 5).any(axis=0),
        np.maximum(0, 3 - most) + np.maximum(0, 2 - second) <= wilds,
        most + wilds >= 4,
        (_RUN_OF[suits] + wilds >= 5).any(axis=0),
    )
    values = np.zeros(len(masks), dtype=np.int64)
    for value, test in enumerate(tests, 1):
        values[test] = value
    values[count < HAND_TILES] = 0
    return values


def _fives(
    masks: Masks, bins: Masks, values: NDArray[np.int64], ids: Sequence[str], value: int
) -> tuple[NDArray[np.int64], Masks]:
    """(every five tiles of a coverable set that make exactly this hand, their bins of angles)."""
    rich = _maximal(masks[values >= value])
    fives: set[tuple[int, ...]] = set()
    for mask in rich.tolist():
        members = [number for number in range(len(ids)) if mask >> number & 1]
        fives.update(itertools.combinations(members, HAND_TILES))
    if not fives:
        return np.empty((0, HAND_TILES), np.int64), np.empty(0, np.uint64)
    rows = np.array(sorted(fives), dtype=np.int64)
    own = (np.uint64(1) << rows.astype(np.uint64)).sum(axis=1, dtype=np.uint64)
    made = values_of(own, ids) == value
    rows, own = rows[made], own[made]
    where = np.zeros(len(rows), np.uint64)
    for mask, bin_ in zip(masks, bins, strict=True):
        where |= np.where(own & mask == own, bin_, np.uint64(0))
    return rows, where


def _maximal(masks: Masks) -> Masks:
    """The sets that no other contains."""
    order = np.argsort([-mask.bit_count() for mask in masks.tolist()], kind="stable")
    kept: list[int] = []
    for mask in masks[order].tolist():
        if not any(mask & other == mask for other in kept):
            kept.append(mask)
    return np.array(kept, dtype=np.uint64)


# step 3: the ruler with the largest margin


def _centre(
    tiles: _Tiles, fives: NDArray[np.int64], where: Masks, least: float
) -> tuple[Point, Point] | None:
    """The ruler over one of the fives whose margin is largest; None if that is under `least`."""
    half = math.pi / _BINS / 2
    five, angle = [], []
    for bin_ in range(_BINS):
        rows = np.flatnonzero((where >> np.uint64(bin_)) & np.uint64(1))
        five.append(rows)
        angle.append(np.full(len(rows), (2 * bin_ + 1) * half))
    nodes, angles = np.concatenate(five), np.concatenate(angle)
    best, ruler = -math.inf, None
    while len(nodes):
        margins = np.empty(len(nodes))
        for start in range(0, len(nodes), _MOST_NODES):
            part = slice(start, start + _MOST_NODES)
            margins[part], offset, slide = _centred_at(tiles, fives[nodes[part]], angles[part])
            top = int(margins[part].argmax())
            if margins[part][top] > best:
                best = float(margins[part][top])
                ruler = _ruler(float(angles[part][top]), float(offset[top]), float(slide[top]))
        # nothing below the wanted margin or the best so far can win
        keep = margins + SLOPE * half > max(best + CENTRED, least, CROSSING)
        half /= 2
        nodes = np.repeat(nodes[keep], 2)
        angles = np.repeat(angles[keep], 2) + np.tile([-half, half], int(keep.sum()))
    return ruler if best >= max(least, CROSSING) else None


def _ruler(angle: float, offset: float, slide: float) -> tuple[Point, Point]:
    cos, sin = math.cos(angle), math.sin(angle)
    x, y = -sin * offset + cos * slide, cos * offset + sin * slide
    return (x, y), (x + LENGTH * cos, y + LENGTH * sin)


def _centred_at(
    tiles: _Tiles, fives: NDArray[np.int64], angles: Floats
) -> tuple[Floats, Floats, Floats]:
    """(largest margin, offset across, slide along) of a ruler at a fixed angle over five tiles.

    The margin of an offset is the least of some linear functions of it: the distance to the outer
    corners across the ruler, and, for each side that faces its end and each that faces its start,
    half of what the ruler has to spare between them. The largest such least value is found by
    cutting: take the two lines that bound it from left and right, go to where they meet, add the
    line that is lowest there.
    """
    count = len(angles)
    cos, sin = np.cos(angles), np.sin(angles)
    corners = tiles.corners[fives]
    across = corners[..., 1] * cos[:, None, None] - corners[..., 0] * sin[:, None, None]
    floor = across.min(axis=2).max(axis=1)
    ceiling = across.max(axis=2).min(axis=1)
    normals = tiles.normals[fives].reshape(count, -1, 2)
    offsets = tiles.offsets[fives].reshape(count, -1)
    facing = normals[..., 0] * cos[:, None] + normals[..., 1] * sin[:, None]
    leaning = normals[..., 1] * cos[:, None] - normals[..., 0] * sin[:, None]
    back, front = _facing(facing < -1e-12), _facing(facing > 1e-12)
    # the end must be past each backward side: slide + 12 ≥ (leaning·p − offset + m) / |facing|
    entry = _lines(back, facing, leaning, offsets)
    # the start must be before each forward side: slide ≤ (offset − m − leaning·p) / facing
    exit_ = _lines(front, facing, leaning, offsets)
    weight = entry[2][:, :, None] + exit_[2][:, None, :]
    level = (LENGTH + exit_[0][:, None, :] - entry[0][:, :, None]) / weight
    tilt = (exit_[1][:, None, :] - entry[1][:, :, None]) / weight
    bad = ~(entry[3][:, :, None] & exit_[3][:, None, :])
    level[bad], tilt[bad] = np.inf, 0.0
    level, tilt = level.reshape(count, -1), tilt.reshape(count, -1)
    left, right = (-floor, np.ones(count)), (ceiling, -np.ones(count))
    rows = np.arange(count)
    for _ in range(64):
        p = (right[0] - left[0]) / (left[1] - right[1])
        bound = left[0] + left[1] * p
        lines = level + tilt * p[:, None]
        lowest = lines.argmin(axis=1)
        value = np.minimum(lines[rows, lowest], bound)
        cut = lines[rows, lowest] < bound - 1e-12
        if not cut.any():
            break
        slope = tilt[rows, lowest]
        rising, falling = cut & (slope > 0), cut & (slope <= 0)
        new = level[rows, lowest], slope
        left = tuple(np.where(rising, a, b) for a, b in zip(new, left, strict=True))
        right = tuple(np.where(falling, a, b) for a, b in zip(new, right, strict=True))
    return value, p, _slide(entry, exit_, p, value)


def _slide(
    entry: _Lines,
    exit_: _Lines,
    p: Floats,
    value: Floats,
) -> Floats:
    """The middle of where the ruler may start with the margin found."""
    end = np.where(
        entry[3], entry[0] + entry[1] * p[:, None] + entry[2] * value[:, None], -np.inf
    ).max(axis=1)
    start = np.where(
        exit_[3], exit_[0] + exit_[1] * p[:, None] - exit_[2] * value[:, None], np.inf
    ).min(axis=1)
    middle: Floats = (end - LENGTH + start) / 2
    return middle


def _facing(which: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """(indices of the sides that face so, padded to one width; which of them are real)."""
    width = int(which.sum(axis=1).max())
    chosen = np.argsort(~which, axis=1, kind="stable")[:, :width]
    return chosen, np.take_along_axis(which, chosen, axis=1)


def _lines(
    sides: tuple[NDArray[np.intp], NDArray[np.bool_]],
    facing: Floats,
    leaning: Floats,
    offsets: Floats,
) -> _Lines:
    """(place at offset 0, change with the offset, change with the margin, real) of each side."""
    chosen, real = sides
    facing, leaning, offsets = (
        np.take_along_axis(values, chosen, axis=1) for values in (facing, leaning, offsets)
    )
    facing = np.where(real, facing, 1.0)
    return offsets / facing, -leaning / facing, 1.0 / np.abs(facing), real
