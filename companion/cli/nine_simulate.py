"""`companion unlimited-nine simulate`: many games of simple players, on all cores or a cluster."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.options import JsonOption
from companion.cli.output import answer, answer_json
from companion.cli.scoreboard import pad, width
from companion.errors import UsageError

if TYPE_CHECKING:
    from companion.games.unlimited_nine.cards import Roster
    from companion.games.unlimited_nine.simulate import Tally, Task


def simulate(
    games: Annotated[
        int, typer.Option(metavar="N", min=2, max=10_000_000, help="Games for each pair of camps.")
    ] = 1000,
    deck: Annotated[
        str, typer.Option(metavar="DECK", help="Whose players and events.")
    ] = "unlimited-nine",
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed, the same games.")] = 1,
    cores: Annotated[
        int, typer.Option(metavar="N", min=0, max=1024, help="How many cores; 0 is all.")
    ] = 0,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="A Dask scheduler, such as tcp://10.0.0.5:8786 (needs the extra 'cluster').",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Play games between all camps: win rates, runs, batting averages, with 95 % intervals.

    The simple players use every event, walk a strong batter when first base is free and another
    is not, lay all cards of one colour, and pay for whatever ability or catch they can.
    """
    from companion.games.unlimited_nine.cards import Power
    from companion.games.unlimited_nine.simulate import Tally, tasks
    from companion.rosters import nine_roster

    roster = nine_roster(deck)
    camps = [camp for camp in Power if roster.camp(camp)]
    if len(camps) < 2:
        raise UsageError(f"deck '{deck}' has fewer than two camps to play each other")
    todo = tasks(camps, games)
    by_pair: dict[Any, Tally] = {task[0]: Tally() for task in todo}
    done = 0
    with _backend(cluster):
        for task, tally in _run(roster, todo, seed, cores):
            by_pair[task[0]].add(tally)
            done += tally.games
            _progress(done, games * len(by_pair))
    document = _document(roster, by_pair, games, seed)
    if as_json:
        answer_json(document)
        return
    for line in _lines(document):
        answer(line)


@contextmanager
def _backend(cluster: str | None) -> Iterator[None]:
    """All joblib work on a Dask cluster, if there is one."""
    if cluster is None:
        yield
        return
    try:
        distributed: Any = import_module("dask.distributed")
    except ImportError:
        raise UsageError("--cluster needs Dask: pip install 'pnp-companion[cluster]'") from None
    from joblib import parallel_config

    try:
        client = distributed.Client(cluster, timeout="10s")
    except (OSError, ValueError) as error:
        raise UsageError(f"--cluster {cluster}: {error}") from None
    with client, parallel_config(backend="dask"):
        yield


def _run(
    roster: Roster, todo: Sequence[Task], seed: int, cores: int
) -> Iterator[tuple[Task, Tally]]:
    """Each task's sums as it is done, in any order."""
    from joblib import Parallel, delayed

    parallel = Parallel(n_jobs=cores or -1, return_as="generator_unordered")
    yield from parallel(delayed(_job)(roster, task, seed) for task in todo)


def _job(roster: Roster, task: Task, seed: int) -> tuple[Task, Tally]:
    from companion.games.unlimited_nine.simulate import run_task

    return task, run_task(roster, task, seed)


def _progress(done: int, of: int) -> None:
    """How far it is, on a terminal."""
    if sys.stderr.isatty():
        typer.echo(f"\r{done:,} of {of:,} games", nl=done == of, err=True)


def _document(roster: Roster, by_pair: dict[Any, Tally], games: int, seed: int) -> dict[str, Any]:
    from companion.games.unlimited_nine.simulate import Tally, interval, mean_interval

    whole = Tally()
    pairs = []
    for camps, tally in by_pair.items():
        whole.add(tally)
        sides = []
        for side in (0, 1):
            wins, runs = tally.wins[side], tally.runs[side]
            sides.append(
                {
                    "camp": camps[side],
                    "wins": _with_interval(wins / tally.games, interval(wins, tally.games)),
                    "runs": _with_interval(
                        runs / tally.games,
                        mean_interval(runs, tally.runs_squared[side], tally.games),
                    ),
                }
            )
        draws = tally.games - sum(tally.wins)
        pairs.append(
            {"sides": sides, "draws": draws / tally.games, "bat_first": tally.first_wins / games}
        )
    players = [
        {
            "id": id,
            "names": list(player.names),
            "at_bats": whole.lines[id].at_bats,
            "average": _with_interval(
                whole.lines[id].hits / max(1, whole.lines[id].at_bats),
                interval(whole.lines[id].hits, whole.lines[id].at_bats),
            ),
            "slugging": whole.lines[id].total_bases / max(1, whole.lines[id].at_bats),
        }
        for id, player in roster.players.items()
        if id in whole.lines
    ]
    return {"games": games, "seed": seed, "pairs": pairs, "players": players}


def _with_interval(value: float, bounds: tuple[float, float]) -> dict[str, float]:
    return {"value": value, "low": bounds[0], "high": bounds[1]}


def _lines(document: dict[str, Any]) -> Iterator[str]:
    yield f"{document['games']:,} games for each pair of camps, seed {document['seed']}"
    yield "with 95 % intervals"
    for pair in document["pairs"]:
        for side in pair["sides"]:
            wins, runs = side["wins"], side["runs"]
            yield (
                f"{side['camp']:<10}  wins {100 * wins['value']:5.1f} % "
                f"({100 * wins['low']:.1f} … {100 * wins['high']:.1f}), "
                f"{runs['value']:.2f} runs a game ({runs['low']:.2f} … {runs['high']:.2f})"
            )
        yield (
            f"{'':<10}  draws {100 * pair['draws']:4.1f} %; "
            f"who bats first wins {100 * pair['bat_first']:.1f} %"
        )
    yield "batting averages"
    column = max(width(" ".join(player["names"])) for player in document["players"])
    for player in document["players"]:
        average = player["average"]
        yield (
            f"{pad(' '.join(player['names']), column)}  {average['value']:.3f} "
            f"({average['low']:.3f} … {average['high']:.3f}), slugging {player['slugging']:.3f}, "
            f"{player['at_bats']:,} at-bats"
        )
