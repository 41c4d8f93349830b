"""`companion track`: the exact-target tracker on the session store."""

from __future__ import annotations

import csv
import io
import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.options import JsonOption, OutOption, StoreOption, open_store, session_name
from companion.cli.output import answer, answer_json, plural, remark, write_text
from companion.errors import UsageError

if TYPE_CHECKING:
    from companion.table.sessions import Session
    from companion.table.tracker import Tracker

app = typer.Typer(help="Keep score towards an exact target, for any game.", no_args_is_help=True)

NameArgument = Annotated[str, session_name("track")]
LargestOption = Annotated[
    int | None,
    typer.Option(
        "--largest",
        metavar="N",
        help="Largest single play: no need is shown where one play cannot do it.",
        show_default=False,
    ),
]


@app.command("new")
def new(
    name: NameArgument,
    target: Annotated[
        int | None, typer.Option(metavar="N", help="Points to meet exactly.", show_default=False)
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(metavar="A,B,…", help="Players, in order.", show_default=False),
    ] = None,
    teams: Annotated[
        str | None,
        typer.Option(
            metavar="RED=A+B,BLUE=C+D", help="Teams and their members.", show_default=False
        ),
    ] = None,
    overshoot: Annotated[
        str,
        typer.Option(
            metavar="POLICY",
            help="Over the target: excess (start again from what is over), bust (stay), "
            "reset-to:K, bounce (back by what is over).",
        ),
    ] = "excess",
    supply: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Round mode: most points win after N scoring plays.",
            show_default=False,
        ),
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Start a game."""
    from companion.table.tracker import TrackerGame, parse_policy

    policy, reset_to = parse_policy(overshoot)
    config: dict[str, Any] = {"target": target, "policy": policy, "reset_to": reset_to}
    config |= {"supply": supply, "players": read_names(players), "teams": read_teams(teams)}
    if bool(players) == bool(teams):
        raise UsageError("say either --players A,B or --teams RED=A+B,BLUE=C+D")
    with open_store(store) as opened:
        opened.create(name, TrackerGame(), config)
        _show(opened.open(name, TrackerGame()), as_json)


@app.command("add")
def add(
    name: NameArgument,
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="A player or team.")],
    points: Annotated[
        str, typer.Argument(metavar="POINTS", help="3, or 2+1+1 counted together as one play.")
    ],
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Record a play."""
    from companion.table.protocol import Event
    from companion.table.tracker import parse_points, resolve_player

    parsed = parse_points(points)
    with open_store(store) as opened:
        session = _open(opened, name)

        def make(state: Tracker) -> Event:
            return Event("score", {"player": resolve_player(state, player), "points": parsed})

        step = session.add_made(make)
        for sentence in step.sentences:
            (remark if as_json else answer)(sentence)
        _show(session, as_json, state=step.state)


