"""Exact-target tracker: points towards a target that must be met exactly, for any game.

Policies for what goes over the target N: `excess` starts again from what is over, `bust` leaves the
score as it was, `reset-to:K` sets it to K, `bounce` goes back by what is over. Without a target the
most points win when the supply of score cards runs out (round mode).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import IllegalPlay, UsageError, close_match, did_you_mean
from companion.table.protocol import Data, Event, Outcome, Step

POLICIES = ("excess", "bust", "reset-to", "bounce")
_MOST = 1_000_000


@dataclass(frozen=True)
class Rules:
    """How points count. `target` None means round mode with a `supply` of scoring plays."""

    target: int | None
    policy: str = "excess"
    reset_to: int = 0
    supply: int | None = None

    def land(self, score: int, points: int) -> int:
        """The score after a play of `points` from `score`; always within 0 … target."""
        total = score + points
        if self.target is None or total <= self.target:
            return total
        if self.policy == "bust":
            return score
        if self.policy == "reset-to":
            return self.reset_to
        if self.policy == "bounce":
            return max(0, 2 * self.target - total)
        # an excess above the target is reduced again; one that equals it wins (GO-13)
        return (total - 1) % self.target + 1


@dataclass(frozen=True)
class Side:
    """A player, or a team with its members."""

    name: str
    members: tuple[str, ...]


@dataclass(frozen=True)
class Tracker:
    """The state: rules, sides, scores (by side), points made (by member), plays, supply left."""

    rules: Rules
    sides: tuple[Side, ...]
    scores: tuple[int, ...]
    made: Mapping[str, int]
    plays: int = 0
    supply: int | None = None
    winner: str | None = None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.winner is not None or self.supply == 0

    def score_of(self, name: str) -> int:
        """The score of a side by name."""
        return self.scores[[side.name for side in self.sides].index(name)]

    def needs(self, largest: int | None = None) -> dict[str, int | None]:
        """What each side still needs; None in round mode, or where one play of at most `largest`
        points cannot do it."""
        target = self.rules.target
        missing: dict[str, int | None] = {}
        for side, score in zip(self.sides, self.scores, strict=True):
            need = None if target is None else target - score
            if need is not None and largest is not None and need > largest:
                need = None
            missing[side.name] = need
        return missing

    def ranks(self) -> dict[str, int]:
        """Competition ranking by score: 10, 10, 7 → 1, 1, 3."""
        return {
            side.name: 1 + sum(other > score for other in self.scores)
            for side, score in zip(self.sides, self.scores, strict=True)
        }


class TrackerGame:
    """The tracker as a session's game. Events: `score` with player and points."""

    name = "track"
    version = 1

    def start(self, config: Data) -> Tracker:
        """From {target, players, teams, policy, reset_to, supply}. Raises UsageError."""
        rules = _rules(config)
        sides = _sides(config)
        members = [member for side in sides for member in side.members]
        return Tracker(
            rules, sides, (0,) * len(sides), dict.fromkeys(members, 0), supply=rules.supply
        )

    def check(self, state: Tracker, event: Event) -> None:
        """Raise IllegalPlay for an unknown player, negative points or a game that is over."""
        if event.kind != "score":
            raise IllegalPlay(f"a tracker knows no event '{event.kind}'")
        points = event.data.get("points")
        if not isinstance(points, list) or not points or not all(_is_points(p) for p in points):
            raise IllegalPlay("points are whole numbers of 0 or more, such as 3 or 2+1")
        _side_of(state, str(event.data.get("player")))
        if state.over:
            raise IllegalPlay(
                f"the game is over: {_winners_text(state)} won (undo takes the last play back)"
            )

    def apply(self, state: Tracker, event: Event) -> Step[Tracker]:
        """Add the play's points together, then see where the side lands."""
        player, points = str(event.data["player"]), sum(event.data["points"])
        index = _side_of(state, player)
        side, before = state.sides[index], state.scores[index]
        after = state.rules.land(before, points)
        scores = (*state.scores[:index], after, *state.scores[index + 1 :])
        made = state.made
        if player in side.members:  # points of a team as a whole are no member's
            made = {**made, player: made[player] + points}
        supply = state.supply
        if supply is not None and points:
            supply -= 1
        target = state.rules.target
        winner = side.name if target is not None and after == target else None
        new = replace(
            state, scores=scores, made=made, plays=state.plays + 1, supply=supply, winner=winner
        )
        return Step(new, tuple(_sentences(state.rules, side.name, before, points, after, new)))

    def outcome(self, state: Tracker) -> Outcome | None:
        """Exact target met, or the supply is out and the most points win."""
        if state.winner:
            return Outcome("target", (state.winner,))
        if state.supply == 0:
            return Outcome("supply", _leaders(state))
        return None


