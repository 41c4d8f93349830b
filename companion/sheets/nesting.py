"""Shaped tiles on sheets: tessellating strips, shared edges cut once, and what that costs.

A strip holds one shape, laid on one of its sides, every other one turned by half: triangles and
trapezoids interlock, rhombi and hexagons stand slant to slant. Strips are stacked into rows; a row
may hold several strips side by side or on top of each other (`Block`). Millimetres, y down.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from companion.errors import PrintError
from companion.shapes import Point, Shape, polygon_area
from companion.units import number_text

_SAME = 1e-6
"""Millimetres within which two lines or points are one."""


@dataclass(frozen=True)
class Placed:
    """Tile number `card` on a sheet: turned `angle` degrees clockwise, its anchor at `anchor`."""

    card: int
    angle: float
    anchor: Point
    points: tuple[Point, ...]
    round: bool = False


@dataclass(frozen=True)
class NestedSheet:
    """One sheet of tiles and its cuts."""

    tiles: tuple[Placed, ...]
    cuts: Cuts


@dataclass(frozen=True)
class NestPlan:
    """Sheets of tiles ready to print: `cells` is how far each tile of each sheet may paint."""

    paper: tuple[float, float]
    margin: float
    sheets: tuple[NestedSheet, ...]
    cells: tuple[tuple[tuple[Point, ...], ...], ...]
    label: str

    def reports(self) -> list[str]:
        """For each sheet: area used, length of the cuts, straight runs, guillotine cuts."""
        lines = []
        room = (self.paper[0] - 2 * self.margin) * (self.paper[1] - 2 * self.margin)
        for number, sheet in enumerate(self.sheets, 1):
            used = sum(polygon_area(tile.points) for tile in sheet.tiles)
            circles = sum(tile.round for tile in sheet.tiles)
            lines.append(
                f"sheet {number}: {len(sheet.tiles)} tiles, {100 * used / room:.0f} % of the area, "
                f"{sheet.cuts.length / 10:.0f} cm of cuts"
                + (f" round {circles} tokens" if circles else "")
                + (
                    f" in {len(sheet.cuts.runs)} straight runs, "
                    f"{sheet.cuts.guillotine} of them from edge to edge"
                    if sheet.cuts.runs
                    else ""
                )
            )
        return lines


@dataclass(frozen=True)
class Cuts:
    """Edges to cut, each once: `segments` as (from, to), `runs` the longest straight cuts."""

    segments: tuple[tuple[Point, Point], ...]
    runs: tuple[tuple[Point, Point], ...]
    length: float
    guillotine: int
    """How many cuts go straight through a whole piece, one after the other."""


@dataclass(frozen=True)
class Pose:
    """A shape turned so that a side lies along a strip; its box begins at (0, 0)."""

    angle: float
    points: tuple[Point, ...]
    anchor: Point

    @property
    def width(self) -> float:
        """Of the box around it."""
        return max(x for x, _ in self.points)

    @property
    def height(self) -> float:
        """Of the box around it."""
        return max(y for _, y in self.points)


def pose(shape: Shape, angle: float) -> Pose:
    """The shape turned clockwise."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    turned = [(x * cos - y * sin, x * sin + y * cos) for x, y in (*shape.points, shape.anchor)]
    left, top = min(x for x, _ in turned[:-1]), min(y for _, y in turned[:-1])
    moved = [(x - left, y - top) for x, y in turned]
    return Pose(angle % 360, tuple(moved[:-1]), moved[-1])


def strip_pose(shape: Shape) -> Pose:
    """How a shape lies in a strip: on its lowest side; a rhombus on one of its sides."""
    if shape.kind == "rhombus":
        (x1, y1), (x2, y2) = shape.edges[1]
        return pose(shape, -math.degrees(math.atan2(y2 - y1, x2 - x1)))
    if shape.kind == "regular" and len(shape.points) == 6:
        return pose(shape, 30)  # a corner up: flat sides face each other along the strip
    return pose(shape, 0)


@dataclass(frozen=True)
class Strip:
    """`count` poses side by side: every other one turned by half where that saves room."""

    poses: tuple[Pose, ...]
    offsets: tuple[float, ...]

    @property
    def width(self) -> float:
        """From the leftmost to the rightmost point."""
        return max(x + p.width for p, x in zip(self.poses, self.offsets, strict=True))

    @property
    def height(self) -> float:
        """Of the tallest."""
        return max(p.height for p in self.poses)


