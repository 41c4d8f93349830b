"""The tiles on the table in the order laid, and whether each may lie where it lies (PP-4).

A board is built by attachment, the way people lay tiles, or by coordinates; both are poses here.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.games.property_poker.geometry import (
    LAID,
    Pose,
    attached,
    contact,
    corners,
    edges,
    overlap,
)
from companion.games.property_poker.tiles import OUTLINES, SYMMETRY, TILES, Point

_REACH = {kind: max(math.hypot(x, y) for x, y in points) for kind, points in OUTLINES.items()}
ENDS = ("first", "end")


@dataclass(frozen=True)
class Laid:
    """One tile that was laid: its pose, and how it was said (a line of the record)."""

    id: str
    pose: Pose
    said: str
    over: str | None = None

    @property
    def polygon(self) -> tuple[Point, ...]:
        """Its corners on the table."""
        return corners(self.id, self.pose)


@dataclass(frozen=True)
class Fault:
    """What a tile breaks: the tile, the rule in words, the tile that it concerns."""

    id: str
    message: str
    other: str | None = None


@dataclass(frozen=True)
class Board:
    """The tiles in the order laid; a tile that lies exactly on another hides it."""

    laid: tuple[Laid, ...] = ()
    _by_id: Mapping[str, Laid] = field(default_factory=dict, compare=False)

    def __contains__(self, id: str) -> bool:
        return id in self._by_id

    def __getitem__(self, id: str) -> Laid:
        return self._by_id[id]

    @property
    def hidden(self) -> frozenset[str]:
        """Tiles that no longer count (PP-4)."""
        return frozenset(tile.over for tile in self.laid if tile.over)

    @property
    def visible(self) -> dict[str, Laid]:
        """The tiles that count, in the order laid."""
        hidden = self.hidden
        return {tile.id: tile for tile in self.laid if tile.id not in hidden}

    def polygons(self) -> dict[str, tuple[Point, ...]]:
        """The corners of the visible tiles."""
        return {id: tile.polygon for id, tile in self.visible.items()}

    def with_tile(self, tile: Laid) -> Board:
        """The board with one more tile; one that lies exactly on another hides it."""
        if tile.over is None:
            under = self._under(tile)
            if under:
                # exactly on top: several such tiles may not creep away
                place = self._by_id[under].pose
                pose = replace(tile.pose, x=place.x, y=place.y)
                tile = replace(tile, over=under, pose=pose)
        return Board((*self.laid, tile), {**self._by_id, tile.id: tile})

    def _under(self, tile: Laid) -> str | None:
        """The visible tile of the same shape that a tile lies exactly on."""
        for id, other in self.visible.items():
            if TILES[id].kind is TILES[tile.id].kind and _same_place(tile, other):
                return id
        return None


def _same_place(one: Laid, other: Laid) -> bool:
    if math.hypot(one.pose.x - other.pose.x, one.pose.y - other.pose.y) > LAID:
        return False
    targets = other.polygon
    return all(min(math.dist(p, q) for q in targets) <= LAID for p in one.polygon)


# legality


def faults_of(board: Board, tile: Laid, lottery: Iterable[str] = ()) -> list[Fault]:
    """What a tile breaks if it is laid on a board next (PP-4); nothing for the first tile.

    `lottery`: the tiles of the lottery cards, on which nothing may be laid.
    """
    if not board.laid:
        return []
    tile = board.with_tile(tile).laid[-1]
    if tile.over:
        if tile.over in set(lottery):
            return [
                Fault(
                    tile.id, f"{tile.over} is the tile of a lottery card: nothing on it", tile.over
                )
            ]
        return []
    polygon = tile.polygon
    near = list(_near(board, tile))
    faults = [
        Fault(tile.id, f"overlaps {other.id} by {10 * depth:.2f} mm", other.id)
        for other in near
        if (depth := overlap(polygon, other.polygon)) > LAID
    ]
    if faults:
        return faults
    if any(math.isclose(free, 0, abs_tol=LAID) for free in _free_lengths(polygon, near)):
        return []
    if any(_fills(polygon, other) for other in near):
        return []
    return [Fault(tile.id, _loose(polygon, near))]


def _near(board: Board, tile: Laid) -> Iterator[Laid]:
    """The visible tiles that can touch a tile."""
    own = _REACH[TILES[tile.id].kind] + LAID
    for other in board.visible.values():
        reach = own + _REACH[TILES[other.id].kind]
        dx, dy = tile.pose.x - other.pose.x, tile.pose.y - other.pose.y
        if dx * dx + dy * dy <= reach * reach:
            yield other


def _free_lengths(polygon: Sequence[Point], others: Sequence[Laid]) -> list[float]:
    """Of each side, how much (cm) is not in contact with other tiles."""
    free = []
    for side in edges(polygon):
        stretches = sorted(
            stretch
            for other in others
            for edge in edges(other.polygon)
            if (stretch := contact(side, edge))
        )
        reached = covered = 0.0
        for start, end in stretches:
            covered += max(0.0, end - max(start, reached))
            reached = max(reached, end)
        free.append(max(0.0, math.dist(*side) - covered))
    return free


def _fills(polygon: Sequence[Point], other: Laid) -> bool:
    """Whether a tile wholly fills a side of another (PP-4 b)."""
    return any(
        (stretch := contact(edge, side)) is not None
        and stretch[1] - stretch[0] >= math.dist(*edge) - LAID
        for edge in edges(other.polygon)
        for side in edges(polygon)
    )


def _loose(polygon: Sequence[Point], near: Sequence[Laid]) -> str:
    """Why a tile lies too loosely: the side that comes nearest, in mm."""
    sides = edges(polygon)
    free = _free_lengths(polygon, near)
    best = min(range(len(sides)), key=lambda i: free[i])
    length = math.dist(*sides[best])
    need = "no side is wholly in contact with other tiles and none of theirs is filled"
    if free[best] >= length - LAID:
        return f"{need}: it touches no tile along a side"
    return (
        f"{need}: side {'abcd'[best]} touches along {10 * (length - free[best]):.2f} of "
        f"{10 * length:.2f} mm"
    )


def check_board(board: Board, lottery: Iterable[str] = ()) -> list[Fault]:
    """Every fault of a board, each tile against those that lay there before it."""
    found: list[Fault] = []
    so_far = Board()
    for tile in board.laid:
        found += faults_of(so_far, tile, lottery)
        so_far = so_far.with_tile(tile)
    return found


# where a tile may go


def said_attached(id: str, side: int, to: str, to_side: int, end: str) -> str:
    """A line of the record."""
    words = f"{id}.{'abcd'[side]} on {to}.{'abcd'[to_side]}"
    return f"{words} end" if end == "end" else words


def attachments(board: Board, id: str) -> Iterator[Laid]:
    """Every flush attachment of a tile, each place once, legal or not; then what it may cover."""
    kind = TILES[id].kind
    # a place exactly on a tile is said as `over`
    seen = {_place_key(o) for o in board.visible.values() if TILES[o.id].kind is kind}
    own_sides = len(OUTLINES[kind]) // SYMMETRY[kind] or 1
    for other in board.visible.values():
        for number, edge in enumerate(edges(other.polygon)):
            for side in range(own_sides):
                for end in ENDS:
                    pose = attached(id, side, edge, 0.0, at_end=end == "end")
                    tile = Laid(id, pose, said_attached(id, side, other.id, number, end))
                    key = _place_key(tile)
                    if key not in seen:
                        seen.add(key)
                        yield tile
    for other in board.visible.values():
        if TILES[other.id].kind is kind:
            yield Laid(id, other.pose, f"{id} over {other.id}", other.id)


def _place_key(tile: Laid) -> tuple[tuple[int, int], ...]:
    return tuple(sorted((round(x * 1e4), round(y * 1e4)) for x, y in tile.polygon))


def slots(board: Board, id: str, lottery: Iterable[str] = ()) -> list[Laid]:
    """The legal flush attachments of a tile, in the order of the tiles on the table."""
    kept = list(lottery)
    return [tile for tile in attachments(board, id) if not faults_of(board, tile, kept)]


def random_board(ids: Sequence[str], rng: random.Random, tries: int = 12) -> Board:
    """A legal board of all the tiles, laid one by one by flush attachment, compact by choice.

    Each tile takes the place nearest to the middle among a few legal ones drawn at random.
    """
    order = list(ids)
    rng.shuffle(order)
    board = Board().with_tile(Laid(order[0], Pose(0.0, 0.0), f"{order[0]} @ 0 0 0"))
    for id in order[1:]:
        legal = (tile for tile in _drawn(board, id, rng) if not faults_of(board, tile))
        found = [tile for tile, _ in zip(legal, range(tries), strict=False)]
        board = board.with_tile(min(found, key=lambda t: math.hypot(t.pose.x, t.pose.y)))
    return board


def _drawn(board: Board, id: str, rng: random.Random) -> Iterator[Laid]:
    """Flush attachments at random, without end; never on top of a tile."""
    visible = list(board.visible.values())
    sides = len(OUTLINES[TILES[id].kind])
    while True:
        other = rng.choice(visible)
        around = edges(other.polygon)
        number, side, end = rng.randrange(len(around)), rng.randrange(sides), rng.choice(ENDS)
        pose = attached(id, side, around[number], 0.0, at_end=end == "end")
        tile = Laid(id, pose, said_attached(id, side, other.id, number, end))
        if board.with_tile(tile).laid[-1].over is None:
            yield tile
