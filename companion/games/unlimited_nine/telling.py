"""A game in words: what an event did, what comes next (UN-3, UN-4, UN-12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.unlimited_nine.at_bat import bases_text, same_colour
from companion.games.unlimited_nine.cards import Change, Effect
from companion.games.unlimited_nine.duel import Result, Used
from companion.games.unlimited_nine.plays import read_duel
from companion.games.unlimited_nine.state import Match, hand_sizes, name_of, usable
from companion.table.protocol import Event

_EFFECTS = {
    Change.BATTER_POWER: "the batter's power {:+d}",
    Change.PITCHER_POWER: "the pitcher's power {:+d}",
    Change.MARGIN: "the margin {:+d}",
    Change.FIELDING: "fielding {:+d}",
    Change.BASES: "bases of a hit {:+d}",
    Change.ADVANCE: "runners move {:+d}",
    Change.BATTING_HAND: "the hand at bat {:+d}",
    Change.FIELDING_HAND: "the hand in the field {:+d}",
    Change.DRAW: "draw {}",
    Change.DISCARD: "the other side discards {}",
    Change.INJURE: "an injured marker",
    Change.HEAL: "the injured marker comes off",
    Change.RECALL: "the student turns back into the player",
}
_HIT_WORDS = {1: "single", 2: "two-base hit", 3: "three-base hit", 4: "home run"}


def in_words(effect: Effect) -> str:
    """`batter-power+1` → the batter's power +1."""
    if effect.change is Change.ADVANCE and effect.amount < 0:
        return "no runner moves by an ability"
    return _EFFECTS[effect.change].format(effect.amount)


def tell(before: Match, event: Event, after: Match) -> Iterator[str]:
    """What an event did, one sentence each."""
    if event.kind in ("at-bat", "walk"):
        assert after.last is not None
        if event.kind == "at-bat":
            yield from _laid(before, event)
        yield from _at_bat(before, after.last)
        yield from _turns(before, after)
    elif event.kind == "event":
        yield _event(before, event.data)
    elif event.kind == "position":
        yield from _position(before, event.data)
    else:
        marker = "gets an" if event.data["injured"] else "loses the"
        yield f"{name_of(before, event.data['player'])} {marker} injured marker"


def _laid(before: Match, event: Event) -> Iterator[str]:
    """What both sides laid and paid."""
    duel = read_duel(before, event.data)
    same = " (one colour: the pitcher's power is 0)" if same_colour(duel.bat, duel.pitch) else ""
    yield f"{duel.bat} against {duel.pitch}{same}"
    for used in duel.abilities:
        yield f"{name_of(before, used.player)} pays for {in_words(used.ability.effect)}"


def _at_bat(before: Match, result: Result) -> Iterator[str]:
    batter = name_of(before, before.batting.batter)
    if result.kind == "walk":
        yield f"{batter} walks; only forced runners move (UN-5)"
    for used in result.void:
        effect = in_words(used.ability.effect)
        yield f"{name_of(before, used.player)}: {effect} is void (UN-10)"
    if result.kind == "out":
        yield f"{batter}: margin {result.margin}, out (UN-6)"
    elif result.direction:
        assert result.fielder
        fielder = name_of(before, result.fielder)
        where = f"{batter}: margin {result.margin}, to {result.direction}, {fielder}"
        if result.fielder in before.fielding.students:
            yield f"{where}, an ordinary student, cannot catch: {_hit(result)} (UN-8)"
        elif result.kind == "caught":
            yield f"{where}: {result.reach} ≤ {result.hold}, caught (UN-8)"
        else:
            yield f"{where}: {result.reach} > {result.hold}, {_hit(result)} (UN-8)"
    for runner in result.home:
        yield f"{name_of(before, runner)} scores"


def _hit(result: Result) -> str:
    return _HIT_WORDS[result.hit_bases]


def in_force(state: Match) -> Iterator[str]:
    """Captains, students, injured players, changed positions, events of this inning."""
    for team in state.teams:
        yield f"{team.name}: captain {name_of(state, team.captain)}"
        for word, ids in (("ordinary students", team.students), ("injured", team.injured)):
            if ids:
                yield f"  {word}: {', '.join(name_of(state, id) for id in team.order if id in ids)}"
        for id, held in team.positions.items():
            if held is not state.roster.players[id].position:
                yield f"  {name_of(state, id)} stands at {held}"
    for side, id in state.used:
        card = state.roster.events[id]
        yield f"{state.teams[side].name}, {' '.join(card.names)}: {in_words(card.effect)}"


def _turns(before: Match, after: Match) -> Iterator[str]:
    """Outs, a half or an inning that is over, students, the end."""
    if (before.inning, before.half) == (after.inning, after.half):
        outs = f"{after.outs} out" + ("s" if after.outs != 1 else "")
        yield f"bases {bases_text(after.bases)}, {outs}"
        return
    team = after.teams[before.half]
    yield f"three outs: {team.left[-1]} left on base; {score_text(after)}"
    for old, new in zip(before.teams, after.teams, strict=True):
        for id in new.order:
            if id in new.students - old.students:
                yield f"{name_of(after, id)} turns into an ordinary student (UN-3)"
    if after.over:
        first, second = after.teams
        if first.score == second.score:
            yield "the game is over: a draw"
        else:
            yield f"the game is over: {max(after.teams, key=lambda t: t.score).name} won"


def _event(before: Match, data: Any) -> str:
    card = before.roster.events[data["event"]]
    side = before.teams[data["side"]].name
    text = f"{side} uses {' '.join(card.names)}: {in_words(card.effect)}"
    if data.get("player"):
        return f"{text}, {name_of(before, data['player'])}"
    if card.effect.change in (Change.DRAW, Change.DISCARD):
        return text
    return f"{text} until the inning ends"


def _position(before: Match, data: Any) -> Iterator[str]:
    side = 0 if data["player"] in before.teams[0].order else 1
    team = before.teams[side]
    other = next(id for id, held in team.positions.items() if held == data["to"])
    if data.get("student") == data["player"]:
        yield f"{name_of(before, other)} keeps {data['to']}"
    else:
        yield f"{name_of(before, data['player'])} goes to {data['to']}"
        yield f"{name_of(before, other)} goes to {team.positions[data['player']]}"
    if data.get("student"):
        yield f"{name_of(before, data['student'])} turns into an ordinary student (UN-11)"


def score_text(state: Match) -> str:
    """`Hot blood 3 : 2 Genius`."""
    first, second = state.teams
    return f"{first.name} {first.score} : {second.score} {second.name}"


def awaited(state: Match, *, abilities: bool = False) -> list[str]:
    """What comes next: who bats against whom, the hand sizes, and what may be paid for."""
    if state.over:
        return []
    half = "first" if state.half == 0 else "second"
    lines = [f"inning {state.inning}, {half} half: {state.batting.name} at bat"]
    if not state.begun:
        lines.append("events now, if any (UN-3)")
    bat, field = hand_sizes(state)
    lines.append(
        f"batter {name_of(state, state.batting.batter)}: {state.batting.name} holds {bat}, "
        f"{state.fielding.name} holds {field} (UN-4)"
    )
    if abilities:
        lines += [_payable(used, state) for used in usable(state)]
    return lines


def _payable(used: Used, state: Match) -> str:
    """An ability that may be paid for: `熊國強 Xiong Guo-qiang (hot-blood-1b), batting: …`."""
    cost = " + ".join(used.ability.cost)
    return (
        f"  {used.ability.phase} {name_of(state, used.player)}: {in_words(used.ability.effect)} "
        f"for {cost}"
    )
