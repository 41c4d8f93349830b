"""A match: who has the attack, shots and what follows them, points, the end (GO-8 … GO-13).

It keeps the score and the order of play; hands and decks stay on the table. Points of one play
(shot, free throws, tip-in) are counted together before the end is checked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.errors import IllegalPlay, UsageError, did_you_mean
from companion.games.game_on.cards import ATTACKS, SCORE_CARDS, TIP_IN_POINTS
from companion.games.game_on.house import House
from companion.games.game_on.resolver import free_throws_due
from companion.table.protocol import Data, Event, Outcome, Step
from companion.table.tracker import Rules, check_names

MOST_ON_A_SCORE_CARD = 4
TARGETS = (7, 11)
TEAM_TARGETS = (11, 21)
_BY_ID = {card.id: card for card in ATTACKS}


@dataclass(frozen=True)
class Play:
    """The play that is running: who attacks, points so far, what is due."""

    by: str
    kind: str
    points: int = 0
    free_throws: int = 0
    rebound: str | None = None


@dataclass(frozen=True)
class Tally:
    """One player's figures of one kind of try."""

    attempts: int = 0
    made: int = 0
    points: int = 0


@dataclass(frozen=True)
class Match:
    """The state. `order` is the seating, clockwise; `sides` are players or teams."""

    rules: Rules
    house: House
    order: tuple[str, ...]
    side_of: Mapping[str, str]
    scores: Mapping[str, int]
    attacker: str
    play: Play | None = None
    supply: int | None = None
    winner: str | None = None
    tallies: Mapping[str, Mapping[str, Tally]] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.winner is not None or self.supply == 0

    def left_of(self, player: str) -> str:
        """The next player clockwise."""
        return self.order[(self.order.index(player) + 1) % len(self.order)]


