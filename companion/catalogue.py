"""What can be printed from here: decks, layouts, sizes, papers. For `companion list`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.decks.folders import deck_folders
from companion.decks.loader import load_deck
from companion.errors import DataError, Problems
from companion.files.located import read_toml
from companion.job import sheet_folders
from companion.layouts.loader import LayoutLibrary
from companion.layouts.sizes import CARD_SIZES
from companion.printers import load_profiles
from companion.sheets.papers import PAPERS
from companion.sheets.slots import sheet_names
from companion.shipped import LAYOUTS


@dataclass(frozen=True)
class DeckEntry:
    """One deck as the list shows it; `fault` if it cannot be loaded."""

    name: str
    titles: tuple[str, ...]
    cards: int
    languages: tuple[str, ...]
    folder: Path
    fault: bool


@dataclass(frozen=True)
class Catalogue:
    """Everything `companion list` shows. Sizes in millimetres."""

    decks: tuple[DeckEntry, ...]
    layouts: tuple[str, ...]
    sheets: dict[str, str]
    printers: dict[str, dict[str, str]]
    card_sizes: dict[str, tuple[float, float]]
    papers: dict[str, tuple[float, float]]

    def as_json(self) -> dict[str, Any]:
        """The same as JSON data."""
        return {
            "decks": [
                {
                    "name": deck.name,
                    "title": list(deck.titles),
                    "cards": deck.cards,
                    "languages": list(deck.languages),
                    "folder": str(deck.folder),
                    "loads": not deck.fault,
                }
                for deck in self.decks
            ],
            "layouts": list(self.layouts),
            "sheets": self.sheets,
            "printers": self.printers,
            "card_sizes": {name: list(size) for name, size in self.card_sizes.items()},
            "papers": {name: list(size) for name, size in self.papers.items()},
        }


def catalogue() -> Catalogue:
    """Look around: the current folder's card sets, then the shipped ones."""
    decks = tuple(_entry(name, folder) for name, folder in deck_folders().items())
    layouts = tuple(LayoutLibrary((LAYOUTS,), Problems()).names())
    sheets = {name: _title(path) for name, path in sheet_names(sheet_folders()).items()}
    printers = {
        name: {paper: str(profile) for paper, profile in papers.items()}
        for name, papers in load_profiles().items()
    }
    return Catalogue(decks, layouts, sheets, printers, CARD_SIZES, PAPERS)


def _title(path: Path) -> str:
    """A slot file's title, or that it cannot be read."""
    try:
        node = (read_toml(path, path.name).table or {}).get("title")
    except DataError:
        return "cannot be read"
    return str(node.value) if node else ""


def _entry(name: str, folder: Path) -> DeckEntry:
    problems = Problems()
    deck = load_deck(folder, folder.name, problems)
    if deck is None:
        return DeckEntry(name, (), 0, (), folder, fault=True)
    titles = tuple(deck.title.values())
    return DeckEntry(name, titles, deck.copies, deck.languages, folder, fault=bool(problems.errors))
