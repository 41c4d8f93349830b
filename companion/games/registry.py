"""Every game that a session can hold, by the name it has in the store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.game_on.match import MatchGame
from companion.games.property_poker.money import MoneyGame
from companion.games.unlimited_nine.match import NineGame
from companion.table.diary import DiceDiary
from companion.table.protocol import Game
from companion.table.tracker import TrackerGame

GAMES: Mapping[str, Game[Any]] = {
    game.name: game for game in (DiceDiary(), TrackerGame(), MatchGame(), NineGame(), MoneyGame())
}
