"""`companion game-on match`: a match on the session store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.history import answer_log, bring_back, take_back
from companion.cli.options import JsonOption, PlayerArgument, StoreOption, open_store, session_name
from companion.cli.output import answer, answer_json, remark
from companion.cli.scoreboard import pad, width
from companion.cli.track import read_names, read_teams
from companion.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from companion.games.game_on.match import Match
    from companion.table.sessions import Session

app = typer.Typer(help="Keep a match: order, shots, free throws, points.", no_args_is_help=True)

NameArgument = Annotated[str, session_name("game-on")]
MadeArgument = Annotated[str, typer.Argument(metavar="made|missed", help="Whether it went in.")]


@app.command("new")
def new(
    name: NameArgument,
    players: Annotated[
        str | None,
        typer.Option(metavar="A,B,…", help="2 to 6 players, clockwise.", show_default=False),
    ] = None,
    teams: Annotated[
        str | None,
        typer.Option(metavar="RED=A+B,BLUE=C+D", help="Two teams.", show_default=False),
    ] = None,
    to: Annotated[
        int | None,
        typer.Option(metavar="N", help="Match point: 7 or 11, teams 11 or 21.", show_default=False),
    ] = None,
    rounds: Annotated[
        bool, typer.Option("--rounds", help="Round mode: until the 30 score cards are gone.")
    ] = False,
    first: Annotated[
        str | None,
        typer.Option(metavar="PLAYER", help="Who has the first attack.", show_default=False),
    ] = None,
    house: Annotated[
        list[str],
        typer.Option("--house", metavar="KEY=VALUE", help="A house rule.", show_default=False),
    ] = [],  # noqa: B006
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Start a match."""
    from companion.games.game_on.house import parse_house
    from companion.games.game_on.match import MatchGame

    if bool(players) == bool(teams):
        raise UsageError("say either --players A,B or --teams RED=A+B,BLUE=C+D")
    if rounds == (to is not None):
        raise UsageError("say either --to N (match point) or --rounds")
    config = {
        "players": read_names(players),
        "teams": read_teams(teams),
        "target": to,
        "first": first,
        "house": parse_house(house).as_data(),
    }
    with open_store(store) as opened:
        opened.create(name, MatchGame(), config)
        _show(opened.open(name, MatchGame()), as_json)


@app.command("shot")
def shot(
    name: NameArgument,
    player: PlayerArgument,
    kind: Annotated[str, typer.Argument(metavar="ATTACK", help="three-pointer or 三分跳投.")],
    made: MadeArgument,
    foul: Annotated[bool, typer.Option("--foul", help="A personal foul was played.")] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Record an attack; a missed one waits for tip-in, rebound or done."""
    from companion.games.game_on.cards import ATTACKS, find

    card = find(kind, ATTACKS, "attack card")
    data = {"player": player, "kind": card.id, "made": _made(made), "foul": foul}
    _add(name, "shot", data, store, as_json)


@app.command("free-throw")
def free_throw(
    name: NameArgument, made: MadeArgument, store: StoreOption = None, as_json: JsonOption = False
) -> None:
    """Record the next free throw that is due."""
    _add(name, "free-throw", {"made": _made(made)}, store, as_json)


@app.command("tip-in")
def tip_in(
    name: NameArgument,
    player: PlayerArgument,
    made: MadeArgument,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Record a tip-in by the attacker or a team-mate."""
    _add(name, "tip-in", {"player": player, "made": _made(made)}, store, as_json)


@app.command("rebound")
def rebound(
    name: NameArgument,
    player: PlayerArgument,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Record a rebound; the last one has the next attack."""
    _add(name, "rebound", {"player": player}, store, as_json)


@app.command("technical")
def technical(
    name: NameArgument,
    player: PlayerArgument,
    made: MadeArgument,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Record a technical foul: its free throw, then the attack goes to the player who used it."""
    _add(name, "technical", {"player": player, "made": _made(made)}, store, as_json)


@app.command("pass")
def pass_attack(name: NameArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """The attacker does not attack: the attack passes to the left."""
    _add(name, "pass", {}, store, as_json)


@app.command("turnover")
def turnover(name: NameArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """A turnover card: the attack passes to the attacker's left."""
    _add(name, "turnover", {}, store, as_json)


@app.command("done")
def done(name: NameArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Nobody reacts (any more) to the missed attack."""
    _add(name, "done", {}, store, as_json)


@app.command("undo")
def undo(name: NameArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Take back the newest entry."""
    with open_store(store) as opened:
        session = _open(opened, name)
        take_back(session)
        _show(session, as_json)


@app.command("redo")
def redo(name: NameArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Bring back what was undone last."""
    with open_store(store) as opened:
        session = _open(opened, name)
        bring_back(session)
        _show(session, as_json)


@app.command("show")
def show(name: NameArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Show the score, who has the attack, and each player's figures."""
    with open_store(store) as opened:
        _show(_open(opened, name), as_json)


@app.command("log")
def log(name: NameArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List every entry that counts, in words."""
    with open_store(store) as opened:
        answer_log(_open(opened, name), as_json)


def _open(opened: Any, name: str) -> Session[Match]:
    from companion.games.game_on.match import MatchGame

    session: Session[Match] = opened.open(name, MatchGame())
    return session


def _made(text: str) -> bool:
    words = {"made": True, "in": True, "missed": False, "miss": False, "out": False}
    if text.lower() not in words:
        raise UsageError(f"'{text}': write made or missed")
    return words[text.lower()]


def _add(name: str, kind: str, data: Mapping[str, Any], store: Path | None, as_json: bool) -> None:
    from companion.table.protocol import Event
    from companion.table.tracker import name_meant

    def make(state: Match) -> Event:
        entry = dict(data)
        if "player" in entry:
            typed = str(entry["player"])
            # an unknown name goes on as typed: the rules refuse it with a suggestion
            entry["player"] = name_meant(typed, state.order) or typed
        return Event(kind, entry)

    with open_store(store) as opened:
        session = _open(opened, name)
        step = session.add_made(make)
        for sentence in step.sentences:
            (remark if as_json else answer)(sentence)
        if as_json:
            _show(session, as_json)


def _show(session: Session[Match], as_json: bool) -> None:
    from companion.games.game_on.match import awaited, summary

    state = session.state()
    outcome = session.game.outcome(state)
    rows = summary(state)
    if as_json:
        play = state.play
        answer_json(
            {
                "name": session.name,
                "target": state.rules.target,
                "scores": dict(state.scores),
                "attacker": state.attacker,
                "free_throws_due": play.free_throws if play else 0,
                "waiting_for_reactions": play is not None and not play.free_throws,
                "score_cards": state.supply,
                "over": outcome is not None,
                "winners": list(outcome.winners) if outcome else [],
                "players": rows,
                "house": state.house.as_data(),
            }
        )
        return
    target = state.rules.target
    answer(f"{session.name}: " + (f"exactly {target}" if target else "round mode"))
    column = max(width(side) for side in state.scores)
    for side, score in state.scores.items():
        need = "" if target is None else f"   needs {target - score}"
        answer(f"  {pad(side, column)} {score:>3}{need}")
    for row in rows:
        if row["attempts"]:
            kinds = ", ".join(
                f"{kind} {t['made']}/{t['attempts']}" for kind, t in row["by_kind"].items()
            )
            answer(f"  {row['name']}: {row['points']} points, {kinds}")
    if state.supply is not None:
        answer(f"score cards left: {state.supply}")
    if outcome:
        answer(f"{' and '.join(outcome.winners)} won")
    else:
        answer(awaited(state))
