"""`companion list`: what there is."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.output import answer, answer_json, plural


def list_all(
    as_json: Annotated[bool, typer.Option("--json", help="Answer as JSON.")] = False,
) -> None:
    """Show decks, layouts, sheets, printer profiles, card sizes and papers."""
    from companion.catalogue import catalogue

    found = catalogue()
    if as_json:
        answer_json(found.as_json())
        return
    answer("Decks")
    for deck in found.decks:
        titles = " / ".join(deck.titles)
        if deck.fault:
            answer(f"  {deck.name:<18} does not load: run companion check {deck.name}")
            continue
        cards = plural(deck.cards, "card")
        answer(f"  {deck.name:<18} {titles} · {cards} · {', '.join(deck.languages)}")
    answer("Layouts")
    for name in found.layouts:
        answer(f"  {name}")
    answer("Sheets with ready slots")
    for name, title in found.sheets.items():
        answer(f"  {name:<18} {title}")
    answer("Printers" if found.printers else "Printers: none yet (companion calibrate)")
    for name, papers in found.printers.items():
        for of, profile in papers.items():
            answer(f"  {name:<18} {of}: {profile}")
    answer("Card sizes (mm)")
    for name, (width, height) in found.card_sizes.items():
        answer(f"  {name:<18} {width:g} × {height:g}")
    answer("Papers (mm)")
    for name, (width, height) in found.papers.items():
        answer(f"  {name:<18} {width:g} × {height:g}")
