"""A game of Unlimited Nine on the session store: `companion unlimited-nine new | show | …`."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli import completing
from companion.cli.history import answer_log, bring_back, take_back
from companion.cli.options import JsonOption, StoreOption, open_store, session_name
from companion.cli.output import answer, answer_json, remark
from companion.cli.scoreboard import pad, width
from companion.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from companion.games.unlimited_nine.at_bat import Bases
    from companion.games.unlimited_nine.state import Match
    from companion.table.sessions import Session

NameArgument = Annotated[str, session_name("unlimited-nine", metavar="GAME")]
PlayerArgument = Annotated[
    str,
    typer.Argument(
        metavar="PLAYER",
        help="An id or name: hot-blood-ss, 馬飛, Ma Fei.",
        autocompletion=completing.players,
    ),
]


def new(
    name: NameArgument,
    first: Annotated[
        str | None,
        typer.Option(metavar="CAMP", help="Who bats first; else it is drawn.", show_default=False),
    ] = None,
    second: Annotated[
        str | None,
        typer.Option(metavar="CAMP", help="Who bats second; else drawn.", show_default=False),
    ] = None,
    names: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="What the two sides are called.", show_default=False),
    ] = None,
    captain: Annotated[
        list[str],
        typer.Option(metavar="PLAYER", help="A captain; else drawn.", show_default=False),
    ] = [],  # noqa: B006
    order: Annotated[
        list[str],
        typer.Option(
            metavar="P,SS,…",
            help="A batting order of nine positions or players of a camp; "
            "for the first side, then the second. Else the card set's.",
            show_default=False,
        ),
    ] = [],  # noqa: B006
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="What is drawn, again.", show_default=False)
    ] = None,
    deck: Annotated[
        str, typer.Option(metavar="DECK", help="Whose players and events.")
    ] = "unlimited-nine",
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Start a game: camps, captains, batting orders."""
    from companion.games.unlimited_nine.cards import Power
    from companion.games.unlimited_nine.match import NineGame
    from companion.rosters import load_nine

    found = load_nine(deck)
    roster = found.roster
    # a text, since a number's sign would be lost
    rng = random.Random(None if seed is None else f"game {seed}")
    camps = _camps(first, second, [c for c in Power if roster.camp(c)], rng)
    called = [part.strip() for part in names.split(",")] if names else ["", ""]
    if len(called) != 2 or (names and not all(called)):
        raise UsageError(f"--names {names}: two names, such as Lions,Tigers")
    sides: list[dict[str, Any]] = []
    for camp, title in zip(camps, called, strict=True):
        members = {id: (*roster.players[id].names,) for id in roster.camp(camp)}
        side = {"name": title or camp.value, "camp": camp.value}
        sides.append({**side, "captain": rng.choice(list(members)), "order": list(members)})
    _captains(captain, sides, roster)
    if len(order) > 2:
        raise UsageError("--order: one for each side, the first side's first")
    for side, text in zip(sides, order, strict=False):
        side["order"] = _order(text, roster, side["order"])
    playing = [side["camp"] for side in sides]
    kept = [row for row in found.players if row["camp"] in playing]
    config = {"sides": sides, "players": kept, "events": found.events}
    with open_store(store) as opened:
        opened.create(name, NineGame(), config)
        _show(opened.open(name, NineGame()), as_json, short=True)


def _camps(
    first: str | None, second: str | None, there: Sequence[Any], rng: random.Random
) -> list[Any]:
    """The two camps, drawn where not named, of those that the card set has."""
    from companion.games.unlimited_nine.cards import CHINESE, Power

    found: list[Power | None] = []
    for typed in (first, second):
        folded = (typed or "").strip().casefold().replace(" ", "-")
        power = next((p for p in Power if folded in (p.value, CHINESE[p])), None)
        if typed is not None and power is None:
            hint = did_you_mean(folded, [*Power, *CHINESE.values()])
            raise UsageError(f"'{typed}' is no camp ({hint})")
        if power is not None and power not in there:
            raise UsageError(f"the card set has no camp {power}: {', '.join(there)}")
        found.append(power)
    if found[0] is not None and found[0] is found[1]:
        raise UsageError(f"both sides are of camp {found[0]}: they must differ (UN-2)")
    free = [power for power in there if power not in found]
    if len(free) < found.count(None):
        raise UsageError("the card set has fewer than two camps (UN-2)")
    rng.shuffle(free)
    return [power if power is not None else free.pop() for power in found]


