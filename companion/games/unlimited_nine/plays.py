"""Reads an at-bat's event into a duel, refusing what may not be laid or paid (UN-6, UN-10)."""

from __future__ import annotations

from typing import Any

from companion.errors import IllegalPlay
from companion.games.unlimited_nine.at_bat import NOTHING, Laid
from companion.games.unlimited_nine.cards import CARDS_OF_A_COLOUR, Power
from companion.games.unlimited_nine.duel import Duel, Used
from companion.games.unlimited_nine.state import Match, name_of, usable
from companion.table.protocol import Data


def read_duel(state: Match, data: Data) -> Duel:
    """The duel that an event describes. Raises IllegalPlay."""
    bonus = data.get("bonus", 0)
    if not isinstance(bonus, int) or isinstance(bonus, bool) or bonus < 0:
        raise IllegalPlay("the bonus is a number of cards")
    legal = usable(state)
    used: list[Used] = []
    for pair in data.get("abilities", ()):
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise IllegalPlay(f"an ability is a player and a phase, not {pair!r}")
        player, phase = pair
        found = [u for u in legal if u.player == player and u.ability.phase == phase]
        if not found:
            raise IllegalPlay(_no_ability(state, player, phase, legal))
        if any(u.player == player for u in used):
            raise IllegalPlay(f"{name_of(state, player)}: one ability an at-bat (UN-10)")
        used.append(found[0])
    return Duel(_laid(data.get("bat")), _laid(data.get("pitch")), tuple(used), bonus)


def _laid(value: Any) -> Laid:
    if value is None:
        return NOTHING
    sound = isinstance(value, list | tuple) and len(value) == 2 and value[0] in set(Power)
    if not sound or type(value[1]) is not int or not 0 < value[1] <= CARDS_OF_A_COLOUR:
        said = "*".join(str(part) for part in value) if isinstance(value, list) else value
        raise IllegalPlay(
            f"{said}: cards of one colour, 1 to {CARDS_OF_A_COLOUR} of them, or none (UN-6)"
        )
    return Laid(Power(value[0]), value[1])


def _no_ability(state: Match, player: str, phase: str, legal: list[Used]) -> str:
    listed = ", ".join(f"{u.player} ({u.ability.phase})" for u in legal) or "none"
    return f"{player} has no {phase} ability to use now; legal: {listed} (UN-10)"
