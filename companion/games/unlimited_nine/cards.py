"""The cards as the rules see them: power sources, positions, players, events (UN-1, UN-7, UN-10).

Figures come from a card set; `read_roster` says what does not fit the rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from companion.errors import nearest


class Power(StrEnum):
    """A power source: the colour of an event card, and of a camp (UN-1)."""

    HOT_BLOOD = "hot-blood"
    TECHNIQUE = "technique"
    GENIUS = "genius"


class Position(StrEnum):
    """The nine positions, in the order of their numbers on a score sheet."""

    PITCHER = "P"
    CATCHER = "C"
    FIRST = "1B"
    SECOND = "2B"
    THIRD = "3B"
    SHORT = "SS"
    LEFT = "LF"
    CENTRE = "CF"
    RIGHT = "RF"


class Phase(StrEnum):
    """When an ability may be used (UN-10)."""

    BATTING = "batting"
    RUNNING = "running"
    PITCHING = "pitching"
    FIELDING = "fielding"


class Change(StrEnum):
    """What an ability or an event changes."""

    BATTER_POWER = "batter-power"
    PITCHER_POWER = "pitcher-power"
    MARGIN = "margin"
    FIELDING = "fielding"
    BASES = "bases"
    ADVANCE = "advance"
    BATTING_HAND = "batting-hand"
    FIELDING_HAND = "fielding-hand"
    DRAW = "draw"
    DISCARD = "discard"
    INJURE = "injure"
    HEAL = "heal"
    RECALL = "recall"


CHINESE = {Power.HOT_BLOOD: "熱血", Power.TECHNIQUE: "技巧", Power.GENIUS: "天才"}
EVENT_CARDS = 42
CARDS_OF_A_COLOUR = 14
HIGHEST_ROW = 5
BATTING_SIDE = (Phase.BATTING, Phase.RUNNING)
_UP, _DOWN = 1, -1
ALLOWED: Mapping[Phase, Mapping[Change, int]] = {
    Phase.BATTING: {
        Change.BATTER_POWER: _UP,
        Change.PITCHER_POWER: _DOWN,
        Change.MARGIN: _UP,
        Change.FIELDING: _DOWN,
        Change.BASES: _UP,
        Change.ADVANCE: _UP,
    },
    Phase.RUNNING: {Change.BASES: _UP, Change.ADVANCE: _UP},
    Phase.PITCHING: {
        Change.BATTER_POWER: _DOWN,
        Change.PITCHER_POWER: _UP,
        Change.MARGIN: _DOWN,
    },
    Phase.FIELDING: {
        Change.BATTER_POWER: _DOWN,
        Change.PITCHER_POWER: _UP,
        Change.MARGIN: _DOWN,
        Change.FIELDING: _UP,
        Change.BASES: _DOWN,
        Change.ADVANCE: _DOWN,
    },
}
"""Which changes a phase's ability may make, and in which direction: for its own side."""
WHILE_BATTING = (Change.BATTER_POWER, Change.MARGIN, Change.BATTING_HAND)
WHILE_FIELDING = (Change.PITCHER_POWER, Change.FIELDING, Change.FIELDING_HAND)
LASTING = (*WHILE_BATTING, *WHILE_FIELDING)
"""What an event may raise for its side until the inning ends."""
AT_ONCE = (Change.DRAW, Change.DISCARD)
"""What an event does once with hand cards; the table does it."""
ON_A_PLAYER = (Change.INJURE, Change.HEAL, Change.RECALL)
"""What an event does to a player that is named."""


@dataclass(frozen=True)
class Effect:
    """A change by an amount: `batter-power+1`, `fielding-2`, `injure`."""

    change: Change
    amount: int = 0

    def __str__(self) -> str:
        return f"{self.change}{self.amount:+d}" if self.amount else str(self.change)


@dataclass(frozen=True)
class Ability:
    """A special ability: when, its cost in power sources, what it does (UN-10)."""

    phase: Phase
    cost: tuple[Power, ...]
    effect: Effect