def _captains(typed: Sequence[str], sides: list[dict[str, Any]], roster: Any) -> None:
    named: list[str] = []
    for text in typed:
        id = _player(text, roster, [id for side in sides for id in side["order"]])
        side = next(side for side in sides if id in side["order"])
        if side["camp"] in named:
            raise UsageError(f"--captain {text}: {side['camp']} has two captains")
        named.append(side["camp"])
        side["captain"] = id


def _order(text: str, roster: Any, members: list[str]) -> list[str]:
    by_position = {str(roster.players[id].position): id for id in members}
    parts = [part.strip() for part in text.replace("、", ",").replace("，", ",").split(",")]
    return [by_position.get(part.upper()) or _player(part, roster, members) for part in parts]


def _player(typed: str, roster: Any, members: Sequence[str]) -> str:
    """The id of a player typed by id or name. Raises UsageError with a suggestion."""
    from companion.games.unlimited_nine.cards import meant

    known = {id: roster.players[id].names for id in members}
    id = meant(typed, known)
    if id is None:
        words = [word for key, names in known.items() for word in (key, *names)]
        hint = did_you_mean(typed, words)
        raise UsageError(f"nobody here is '{typed}'" + (f" ({hint})" if hint else ""))
    return id


def _anybody(typed: str, state: Match) -> str:
    """The id of a player of either side."""
    return _player(typed, state.roster, [id for team in state.teams for id in team.order])


def at_bat(
    name: str,
    bat: str | None,
    pitch: str | None,
    abilities: Sequence[str],
    bonus: int,
    walk: bool,
    redraw: bool,
    dry_run: bool,
    store: Path | None,
    as_json: bool,
) -> None:
    """The next at-bat of a game; a dry run records nothing and says what would catch the ball."""
    from companion.games.unlimited_nine.at_bat import parse_cards
    from companion.table.protocol import Event

    if walk:
        if abilities or bonus:
            raise UsageError("--walk stands alone: there is no duel (UN-5)")
        _add(name, lambda state: Event("walk", {"redraw": redraw}), store, as_json)
        return
    if redraw:
        raise UsageError("--redraw goes with --walk (UN-5)")
    if bat is None or pitch is None:
        raise UsageError("an at-bat needs --bat and --pitch (none is no card), or --walk (UN-6)")
    laid = [parse_cards(text) for text in (bat, pitch)]
    cards = [[cards.power, cards.count] if cards.power else None for cards in laid]

    def make(state: Match) -> Event:
        used = [_ability(text, state) for text in abilities]
        data = {"bat": cards[0], "pitch": cards[1], "abilities": used, "bonus": bonus}
        return Event("at-bat", data)

    if dry_run:
        _try(name, make, store)
        return
    _add(name, make, store, as_json)


def _try(name: str, make: Callable[[Match], Any], store: Path | None) -> None:
    """Say what an at-bat would come to, and what would catch the ball."""
    with open_store(store) as opened:
        session = _open(opened, name)
        state = session.state()
        event = make(state)
        session.game.check(state, event)
        step = session.game.apply(state, event)
    for sentence in step.sentences:
        answer(sentence)
    last = step.state.last
    if last and last.kind == "hit" and last.fielder not in state.fielding.students:
        figures = state.figures(1 - state.half, str(last.fielder))
        short = last.reach - last.hold
        source = figures.fielding_bonus or "no power source"
        answer(f"{short} more would catch it (bonus: {source})")
    remark("a dry run: nothing was recorded")


def _ability(text: str, state: Match) -> list[str]:
    """[player, phase] from `batter`, `first`, `pitcher`, `SS`, a name, with `:fielding` if two."""
    from companion.games.unlimited_nine.cards import Phase, Position
    from companion.games.unlimited_nine.state import usable

    who, _, phase = text.partition(":")
    roles: dict[str, tuple[str | None, str]] = {
        "batter": (state.batting.batter, Phase.BATTING),
        "pitcher": (state.fielding.at(Position.PITCHER), Phase.PITCHING),
        **{
            base: (runner, Phase.RUNNING)
            for base, runner in zip(("first", "second", "third"), state.bases, strict=True)
        },
    }
    if who.casefold() in roles:
        player, usual = roles[who.casefold()]
        if player is None:
            raise UsageError(f"--ability {text}: nobody is on {who}")
        return [player, phase or usual]
    if who.upper() in set(Position):
        return [state.fielding.at(Position(who.upper())), phase or Phase.FIELDING]
    player = _anybody(who, state)
    mine = [used.ability.phase for used in usable(state) if used.player == player]
    if len(mine) > 1 and not phase:
        raise UsageError(f"--ability {text}: say which: {', '.join(f'{who}:{p}' for p in mine)}")
    return [player, phase or (mine[0] if mine else "usable")]


