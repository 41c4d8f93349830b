"""Games of simple players, to see what a figure on a card does.

The players hold real hands of one event deck and know only their own. In this order they
- use every event that they hold, on the best batter where it names a player;
- walk a batter of batting 6 or more when first base is free and another is not, and then change
  the two cards of their rarest colours;
- lay all cards of one colour, drawn with chances as the squares of the cards held;
- pay for every ability that the rest of the hand allows and that can matter, and discard bonus
  cards or pay for a fielding ability when that makes the catch.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.games.unlimited_nine.at_bat import NOTHING, Laid, walk
from companion.games.unlimited_nine.cards import (
    AT_ONCE,
    LASTING,
    Change,
    EventCard,
    Phase,
    Power,
    Roster,
)
from companion.games.unlimited_nine.duel import Duel, Result, Used, resolve
from companion.games.unlimited_nine.match import NineGame, after
from companion.games.unlimited_nine.state import Line, Match, Team, hand_sizes, scene, usable
from companion.table.protocol import Event

GAMES_A_TASK = 100
WALKED_FROM = 6
_START_EACH = 2
Record = Callable[[Event], None]


@dataclass
class Table:
    """The event deck, the discards and both hands: what the state of a game does not hold."""

    roster: Roster
    rng: random.Random
    deck: list[str] = field(default_factory=list)
    discards: list[str] = field(default_factory=list)
    hands: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))

    def power(self, card: str) -> Power:
        """A card's colour."""
        return self.roster.events[card].power

    def draw(self, side: int, count: int) -> None:
        """Draw; an empty deck is reshuffled from the discards (UN-4)."""
        for _ in range(count):
            if not self.deck:
                self.deck, self.discards = self.discards, []
                self.rng.shuffle(self.deck)
            if self.deck:
                self.hands[side].append(self.deck.pop())

    def discard(self, side: int, power: Power, count: int) -> None:
        """Discard cards of a colour."""
        for _ in range(count):
            card = next(card for card in self.hands[side] if self.power(card) is power)
            self.hands[side].remove(card)
            self.discards.append(card)

    def discard_rarest(self, side: int, count: int) -> None:
        """Discard cards, rarest colour first."""
        for _ in range(min(count, len(self.hands[side]))):
            held = self.held(side)
            self.discard(side, min(held, key=lambda power: held[power]), 1)

    def held(self, side: int) -> Counter[Power]:
        """How many of each colour a side holds."""
        return Counter(self.power(card) for card in self.hands[side])

    def fill(self, side: int, size: int) -> None:
        """Draw up or discard down to a hand size (UN-4)."""
        excess = len(self.hands[side]) - size
        if excess > 0:
            self.discard_rarest(side, excess)
        else:
            self.draw(side, -excess)


def deal(roster: Roster, rng: random.Random) -> Table:
    """A shuffled deck, and two cards of each colour for each side (UN-2)."""
    table = Table(roster, rng)
    table.deck = [card.id for card in roster.events.values() for _ in range(card.copies)]
    rng.shuffle(table.deck)
    for side in (0, 1):
        for power in Power:
            for _ in range(_START_EACH):
                card = next(c for c in reversed(table.deck) if table.power(c) is power)
                table.deck.remove(card)
                table.hands[side].append(card)
    return table


def who_bats_first(table: Table, camps: tuple[Power, Power]) -> int:
    """Turn cards until one has the colour of a side (UN-2): 0 or 1."""
    while True:
        if not table.deck:
            table.deck, table.discards = table.discards, []
        card = table.deck.pop()
        table.discards.append(card)
        if table.power(card) in camps:
            return camps.index(table.power(card))


def play(
    roster: Roster, camps: tuple[Power, Power], rng: random.Random, record: Record | None = None
) -> Match:
    """One game; `record` is called with each event as a session would store it."""
    table = deal(roster, rng)
    if who_bats_first(table, camps):
        camps = camps[::-1]
    state = NineGame().begin(roster, [{"camp": camp} for camp in camps])
    say = record or (lambda event: None)
    while not state.over:
        if not state.begun:
            state = _use_events(state, table, say)
        state = _at_bat(state, table, say)
    return state