def resolve_player(state: Tracker, typed: str) -> str:
    """The player or team that `typed` means: exactly, or ignoring case. Raises UsageError."""
    names = [name for side in state.sides for name in (side.name, *side.members)]
    found = name_meant(typed, names)
    if found is not None:
        return found
    hint = did_you_mean(typed, dict.fromkeys(names))
    raise UsageError(f"nobody is called '{typed}' ({hint})")


def name_meant(typed: str, names: Iterable[str]) -> str | None:
    """The one of the names that is typed exactly, else the only one that differs in case alone."""
    known = list(dict.fromkeys(names))
    if typed in known:
        return typed
    folded = [name for name in known if name.casefold() == typed.casefold()]
    return folded[0] if len(folded) == 1 else None


def parse_points(text: str) -> list[int]:
    """`3` or `2+1+1` (several points of one play). Raises UsageError."""
    parts = [part.strip() for part in text.replace("＋", "+").split("+")]
    if not all(p.isdecimal() and len(p) < 10 and int(p) <= _MOST for p in parts):
        raise UsageError(f"'{text}' are no points: whole numbers of 0 or more, such as 3 or 2+1")
    return [int(part) for part in parts]


def parse_policy(text: str) -> tuple[str, int]:
    """`excess`, `bust`, `bounce` or `reset-to:25`. Raises UsageError."""
    name, _, value = text.partition(":")
    if name not in POLICIES or (name == "reset-to") != value.isdecimal():
        match = close_match(name, POLICIES)
        hint = f"did you mean '{match}'?" if match and match != name else "reset-to:25 has a number"
        raise UsageError(f"unknown overshoot '{text}': excess, bust, reset-to:K or bounce ({hint})")
    return name, int(value or 0)


def _rules(config: Data) -> Rules:
    target, supply = config.get("target"), config.get("supply")
    policy, reset_to = config.get("policy", "excess"), config.get("reset_to", 0)
    if target is None and supply is None:
        raise UsageError("a tracker needs a target, or a supply for round mode")
    for name, value in (("target", target), ("supply", supply)):
        if value is not None and not (_is_points(value) and value > 0):
            raise UsageError(f"{name} {value!r} is no whole number from 1 to {_MOST}")
    if policy not in POLICIES or not _is_points(reset_to):
        raise UsageError(f"unknown overshoot '{policy}'")
    if policy == "reset-to" and (target is None or reset_to >= target):
        raise UsageError("reset-to needs a number below the target")
    return Rules(target, policy, reset_to, supply)


def _sides(config: Data) -> tuple[Side, ...]:
    teams, players = config.get("teams") or {}, config.get("players") or []
    if teams:
        sides = tuple(Side(str(name), tuple(members)) for name, members in teams.items())
    else:
        sides = tuple(Side(str(name), (str(name),)) for name in players)
    members = [member for side in sides for member in side.members]
    if len(sides) < 1 or any(not side.members for side in sides):
        raise UsageError("a tracker needs at least one player, and every team a member")
    check_names([*members, *(side.name for side in sides if teams)])
    return sides


def check_names(names: Sequence[str]) -> None:
    """Raise UsageError unless all players and teams have different, printable names."""
    for name in names:
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            raise UsageError(f"{name!r} is no name: printable characters, at least one")
        if names.count(name) > 1:
            raise UsageError(f"two are called '{name}'; names must be different")


def _is_points(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST


def _side_of(state: Tracker, player: str) -> int:
    for index, side in enumerate(state.sides):
        if player == side.name or player in side.members:
            return index
    names = [name for side in state.sides for name in (side.name, *side.members)]
    raise IllegalPlay(f"nobody is called '{player}' ({did_you_mean(player, dict.fromkeys(names))})")


def _sentences(
    rules: Rules, name: str, before: int, points: int, after: int, state: Tracker
) -> list[str]:
    lines = [f"{name}: {before} + {points} = {before + points}"]
    if before + points != after:
        text = {
            "excess": f"over {rules.target}: starts again from the excess, {after}",
            "bust": f"over {rules.target}: stays at {after}",
            "reset-to": f"over {rules.target}: back to {after}",
            "bounce": f"over {rules.target}: bounces back to {after}",
        }[rules.policy]
        lines.append(text)
    if state.over:
        lines.append(f"{_winners_text(state)} won")
    return lines


def _leaders(state: Tracker) -> tuple[str, ...]:
    best = max(state.scores)
    return tuple(
        s.name for s, score in zip(state.sides, state.scores, strict=True) if score == best
    )


def _winners_text(state: Tracker) -> str:
    names: Sequence[str] = (state.winner,) if state.winner else _leaders(state)
    return " and ".join(names)