def strip(
    shape: Shape, count: int, gap: float, *, turned: bool = False, flat: bool = False
) -> Strip:
    """A strip of `count` tiles, `gap` apart measured square to their sides; `turned` begins with a
    tile turned by half, so that slanting cuts run on from the strip above."""
    first = pose(shape, 90) if flat else strip_pose(shape)
    other = pose(shape, first.angle + 180)
    if turned and shape.kind == "isosceles":
        first, other = other, first
    poses = [first if n % 2 == 0 else other for n in range(count)]
    if shape.kind in ("rectangle", "rhombus", "regular") or shape.round:
        poses = [first] * count
    offsets = [0.0]
    for before, after in pairwise(poses):
        offsets.append(offsets[-1] + _pitch(before, after, gap))
    return Strip(tuple(poses), tuple(offsets))


def most_in_strip(shape: Shape, width: float, gap: float) -> int:
    """How many tiles a strip of at most `width` holds."""
    count = 0
    while count < 500 and strip(shape, count + 1, gap).width <= width + _SAME:
        count += 1
    return count


def _pitch(left: Pose, right: Pose, gap: float) -> float:
    """The least shift of `right` at which it stands `gap` beside `left`.

    Both are convex: the distance at each height is piecewise linear, largest at a corner.
    """
    heights = sorted({y for _, y in (*left.points, *right.points)})
    shift = 0.0
    for y in heights:
        a, b = _span(left.points, y), _span(right.points, y)
        if a and b:
            shift = max(shift, a[1] - b[0])
    if gap:
        shift += gap / max(0.05, _squareness(left, right))
    return shift


def _squareness(left: Pose, right: Pose) -> float:
    """The sine of the angle at which the facing sides stand: 1 for upright ones."""
    steepest = 1.0
    for points, side in ((left.points, 1), (right.points, -1)):
        for (x1, y1), (x2, y2) in zip(points, (*points[1:], points[0]), strict=True):
            facing = (y2 - y1) * side > _SAME  # clockwise: the right sides run down
            if facing:
                steepest = min(steepest, abs(y2 - y1) / math.dist((x1, y1), (x2, y2)))
    return steepest


def _span(points: Sequence[Point], y: float) -> tuple[float, float] | None:
    """Leftmost and rightmost x of a convex polygon at height y."""
    xs = []
    for (x1, y1), (x2, y2) in zip(points, (*points[1:], points[0]), strict=True):
        if abs(y1 - y) < _SAME:
            xs.append(x1)
        if (y1 - y) * (y2 - y) < 0:
            xs.append(x1 + (x2 - x1) * (y - y1) / (y2 - y1))
    return (min(xs), max(xs)) if xs else None


@dataclass(frozen=True)
class Block:
    """Strips of one shape on top of each other; `kind` tells which tiles fill it; `flat` lays them
    on their long side."""

    kind: str
    shape: Shape
    counts: tuple[int, ...]
    flat: bool = False


Row = Sequence[Block]


def lay(
    rows: Sequence[Row],
    cards: dict[str, list[int]],
    paper: tuple[float, float],
    margin: float,
    gap: float,
) -> NestedSheet:
    """Put rows of blocks on one sheet, filling each block with the next cards of its kind.

    Raises PrintError if the rows do not fit inside the margins.
    """
    left = {kind: list(numbers) for kind, numbers in cards.items()}
    tiles: list[Placed] = []
    y = margin
    for row in rows:
        x, tallest = margin, 0.0
        for block in row:
            width, height = 0.0, 0.0
            for number, count in enumerate(block.counts):
                line = strip(block.shape, count, gap, turned=number % 2 == 1, flat=block.flat)
                top = y + height
                for placed, offset in zip(line.poses, line.offsets, strict=True):
                    if left[block.kind]:
                        card = left[block.kind].pop(0)
                        shift = _shift(block.shape, number, gap)
                        tiles.append(_placed(card, placed, x + shift + offset, top, line.height))
                width = max(width, line.width + _shift(block.shape, number, gap))
                height += line.height + gap
            x += width + gap
            tallest = max(tallest, height)
        if x - gap > paper[0] - margin + _SAME:
            raise PrintError(f"a row of tiles is {number_text(x - gap - margin)} mm wide")
        y += tallest
    if y - gap > paper[1] - margin + _SAME:
        raise PrintError(
            f"the tiles need {number_text(y - gap - margin)} mm of height, "
            f"{number_text(paper[1] - 2 * margin)} mm are there"
        )
    return NestedSheet(tuple(tiles), cuts([tile.points for tile in tiles]))