def _use_events(state: Match, table: Table, say: Record) -> Match:
    for side in (0, 1):
        for card in list(table.hands[side]):
            event = table.roster.events[card]
            if card not in table.hands[side] or any(id == card for _, id in state.used):
                continue
            target = _target(state, side, event)
            if target is None and event.effect.change not in (*LASTING, *AT_ONCE):
                continue
            data = {"side": side, "event": card} | ({"player": target} if target else {})
            say(Event("event", data))
            state = NineGame().apply(state, Event("event", data)).state
            table.hands[side].remove(card)
            table.discards.append(card)
            if event.effect.change is Change.DRAW:
                table.draw(side, event.effect.amount)
            elif event.effect.change is Change.DISCARD:
                _discard_any(table, 1 - side, event.effect.amount)
    return state


def _discard_any(table: Table, side: int, count: int) -> None:
    for _ in range(min(count, len(table.hands[side]))):
        table.discard(side, table.power(table.rng.choice(table.hands[side])), 1)


def _target(state: Match, side: int, event: EventCard) -> str | None:
    """The best batter that the event can name."""
    own, other = state.teams[side], state.teams[1 - side]
    choices: Iterable[str] = {
        Change.INJURE: [id for id in other.order if id not in other.students | other.injured],
        Change.HEAL: own.injured,
        Change.RECALL: own.students,
    }.get(event.effect.change, ())
    return max(choices, key=lambda id: (state.roster.players[id].front.batting, id), default=None)


def _at_bat(state: Match, table: Table, say: Record) -> Match:
    bat, fielding = state.half, 1 - state.half
    for side, size in zip((bat, fielding), hand_sizes(state), strict=True):
        table.fill(side, size)
    if _walks(state):
        table.discard_rarest(fielding, 2)
        table.draw(fielding, 2)
        say(Event("walk", {"redraw": True}))
        bases, home = walk(state.bases, state.batting.batter)
        return after(state, Result("walk", bases, home))
    duel = _duel(state, table)
    result = resolve(duel, scene(state))
    duel, result = _try_to_catch(state, table, duel, result)
    say(Event("at-bat", _data(duel)))
    for side, laid in ((bat, duel.bat), (fielding, duel.pitch)):
        if laid.power:
            table.discard(side, laid.power, laid.count)
    return after(state, result)


def _walks(state: Match) -> bool:
    batting = state.figures(state.half, state.batting.batter).batting
    first, second, third = state.bases
    return batting >= WALKED_FROM and first is None and (second or third) is not None


def _duel(state: Match, table: Table) -> Duel:
    """Both sides' cards and the abilities that they pay for before the cards are turned."""
    sides = (1 - state.half, state.half)
    laid = {side: _lay(table, side) for side in sides}
    used = []
    for each in usable(state):
        side = state.half if each.by_batting_side else 1 - state.half
        if each.ability.phase is Phase.FIELDING or not _matters(state, each):
            continue
        cards = laid[side]
        rest = table.held(side) - Counter({cards.power: cards.count} if cards.power else {})
        if not Counter(each.ability.cost) - rest:
            used.append(each)
            for power in each.ability.cost:
                table.discard(side, power, 1)
    return Duel(laid[state.half], laid[1 - state.half], tuple(used))


def _lay(table: Table, side: int) -> Laid:
    held = table.held(side)
    if not held:
        return NOTHING
    colours = sorted(held)
    power = table.rng.choices(colours, [held[colour] ** 2 for colour in colours])[0]
    return Laid(power, held[power])


def _matters(state: Match, used: Used) -> bool:
    """Whether the ability can do something: a move needs somebody to move."""
    if used.ability.effect.change is not Change.ADVANCE:
        return True
    return any(state.bases) and state.outs < 2


