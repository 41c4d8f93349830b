"""Times the ruler of Property Poker in process, and the naive way to look for the best placement.

    python benchmarks/ruler.py             12 random full boards, a Markdown table
    python benchmarks/ruler.py --boards 3 --json ruler.json

CPU time of this process; the median (and the largest) over the boards. The naive way lays the ruler
from every corner of the own tiles through every other and asks Shapely what it crosses.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from run import once

from companion.games.property_poker.best import best_placement, values_of
from companion.games.property_poker.board import Board, random_board
from companion.games.property_poker.hands import HANDS
from companion.games.property_poker.record import as_text
from companion.games.property_poker.ruler import draw
from companion.games.property_poker.tiles import TILES, Point

Polygons = dict[str, tuple[Point, ...]]
LIMITS = {13: 0.1, 26: 0.25, 52: 0.6}


def full_board(seed: int, ghosts: bool = False) -> Board:
    """All tiles, laid at random."""
    ids = [id for id, tile in TILES.items() if ghosts or not tile.is_ghost]
    return random_board(ids, random.Random(seed))


def territory(board: Board, count: int, seed: int) -> Polygons:
    """Some tiles of a board."""
    polygons = board.polygons()
    chosen = random.Random(seed).sample(list(polygons), count)
    return {id: polygons[id] for id in chosen}


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """(CPU seconds, what it returned)."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def naive(own: Polygons) -> int:
    """The best hand (1 to 8, 0 for none) over rulers through two corners, by Shapely."""
    import shapely

    corners = np.unique(np.round([p for tile in own.values() for p in tile], 9), axis=0)
    a, b = np.nonzero(~np.eye(len(corners), dtype=bool))
    step = corners[b] - corners[a]
    ends = corners[a] + step / np.hypot(*step.T)[:, None] * 12
    lines = shapely.linestrings(np.stack([corners[a], ends], axis=1))
    masks = np.zeros(len(lines), np.uint64)
    for number, polygon in enumerate(own.values()):
        inside = shapely.length(shapely.intersection(lines, shapely.Polygon(polygon)))
        masks[inside > 1e-6] |= np.uint64(1) << np.uint64(number)
    return int(values_of(masks, list(own)).max(initial=0))


def draws(boards: Sequence[Board]) -> list[float]:
    """CPU seconds of one draw on each board of 56 tiles."""
    found = []
    for board in boards:
        polygons = board.polygons()
        start, aim = random.Random(1).sample(list(polygons), 2)
        poses = board[start].pose, board[aim].pose
        anchors = (poses[0].x, poses[0].y), (poses[1].x, poses[1].y)
        draw(polygons, start, anchors)  # warm up
        found.append(timed(lambda: draw(polygons, start, anchors))[0])  # noqa: B023
    return found


def command(board: Board, runs: int = 5) -> float:
    """CPU seconds of the whole `draw` command, median."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "full.board"
        file.write_text(as_text(board), "utf-8")
        start, aim = random.Random(1).sample(list(board.visible), 2)
        line = [sys.executable, "-m", "companion", "property-poker", "draw", str(file)]
        line += ["--start", start, "--aim", aim]
        once(line)
        return statistics.median(once(line)[0] for _ in range(runs))


def measure(boards: int) -> list[dict[str, Any]]:
    """Rows of the table."""
    tables = [full_board(seed) for seed in range(boards)]
    whole = [full_board(seed, ghosts=True) for seed in range(boards)]
    rows: list[dict[str, Any]] = [
        _row("draw on 56 tiles, in process", draws(whole), 0.005),
        _row("draw on 56 tiles, as a command", [command(whole[0])], 0.7),
    ]
    for count, limit in LIMITS.items():
        for margin in (0.0, 0.05):
            seconds = [
                timed(lambda: best_placement(territory(board, count, seed), margin))[0]  # noqa: B023
                for seed, board in enumerate(tables)
            ]
            name = f"best of {count} own tiles" + (", margin ≥ 0.5 mm" if margin else "")
            rows.append(_row(name, seconds, limit))
    rows.append(_naive_row(tables))
    return rows


def _naive_row(tables: Sequence[Board]) -> dict[str, Any]:
    seconds, missed = [], 0
    for seed, board in enumerate(tables):
        own = territory(board, 13, seed)
        found = best_placement(own)
        best = HANDS.index(found.hand.name) + 1 if found else 0
        spent, value = timed(lambda: naive(own))  # noqa: B023
        seconds.append(spent)
        missed += value < best
    row = _row("naive way, 13 own tiles", seconds, None)
    return {**row, "name": f"{row['name']}: misses the best hand on {missed} of {len(tables)}"}


def _row(name: str, seconds: Sequence[float], limit: float | None) -> dict[str, Any]:
    return {
        "name": name,
        "cpu": statistics.median(seconds),
        "largest": max(seconds),
        "limit": limit,
    }


def growth(rows: Sequence[dict[str, Any]]) -> float:
    """The power of the number of tiles by which the time grows, from 13 to 52."""
    cpu = {row["name"]: row["cpu"] for row in rows}
    return math.log(cpu["best of 52 own tiles"] / cpu["best of 13 own tiles"]) / math.log(4)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--boards", type=int, default=12)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = measure(options.boards)
    print("| what | CPU s | largest | limit s |\n| --- | ---: | ---: | ---: |")
    for row in rows:
        limit = f"{row['limit']:g}" if row["limit"] else ""
        print(f"| {row['name']} | {row['cpu']:.3f} | {row['largest']:.3f} | {limit} |")
    print(f"\nTime grows with the number of own tiles to the power {growth(rows):.1f}.")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
