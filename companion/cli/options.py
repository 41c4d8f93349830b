"""Options that several commands share, spelt once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli import completing

if TYPE_CHECKING:
    from companion.table.sessions import Store

DeckArgument = Annotated[
    str,
    typer.Argument(
        help="A deck's name (see companion list) or a folder with deck.toml.",
        autocompletion=completing.decks,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer as JSON on stdout.")]
LanguageOption = Annotated[
    str | None,
    typer.Option(
        "--lang",
        metavar="TAG[+TAG]",
        help="One language (en) or two on one card (zh-TW+en). Default: the deck's first two.",
        show_default=False,
    ),
]
PartOption = Annotated[
    str | None,
    typer.Option(
        "--part",
        metavar="PART",
        help="Only one part of the game: tiles, chips …",
        autocompletion=completing.parts,
        show_default=False,
    ),
]
OverflowOption = Annotated[
    str,
    typer.Option(
        "--overflow",
        metavar="error|warn",
        help="Text that does not fit at its smallest size: refuse, or draw it so and say so.",
        callback=lambda value: one_of(value, ("error", "warn")),
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="FILE", help="Where to; else standard output."),
]
PlayerArgument = Annotated[
    str, typer.Argument(metavar="PLAYER", help="Who.", autocompletion=completing.players)
]
StoreOption = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="FILE",
        help="The session file. Default: COMPANION_HOME, else the platform's data folder.",
        show_default=False,
    ),
]


def session_name(game: str | None, metavar: str = "NAME") -> Any:
    """The argument that names a session; a shell completes those of the game (None: of all)."""
    return typer.Argument(
        metavar=metavar,
        help="The session's name.",
        autocompletion=completing.sessions_of(game),
    )


def open_store(path: Path | None) -> Store:
    """The session store that --store, COMPANION_HOME or the platform chooses."""
    from companion.table.sessions import Store, default_store

    return Store(path or default_store())


def one_of(value: str, options: tuple[str, ...]) -> str:
    """The value if it is one of a few words. Raises BadParameter."""
    if value not in options:
        raise typer.BadParameter(f"'{value}' is not one of {', '.join(options)}")
    return value
