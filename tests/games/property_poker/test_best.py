"""The best placement is exact (PP-10): beside random rulers and an independent dense search."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from companion.games.property_poker.best import Floats, best_placement, values_of
from companion.games.property_poker.board import random_board
from companion.games.property_poker.geometry import Pose, corners, margin
from companion.games.property_poker.hands import HANDS, best_hand
from companion.games.property_poker.tiles import TILES, Point
from tests.conftest import run

PLAIN = [id for id, tile in TILES.items() if not tile.is_ghost]
Polygons = dict[str, tuple[Point, ...]]


def territory(seed: int, own: int, tiles: int = 52) -> Polygons:
    """Some tiles of a random board, as one player's own."""
    rng = random.Random(seed)
    polygons = random_board(rng.sample(PLAIN, tiles), rng, tries=4).polygons()
    return {id: polygons[id] for id in sorted(rng.sample(list(polygons), own))}


def margins_of(tiles: Sequence[Sequence[Point]], x: Floats, y: Floats, angle: Floats) -> Floats:
    """Signed margins (tiles × rulers), written anew from the definition: the depth of the origin
    in the sum of the tile and the ruler turned about."""
    u = np.stack([np.cos(angle), np.sin(angle)])
    rows = []
    for tile in tiles:
        points = np.array(tile)
        sides = np.roll(points, -1, axis=0) - points
        normals = np.stack([-sides[:, 1], sides[:, 0]], axis=1)
        normals /= np.hypot(*normals.T)[:, None]
        # support of the tile minus where the ruler's nearer end reaches
        support = (normals * points).sum(1)
        start = normals[:, :1] * x + normals[:, 1:] * y
        reach = 12 * np.minimum(0, normals @ u)
        depth = (support[:, None] - (start + reach)).min(axis=0)
        across = (points[:, :1] - x) * -u[1] + (points[:, 1:] - y) * u[0]
        rows.append(np.minimum(depth, np.minimum(across.max(0), -across.min(0))))
    return np.array(rows)


def values_under(own: Polygons, x: Floats, y: Floats, angle: Floats) -> tuple[Floats, np.ndarray]:
    depths = margins_of(list(own.values()), x, y, angle)
    bits = np.uint64(1) << np.arange(len(own), dtype=np.uint64)
    masks = np.where(depths > 1e-9, bits[:, None], np.uint64(0)).sum(axis=0, dtype=np.uint64)
    return depths, values_of(masks, list(own))


def random_rulers(own: Polygons, count: int, seed: int) -> tuple[Floats, Floats, Floats]:
    """Rulers that pass near corners of the tiles."""
    rng = np.random.default_rng(seed)
    points = np.array([point for tile in own.values() for point in tile])
    through = points[rng.integers(0, len(points), count)] + rng.normal(0, 1.0, (count, 2))
    angle, back = rng.uniform(0, 2 * math.pi, count), rng.uniform(0, 12, count)
    return through[:, 0] - back * np.cos(angle), through[:, 1] - back * np.sin(angle), angle


def dense_rulers(own: Polygons) -> tuple[Floats, Floats, Floats]:
    """A hair beside every corner, at 72 angles and along every two corners, a hair turned, with
    every slide at which a corner comes under an end."""
    hair = 1e-6
    points = np.unique(np.round([p for tile in own.values() for p in tile], 9), axis=0)
    rows = []
    for point in points:
        rel = points - point
        near = rel[(np.hypot(*rel.T) > 1e-9) & (np.hypot(*rel.T) < 16)]
        exact = np.arctan2(near[:, 1], near[:, 0])
        angles = np.concatenate([np.arange(72) * math.pi / 72, exact - hair, exact + hair])
        for angle in angles % math.pi:
            along = near @ (math.cos(angle), math.sin(angle))
            slides = along[(along <= 0) & (along >= -12)]
            slides = np.unique(np.round(np.concatenate([slides, slides + hair, [-12, -6, 0]]), 6))
            for side in (-hair, hair):
                x = point[0] - side * math.sin(angle) + slides * math.cos(angle)
                y = point[1] + side * math.cos(angle) + slides * math.sin(angle)
                rows.append(np.stack([x, y, np.full(len(slides), angle)]))
    x, y, angle = np.concatenate(rows, axis=1)
    return x, y, angle


def value(own: Polygons, min_margin: float = 0.0) -> tuple[int, float]:
    found = best_placement(own, min_margin)
    return (HANDS.index(found.hand.name) + 1, found.margin_mm / 10) if found else (0, 0.0)


