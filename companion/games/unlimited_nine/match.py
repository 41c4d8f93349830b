"""The rules of a game between two camps: order, at-bats, halves, innings, positions (UN-2 … UN-11).

It keeps everything that lies open on the table; hands and the event deck stay with the players, so
of a hand only its size is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.errors import IllegalPlay, UsageError, did_you_mean, nearest
from companion.games.unlimited_nine.at_bat import EMPTY, OUTS, walk
from companion.games.unlimited_nine.cards import (
    CARDS_OF_A_COLOUR,
    CHINESE,
    Change,
    EventCard,
    Position,
    Power,
    Roster,
    read_roster,
)
from companion.games.unlimited_nine.duel import Duel, Result, resolve
from companion.games.unlimited_nine.plays import read_duel
from companion.games.unlimited_nine.state import (
    SEATS,
    Line,
    Match,
    Team,
    hand_sizes,
    name_of,
    scene,
    with_team,
)
from companion.games.unlimited_nine.telling import tell
from companion.table.protocol import Data, Event, Outcome, Step


class NineGame:
    """The rules of a game, for a session.

    Events: `event` {side: 0 | 1, event, player?}, `at-bat` {bat, pitch: [colour, count] | null,
    abilities: [[player, phase]], bonus}, `walk` {redraw}, `position` {player, to, student?,
    exchange?}, `injured` {player, injured}.
    """

    name = "unlimited-nine"
    version = 1

    def start(self, config: Data) -> Match:
        """From {sides: [{name, camp, captain, order}, …], players, events}. Raises UsageError."""

        def complain(card: str, column: str, message: str) -> None:
            raise UsageError(f"{card}, {column}: {message}")

        for key in ("players", "events", "sides"):
            rows = config.get(key)
            if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
                raise UsageError(f"the settings of a game need a list of {key}")
        for row in (*config["players"], *config["events"]):
            if not isinstance(row.get("id"), str):
                raise UsageError("a card in the settings has no id")
        roster = read_roster(config["players"], config["events"], complain)
        return self.begin(roster, config["sides"])

    def begin(self, roster: Roster, sides: Sequence[Data]) -> Match:
        """The first state of a game with a roster at hand. Raises UsageError."""
        if len(sides) != 2:
            raise UsageError("a game has two sides (UN-2)")
        first, second = (_team(side, roster) for side in sides)
        if first.camp is second.camp:
            raise UsageError(f"both captains are of camp {first.camp}: draw again (UN-2)")
        if first.name.casefold() == second.name.casefold():
            raise UsageError(f"both sides are called '{first.name}'")
        for own, other in ((first, second), (second, first)):
            if own.name.casefold() in (other.camp.value, CHINESE[other.camp]):
                raise UsageError(f"a side of camp {own.camp} called '{own.name}': the other's camp")
        return Match(roster, (first, second))

    def check(self, state: Match, event: Event) -> None:
        """Raise IllegalPlay, naming the rule and what would be legal."""
        checker = getattr(self, f"_check_{event.kind.replace('-', '_')}", None)
        if checker is None:
            raise IllegalPlay(f"a game knows no event '{event.kind}'")
        if state.over:
            raise IllegalPlay("the game is over after three innings; undo goes back (UN-3)")
        checker(state, event.data)

    def apply(self, state: Match, event: Event) -> Step[Match]:
        """The state after a checked event."""
        handler = getattr(self, f"_apply_{event.kind.replace('-', '_')}")
        new: Match = handler(state, event.data)
        return Step(new, tuple(tell(state, event, new)))

    def outcome(self, state: Match) -> Outcome | None:
        """More runs after three innings; level is a draw, which both share (UN-3)."""
        if not state.over:
            return None
        best = max(team.score for team in state.teams)
        winners = tuple(team.name for team in state.teams if team.score == best)
        return Outcome("innings" if len(winners) == 1 else "draw", winners)

    # events at the start of an inning (UN-3)

    def _check_event(self, state: Match, data: Data) -> None:
        side, card = data.get("side"), _event_card(state, data)
        if type(side) is not int or side not in (0, 1):
            raise IllegalPlay("an event is used by one of the two sides")
        if state.begun:
            raise IllegalPlay("events are used at the start of an inning (UN-3)")
        if side == 0 and any(by == 1 for by, _ in state.used):
            raise IllegalPlay(
                f"{state.teams[1].name} is using events already: {state.teams[0].name}, who bats "
                "first, comes first (UN-3)"
            )
        spent = {name for _, id in state.used for name in state.roster.events[id].names}
        if spent & set(card.names):
            raise IllegalPlay(f"'{card.names[-1]}' has been used in this inning (UN-3)")
        _check_target(state, side, card, data.get("player"))

    def _apply_event(self, state: Match, data: Data) -> Match:
        """The state after an event card."""
        side, card = data["side"], _event_card(state, data)
        state = replace(state, used=(*state.used, (side, card.id)))
        player = data.get("player")
        if card.effect.change is Change.INJURE:
            other = state.teams[1 - side]
            return with_team(state, 1 - side, injured=other.injured | {player})
        own = state.teams[side]
        if card.effect.change is Change.HEAL:
            return with_team(state, side, injured=own.injured - {player})
        if card.effect.change is Change.RECALL:
            return with_team(state, side, students=own.students - {player})
        return state

    # the at-bat

    def _check_at_bat(self, state: Match, data: Data) -> None:
        duel = read_duel(state, data)
        sizes = dict(zip(("batting", "fielding"), hand_sizes(state), strict=True))
        spent = _spent(duel, _bonus_power(state, duel))
        for side, cards in spent.items():
            if cards.total() > sizes[side]:
                raise IllegalPlay(
                    f"the {side} side spends {cards.total()} cards of a hand of {sizes[side]} "
                    "(UN-4)"
                )
        for power, count in (spent["batting"] + spent["fielding"]).items():
            if count > CARDS_OF_A_COLOUR:
                raise IllegalPlay(f"{count} cards of {power}: there are {CARDS_OF_A_COLOUR} (UN-1)")

    def _apply_at_bat(self, state: Match, data: Data) -> Match:
        return after(state, resolve(read_duel(state, data), scene(state)))

    def _check_walk(self, state: Match, data: Data) -> None:
        if not isinstance(data.get("redraw", False), bool):
            raise IllegalPlay("'redraw' is true or false")

    def _apply_walk(self, state: Match, data: Data) -> Match:
        bases, home = walk(state.bases, state.batting.batter)
        return after(state, Result("walk", bases, home))

    # positions and injuries

    def _check_position(self, state: Match, data: Data) -> None:
        side, player = _side_of(state, data)
        team, to = state.teams[side], data.get("to")
        if not isinstance(to, str) or to not in set(Position):
            raise IllegalPlay(f"'{to}' is no position: {', '.join(Position)}")
        if team.positions[player] is Position(to):
            raise IllegalPlay(f"{name_of(state, player)} is {to} already")
        other = team.at(Position(to))
        student = data.get("student")
        if data.get("exchange") and student is not None:
            raise IllegalPlay("an exchange makes no student: say one of the two (UN-11)")
        if not data.get("exchange") and student is None:
            raise IllegalPlay(
                f"{name_of(state, other)} is {to}: exchange the two, or say which of them turns "
                "into an ordinary student (UN-11)"
            )
        if student in team.students:
            raise IllegalPlay(
                f"{name_of(state, str(student))} is an ordinary student already: exchange the two "
                "(UN-11)"
            )
        if student is not None and student not in (player, other):
            raise IllegalPlay(
                f"the student is {name_of(state, player)} or {name_of(state, other)} (UN-11)"
            )

    def _apply_position(self, state: Match, data: Data) -> Match:
        side, player = _side_of(state, data)
        team, to = state.teams[side], Position(data["to"])
        other, student = team.at(to), data.get("student")
        positions = dict(team.positions)
        if student != player:
            # the student fills the place that the other left
            positions[player], positions[other] = to, positions[player]
        students = team.students | ({student} if student else set())
        injured = team.injured - students
        return with_team(state, side, positions=positions, students=students, injured=injured)

    def _check_injured(self, state: Match, data: Data) -> None:
        side, player = _side_of(state, data)
        marked = data.get("injured")
        if not isinstance(marked, bool):
            raise IllegalPlay("'injured' is true or false")
        if player in state.teams[side].students:
            raise IllegalPlay(f"{name_of(state, player)} is an ordinary student already")
        if (player in state.teams[side].injured) == marked:
            has = "has an injured marker already" if marked else "has no injured marker"
            raise IllegalPlay(f"{name_of(state, player)} {has}")

    def _apply_injured(self, state: Match, data: Data) -> Match:
        side, player = _side_of(state, data)
        injured = state.teams[side].injured
        return with_team(
            state, side, injured=injured | {player} if data["injured"] else injured - {player}
        )


def after(state: Match, result: Result) -> Match:
    """The state after an at-bat or a walk: figures, outs, the next batter, half and inning."""
    team = state.batting
    lines = dict(team.lines)
    batter = team.batter
    is_hit = result.kind == "hit"
    reached = 4 if batter in result.home else 0
    if batter in result.bases:
        reached = result.bases.index(batter) + 1
    lines[batter] = lines.get(batter, Line()).plus(
        appearances=1,
        hits=int(is_hit),
        total_bases=reached if is_hit else 0,
        walks=int(result.kind == "walk"),
        batted_in=len(result.home),
    )
    for runner in result.home:
        lines[runner] = lines.get(runner, Line()).plus(runs=1)
    runs = _added(team.runs, state.inning, len(result.home))
    state = with_team(
        state,
        state.half,
        next=(team.next + 1) % SEATS,
        hits=team.hits + is_hit,
        runs=runs,
        lines=lines,
    )
    outs = state.outs + result.is_out
    state = replace(state, outs=outs, bases=result.bases, begun=True, last=result)
    return _half_over(state) if outs == OUTS else state


def _half_over(state: Match) -> Match:
    """Three outs: count who is left, change sides or go to the next inning (UN-3)."""
    left = sum(runner is not None for runner in state.bases)
    team = state.batting
    state = with_team(state, state.half, left=_added(team.left, state.inning, left))
    if state.half == 0:
        return replace(state, half=1, outs=0, bases=EMPTY)
    for side, own in enumerate(state.teams):
        turned = own.students | own.injured
        state = with_team(state, side, students=turned, injured=frozenset())
    return replace(
        state, inning=state.inning + 1, half=0, outs=0, bases=EMPTY, begun=False, used=()
    )


def _added(values: tuple[int, ...], inning: int, more: int) -> tuple[int, ...]:
    """The values by inning, with more in this one."""
    padded = values + (0,) * (inning - len(values))
    return (*padded[:-1], padded[-1] + more)


def _spent(duel: Duel, bonus_power: Power | None) -> dict[str, Counter[Power]]:
    """Cards that each side lays and discards, by colour; bonus cards are of `bonus_power`."""
    batting, fielding = Counter[Power](), Counter[Power]()
    for laid, cards in ((duel.bat, batting), (duel.pitch, fielding)):
        if laid.power:
            cards[laid.power] += laid.count
    for used in duel.abilities:
        (batting if used.by_batting_side else fielding).update(used.ability.cost)
    if bonus_power:
        fielding[bonus_power] += duel.bonus
    return {"batting": batting, "fielding": fielding}


def _bonus_power(state: Match, duel: Duel) -> Power | None:
    """The power source of the bonus cards, None without any.

    Raises IllegalPlay if no fielder may use them, or if they are not just what he needs (UN-8).
    """
    if not duel.bonus:
        return None
    now = scene(state)
    result = resolve(replace(duel, bonus=0), now)
    if result.direction is None:
        raise IllegalPlay("the batter is out: there is no ball to catch, no bonus card (UN-8)")
    id, figures, student = now.fielder(result.direction)
    if student:
        raise IllegalPlay(f"{name_of(state, id)} is an ordinary student: no catch (UN-8)")
    if figures.fielding_bonus is None:
        raise IllegalPlay(f"{name_of(state, id)} has no fielding bonus (UN-8)")
    needed = max(0, result.reach - result.hold)
    if duel.bonus != needed:
        raise IllegalPlay(
            f"{name_of(state, id)} needs {needed} bonus cards for this catch, not {duel.bonus} "
            "(UN-8)"
        )
    return figures.fielding_bonus


def _event_card(state: Match, data: Data) -> EventCard:
    id = data.get("event")
    if id not in state.roster.events:
        words = [w for e in state.roster.events.values() for w in (e.id, *e.names)]
        raise IllegalPlay(f"there is no event '{id}'{nearest(str(id), words)}")
    return state.roster.events[str(id)]


def _check_target(state: Match, side: int, card: EventCard, player: object) -> None:
    """An event that names a player needs one that it can do something to."""
    own, other = state.teams[side], state.teams[1 - side]
    choices = {
        Change.INJURE: [id for id in other.order if id not in other.students | other.injured],
        Change.HEAL: [id for id in own.order if id in own.injured],
        Change.RECALL: [id for id in own.order if id in own.students],
    }
    if card.effect.change not in choices:
        if player is not None:
            raise IllegalPlay(f"'{card.names[-1]}' names no player")
        return
    legal = choices[card.effect.change]
    if player not in legal:
        listed = ", ".join(legal) or "nobody now"
        raise IllegalPlay(f"'{card.names[-1]}' needs a player that it can name: {listed}")


def _side_of(state: Match, data: Data) -> tuple[int, str]:
    player = data.get("player")
    for side, team in enumerate(state.teams):
        if player in team.order:
            return side, str(player)
    known = [id for team in state.teams for id in team.order]
    hint = did_you_mean(str(player), known)
    raise IllegalPlay(f"nobody in this game is '{player}'" + (f" ({hint})" if hint else ""))


def _team(side: Data, roster: Roster) -> Team:
    camp = side.get("camp")
    if camp not in set(Power):
        raise UsageError(f"'{camp}' is no camp: {', '.join(Power)} (UN-1)")
    members = roster.camp(Power(camp))
    if len(members) != SEATS:
        raise UsageError(f"camp {camp} has {len(members)} players, not nine (UN-1)")
    asked = side.get("order")
    if asked is not None and not isinstance(asked, list | tuple):
        raise UsageError(f"a batting order is a list of nine players, not {asked!r} (UN-2)")
    order = tuple(asked or members)
    unknown = next((id for id in order if id not in members), None)
    if unknown is not None:
        hint = did_you_mean(str(unknown), members)
        raise UsageError(f"camp {camp} has no player '{unknown}'" + (f" ({hint})" if hint else ""))
    twice = next((id for id in order if order.count(id) > 1), None)
    if twice is not None or len(order) != SEATS:
        if twice is not None:
            raise UsageError(f"{twice} stands twice in a batting order (UN-2)")
        raise UsageError(f"a batting order names each of the nine once; {len(order)} given (UN-2)")
    captain = side.get("captain") or order[0]
    if captain not in members:
        raise UsageError(f"captain '{captain}' is not of camp {camp} (UN-2)")
    positions = {id: roster.players[id].position for id in members}
    name = side.get("name") or camp
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise UsageError(f"{name!r} is no name for a side")
    return Team(name, Power(camp), captain, order, positions)
