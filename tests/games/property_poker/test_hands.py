"""The best hand of covered tiles: PP-2, worked example D, M2, M3."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import numpy as np
import pytest

from companion.games.property_poker.best import values_of
from companion.games.property_poker.hands import HANDS, best_hand, masks_of, value_of
from companion.games.property_poker.tiles import RANKS, TILES
from tests.conftest import run

FACES = [id for id, tile in TILES.items() if not tile.is_ghost]


def plain_value(five: tuple[str, ...]) -> int:
    """A hand of five real faces, looked at the way a person would."""
    ranks = sorted(RANKS.index(id[:-1]) for id in five)
    counts = sorted(Counter(ranks).values(), reverse=True)
    suited = len({id[-1] for id in five}) == 1
    straight = counts == [1] * 5 and (ranks[4] - ranks[0] == 4 or ranks == [0, 9, 10, 11, 12])
    if straight and suited:
        return 8
    if counts[0] == 4:
        return 7
    if counts == [3, 2]:
        return 6
    if suited:
        return 5
    if straight:
        return 4
    return {3: 3, 2: 2 if counts[1] == 2 else 1}.get(counts[0], 0)


def brute(tiles: list[str]) -> int:
    """The best over all fives and all substitutions of ghosts."""
    best = 0
    for five in itertools.combinations(tiles, 5):
        natural = [id for id in five if id in FACES]
        for wild in itertools.combinations_with_replacement(FACES, 5 - len(natural)):
            best = max(best, plain_value((*natural, *wild)))
    return best


@pytest.mark.parametrize(
    ("tiles", "name"),
    [
        ("5S 6S 7S 8S G1", "straight-flush"),
        ("KS KH 3D 3C 9H", "two-pair"),
        ("AS 2D 3C 4H 5S", "straight"),
        ("10S JD QC KH AS", "straight"),
        ("QS KD AC 2H 3S", None),  # M2: no wrap-around
        ("2S 3D 4C 5H 6S", "straight"),
        ("5S 6S 7S 8S", None),
        ("5S 5H 5D 5C G1", "four-of-a-kind"),  # never five of a kind
        ("2S 7S 9S JS KS", "flush"),
        ("2S 2H 9D 9C G2", "full-house"),
        ("2S 4H 9D JC G3", "pair"),
        ("2S 4H 9D G1 G2", "three-of-a-kind"),
    ],
)
def test_worked_example_d_and_m2(tiles: str, name: str | None) -> None:
    hand = best_hand(tiles.split())
    assert (hand.name.id if hand else None) == name


def test_m3_two_ghosts_against_a_brute_force_over_all_substitutions() -> None:
    rng = random.Random(3)
    for _ in range(6):
        tiles = [*rng.sample(FACES, 5), "G1", "G3"]
        assert value_of(*masks_of(tiles)) == brute(tiles)


def test_pp_2_every_kind_of_hand_against_a_brute_force() -> None:
    rng = random.Random(1)
    for wilds in (0, 0, 0, 0, 1):
        for _ in range(60 if not wilds else 12):
            tiles = rng.sample(FACES, rng.randint(5, 8) - wilds) + ["G1"] * wilds
            assert value_of(*masks_of(tiles)) == brute(tiles), tiles
    few = [f"{rank}{suit}" for rank in RANKS[:4] for suit in "SHDC"]
    for _ in range(100):
        tiles = rng.sample(few, 6)
        assert value_of(*masks_of(tiles)) == brute(tiles), tiles


def test_pp_2_all_hands_of_five_in_their_numbers() -> None:
    """The known numbers of five-card hands, without wrap-around."""
    ids = FACES
    rng = np.random.default_rng(1)
    sample = rng.permuted(np.tile(np.arange(52), (40_000, 1)), axis=1)[:, :5]
    masks = (np.uint64(1) << sample.astype(np.uint64)).sum(axis=1, dtype=np.uint64)
    values = values_of(masks, ids)
    known = (1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40)
    for value, count in enumerate(known, 1):
        share = count / 2_598_960
        assert (values == value).mean() == pytest.approx(share, abs=5 * (share / 40_000) ** 0.5)
    for row, value in zip(sample[:500], values[:500], strict=True):
        assert plain_value(tuple(ids[i] for i in row)) == value


def test_counting_for_many_sets_is_counting_for_one() -> None:
    rng = random.Random(5)
    ids = rng.sample(list(TILES), 30)
    masks = np.array([rng.getrandbits(30) & rng.getrandbits(30) for _ in range(500)], np.uint64)
    values = values_of(masks, ids)
    for mask, value in zip(masks.tolist(), values.tolist(), strict=True):
        tiles = [id for i, id in enumerate(ids) if mask >> i & 1]
        assert value_of(*masks_of(tiles)) == value


def test_a_hand_names_its_tiles_and_what_each_ghost_stands_for() -> None:
    rng = random.Random(9)
    for _ in range(200):
        tiles = rng.sample(list(TILES), rng.randint(5, 12))
        hand = best_hand(tiles)
        if hand is None:
            continue
        assert len(hand.tiles) == 5 and set(hand.tiles) <= set(tiles)
        faces = tuple(hand.wilds.get(id, id) for id in hand.tiles)
        assert HANDS[plain_value(faces) - 1] is hand.name
        assert set(hand.wilds) == {id for id in hand.tiles if TILES[id].is_ghost}


def test_of_several_ways_to_make_a_hand_the_safest_is_taken() -> None:
    tiles = ["5S", "5H", "5D", "9C", "KD", "2S"]
    margins = {"5S": 0.1, "5H": 3, "5D": 4, "9C": 5, "KD": 6, "2S": 7}
    hand = best_hand(tiles, margins)
    assert hand and set(hand.tiles) == {"5S", "5H", "5D", "KD", "2S"}
    pair = best_hand(["5S", "5H", "9C", "9D", "KD", "2S"], dict.fromkeys(tiles, 1.0) | {"9D": 2.0})
    assert pair and pair.name.id == "two-pair"


def test_the_hand_command() -> None:
    assert (
        "straight-flush 柳丁: 5S 6S 7S 8S G1 as 9S"
        in run("property-poker", "hand", "5S,6S,7S,8S,G1").out
    )
    assert run("property-poker", "hand", "5S", "6S", "--json").json == {"hand": None}
    twice = run("property-poker", "hand", "5S,5S")
    assert twice.code == 2 and "named twice" in twice.err