def _shift(shape: Shape, number: int, gap: float) -> float:
    """How far strip `number` of a stack starts to the right, so that slants run on through it."""
    if shape.kind != "rhombus":
        return 0.0
    posed = strip_pose(shape)
    slant = min(x for x, y in posed.points if y < _SAME) - min(
        x for x, y in posed.points if y > posed.height - _SAME
    )
    step = -slant * (1 + gap / posed.height)
    return step * number if step > 0 else 0.0


def _placed(card: int, posed: Pose, x: float, y: float, height: float) -> Placed:
    """Standing on the strip's lower edge."""
    top = y + height - posed.height
    points = tuple((px + x, py + top) for px, py in posed.points)
    return Placed(card, posed.angle, (posed.anchor[0] + x, posed.anchor[1] + top), points)


def nest(
    tiles: Sequence[tuple[str, Shape]], paper: tuple[float, float], margin: float, gap: float
) -> list[NestedSheet]:
    """Tiles given as (kind, shape) on as many sheets as they need: strips of each kind in turn.

    Raises PrintError if a tile does not fit.
    """
    room = (paper[0] - 2 * margin, paper[1] - 2 * margin)
    sheets: list[NestedSheet] = []
    placed: list[Placed] = []
    y = 0.0
    for kind, members in _by_kind(tiles):
        shape = tiles[members[0]][1]
        hexagons = shape.kind == "regular" and len(shape.points) == 6
        reach = room[0] - (_half_pitch(shape, gap) if hexagons else 0)
        most = most_in_strip(shape, reach, gap)
        tall = strip_pose(shape).height
        if most == 0 or tall > room[1] + _SAME:
            raise PrintError(
                f"a tile '{kind}' of {number_text(shape.width)} × {number_text(shape.height)} mm "
                f"does not fit into {number_text(room[0])} × {number_text(room[1])} mm"
            )
        for number, start in enumerate(range(0, len(members), most)):
            part = members[start : start + most]
            line = strip(shape, len(part), gap, turned=number % 2 == 1)
            if y + line.height > room[1] + _SAME:
                sheets.append(_sheet(placed))
                placed, y = [], 0.0
            left = margin + (_half_pitch(shape, gap) if hexagons and number % 2 else 0)
            for card, posed, offset in zip(part, line.poses, line.offsets, strict=True):
                tile = _placed(card, posed, left + offset, margin + y, line.height)
                placed.append(replace(tile, round=shape.round))
            # rows of a honeycomb reach into each other by a quarter of their height
            y += (tall * 3 / 4 + gap * math.sqrt(3) / 2) if hexagons else line.height + gap
        if hexagons:
            y += tall / 4 + gap
    if placed:
        sheets.append(_sheet(placed))
    return sheets


def _half_pitch(shape: Shape, gap: float) -> float:
    return (strip_pose(shape).width + gap) / 2


def cells(sheet: NestedSheet, bleed: float, gap: float) -> list[tuple[Point, ...]]:
    """How far each tile may paint: its bleed, half the gap where it is narrow, and never a
    neighbour."""
    from shapely.geometry import MultiPolygon, Polygon
    from shapely.strtree import STRtree

    outlines = [Polygon(tile.points) for tile in sheet.tiles]
    reach = min(bleed, gap / 2) if gap > 0 else bleed
    if reach <= 0:
        return [tile.points for tile in sheet.tiles]
    tree = STRtree(outlines)
    result = []
    for number, outline in enumerate(outlines):
        grown = outline.buffer(reach, join_style="mitre", mitre_limit=3)
        for other in tree.query(grown):
            if other != number:
                grown = grown.difference(outlines[other])
        if isinstance(grown, MultiPolygon):
            grown = max(grown.geoms, key=lambda part: part.area)
        result.append(tuple(grown.exterior.coords)[:-1])
    return result


def _sheet(tiles: Sequence[Placed]) -> NestedSheet:
    """A sheet and its cuts; round tokens are cut out one by one."""
    straight = cuts([tile.points for tile in tiles if not tile.round])
    circles = sum(
        math.dist(p, q)
        for tile in tiles
        if tile.round
        for p, q in zip(tile.points, (*tile.points[1:], tile.points[0]), strict=True)
    )
    return NestedSheet(tuple(tiles), replace(straight, length=straight.length + circles))


def _by_kind(shapes: Sequence[tuple[str, Shape]]) -> Iterator[tuple[str, list[int]]]:
    groups: dict[str, list[int]] = {}
    for number, (kind, _) in enumerate(shapes):
        groups.setdefault(kind, []).append(number)
    yield from groups.items()


