"""What an at-bat comes to: powers, margin, flight, catch, advance, abilities (UN-6 … UN-10)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from companion.games.unlimited_nine.at_bat import (
    OUTS,
    Bases,
    Laid,
    advance,
    advance_runners,
    is_caught,
    margin_of,
)
from companion.games.unlimited_nine.cards import (
    BATTING_SIDE,
    Ability,
    Change,
    Figures,
    Phase,
    Position,
)


@dataclass(frozen=True)
class Used:
    """An ability that a player pays for in this at-bat."""

    player: str
    ability: Ability

    @property
    def by_batting_side(self) -> bool:
        """Whether it is the batter's or a runner's."""
        return self.ability.phase in BATTING_SIDE


@dataclass(frozen=True)
class Duel:
    """What both sides lay and pay: cards, abilities, cards discarded for the catch."""

    bat: Laid
    pitch: Laid
    abilities: tuple[Used, ...] = ()
    bonus: int = 0


@dataclass(frozen=True)
class Scene:
    """Who acts and what lasts: the at-bat before the cards are turned.

    `fielder` gives the player at a position, his figures, and whether he is a student; `lasting`
    is what events of this inning add for the side that they help.
    """

    batter: str
    figures: Figures
    bases: Bases
    outs: int
    fielder: Callable[[Position], tuple[str, Figures, bool]]
    lasting: Mapping[Change, int]


@dataclass(frozen=True)
class Result:
    """How an at-bat ended: `out` (duel lost), `caught`, `hit` or `walk`; who stands, who scored."""

    kind: str
    bases: Bases
    home: tuple[str, ...] = ()
    margin: int | None = None
    direction: Position | None = None
    fielder: str | None = None
    hit_bases: int = 0
    reach: int = 0
    """What the ball has: batting + margin."""
    hold: int = 0
    """What the fielder has: fielding, effects, bonus cards."""
    void: tuple[Used, ...] = ()
    """Abilities of the batting side that the fielding side's contradict (UN-10)."""

    @property
    def is_out(self) -> bool:
        """Whether the batter is out."""
        return self.kind in ("out", "caught")


def resolve(duel: Duel, scene: Scene) -> Result:
    """The whole at-bat. Pure."""
    force, void = _in_force(duel.abilities)
    batter_change = _total(force, Change.BATTER_POWER) + scene.lasting.get(Change.BATTER_POWER, 0)
    pitcher_change = _total(force, Change.PITCHER_POWER)
    pitcher_change += scene.lasting.get(Change.PITCHER_POWER, 0)
    margin = margin_of(duel.bat, duel.pitch, batter_change, pitcher_change)
    margin += _total(force, Change.MARGIN) + scene.lasting.get(Change.MARGIN, 0)
    row = scene.figures.row(margin)
    if row is None:
        bases, home = _moved_without_hit(force, scene)
        return Result("out", bases, home, margin, void=void)
    direction, hit_bases = row
    name, fielder, student = scene.fielder(direction)
    reach = scene.figures.batting + margin
    hold = fielder.fielding + _total(force, Change.FIELDING)
    hold += scene.lasting.get(Change.FIELDING, 0)
    if is_caught(scene.figures.batting, margin, hold, duel.bonus, student=student):
        bases, home = _moved_without_hit(force, scene)
        kind = "caught"
    else:
        hit_bases = max(1, hit_bases + _total(force, Change.BASES, batting_side=False))
        bases, home = advance(scene.bases, scene.batter, hit_bases, _extra(force, scene))
        kind = "hit"
    return Result(
        kind, bases, home, margin, direction, name, hit_bases, reach, hold + duel.bonus, void
    )


def _in_force(abilities: Iterable[Used]) -> tuple[tuple[Used, ...], tuple[Used, ...]]:
    """(what counts, what is void): against the fielding side's change of the same thing the
    batting side's does nothing (UN-10). A runner who is held takes no further base on a hit
    either."""
    used = tuple(abilities)
    denied = {u.ability.effect.change for u in used if not u.by_batting_side}
    if Change.ADVANCE in denied:
        denied.add(Change.BASES)
    void = tuple(u for u in used if u.by_batting_side and u.ability.effect.change in denied)
    return tuple(u for u in used if u not in void), void


def _total(force: Iterable[Used], change: Change, *, batting_side: bool | None = None) -> int:
    return sum(
        used.ability.effect.amount
        for used in force
        if used.ability.effect.change is change and batting_side in (None, used.by_batting_side)
    )


def _extra(force: Iterable[Used], scene: Scene) -> dict[str, int]:
    """Bases that the batting side's abilities add on a hit, by runner or batter (UN-9)."""
    extra = _moves(force, scene)
    for used in force:
        if used.by_batting_side and used.ability.effect.change is Change.BASES:
            extra[used.player] = extra.get(used.player, 0) + used.ability.effect.amount
    return extra


def _moves(force: Iterable[Used], scene: Scene) -> dict[str, int]:
    """How far abilities force runners to go: a runner's own, or all of them by the batter's."""
    moves: dict[str, int] = {}
    for used in force:
        effect = used.ability.effect
        if effect.change is not Change.ADVANCE or not used.by_batting_side:
            continue
        whole_field = used.ability.phase is Phase.BATTING
        for runner in scene.bases if whole_field else (used.player,):
            if runner is not None:
                moves[runner] = moves.get(runner, 0) + effect.amount
    return moves


def _moved_without_hit(force: Iterable[Used], scene: Scene) -> tuple[Bases, tuple[str, ...]]:
    """Runners after an out: abilities may move them, but not with the third out (UN-9)."""
    if scene.outs + 1 >= OUTS:
        return scene.bases, ()
    moves = _moves(force, scene)
    return advance_runners(scene.bases, moves) if moves else (scene.bases, ())
