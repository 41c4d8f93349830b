"""What a shell may complete: decks, sheets, papers, printers, cards, sessions, players, tiles.

A completion never fails and never writes: with anything wrong it offers nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import typer

Offer = Callable[[typer.Context, str], list[str]]


def _quietly(words: Callable[[typer.Context], Iterable[str]]) -> Offer:
    """An offer of the words that begin with what is typed."""

    @functools.wraps(words)
    def offer(ctx: typer.Context, incomplete: str) -> list[str]:
        try:
            found = list(words(ctx))
        except Exception:
            return []
        return [word for word in found if word.startswith(incomplete)]

    # Typer reads the parameters' annotations, not those of `words`
    del offer.__wrapped__
    offer.__annotations__ = {"ctx": typer.Context, "incomplete": str}
    return offer


@_quietly
def decks(ctx: typer.Context) -> Iterable[str]:
    """The decks that can be printed from here."""
    from companion.decks.folders import deck_folders

    del ctx
    return deck_folders()


@_quietly
def papers(ctx: typer.Context) -> Iterable[str]:
    """Paper sizes."""
    from companion.sheets.papers import PAPERS

    del ctx
    return [name for paper in PAPERS for name in (paper, f"{paper}-landscape")]


@_quietly
def sheets(ctx: typer.Context) -> Iterable[str]:
    """Sheets with ready slots."""
    from companion.job import sheet_folders
    from companion.sheets.slots import sheet_names

    del ctx
    return sheet_names(sheet_folders())


@_quietly
def printers(ctx: typer.Context) -> Iterable[str]:
    """Printer profiles."""
    from companion.printers import load_profiles

    del ctx
    return load_profiles()


@_quietly
def parts(ctx: typer.Context) -> Iterable[str]:
    """The parts of the deck that is typed already."""
    return dict.fromkeys(group.part for group in _deck(ctx).groups)


def cards(ctx: typer.Context, incomplete: str) -> list[str]:
    """Card ids and groups of the deck that is typed already; after a comma the next one."""
    done, comma, last = incomplete.rpartition(",")
    return [f"{done}{comma}{word}" for word in _card_ids(ctx, last)]


@_quietly
def _card_ids(ctx: typer.Context) -> Iterable[str]:
    groups = _deck(ctx).groups
    return [*(group.name for group in groups), *(card.id for g in groups for card in g.cards)]


def _deck(ctx: typer.Context) -> Any:
    from companion.decks.folders import find_deck
    from companion.decks.loader import load_deck
    from companion.errors import Problems

    folder, shown = find_deck(_typed(ctx, "deck"))
    return load_deck(folder, shown, Problems())


def _typed(ctx: typer.Context, name: str) -> str:
    """The first argument: parsed, or still among the rest behind an option without its value."""
    return str(ctx.params.get(name) or ctx.args[0])


def sessions_of(game: str | None) -> Offer:
    """The names of the stored sessions of a game (None: of all)."""

    def words(ctx: typer.Context) -> Iterable[str]:
        from companion.table.sessions import Store, default_store

        path = ctx.params.get("store") or default_store()
        if not path.exists():
            return []
        with Store(path) as store:
            return [info.name for info in store.sessions(game)]

    return _quietly(words)


@_quietly
def players(ctx: typer.Context) -> Iterable[str]:
    """The players of the session that is typed already."""
    from companion.table.sessions import Store, default_store

    path = ctx.params.get("store") or default_store()
    if not path.exists():
        return []
    with Store(path) as store:
        config = store.info(_typed(ctx, "name")).config
    teams = config.get("teams") or {}
    rows = config.get("players") or []
    names = [row["id"] if isinstance(row, dict) else str(row) for row in rows]
    return [*names, *teams, *(member for team in teams.values() for member in team)]


@_quietly
def tiles(ctx: typer.Context) -> Iterable[str]:
    """The tiles of Property Poker."""
    from companion.games.property_poker.tiles import TILES

    del ctx
    return TILES