class MatchGame:
    """The rules of a match, for a session.

    Events: `shot` {player, kind, made, foul}, `free-throw` {made}, `tip-in` {player, made},
    `rebound` {player}, `technical` {player, made}, `pass` {} (no attack), `turnover` {}, `done` {}
    (no reaction follows).
    """

    name = "game-on"
    version = 1

    def start(self, config: Data) -> Match:
        """From {players | teams, target | None, first, house}. Raises UsageError."""
        order, side_of = _seats(config)
        sides = dict.fromkeys(side_of[player] for player in order)
        house = House(**config.get("house", {}))
        rules = _rules(config, teams=bool(config.get("teams")), house=house)
        first = order[0] if config.get("first") is None else config["first"]
        if first not in order:
            raise UsageError(f"nobody is called '{first}' ({did_you_mean(str(first), order)})")
        supply = SCORE_CARDS if rules.target is None else None
        return Match(rules, house, order, side_of, dict.fromkeys(sides, 0), first, supply=supply)

    def check(self, state: Match, event: Event) -> None:
        """Raise IllegalPlay, naming the rule and who or what would be legal."""
        checker = getattr(self, f"_check_{event.kind.replace('-', '_')}", None)
        if checker is None:
            raise IllegalPlay(f"a match knows no event '{event.kind}'")
        if state.over:
            raise IllegalPlay(f"the match is over: {_winners(state)} won; undo goes back (GO-13)")
        player = event.data.get("player")
        if player is not None and player not in state.order:
            hint = did_you_mean(str(player), state.order)
            raise IllegalPlay(f"nobody is called '{player}' ({hint})")
        if "made" in event.data and not isinstance(event.data["made"], bool):
            raise IllegalPlay("'made' is true or false")
        checker(state, event)

    def apply(self, state: Match, event: Event) -> Step[Match]:
        """The state after a checked event."""
        before = state
        if event.kind in ("shot", "pass", "turnover") and _reacting(state):
            state = _finish(state)
        handler = getattr(self, f"_apply_{event.kind.replace('-', '_')}")
        new: Match = handler(state, event)
        return Step(new, tuple(_sentences(before, event, new)))

    def outcome(self, state: Match) -> Outcome | None:
        """Exact target met, or the score cards have run out."""
        if state.winner:
            return Outcome("target", (state.winner,))
        if state.supply == 0:
            return Outcome("score cards", _leaders(state))
        return None

    # shots

    def _check_shot(self, state: Match, event: Event) -> None:
        kind = event.data.get("kind")
        if kind not in _BY_ID:
            hint = did_you_mean(str(kind), _BY_ID)
            raise IllegalPlay(f"there is no attack '{kind}' ({hint})")
        if "made" not in event.data or not isinstance(event.data.get("foul", False), bool):
            raise IllegalPlay("a shot is made or missed")
        _no_throws_due(state)
        attacker = _after_reactions(state)
        if event.data.get("player") != attacker:
            raise IllegalPlay(f"{attacker} has the attack, not {event.data.get('player')} (GO-13)")

    def _apply_shot(self, state: Match, event: Event) -> Match:
        card = _BY_ID[event.data["kind"]]
        made, player = event.data["made"], event.data["player"]
        points = card.points if made else 0
        state = _tallied(state, player, card.id, made, points)
        due = free_throws_due(card.id, made) if event.data.get("foul") else 0
        state = replace(state, play=Play(player, card.id, points, due))
        return state if due or not made else _finish(state)

    def _check_free_throw(self, state: Match, event: Event) -> None:
        if "made" not in event.data:
            raise IllegalPlay("a free throw is made or missed")
        if state.play is None or not state.play.free_throws:
            raise IllegalPlay("no free throw is due (GO-8)")

    def _apply_free_throw(self, state: Match, event: Event) -> Match:
        play, made = state.play, event.data["made"]
        assert play
        state = _tallied(state, play.by, "free-throw", made, int(made))
        left = play.free_throws - 1
        state = replace(state, play=replace(play, points=play.points + made, free_throws=left))
        if left:
            return state
        # the end is checked after the last throw, made or not (GO-13)
        ended = _finish(state)
        return ended if made or ended.over else state

    # reactions

    def _check_tip_in(self, state: Match, event: Event) -> None:
        play = _missed_play(state)
        if "made" not in event.data:
            raise IllegalPlay("a tip-in is made or missed")
        if play.rebound:
            raise IllegalPlay(f"{play.rebound}'s rebound is on the table: no tip-in (GO-10)")
        player = event.data.get("player")
        if player is None or state.side_of[player] != state.side_of[play.by]:
            raise IllegalPlay(f"a tip-in is for the attacker {play.by} or a team-mate (GO-10)")

    def _apply_tip_in(self, state: Match, event: Event) -> Match:
        made, play = event.data["made"], state.play
        assert play
        points = TIP_IN_POINTS if made else 0
        state = _tallied(state, event.data["player"], "tip-in", made, points)
        state = replace(state, play=replace(play, points=play.points + points))
        return _finish(state) if made else state

    def _check_rebound(self, state: Match, event: Event) -> None:
        _missed_play(state)
        if event.data.get("player") is None:
            raise IllegalPlay("a rebound has a player")

    def _apply_rebound(self, state: Match, event: Event) -> Match:
        assert state.play
        return replace(state, play=replace(state.play, rebound=event.data["player"]))

    def _check_done(self, state: Match, event: Event) -> None:
        del event
        _missed_play(state)

    def _apply_done(self, state: Match, event: Event) -> Match:
        del event
        return _finish(state)

    # order of play

    def _check_technical(self, state: Match, event: Event) -> None:
        _no_throws_due(state)
        if event.data.get("player") is None or "made" not in event.data:
            raise IllegalPlay("a technical foul has a player and its free throw is made or missed")

    def _apply_technical(self, state: Match, event: Event) -> Match:
        player, made = event.data["player"], event.data["made"]
        if state.play:
            state = _finish(state)
        state = _tallied(state, player, "free-throw", made, int(made))
        state = replace(state, play=Play(player, "technical", int(made)))
        return replace(_finish(state), attacker=player)

    def _check_pass(self, state: Match, event: Event) -> None:
        del event
        _no_throws_due(state)

    def _apply_pass(self, state: Match, event: Event) -> Match:
        del event
        return replace(state, attacker=state.left_of(state.attacker))

    _check_turnover = _check_pass
    _apply_turnover = _apply_pass


def _no_throws_due(state: Match) -> None:
    if state.play and state.play.free_throws:
        raise IllegalPlay(
            f"{state.play.free_throws} free throw(s) of {state.play.by} are due first: record "
            "them, then go on (GO-8)"
        )


def _reacting(state: Match) -> bool:
    return state.play is not None and not state.play.free_throws


def _missed_play(state: Match) -> Play:
    """The play that failed and may be reacted to. Raises IllegalPlay (GO-10)."""
    if state.play is None:
        raise IllegalPlay("there is no missed attack to react to (GO-10)")
    _no_throws_due(state)
    return state.play


def _after_reactions(state: Match) -> str:
    """Who has the attack if nobody reacts any more."""
    return _finish(state).attacker if _reacting(state) else state.attacker


