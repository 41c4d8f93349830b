"""What lies open on the table: teams, bases, outs; and what follows from it (UN-2, UN-4, UN-10)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games.unlimited_nine.at_bat import EMPTY, Bases
from companion.games.unlimited_nine.cards import (
    WHILE_BATTING,
    WHILE_FIELDING,
    Change,
    Figures,
    Phase,
    Position,
    Power,
    Roster,
)
from companion.games.unlimited_nine.duel import Result, Scene, Used

INNINGS = 3
SEATS = len(Position)


@dataclass(frozen=True)
class Line:
    """One player's figures at bat (UN-12): plate appearances, hits and so on."""

    appearances: int = 0
    hits: int = 0
    total_bases: int = 0
    walks: int = 0
    runs: int = 0
    batted_in: int = 0

    @property
    def at_bats(self) -> int:
        """Plate appearances without walks: what a batting average divides by."""
        return self.appearances - self.walks

    def plus(self, **added: int) -> Line:
        """The line with these added."""
        return replace(self, **{key: getattr(self, key) + value for key, value in added.items()})


@dataclass(frozen=True)
class Team:
    """One side: its nine in batting order, who stands where, who is out of action, its figures."""

    name: str
    camp: Power
    captain: str
    order: tuple[str, ...]
    positions: Mapping[str, Position]
    students: frozenset[str] = frozenset()
    injured: frozenset[str] = frozenset()
    next: int = 0
    runs: tuple[int, ...] = ()
    hits: int = 0
    left: tuple[int, ...] = ()
    lines: Mapping[str, Line] = field(default_factory=dict)

    @property
    def score(self) -> int:
        """Runs of all innings."""
        return sum(self.runs)

    @property
    def batter(self) -> str:
        """Whose turn at bat it is."""
        return self.order[self.next]

    def at(self, position: Position) -> str:
        """Who stands at a position."""
        return next(id for id, held in self.positions.items() if held is position)


@dataclass(frozen=True)
class Match:
    """The state. `teams[0]` bats first; `half` 0 is its half of the inning."""

    roster: Roster
    teams: tuple[Team, Team]
    inning: int = 1
    half: int = 0
    outs: int = 0
    bases: Bases = EMPTY
    begun: bool = False
    """Whether the inning's first at-bat has been."""
    used: tuple[tuple[int, str], ...] = ()
    """Events of this inning: (side, event)."""
    last: Result | None = None

    @property
    def over(self) -> bool:
        """Whether three innings have been played."""
        return self.inning > INNINGS

    @property
    def batting(self) -> Team:
        """The side at bat."""
        return self.teams[self.half]

    @property
    def fielding(self) -> Team:
        """The side in the field."""
        return self.teams[1 - self.half]

    def figures(self, side: int, id: str) -> Figures:
        """The face that lies up: the player, or the ordinary student."""
        player = self.roster.players[id]
        return player.student if id in self.teams[side].students else player.front

    def lasting(self, side: int, changes: tuple[Change, ...]) -> dict[Change, int]:
        """What this inning's events add for a side."""
        added: dict[Change, int] = {}
        for by, id in self.used:
            effect = self.roster.events[id].effect
            if by == side and effect.change in changes:
                added[effect.change] = added.get(effect.change, 0) + effect.amount
        return added


def hand_sizes(state: Match) -> tuple[int, int]:
    """(batting side, fielding side): what both draw up or discard to (UN-4)."""
    bat, field_side = state.half, 1 - state.half
    pitcher, catcher = (
        state.fielding.at(position) for position in (Position.PITCHER, Position.CATCHER)
    )
    batting = state.figures(bat, state.batting.batter).batting
    batting += _captains(state, bat, state.batting.batter)
    batting += state.lasting(bat, (Change.BATTING_HAND,)).get(Change.BATTING_HAND, 0)
    fielding = state.figures(field_side, pitcher).pitching
    fielding += state.figures(field_side, catcher).pitching_bonus
    fielding += _captains(state, field_side, pitcher)
    fielding += state.lasting(field_side, (Change.FIELDING_HAND,)).get(Change.FIELDING_HAND, 0)
    return batting, fielding


def _captains(state: Match, side: int, acting: str) -> int:
    """1 if the acting player is of the captain's camp; a student is of none (UN-4)."""
    team = state.teams[side]
    same = state.roster.players[acting].camp is state.roster.players[team.captain].camp
    return int(same and acting not in team.students)


def scene(state: Match) -> Scene:
    """The next at-bat before the cards are turned."""

    def fielder(position: Position) -> tuple[str, Figures, bool]:
        id = state.fielding.at(position)
        return id, state.figures(1 - state.half, id), id in state.fielding.students

    lasting = state.lasting(state.half, WHILE_BATTING)
    lasting.update(state.lasting(1 - state.half, WHILE_FIELDING))
    batter = state.batting.batter
    figures = state.figures(state.half, batter)
    return Scene(batter, figures, state.bases, state.outs, fielder, lasting)


def usable(state: Match) -> list[Used]:
    """Every ability that may be paid for in the next at-bat (UN-10)."""
    roles = [(state.half, state.batting.batter, Phase.BATTING)]
    roles += [(state.half, runner, Phase.RUNNING) for runner in state.bases if runner]
    field_side = 1 - state.half
    roles.append((field_side, state.fielding.at(Position.PITCHER), Phase.PITCHING))
    roles += [(field_side, id, Phase.FIELDING) for id in state.fielding.order]
    found = []
    for side, id, phase in roles:
        ability = state.figures(side, id).ability(phase)
        if ability:
            found.append(Used(id, ability))
    return found


def name_of(state: Match, id: str) -> str:
    """A player as sentences call him."""
    return state.roster.players[id].name


def with_team(state: Match, side: int, **changes: Any) -> Match:
    """The state with something of one side changed."""
    first, second = state.teams
    changed = replace(state.teams[side], **changes)
    return replace(state, teams=(changed, second) if side == 0 else (first, changed))
