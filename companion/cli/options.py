"""Options that several commands share, spelt once."""

from __future__ import annotations

from typing import Annotated

import typer

DeckArgument = Annotated[
    str, typer.Argument(help="A deck's name (see companion list) or a folder with deck.toml.")
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
OverflowOption = Annotated[
    str,
    typer.Option(
        "--overflow",
        metavar="error|warn",
        help="Text that does not fit at its smallest size: refuse, or draw it so and say so.",
        callback=lambda value: _one_of(value, ("error", "warn")),
    ),
]


def _one_of(value: str, options: tuple[str, ...]) -> str:
    if value not in options:
        raise typer.BadParameter(f"'{value}' is not one of {', '.join(options)}")
    return value