def _finish(state: Match) -> Match:
    """End the running play: count its points together, pass the attack on (GO-12, GO-13)."""
    play = state.play
    assert play
    after = play.rebound or state.left_of(play.by)
    state = replace(state, play=None, attacker=after)
    if not play.points:
        return state
    side = state.side_of[play.by]
    score = state.rules.land(state.scores[side], play.points)
    winner = side if score == state.rules.target else None
    supply = None
    if state.supply is not None:
        supply = max(0, state.supply - math.ceil(play.points / MOST_ON_A_SCORE_CARD))
    return replace(state, scores={**state.scores, side: score}, winner=winner, supply=supply)


def _tallied(state: Match, player: str, kind: str, made: bool, points: int) -> Match:
    own = state.tallies.get(player, {})
    old = own.get(kind, Tally())
    new = Tally(old.attempts + 1, old.made + made, old.points + points)
    return replace(state, tallies={**state.tallies, player: {**own, kind: new}})


def _seats(config: Data) -> tuple[tuple[str, ...], dict[str, str]]:
    """Seating order and each player's side: himself, or his team (GO-13)."""
    teams: Mapping[str, Sequence[str]] = config.get("teams") or {}
    if teams:
        if any(not str(team).strip() for team in teams):
            raise UsageError("a team needs a name")
        sizes = {len(members) for members in teams.values()}
        if len(teams) != 2 or sizes not in ({2}, {3}):
            raise UsageError("teams: two teams of two or of three players (GO-13)")
        order = tuple(player for pair in zip(*teams.values(), strict=True) for player in pair)
        side_of = {player: team for team, members in teams.items() for player in members}
    else:
        order = tuple(config.get("players") or ())
        side_of = {player: player for player in order}
        if not 2 <= len(order) <= 6:
            raise UsageError(f"{len(order)} players; Game On is for 2 to 6 (GO-13)")
    check_names([*order, *teams])
    return order, side_of


def _rules(config: Data, *, teams: bool, house: House) -> Rules:
    target = config.get("target")
    if target is None:
        return Rules(None, supply=SCORE_CARDS)
    allowed = TEAM_TARGETS if teams else TARGETS
    if target not in allowed:
        listed = " or ".join(str(value) for value in allowed)
        raise UsageError(
            f"a match point of {target}: {'teams' if teams else 'players'} play to {listed}"
        )
    return Rules(target, house.overshoot)


def _leaders(state: Match) -> tuple[str, ...]:
    best = max(state.scores.values())
    return tuple(side for side, score in state.scores.items() if score == best)


def _winners(state: Match) -> str:
    return state.winner or " and ".join(_leaders(state))


def _sentences(before: Match, event: Event, after: Match) -> list[str]:
    data = event.data
    lines = []
    if event.kind == "shot":
        made = "made" if data["made"] else "missed"
        foul = ", with a personal foul" if data.get("foul") else ""
        lines.append(f"{data['player']}: {data['kind']} {made}{foul}")
    elif event.kind == "free-throw" and before.play:
        lines.append(f"{before.play.by}: free throw {'made' if data['made'] else 'missed'}")
    elif event.kind in ("tip-in", "technical"):
        lines.append(f"{data['player']}: {event.kind} {'made' if data['made'] else 'missed'}")
    elif event.kind == "rebound":
        lines.append(f"{data['player']}: rebound")
    for side, score in after.scores.items():
        if score != before.scores[side]:
            lines.append(f"{side}: {before.scores[side]} → {score}")
    if after.over:
        lines.append(f"{_winners(after)} won")
    else:
        lines.append(awaited(after))
    return lines


def awaited(state: Match) -> str:
    """What comes next, in words: due free throws, a reaction, or who has the attack."""
    play = state.play
    if play is None:
        return f"{state.attacker} has the attack"
    if play.free_throws:
        return f"{play.by} has {play.free_throws} free throw(s)"
    question = "another rebound?" if play.rebound else "tip-in or rebound?"
    pending = f"{play.points} points so far; " if play.points else ""
    return f"{pending}{question} else {_after_reactions(state)} has the attack"


def summary(state: Match) -> list[dict[str, Any]]:
    """Each player's points and tries by kind."""
    rows = []
    for player in state.order:
        kinds = state.tallies.get(player, {})
        rows.append(
            {
                "name": player,
                "side": state.side_of[player],
                "points": sum(tally.points for tally in kinds.values()),
                "attempts": sum(tally.attempts for tally in kinds.values()),
                "made": sum(tally.made for tally in kinds.values()),
                "by_kind": {
                    kind: {"attempts": t.attempts, "made": t.made, "points": t.points}
                    for kind, t in kinds.items()
                },
            }
        )
    return rows
