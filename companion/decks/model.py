"""Deck, group and card: what is printed, as frozen data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.decks.tables import Cell
from companion.errors import Place

NEUTRAL = ""
"""The language of a cell whose column names none."""


@dataclass(frozen=True)
class Card:
    """One distinct printed card.

    `fields` maps a field name to its cells by language (`NEUTRAL` where the column names none).
    `copies` is at least 1; a row with 0 copies makes no card.
    """

    id: str
    copies: int
    fields: Mapping[str, Mapping[str, Cell]]
    place: Place

    def cell(self, name: str, language: str) -> Cell | None:
        """The cell of a field in exactly `language`, else the neutral one, else None."""
        cells = self.fields.get(name, {})
        return cells.get(language) or cells.get(NEUTRAL)


@dataclass(frozen=True)
class Reference:
    """A name written in a file, with its place, to be looked up later."""

    name: str
    place: Place


@dataclass(frozen=True)
class Group:
    """Cards that share a table, a front layout and a back layout (None: no back)."""

    name: str
    title: Mapping[str, str]
    part: str
    """What --part calls it: several groups may share a part."""
    layout: Reference
    back: Reference | None
    cards: tuple[Card, ...]
    columns: Mapping[str, Place]
    translated: frozenset[str]
    """Fields that exist in more than one language."""
    place: Place
    unprinted: frozenset[str] = frozenset()
    """Columns that no layout draws, on purpose."""


@dataclass(frozen=True)
class FontFiles:
    """The files of a font family named by a deck or layout."""

    name: str
    regular: Path
    bold: Path | None
    place: Place


@dataclass(frozen=True)
class Deck:
    """A card set: its groups in printing order. `folder` is where its files lie."""

    name: str
    folder: Path
    shown: str
    title: Mapping[str, str]
    version: str
    languages: tuple[str, ...]
    groups: tuple[Group, ...]
    fonts: tuple[FontFiles, ...]
    notes: str = ""
    game: str = ""
    """The game whose figures the tables hold, or none."""
    arrangement: Path | None = None
    """A file that says how shaped tiles lie on a sheet."""

    @property
    def copies(self) -> int:
        """How many cards are printed."""
        return sum(card.copies for group in self.groups for card in group.cards)

    def title_in(self, language: str) -> str:
        """The title in `language`, else in the deck's first language, else its name."""
        return self.title.get(language) or next(iter(self.title.values()), self.name)