def cuts(outlines: Iterable[Sequence[Point]]) -> Cuts:
    """Every edge once: what lies on each other is joined, also where only parts of edges do."""
    polygons = [tuple(points) for points in outlines]
    edges = [
        (p, q) for points in polygons for p, q in zip(points, (*points[1:], points[0]), strict=True)
    ]
    lines: dict[tuple[int, int], list[tuple[Point, Point]]] = {}
    for p, q in edges:
        lines.setdefault(_line_key(p, q), []).append((p, q) if p <= q else (q, p))
    segments: list[tuple[Point, Point]] = []
    runs: list[tuple[Point, Point]] = []
    for members in _merged_keys(lines):
        segments += _distinct_parts(members)
        runs += _joined(members)
    length = sum(math.dist(p, q) for p, q in runs)
    return Cuts(tuple(segments), tuple(runs), length, _guillotine(polygons))


def _line_key(p: Point, q: Point) -> tuple[int, int]:
    """Direction and distance from the origin, coarse enough for rounding noise."""
    angle = math.atan2(q[1] - p[1], q[0] - p[0]) % math.pi
    if math.pi - angle < 1e-7:
        angle = 0.0
    distance = p[1] * math.cos(angle) - p[0] * math.sin(angle)
    return round(angle * 1e5), round(distance * 1e3)


def _merged_keys(
    lines: dict[tuple[int, int], list[tuple[Point, Point]]],
) -> Iterator[list[tuple[Point, Point]]]:
    """Lines whose keys differ by rounding only are one."""
    done: set[tuple[int, int]] = set()
    for key in sorted(lines):
        if key in done:
            continue
        members: list[tuple[Point, Point]] = []
        for near in ((key[0] + a, key[1] + d) for a in (0, 1) for d in (-1, 0, 1)):
            if near in lines and near not in done:
                members += lines[near]
                done.add(near)
        yield members


def _along(members: Sequence[tuple[Point, Point]]) -> tuple[Point, Point]:
    """A point and a direction of the line that the members share."""
    p, q = members[0]
    length = math.dist(p, q)
    return p, ((q[0] - p[0]) / length, (q[1] - p[1]) / length)


def _intervals(members: Sequence[tuple[Point, Point]]) -> list[tuple[float, float]]:
    (x, y), (dx, dy) = _along(members)
    spans = []
    for p, q in members:
        a = (p[0] - x) * dx + (p[1] - y) * dy
        b = (q[0] - x) * dx + (q[1] - y) * dy
        spans.append((min(a, b), max(a, b)))
    return sorted(spans)


def _points_of(
    members: Sequence[tuple[Point, Point]], spans: Iterable[tuple[float, float]]
) -> list[tuple[Point, Point]]:
    (x, y), (dx, dy) = _along(members)
    return [((x + a * dx, y + a * dy), (x + b * dx, y + b * dy)) for a, b in spans]


def _joined(members: Sequence[tuple[Point, Point]]) -> list[tuple[Point, Point]]:
    """Straight runs: touching edges are one cut."""
    runs: list[tuple[float, float]] = []
    for a, b in _intervals(members):
        if runs and a <= runs[-1][1] + 1e-4:
            runs[-1] = (runs[-1][0], max(runs[-1][1], b))
        else:
            runs.append((a, b))
    return _points_of(members, runs)


def _distinct_parts(members: Sequence[tuple[Point, Point]]) -> list[tuple[Point, Point]]:
    """Edges with shared parts once."""
    spans = _intervals(members)
    marks: list[float] = []
    for value in sorted(value for span in spans for value in span):
        if not marks or value - marks[-1] > 1e-4:
            marks.append(value)
    parts = [
        (a, b) for a, b in pairwise(marks) if any(s - 1e-4 <= a and b <= e + 1e-4 for s, e in spans)
    ]
    return _points_of(members, parts)


def _guillotine(polygons: Sequence[Sequence[Point]]) -> int:
    """Cuts from edge to edge of a piece, each parting it in two without touching a tile."""
    if len(polygons) < 2:
        return 0
    for axis in (1, 0):
        spans = sorted((min(p[axis] for p in t), max(p[axis] for p in t), i)
                       for i, t in enumerate(polygons))  # fmt: skip
        reach = spans[0][1]
        for number, (low, high, _) in enumerate(spans[1:], 1):
            if low >= reach - 1e-4:
                first = [polygons[i] for _, _, i in spans[:number]]
                rest = [polygons[i] for _, _, i in spans[number:]]
                return 1 + _guillotine(first) + _guillotine(rest)
            reach = max(reach, high)
    return 0