@app.command("undo")
def undo(name: NameArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Take back the newest play."""
    with open_store(store) as opened:
        session = _open(opened, name)
        entry = session.undo()
        remark(f"undone: {_entry_text(entry.event.kind, entry.event.data)}")
        _show(session, as_json)


@app.command("redo")
def redo(name: NameArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Bring back what was undone last."""
    with open_store(store) as opened:
        session = _open(opened, name)
        entry = session.redo()
        remark(f"done again: {_entry_text(entry.event.kind, entry.event.data)}")
        _show(session, as_json)


@app.command("edit")
def edit(
    name: NameArgument,
    entry: Annotated[int, typer.Argument(metavar="ENTRY", help="Its number in the log.")],
    points: Annotated[str, typer.Argument(metavar="POINTS", help="The points it should have.")],
    player: Annotated[
        str | None, typer.Option(metavar="PLAYER", help="Whose play it was.", show_default=False)
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Correct an older play and replay the rest."""
    from companion.errors import SessionError
    from companion.table.tracker import parse_points, resolve_player

    with open_store(store) as opened:
        session = _open(opened, name)
        old = {e.number: e.event.data for e in session.entries()}.get(entry)
        if old is None:
            raise SessionError(f"session '{name}' has no entry {entry}; see track log {name}")
        who = resolve_player(session.state(), player) if player else old["player"]
        session.edit(entry, {"player": who, "points": parse_points(points)})
        _show(session, as_json)


@app.command("show")
def show(
    name: NameArgument,
    big: Annotated[bool, typer.Option("--big", help="Readable across the room.")] = False,
    largest: LargestOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show scores, what is needed, and ranks."""
    with open_store(store) as opened:
        _show(_open(opened, name), as_json, largest=largest, big=big)


@app.command("watch")
def watch(
    name: NameArgument,
    big: Annotated[bool, typer.Option("--big", help="Readable across the room.")] = False,
    largest: LargestOption = None,
    every: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.05, help="How often to look.")
    ] = 0.5,
    store: StoreOption = None,
) -> None:
    """Follow a game live in another terminal until it is over or Ctrl-C."""
    import time

    with open_store(store) as opened:
        session = _open(opened, name)
        seen: tuple[int, int] | None = None
        while True:
            now = (opened.changes(), len(opened.raw(name)[1]))
            if now != seen:
                seen = now
                if sys.stdout.isatty():
                    answer("\x1b[2J\x1b[H")
                _show(session, False, largest=largest, big=big)
                sys.stdout.flush()
            if session.outcome():
                return
            time.sleep(every)


@app.command("log")
def log(name: NameArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List the plays that count."""
    with open_store(store) as opened:
        entries = _open(opened, name).entries()
    if as_json:
        answer_json(
            {"entries": [{"number": e.number, "at": e.at, **e.event.data} for e in entries]}
        )
        return
    for entry in entries:
        answer(f"{entry.number:>4}  {entry.at}  {_entry_text(entry.event.kind, entry.event.data)}")
    if not entries:
        remark("no plays yet")


@app.command("export")
def export(
    name: NameArgument,
    to: Annotated[str, typer.Option(metavar="csv|json", help="Format.")] = "csv",
    out: OutOption = None,
    store: StoreOption = None,
) -> None:
    """Export the plays with the score after each."""
    if to not in ("csv", "json"):
        raise UsageError(f"--to {to}: csv or json")
    with open_store(store) as opened:
        rows = _history(_open(opened, name))
    if to == "json":
        text = json.dumps({"name": name, "plays": rows}, ensure_ascii=False, indent=2) + "\n"
    else:
        stream = io.StringIO()
        columns = ["number", "at", "player", "side", "points", "score"]
        writer = csv.DictWriter(stream, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows({**row, "points": "+".join(map(str, row["points"]))} for row in rows)
        text = stream.getvalue()
    write_text(text, out, plural(len(rows), "play"))


@app.command("list")
def list_games(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List the games."""
    with open_store(store) as opened:
        found = opened.sessions("track")
    if as_json:
        answer_json({"sessions": [{"name": i.name, "events": i.events} for i in found]})
        return
    for info in found:
        answer(f"{info.name}  {plural(info.events, 'event')}, begun {info.created[:10]}")
    if not found:
        remark("no games yet; companion track new NAME --target 7 --players Ann,小明")


def _open(opened: Any, name: str) -> Session[Tracker]:
    from companion.table.tracker import TrackerGame

    session: Session[Tracker] = opened.open(name, TrackerGame())
    return session


def read_names(text: str | None) -> list[str]:
    """`A,B` → the names; full-width commas too."""
    return [part.strip() for part in _halfwidth(text).split(",")] if text else []


def read_teams(text: str | None) -> dict[str, list[str]]:
    """`RED=A+B,BLUE=C+D` → members by team. Raises UsageError."""
    teams: dict[str, list[str]] = {}
    for part in _halfwidth(text).split(",") if text else []:
        name, sign, members = part.partition("=")
        if not sign or name.strip() in teams:
            raise UsageError(f"--teams: '{part}' is not NAME=A+B, or the team stands twice")
        teams[name.strip()] = [member.strip() for member in members.split("+")]
    return teams


def _halfwidth(text: str) -> str:
    """Separators as a Chinese keyboard types them → ASCII."""
    return text.translate(str.maketrans("，、＝＋", ",,=+"))


def _entry_text(kind: str, data: Any) -> str:
    if kind == "edit":
        return f"edit of entry {data['number']}"
    points = "+".join(str(value) for value in data["points"])
    return f"{data['player']} {points}"


def _history(session: Session[Tracker]) -> list[dict[str, Any]]:
    state = session.game.start(session.config)
    rows = []
    for entry in session.entries():
        state = session.game.apply(state, entry.event).state
        player = entry.event.data["player"]
        side = next(s.name for s in state.sides if player == s.name or player in s.members)
        rows.append(
            {
                "number": entry.number,
                "at": entry.at,
                "player": player,
                "side": side,
                "points": entry.event.data["points"],
                "score": state.score_of(side),
            }
        )
    return rows


def _show(
    session: Session[Tracker],
    as_json: bool,
    *,
    largest: int | None = None,
    big: bool = False,
    state: Tracker | None = None,
) -> None:
    from companion.cli.scoreboard import big_lines, table_lines

    state = session.state() if state is None else state
    outcome = session.game.outcome(state)
    needs, ranks = state.needs(largest), state.ranks()
    if as_json:
        answer_json(
            {
                "name": session.name,
                "target": state.rules.target,
                "overshoot": session.config["policy"],
                "players": [
                    {
                        "name": side.name,
                        "score": score,
                        "needs": needs[side.name],
                        "rank": ranks[side.name],
                        "members": [
                            {"name": member, "points": state.made[member]}
                            for member in side.members
                        ],
                    }
                    for side, score in zip(state.sides, state.scores, strict=True)
                ],
                "supply": state.supply,
                "over": outcome is not None,
                "winner": outcome.winners[0] if outcome and len(outcome.winners) == 1 else None,
                "winners": list(outcome.winners) if outcome else [],
            }
        )
        return
    for line in (big_lines if big else table_lines)(session.name, state, needs, ranks):
        answer(line)
    if outcome:
        verb = "wins" if len(outcome.winners) == 1 else "share the win"
        answer(f"{' and '.join(outcome.winners)} {verb}")