def event(
    name: NameArgument,
    side: Annotated[str, typer.Argument(metavar="SIDE", help="Whose event.")],
    card: Annotated[str, typer.Argument(metavar="EVENT", help="An id or name.")],
    player: Annotated[
        str | None,
        typer.Option("--on", metavar="PLAYER", help="Whom it names.", show_default=False),
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Use an event at the start of an inning."""
    from companion.games.unlimited_nine.cards import meant
    from companion.table.protocol import Event

    def make(state: Match) -> Event:
        known = {id: event.names for id, event in state.roster.events.items()}
        alike = [id for id, names in known.items() if card in names]
        if len(alike) > 1:
            raise UsageError(f"several events are called '{card}': say {' or '.join(alike)}")
        # an unknown name goes on as typed: the rules refuse it with a suggestion
        data: dict[str, Any] = {"side": _side(side, state), "event": meant(card, known) or card}
        if player is not None:
            data["player"] = _anybody(player, state)
        return Event("event", data)

    _add(name, make, store, as_json)


def _side(typed: str, state: Match) -> int:
    from companion.games.unlimited_nine.cards import CHINESE

    folded = typed.strip().casefold()
    for words in (
        [team.name.casefold() for team in state.teams],
        [team.camp.value for team in state.teams],
        [CHINESE[team.camp] for team in state.teams],
    ):
        if folded in words:
            return words.index(folded)
    names = [team.name for team in state.teams]
    raise UsageError(f"no side is called '{typed}': {' or '.join(names)}")


def position(
    name: NameArgument,
    player: PlayerArgument,
    to: Annotated[str, typer.Argument(metavar="POSITION", help="P C 1B 2B 3B SS LF CF RF.")],
    student: Annotated[
        str | None,
        typer.Option(
            "--student",
            metavar="PLAYER",
            help="Which of the two turns into an ordinary student.",
            show_default=False,
        ),
    ] = None,
    exchange: Annotated[
        bool, typer.Option("--exchange", help="The two exchange their positions.")
    ] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Change a position: exchange, or one of the two becomes a student."""
    from companion.table.protocol import Event

    def make(state: Match) -> Event:
        data: dict[str, Any] = {
            "player": _anybody(player, state),
            "to": to.upper(),
            "exchange": exchange,
        }
        if student is not None:
            data["student"] = _anybody(student, state)
        return Event("position", data)

    _add(name, make, store, as_json)


def injured(
    name: NameArgument,
    player: PlayerArgument,
    off: Annotated[bool, typer.Option("--off", help="Take the marker off.")] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put an injured marker on a player, or take it off."""
    from companion.table.protocol import Event

    def make(state: Match) -> Event:
        return Event("injured", {"player": _anybody(player, state), "injured": not off})

    _add(name, make, store, as_json)


def show(name: NameArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Show line score, bases, who bats next and both hand sizes."""
    with open_store(store) as opened:
        _show(_open(opened, name), as_json)


def box(name: NameArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Show the box score: every player's figures."""
    from companion.games.unlimited_nine.box import box_score, line_score

    with open_store(store) as opened:
        state = _open(opened, name).state()
    if as_json:
        teams = [{"name": team.name, "players": box_score(state, team)} for team in state.teams]
        answer_json({"name": name, "line_score": line_score(state), "teams": teams})
        return
    for line in _line_score(state):
        answer(line)
    for team in state.teams:
        for line in _box(state, team):
            answer(line)


def log(name: NameArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List every entry that counts, in words."""
    with open_store(store) as opened:
        answer_log(_open(opened, name), as_json)


def undo(name: NameArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Take back the newest entry."""
    with open_store(store) as opened:
        session = _open(opened, name)
        take_back(session)
        _show(session, as_json)


def redo(name: NameArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Bring back what was undone last."""
    with open_store(store) as opened:
        session = _open(opened, name)
        bring_back(session)
        _show(session, as_json)


COMMANDS: Mapping[str, Callable[..., None]] = {
    "new": new,
    "show": show,
    "event": event,
    "position": position,
    "injured": injured,
    "box": box,
    "log": log,
    "undo": undo,
    "redo": redo,
}


def _open(opened: Any, name: str) -> Session[Match]:
    from companion.games.unlimited_nine.match import NineGame

    session: Session[Match] = opened.open(name, NineGame())
    return session


def _add(name: str, make: Callable[[Match], Any], store: Path | None, as_json: bool) -> None:
    with open_store(store) as opened:
        session = _open(opened, name)
        step = session.add_made(make)
        for sentence in step.sentences:
            (remark if as_json else answer)(sentence)
        _show(session, as_json, short=True)


def _show(session: Session[Match], as_json: bool, *, short: bool = False) -> None:
    from companion.games.unlimited_nine.telling import awaited, in_force, score_text

    state = session.state()
    outcome = session.outcome()
    if as_json:
        answer_json(_document(session.name, state, outcome))
        return
    if short:
        answer(score_text(state))
    else:
        for line in (*_line_score(state), *in_force(state)):
            answer(line)
    if outcome:
        draw = outcome.termination == "draw"
        answer("a draw" if draw else f"{outcome.winners[0]} won")
        return
    for line in diamond(state.bases):
        answer(line)
    for line in awaited(state, abilities=not short):
        answer(line)


def _document(name: str, state: Match, outcome: Any) -> dict[str, Any]:
    from companion.games.unlimited_nine.at_bat import OUTS, bases_text
    from companion.games.unlimited_nine.box import line_score
    from companion.games.unlimited_nine.state import INNINGS, hand_sizes, usable

    last = state.last
    hands = dict(zip(("batting", "fielding"), hand_sizes(state), strict=True))
    return {
        "name": name,
        "margin": last.margin if last else None,
        "result": last.kind if last else None,
        "direction": last.direction if last else None,
        "runs": len(last.home) if last else 0,
        "bases": bases_text(state.bases),
        "runners": list(state.bases),
        "outs": OUTS if state.over else state.outs,
        "inning": min(state.inning, INNINGS),
        "half": "second" if state.over else ("first", "second")[state.half],
        "score": [{"name": team.name, "runs": team.score} for team in state.teams],
        "line_score": line_score(state),
        "batter": None if state.over else state.batting.batter,
        "hand_sizes": None if state.over else hands,
        "abilities": []
        if state.over
        else [
            {"player": u.player, "phase": u.ability.phase, "effect": str(u.ability.effect)}
            for u in usable(state)
        ],
        "over": outcome is not None,
        "winners": list(outcome.winners) if outcome else [],
    }


def _line_score(state: Match) -> Iterator[str]:
    from companion.games.unlimited_nine.box import line_score

    rows = line_score(state)
    column = max(width(row["name"]) for row in rows)
    yield f"{' ' * column}   1  2  3    R  H  LOB"
    for row in rows:
        innings = " ".join(f"{'' if runs is None else runs:>2}" for runs in row["innings"])
        yield (
            f"{pad(row['name'], column)}  {innings}   {row['runs']:>2} {row['hits']:>2}  "
            f"{row['left_on_base']:>3}"
        )


def _box(state: Match, team: Any) -> Iterator[str]:
    from companion.games.unlimited_nine.box import box_score

    rows = box_score(state, team)
    column = max(width(" ".join(row["names"])) for row in rows)
    yield ""
    yield f"{pad(team.name, column + 6)}  AB  R  H RBI BB"
    for number, row in enumerate(rows, 1):
        notes = [word for word in ("captain", "student", "injured") if row[word]]
        yield (
            f"{number} {row['position']:<3} {pad(' '.join(row['names']), column)}  "
            f"{row['at_bats']:>2} {row['runs']:>2} {row['hits']:>2}  {row['batted_in']:>2} "
            f"{row['walks']:>2}  {', '.join(notes)}".rstrip()
        )


def diamond(bases: Bases) -> list[str]:
    """The field with its runners: filled is a runner, and the base's number stands beside it."""
    first, second, third = ("◆" if runner else "◇" for runner in bases)
    return [f"      {second} 2", f"  3 {third}     {first} 1", "      ⌂"]
