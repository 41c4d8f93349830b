"""`companion roll`: percentile dice and dice expressions, rolled or typed in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.dice_input import (
    AskOption,
    DiceOption,
    HouseDoubleZero,
    SeedOption,
    dice_source,
    finish,
)
from companion.cli.options import JsonOption, StoreOption
from companion.cli.output import answer, answer_json
from companion.errors import UsageError

if TYPE_CHECKING:
    from companion.table.dice import DiceSource


def roll(
    expression: Annotated[
        str, typer.Argument(metavar="[EXPR]", help="d100 (tens and units die), 2d6+1, 4d6kh3 …")
    ] = "d100",
    at_most: Annotated[
        int | None, typer.Option(metavar="N", help="Success at N or less.", show_default=False)
    ] = None,
    under: Annotated[
        int | None, typer.Option(metavar="N", help="Success under N.", show_default=False)
    ] = None,
    tries: Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="Roll N times.")] = 1,
    every: Annotated[
        bool, typer.Option("--all", help="Every try must succeed, not just one.")
    ] = False,
    versus: Annotated[
        bool,
        typer.Option("--versus", help="Contest: a defender rolls too and wins at or above."),
    ] = False,
    dice: DiceOption = None,
    ask: AskOption = False,
    seed: SeedOption = None,
    double_zero: HouseDoubleZero = 100,
    session: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Keep the roll in this session (made if new); each seeded roll there differs.",
            show_default=False,
        ),
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Roll dice: by default the white tens die and the black units die, read as a percentage."""
    if at_most is not None and under is not None:
        raise UsageError("--at-most and --under exclude each other")
    if versus and (tries > 1 or at_most is not None or under is not None):
        raise UsageError("--versus is a contest of two rolls; it takes no --tries or value")
    if every and at_most is None and under is None:
        raise UsageError("--all needs a value: --at-most N or --under N")
    count = 2 if versus else tries

    def throw(index: int) -> dict[str, Any]:
        source = dice_source(dice, ask, seed, index)
        thrown = [_throw(expression, source, double_zero, number, count) for number in range(count)]
        finish(source)
        return _judge(thrown, at_most, under, every, versus)

    seeded = seed is not None
    result = throw(0) if session is None else _in_session(throw, session, store, seeded)
    if as_json:
        answer_json(result)
    else:
        _show(result, expression)


def _throw(
    expression: str, source: DiceSource, double_zero: int, number: int, count: int
) -> dict[str, Any]:
    """One roll as JSON data: its total and its dice."""
    what = f"roll {number + 1}" if count > 1 else "roll"
    if expression.lower().replace("1d", "d", 1) in ("d100", "d%"):
        percentile = source.percentile(what)
        return {"total": percentile.value(double_zero), "percentile": asdict(percentile)}
    from companion.table.expressions import parse
    from companion.table.expressions import roll as roll_tree

    rolled = roll_tree(parse(expression), source)
    dice = [{**asdict(die), "kept": kept} for die, kept in rolled.dice]
    return {"total": rolled.total, "dice": dice}


def _judge(
    thrown: list[dict[str, Any]],
    at_most: int | None,
    under: int | None,
    every: bool,
    versus: bool,
) -> dict[str, Any]:
    from companion.table.dice import succeeds

    totals = [entry["total"] for entry in thrown]
    value = at_most if at_most is not None else under
    success = None
    if value is not None:
        percentile = "percentile" in thrown[0]
        success = succeeds(
            totals, value, under=under is not None, every=every, percentile=percentile
        )
    result: dict[str, Any] = {"rolls": totals, "success": success, "thrown": thrown}
    if len(totals) == 1:
        result = {"total": totals[0], **result}
    if value is not None:
        result |= {"value": value, "test": "under" if under is not None else "at-most"}
    if versus:
        winner = "defender" if totals[1] >= totals[0] else "attacker"
        result["contest"] = {"attacker": totals[0], "defender": totals[1], "winner": winner}
    return result


def _in_session(
    throw: Callable[[int], dict[str, Any]], name: str, store_path: Path | None, seeded: bool
) -> dict[str, Any]:
    """Roll and record; the index of a seeded roll is its place in the log."""
    from companion.cli.options import open_store
    from companion.table.diary import DiceDiary
    from companion.table.protocol import Event

    game = DiceDiary()
    # thrown before the store is touched: dice may be asked for one by one, nobody else should wait
    # meanwhile, and a refused roll leaves no empty session. A seeded roll is thrown again below,
    # with its index
    result = throw(0)
    with open_store(store_path) as store:
        session = store.open_or_create(name, game, {})
        if not seeded:
            session.add(Event("roll", result))
            return result
        session.add_made(lambda index: Event("roll", throw(index)))
        return dict(session.entries()[-1].event.data)


def _show(result: dict[str, Any], expression: str) -> None:
    from companion.table.dice_faces import draw

    sides = ("attacker", "defender") if "contest" in result else None
    for number, entry in enumerate(result["thrown"]):
        title = f"{sides[number]}  " if sides else ""
        if "percentile" in entry:
            p = entry["percentile"]
            faces = [(f"{p['tens']:02}", False), (str(p["units"]), True)]
        else:
            faces = [
                (str(d["face"]) if d["kept"] else f"({d['face']})", False) for d in entry["dice"]
            ]
        if len(faces) > 12 or not faces:
            answer(f"{title}{expression} = {entry['total']}")
            continue
        top, middle, bottom = draw(faces)
        pad = " " * len(title)
        answer(f"{pad}{top}\n{title}{middle}  {entry['total']}\n{pad}{bottom}")
    if result["success"] is not None:
        test = "under" if result["test"] == "under" else "at or under"
        answer(f"{test} {result['value']}: {'success' if result['success'] else 'no success'}")
    if sides:
        contest = result["contest"]
        answer(f"{contest['attacker']} against {contest['defender']}: {contest['winner']} wins")
