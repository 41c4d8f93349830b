"""Takes the figures of a card set over into a game's own terms.

The group `players` and the group `events` of a deck for Unlimited Nine; the columns are those of
`cardsets/unlimited-nine/`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.decks.folders import find_deck
from companion.decks.loader import load_deck
from companion.decks.model import NEUTRAL, Card, Deck
from companion.errors import DataError, Problems, did_you_mean
from companion.games.unlimited_nine.cards import Roster, read_roster
from companion.job import Job

GROUPS = ("players", "events")
NEEDED = {
    "players": (
        *("camp", "position", "batting", "pitching", "pitching-bonus", "fielding"),
        *("student-batting", "student-pitching", "student-pitching-bonus", "student-fielding"),
        *("to-1", "bases-1", "student-to-1", "student-bases-1"),
    ),
    "events": ("power", "effect"),
}
"""Columns without which a group has no figures to play with."""


@dataclass(frozen=True)
class Nine:
    """The cards of Unlimited Nine: as the rules see them, and as plain data for a session."""

    roster: Roster
    players: list[dict[str, Any]]
    events: list[dict[str, Any]]


def load_nine(deck_name: str) -> Nine:
    """The players and events of a deck.

    Raises UsageError for an unknown deck, DataError with every figure that breaks the rules.
    """
    problems = Problems()
    folder, shown = find_deck(deck_name)
    deck = load_deck(folder, shown, problems)
    problems.raise_errors()
    assert deck is not None
    return _read(deck)


def _read(deck: Deck) -> Nine:
    """The players and events of a loaded deck. Raises DataError."""
    problems = Problems()
    cards = {name: _cards(deck, name, problems) for name in GROUPS}
    problems.raise_errors()
    by_id = {card.id: card for group in cards.values() for card in group}

    def complain(id: str, column: str, message: str) -> None:
        card = by_id[id]
        cell = card.cell(column, deck.languages[0])
        problems.error(f"{column} of '{id}': {message}", cell.place if cell else card.place)

    for group in deck.groups:
        for column in NEEDED.get(group.name, ()):
            if column not in group.columns:
                problems.error(
                    f"{group.name} have no column '{column}'",
                    next(iter(group.columns.values()), group.place),
                    did_you_mean(column, group.columns),
                )
    problems.raise_errors()
    players, events = ([_row(card, deck) for card in cards[name]] for name in GROUPS)
    roster = read_roster(players, events, complain)
    problems.raise_errors()
    return Nine(roster, players, events)


def note_figures(job: Job) -> None:
    """Warn of figures that the deck's game would refuse; of an unknown game too."""
    if not job.deck.game:
        return
    if job.deck.game != "unlimited-nine":
        job.problems.warning(f"no figures are checked for a game '{job.deck.game}'")
        return
    try:
        _read(job.deck)
    except DataError as error:
        for problem in error.problems:
            job.problems.warning(problem.message, problem.place, problem.hint)


def nine_roster(deck_name: str) -> Roster:
    """The roster of a deck. Raises as `load_nine` does."""
    return load_nine(deck_name).roster


def _cards(deck: Deck, name: str, problems: Problems) -> tuple[Card, ...]:
    for group in deck.groups:
        if group.name == name:
            return group.cards
    names = [group.name for group in deck.groups]
    problems.error(
        f"deck '{deck.name}' has no group '{name}' with the figures of the game",
        deck.groups[0].place if deck.groups else None,
        did_you_mean(name, names),
    )
    return ()


def _row(card: Card, deck: Deck) -> dict[str, Any]:
    """The card's columns as text: those without a language, and its names in all of them."""
    row: dict[str, Any] = {
        name: cells[NEUTRAL].value for name, cells in card.fields.items() if NEUTRAL in cells
    }
    named = (card.cell("name", language) for language in deck.languages)
    names = list(dict.fromkeys(cell.value for cell in named if cell and cell.value))
    return {**row, "id": card.id, "names": names or [card.id], "copies": card.copies}