@dataclass(frozen=True)
class Figures:
    """One face of a character card: a player, or the ordinary student on the back (UN-1).

    `table` maps a margin to (direction, bases), from 0 or 1 up without a gap (UN-7).
    """

    batting: int
    pitching: int
    pitching_bonus: int
    fielding: int
    fielding_bonus: Power | None
    table: Mapping[int, tuple[Position, int]]
    abilities: tuple[Ability, ...] = ()

    def row(self, margin: int) -> tuple[Position, int] | None:
        """Where the ball goes and how far; above the table its highest row; None is no hit."""
        return self.table.get(min(margin, max(self.table)))

    def ability(self, phase: Phase) -> Ability | None:
        """The ability of a phase: there is at most one."""
        return next((ability for ability in self.abilities if ability.phase is phase), None)


@dataclass(frozen=True)
class Player:
    """A character card: both faces, the camp, the printed position, the names by language."""

    id: str
    camp: Power
    position: Position
    names: tuple[str, ...]
    front: Figures
    student: Figures

    @property
    def name(self) -> str:
        """Id and names, as sentences call him."""
        return f"{' '.join(self.names)} ({self.id})"


@dataclass(frozen=True)
class EventCard:
    """An event card: its power source, names by language, effect, how many there are."""

    id: str
    power: Power
    names: tuple[str, ...]
    effect: Effect
    copies: int


@dataclass(frozen=True)
class Roster:
    """All players and events of a card set, by id."""

    players: Mapping[str, Player]
    events: Mapping[str, EventCard]

    def camp(self, power: Power) -> tuple[str, ...]:
        """The ids of a camp's nine players, in the card set's order."""
        return tuple(p.id for p in self.players.values() if p.camp is power)


Row = Mapping[str, Any]
"""A card as data: column → text; `names` → list of texts; `copies` → number."""
Complain = Callable[[str, str, str], None]
"""Called with a card's id, a column and what is wrong with it."""


def read_roster(players: Iterable[Row], events: Iterable[Row], complain: Complain) -> Roster:
    """The roster from rows of a card set; everything that does not fit is complained of.

    A row that does not fit is left out: with any complaint the roster must not be used.
    """
    found: dict[str, Player] = {}
    rows = list(players)
    for row in rows:
        player = _Reader(row, complain).player()
        if player:
            found[player.id] = player
    cards: dict[str, EventCard] = {}
    for row in events:
        event = _Reader(row, complain).event()
        if event:
            cards[event.id] = event
    roster = Roster(found, cards)
    _check_events(roster, complain)
    if len(found) == len(rows):
        # otherwise the camp of a row that does not fit would seem to lack a player
        _check_camps(roster, complain)
    return roster


def _check_events(roster: Roster, complain: Complain) -> None:
    """14 events of each power source (UN-1): the limits of the rules rest on them."""
    for power in Power:
        ours = [event for event in roster.events.values() if event.power is power]
        count = sum(event.copies for event in ours)
        if ours and count != CARDS_OF_A_COLOUR:
            complain(
                ours[0].id, "power", f"{count} events of {power}, not {CARDS_OF_A_COLOUR} (UN-1)"
            )
    lacking = [p for p in Power if all(event.power is not p for event in roster.events.values())]
    if lacking and roster.events:
        complain(next(iter(roster.events)), "power", f"no event of {', '.join(lacking)} (UN-1)")


def _check_camps(roster: Roster, complain: Complain) -> None:
    """Each camp fields one player for each position (UN-1)."""
    for camp in Power:
        taken: dict[Position, str] = {}
        for id in roster.camp(camp):
            position = roster.players[id].position
            if position in taken:
                complain(id, "position", f"{taken[position]} of camp {camp} is {position} already")
            taken[position] = id
        if taken and len(taken) < len(Position):
            lacking = ", ".join(p for p in Position if p not in taken)
            complain(next(iter(taken.values())), "camp", f"camp {camp} has no {lacking} (UN-1)")