@pytest.mark.parametrize("part", range(5))
def test_pp_10_agrees_with_a_dense_search_on_50_boards(part: int) -> None:
    for seed in range(10 * part, 10 * part + 10):
        own = territory(seed, own=6 + seed % 3, tiles=18)
        best, _ = value(own)
        _, values = values_under(own, *dense_rulers(own))
        assert best == values.max(initial=0), seed


@pytest.mark.parametrize(("seed", "own"), [(1, 13), (2, 13), (3, 26), (4, 52)])
def test_pp_10_a_million_random_rulers_never_beat_it(seed: int, own: int) -> None:
    tiles = territory(seed, own)
    best, largest = value(tiles)
    ids = list(tiles)
    for part in range(5):
        depths, values = values_under(tiles, *random_rulers(tiles, 50_000, 10 * seed + part))
        assert values.max(initial=0) <= best
        for column in np.flatnonzero(values == best)[:300]:
            depth = dict(zip(ids, depths[:, column], strict=True))
            hand = best_hand([id for id in ids if depth[id] > 1e-9], depth)
            assert hand and min(depth[id] for id in hand.tiles) <= largest + 2e-5


@pytest.mark.parametrize("seed", range(6))
def test_pp_10_a_hand_that_survives_a_wobble(seed: int) -> None:
    own = territory(seed, 13)
    free, largest = value(own)
    wanted = 0.05
    firm, kept = value(own, wanted)
    assert firm <= free and (not firm or kept >= wanted - 1e-5)
    if largest >= wanted:
        assert (firm, kept) == (free, pytest.approx(largest, abs=2e-5))
    ids = list(own)
    depths, _ = values_under(own, *random_rulers(own, 60_000, seed))
    bits = np.uint64(1) << np.arange(len(own), dtype=np.uint64)
    sure = np.where(depths >= wanted, bits[:, None], np.uint64(0)).sum(axis=0, dtype=np.uint64)
    assert values_of(sure, ids).max(initial=0) <= firm


def test_pp_10_the_ruler_covers_what_it_says() -> None:
    for seed in range(8):
        own = territory(seed, 20)
        found = best_placement(own)
        assert found
        assert math.dist(found.start, found.end) == pytest.approx(12)
        depths = {id: margin(polygon, found.start, found.end) for id, polygon in own.items()}
        assert set(found.covered) == {id for id, depth in depths.items() if depth > 1e-9}
        least = min(depths[id] for id in found.hand.tiles)
        assert 10 * least == pytest.approx(found.margin_mm)


def test_pp_10_known_placements() -> None:
    row = {f"{rank}S": corners(f"{rank}S", Pose(3 * i, 0)) for i, rank in enumerate("A2345")}
    found = best_placement(row)
    assert found and found.hand.name.id == "straight-flush"
    # 12 cm over 9 cm between the first exit and the last entry; 1.5 to either side
    assert found.margin_mm == pytest.approx(15, abs=2e-3)
    apart = {f"{rank}S": corners(f"{rank}S", Pose(4.6 * i, 0)) for i, rank in enumerate("A2345")}
    assert best_placement(apart) is None
    assert best_placement(dict(list(row.items())[:4])) is None


def test_pp_11_a_jokers_ghost_is_a_wild_tile() -> None:
    row = {f"{rank}S": corners(f"{rank}S", Pose(3 * i, 0)) for i, rank in enumerate("A234")}
    row["G1"] = corners("G1", Pose.turned(-3, 0, 0))
    found = best_placement(row)
    assert found and found.hand.name.id == "straight-flush" and found.hand.wilds == {"G1": "5S"}


def test_the_best_command(tmp_path: Path) -> None:
    file = tmp_path / "b.board"
    run("property-poker", "board", "random", "--seed", "3", "--out", str(file))
    own = ",".join(f"{rank}S" for rank in ("A", "2", "3", "4", "9", "10", "Q"))
    answer = run("property-poker", "best", str(file), "--own", own, "--json")
    assert answer.code == 0, answer.err
    found = answer.json
    assert set(found["own_covered"]) <= set(own.split(","))
    assert set(found["own_covered"]) <= set(found["covered"])
    assert found["margin_mm"] > 0 and math.dist(
        found["ruler"]["from"], found["ruler"]["to"]
    ) == pytest.approx(12)
    none = run("property-poker", "best", str(file), "--own", "AS,2S", "--json")
    assert none.json["hand"] is None
    wrong = run("property-poker", "best", str(file), "--own", "AS,AS")
    assert wrong.code == 2 and "named twice" in wrong.err
