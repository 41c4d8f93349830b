"""Simulated games: the same everywhere, and statistics that hold."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from companion.games.unlimited_nine.cards import Power
from companion.games.unlimited_nine.simulate import (
    Tally,
    deal,
    interval,
    mean_interval,
    run_task,
    tasks,
    who_bats_first,
)
from companion.rosters import nine_roster
from tests.conftest import run

ROSTER = nine_roster("unlimited-nine")


def simulate(*arguments: str) -> Any:
    answer = run("unlimited-nine", "simulate", "--games", "6", "--json", *arguments)
    assert answer.code == 0, answer.err
    return answer.json


def test_the_same_seed_gives_the_same_on_one_core_and_on_all() -> None:
    assert simulate("--cores", "1") == simulate("--cores", "2")
    assert simulate("--cores", "1", "--seed", "2") != simulate("--cores", "1")


@pytest.fixture
def scheduler() -> Iterator[str]:
    distributed = pytest.importorskip("dask.distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, processes=False
    ) as cluster:
        yield cluster.scheduler_address


def test_the_same_seed_gives_the_same_on_a_cluster(scheduler: str) -> None:
    assert simulate("--cluster", scheduler) == simulate("--cores", "1")


def test_a_cluster_that_is_not_there_is_named() -> None:
    pytest.importorskip("dask.distributed")
    answer = run("unlimited-nine", "simulate", "--games", "2", "--cluster", "nowhere")
    assert answer.code == 2 and "--cluster nowhere" in answer.err


def test_parcels_make_no_difference() -> None:
    pair = (Power.HOT_BLOOD, Power.GENIUS)
    whole = run_task(ROSTER, (pair, 0, 6), 1)
    parts = Tally()
    for task in ((pair, 4, 2), (pair, 0, 4)):
        parts.add(run_task(ROSTER, task, 1))
    assert whole == parts
    assert sum(count for _, _, count in tasks(list(Power), 250)) == 3 * 250


def test_un_2_each_side_starts_with_two_cards_of_each_colour() -> None:
    table = deal(ROSTER, random.Random(3))
    for side in (0, 1):
        assert set(table.held(side).values()) == {2} and len(table.held(side)) == 3
    assert len(table.deck) == 42 - 12
    assert who_bats_first(table, (Power.GENIUS, Power.TECHNIQUE)) in (0, 1)
    assert len(table.deck) + len(table.discards) == 30


def test_un_4_no_card_is_lost_and_an_empty_deck_is_reshuffled() -> None:
    table = deal(ROSTER, random.Random(3))
    for _ in range(200):
        table.fill(0, 9)
        table.fill(1, 2)
        table.discard_rarest(0, 3)
        assert len(table.deck) + len(table.discards) + sum(map(len, table.hands)) == 42


def test_intervals_against_another_library() -> None:
    """Wilson's bounds solve |p − share| = z √(p (1 − p) / n)."""
    for successes, trials in ((0, 10), (3, 10), (450, 1000), (1000, 1000)):
        for bound in interval(successes, trials):
            left = (bound - successes / trials) ** 2
            assert left == pytest.approx(1.96**2 * bound * (1 - bound) / trials, abs=1e-12)
    import statistics

    runs = [0, 1, 5, 2, 2, 7, 3]
    low, high = mean_interval(sum(runs), sum(n * n for n in runs), len(runs))
    assert (low + high) / 2 == pytest.approx(statistics.mean(runs))
    half = 1.96 * statistics.stdev(runs) / len(runs) ** 0.5
    assert (high - low) / 2 == pytest.approx(half)


def test_the_shipped_camps_are_near_each_other() -> None:
    """A coarse look: the figures over 20,000 games stand in the rules' notes."""
    tally = run_task(ROSTER, ((Power.TECHNIQUE, Power.GENIUS), 0, 100), 1)
    for wins, runs in zip(tally.wins, tally.runs, strict=True):
        assert wins > 25 and 1.5 < runs / 100 < 9