def _try_to_catch(state: Match, table: Table, duel: Duel, result: Result) -> tuple[Duel, Result]:
    """Bonus cards, or fielding abilities with them, where they make the catch (UN-8, UN-10)."""
    if result.kind != "hit":
        return duel, result
    side, now = 1 - state.half, scene(state)
    assert result.direction
    bonus_power = now.fielder(result.direction)[1].fielding_bonus
    laid = Counter({duel.pitch.power: duel.pitch.count} if duel.pitch.power else {})
    best = (duel, result)
    for used in (None, *(u for u in usable(state) if u.ability.phase is Phase.FIELDING)):
        cost = Counter(used.ability.cost if used else ())
        rest = table.held(side) - laid
        if cost - rest or (used and any(u.player == used.player for u in duel.abilities)):
            continue
        with_it = replace(duel, abilities=(*duel.abilities, used)) if used else duel
        tried = resolve(with_it, now)
        lacking = max(0, tried.reach - tried.hold) if tried.kind == "hit" else 0
        spare = (rest - cost)[bonus_power] if bonus_power else 0
        if tried.kind == "hit" and (lacking > spare or tried.direction is not result.direction):
            continue
        with_it = replace(with_it, bonus=lacking)
        tried = resolve(with_it, now)
        if tried.is_out:
            best = (with_it, tried)
            for power in cost.elements():
                table.discard(side, power, 1)
            if bonus_power:
                table.discard(side, bonus_power, lacking)
            break
    return best


def _data(duel: Duel) -> dict[str, object]:
    return {
        "bat": [duel.bat.power, duel.bat.count] if duel.bat.power else None,
        "pitch": [duel.pitch.power, duel.pitch.count] if duel.pitch.power else None,
        "abilities": [[used.player, used.ability.phase] for used in duel.abilities],
        "bonus": duel.bonus,
    }


# many games


@dataclass
class Tally:
    """Sums over games between two camps; `camps[0]` is the first of the pair."""

    games: int = 0
    wins: tuple[int, int] = (0, 0)
    first_wins: int = 0
    """Games won by the side that batted first."""
    runs: tuple[int, int] = (0, 0)
    runs_squared: tuple[int, int] = (0, 0)
    lines: dict[str, Line] = field(default_factory=dict)

    def add(self, other: Tally) -> None:
        """Add another's sums: in any order the same."""
        self.games += other.games
        self.first_wins += other.first_wins
        self.wins = _sum(self.wins, other.wins)
        self.runs = _sum(self.runs, other.runs)
        self.runs_squared = _sum(self.runs_squared, other.runs_squared)
        for id, line in other.lines.items():
            self.lines[id] = self.lines.get(id, Line()).plus(**vars(line))


def _sum(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    return a[0] + b[0], a[1] + b[1]


Task = tuple[tuple[Power, Power], int, int]
"""(camps, number of the first game, how many): games of one task."""


def tasks(camps: Sequence[Power], games: int) -> list[Task]:
    """Every pair of camps, its games in parcels."""
    pairs = [(a, b) for i, a in enumerate(camps) for b in camps[i + 1 :]]
    return [
        (pair, start, min(GAMES_A_TASK, games - start))
        for pair in pairs
        for start in range(0, games, GAMES_A_TASK)
    ]


def run_task(roster: Roster, task: Task, seed: int) -> Tally:
    """Play the games of a task. Each game has a seed of its own, so it matters not who plays it."""
    camps, start, count = task
    total = Tally()
    for number in range(start, start + count):
        rng = random.Random(f"{seed} {camps[0]} {camps[1]} {number}")
        total.add(_tally(play(roster, camps, rng), camps))
    return total


def _tally(state: Match, camps: tuple[Power, Power]) -> Tally:
    by_camp: Mapping[Power, Team] = {team.camp: team for team in state.teams}
    ours, theirs = (by_camp[camp].score for camp in camps)
    first, second = (team.score for team in state.teams)
    lines = {id: line for team in state.teams for id, line in team.lines.items()}
    return Tally(
        1,
        (int(ours > theirs), int(theirs > ours)),
        int(first > second),
        (ours, theirs),
        (ours**2, theirs**2),
        lines,
    )


def interval(successes: int, trials: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    if not trials:
        return 0.0, 1.0
    share = successes / trials
    middle = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials**2))
    half /= 1 + z * z / trials
    return middle - half, middle + half


def mean_interval(total: int, squares: int, trials: int, z: float = 1.96) -> tuple[float, float]:
    """The normal 95 % interval of a mean of two or more, from the sum and the sum of squares."""
    mean = total / trials
    variance = max(0.0, squares - trials * mean * mean) / (trials - 1)
    half = z * math.sqrt(variance / trials)
    return mean - half, mean + half