def parse_effect(text: str) -> Effect:
    """`batter-power+1`. Raises ValueError(expected)."""
    match = re.fullmatch(r"([a-z-]*[a-z])\s*([+-]\s*\d)?", text.strip().replace("−", "-"))
    name = match[1] if match else ""
    if name not in set(Change):
        raise ValueError(
            f"an effect such as batter-power+1: {', '.join(Change)}{nearest(name, Change)}"
        )
    amount = int(match[2].replace(" ", "")) if match and match[2] else 0
    numbered = bool(match and match[2])
    if numbered == (Change(name) in ON_A_PLAYER) or (numbered and not amount):
        raise ValueError(f"{name} with" + ("out a number" if numbered else " one digit: +1"))
    return Effect(Change(name), amount)


def parse_cost(text: str) -> tuple[Power, ...]:
    """`{hot-blood}{genius}` → the two. Raises ValueError(expected)."""
    names = re.findall(r"\{([^}]*)\}", text)
    if not names or re.sub(r"\{[^}]*\}|\s", "", text) or not set(names) <= set(Power):
        raise ValueError(f"power sources in braces: {{{'}, {'.join(Power)}}}")
    return tuple(Power(name) for name in names)


class _Reader:
    """Reads one row, complaining by column; counts what it complained of."""

    def __init__(self, row: Row, complain: Complain) -> None:
        self.row, self.faults = row, 0
        self.id = str(row["id"])
        self._complain = complain

    def wrong(self, column: str, message: str) -> None:
        self.faults += 1
        self._complain(self.id, column, message)

    def text(self, column: str) -> str:
        return str(self.row.get(column) or "").strip()

    def word(self, column: str, kind: Any, *, optional: bool = False) -> Any:
        text = self.text(column)
        if optional and not text:
            return None
        if text not in set(kind):
            self.wrong(column, f"'{text}' is none of {', '.join(kind)}{nearest(text, kind)}")
            return None if optional else next(iter(kind))
        return kind(text)

    def number(self, column: str, least: int = 0, most: int = 20, *, needed: bool = False) -> int:
        text = self.text(column)
        if not text:
            if needed:
                self.wrong(column, f"blank: expected a whole number from {least} to {most}")
            return 0
        if not text.isdecimal() or not least <= int(text) <= most:
            self.wrong(column, f"'{text}': expected a whole number from {least} to {most}")
            return least
        return int(text)

    def player(self) -> Player | None:
        camp, position = self.word("camp", Power), self.word("position", Position)
        front = self.figures("", position, self.abilities())
        student = self.figures("student-", position, ())
        names = self.names()
        if self.faults:
            return None
        return Player(self.id, camp, position, names, front, student)

    def names(self) -> tuple[str, ...]:
        names = self.row.get("names")
        sound = isinstance(names, list | tuple) and names
        if not sound or not all(isinstance(n, str) and n.isprintable() for n in names or ()):
            self.wrong("name", f"{names!r} are no names")
            return (self.id,)
        return tuple(names or ())

    def figures(self, prefix: str, position: Position, abilities: tuple[Ability, ...]) -> Figures:
        pitches, catches = position is Position.PITCHER, position is Position.CATCHER
        # the card shows these two of a pitcher and a catcher only
        for column, may in (("pitching", pitches), ("pitching-bonus", catches)):
            if self.text(prefix + column) and not may:
                self.wrong(prefix + column, f"a player at {position} has none (UN-1)")
        return Figures(
            self.number(f"{prefix}batting", needed=True),
            self.number(f"{prefix}pitching", needed=pitches),
            self.number(f"{prefix}pitching-bonus", needed=catches),
            self.number(f"{prefix}fielding", needed=True),
            self.word(f"{prefix}fielding-bonus", Power, optional=True),
            self.table(prefix),
            abilities,
        )

    def table(self, prefix: str) -> dict[int, tuple[Position, int]]:
        rows: dict[int, tuple[Position, int]] = {}
        last = None
        for column in self.row:
            match = re.fullmatch(rf"{prefix}(?:to|bases)-(\d+)", column)
            if match and int(match[1]) > HIGHEST_ROW and self.text(column):
                self.wrong(column, f"a batting table has rows 0 to {HIGHEST_ROW}")
        for margin in range(HIGHEST_ROW + 1):
            to, bases = f"{prefix}to-{margin}", f"{prefix}bases-{margin}"
            if not self.text(to) and not self.text(bases):
                continue
            if last is not None and margin != last + 1:
                self.wrong(to, f"the batting table has no row {last + 1} (UN-7)")
            last = margin
            rows[margin] = (self.word(to, Position), self.number(bases, 1, 4) or 1)
            if not self.text(bases):
                self.wrong(bases, "a row of the batting table needs its bases, 1 to 4 (UN-7)")
        if not rows or min(rows) > 1:
            self.wrong(f"{prefix}to-1", "the batting table needs a row for margin 1 (UN-7)")
            rows.setdefault(1, (Position.PITCHER, 1))
        return rows

    def abilities(self) -> tuple[Ability, ...]:
        found: list[Ability] = []
        for number in range(1, len(Phase) + 1):
            columns = [f"{kind}-{number}" for kind in ("phase", "cost", "effect")]
            if not any(self.text(column) for column in columns):
                continue
            ability = self.ability(number)
            if ability and ability.phase in (other.phase for other in found):
                self.wrong(columns[0], f"a second {ability.phase} ability: one a phase (UN-1)")
            elif ability:
                found.append(ability)
        return tuple(found)

    def ability(self, number: int) -> Ability | None:
        phase = self.word(f"phase-{number}", Phase, optional=True)
        if phase is None and not self.text(f"phase-{number}"):
            self.wrong(f"phase-{number}", f"blank: an ability needs its phase: {', '.join(Phase)}")
        cost = self.parsed(f"cost-{number}", parse_cost)
        effect = self.parsed(f"effect-{number}", parse_effect)
        if cost is None or effect is None or phase is None:
            return None
        sign = ALLOWED[phase].get(effect.change)
        if sign is None or effect.amount * sign <= 0:
            legal = ", ".join(f"{c}{'+' if s > 0 else '-'}N" for c, s in ALLOWED[phase].items())
            self.wrong(f"effect-{number}", f"a {phase} ability may be {legal}, not {effect}")
        return Ability(phase, cost, effect)

    def parsed(self, column: str, parse: Callable[[str], Any]) -> Any:
        try:
            return parse(self.text(column))
        except ValueError as error:
            self.wrong(column, f"'{self.text(column)}': expected {error}")
            return None

    def event(self) -> EventCard | None:
        power = self.word("power", Power)
        effect = self.parsed("effect", parse_effect)
        legal = (*LASTING, *AT_ONCE, *ON_A_PLAYER)
        if effect and (effect.change not in legal or effect.amount < 0):
            listed = ", ".join(f"{c}" + "+N" * (c not in ON_A_PLAYER) for c in legal)
            self.wrong("effect", f"an event may be {listed}, not {effect}")
        names, copies = self.names(), self.row.get("copies")
        if not isinstance(copies, int) or not 0 < copies <= EVENT_CARDS:
            self.wrong("count", f"{copies} copies: there are {EVENT_CARDS} event cards (UN-1)")
        if self.faults or effect is None or not isinstance(copies, int):
            return None
        return EventCard(self.id, power, names, effect, copies)


def meant(typed: str, known: Mapping[str, Sequence[str]]) -> str | None:
    """The id whose id or name is typed, whatever its case; None if none or several."""
    if typed in known:
        return typed
    folded = typed.strip().casefold()
    found = [
        id
        for id, names in known.items()
        if folded == id.casefold() or folded in (name.casefold() for name in names)
    ]
    return found[0] if len(found) == 1 else None
