"""The best poker hand of covered tiles, wilds included (PP-2, PP-7). Counted, not substituted."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.games.property_poker.tiles import RANKS, SUITS, TILES

HAND_TILES = 5


@dataclass(frozen=True)
class HandName:
    """A hand of the bet slip: odds to 1, and the chip that signals it (PP-2, PP-6)."""

    id: str
    chinese: str
    odds: int
    signal: int


HANDS = (
    HandName("pair", "一對", 2, 100),
    HandName("two-pair", "兩對", 10, 1_000),
    HandName("three-of-a-kind", "三條", 15, 10_000),
    HandName("straight", "順子", 65, 100_000),
    HandName("flush", "同花", 110, 1_000_000),
    HandName("full-house", "葫蘆", 120, 10_000_000),
    HandName("four-of-a-kind", "鐵支", 550, 100_000_000),
    HandName("straight-flush", "柳丁", 2500, 1_000_000_000),
)
"""From small to large."""
BY_ID: Mapping[str, HandName] = {hand.id: hand for hand in HANDS}
RUNS = tuple(sum(1 << (start + i) % 13 for i in range(5)) for start in range(10))
"""The ten straights as rank masks, A-2-3-4-5 up to 10-J-Q-K-A."""


@dataclass(frozen=True)
class Hand:
    """A hand made: its name, its five tiles, and the face that each ghost stands for."""

    name: HandName
    tiles: tuple[str, ...]
    wilds: Mapping[str, str]


def value_of(suit_masks: Sequence[int], wilds: int, tiles: int) -> int:
    """1 (pair) to 8 (straight flush), 0 for none: the best hand of five of the tiles.

    `suit_masks`: four masks of 13 rank bits; `tiles`: how many there are, wilds included.
    """
    if tiles < HAND_TILES:
        return 0
    if any((mask & run).bit_count() + wilds >= 5 for mask in suit_masks for run in RUNS):
        return 8
    counts = sorted(
        (sum(mask >> rank & 1 for mask in suit_masks) for rank in range(13)), reverse=True
    )
    if counts[0] + wilds >= 4:
        return 7
    # the two commonest ranks need the fewest wilds
    if max(0, 3 - counts[0]) + max(0, 2 - counts[1]) <= wilds:
        return 6
    if any(mask.bit_count() + wilds >= 5 for mask in suit_masks):
        return 5
    ranks = suit_masks[0] | suit_masks[1] | suit_masks[2] | suit_masks[3]
    if any((ranks & run).bit_count() + wilds >= 5 for run in RUNS):
        return 4
    if counts[0] + wilds >= 3:
        return 3
    if max(0, 2 - counts[0]) + max(0, 2 - counts[1]) <= wilds:
        return 2
    return 1 if counts[0] + wilds >= 2 else 0


def masks_of(tiles: Iterable[str], wild: Iterable[str] = ()) -> tuple[list[int], int, int]:
    """(suit masks, wilds, how many tiles) of tile ids; ghosts and `wild` tiles are wilds."""
    masks, wilds, count = [0, 0, 0, 0], 0, 0
    also = set(wild)
    for id in tiles:
        tile = TILES[id]
        count += 1
        if tile.rank is None or id in also:
            wilds += 1
        else:
            masks[SUITS.index(tile.kind)] |= 1 << tile.rank
    return masks, wilds, count


def best_hand(tiles: Sequence[str], margins: Mapping[str, float] | None = None) -> Hand | None:
    """The best hand of the tiles (PP-7). Of several ways to make it, the one with most margin.

    `margins`: how safely each tile is covered; the hand's is the smallest of its five.
    """
    value = value_of(*masks_of(tiles))
    if not value:
        return None
    kept = list(tiles)
    if margins:
        by_margin = sorted(kept, key=lambda id: -margins[id])
        kept = next(
            by_margin[:count]
            for count in range(HAND_TILES, len(kept) + 1)
            if value_of(*masks_of(by_margin[:count])) >= value
        )
    for five in itertools.combinations(kept, HAND_TILES):
        if value_of(*masks_of(five)) == value:
            in_order = tuple(id for id in tiles if id in five)
            return Hand(HANDS[value - 1], in_order, _faces(in_order, value))
    raise AssertionError("a hand that was counted is not there")


def _faces(five: Sequence[str], value: int) -> dict[str, str]:
    """The face that each ghost of a hand stands for: the first that makes it."""
    ghosts = [id for id in five if TILES[id].is_ghost]
    if not ghosts:
        return {}
    natural = [id for id in five if not TILES[id].is_ghost]
    free = [id for id in _likely_faces(natural) if id not in natural]
    for faces in itertools.combinations(free, len(ghosts)):
        if value_of(*masks_of([*natural, *faces])) == value:
            return dict(zip(ghosts, faces, strict=True))
    raise AssertionError("a hand with wilds that no face makes")


def _likely_faces(natural: Sequence[str]) -> list[str]:
    """Every face, those that share a suit or are of a rank at hand first."""
    suits = {TILES[id].kind for id in natural}
    ranks = {TILES[id].rank for id in natural}

    def order(id: str) -> tuple[bool, bool]:
        tile = TILES[id]
        return tile.kind not in suits, tile.rank not in ranks

    faces = [f"{rank}{suit}" for suit in SUITS for rank in reversed(RANKS)]
    return sorted(faces, key=order)
