"""Turns table rows into cards: ids, copies, languages, overlays (a translation table by id)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from companion.decks.model import NEUTRAL, Card
from companion.decks.tables import Cell, Table
from companion.errors import Place, Problems, did_you_mean
from companion.files.records import short

COUNT_NAMES = ("count", "copies", "qty", "quantity", "張數")
_MOST_COPIES = 10_000


def split_column(column: str) -> tuple[str, str]:
    """`name@en` → ("name", "en"); `value` → ("value", NEUTRAL)."""
    name, _, language = column.partition("@")
    return name.strip(), language.strip()


def cards_of(table: Table, languages: tuple[str, ...], problems: Problems) -> tuple[Card, ...]:
    """The cards of a table, in its order. Rows with 0 copies are noted and make no card."""
    count_column = _count_column(table, problems)
    _check_columns(table, languages, problems)
    cards: list[Card] = []
    taken: dict[str, Place] = {}
    for number, row in enumerate(table.rows, 1):
        copies = _copies(row.get(count_column) if count_column else None, problems)
        fields = _fields(row)
        if count_column:
            place = row[count_column].place
            fields[count_column] = {NEUTRAL: Cell(str(copies or 0), place)}
        card_id, place = _identify(row, fields, languages, number)
        if "id" in row and card_id in taken:
            problems.error(
                f"id '{card_id}' stands twice", place, f"first at line {taken[card_id].line}"
            )
        unique = card_id if card_id not in taken else f"{card_id}-{number}"
        taken[unique] = place
        if copies == 0:
            problems.note(f"'{unique}' has 0 copies and is not printed", place)
        elif copies:
            cards.append(Card(unique, copies, fields, place))
    return tuple(cards)


def overlay(
    cards: tuple[Card, ...], table: Table, language: str, problems: Problems
) -> tuple[Card, ...]:
    """Cards with the fields of a translation table added for `language`.

    Rows are matched by `id`; an id that the deck lacks is an error; copies stay the deck's.
    """
    if "id" not in table.columns:
        problems.error("a translation table needs a column 'id'", table.header[0].place)
        return cards
    by_id = {card.id: card for card in cards}
    added: dict[str, dict[str, Cell]] = {}
    for row in table.rows:
        card_id = row["id"]
        if card_id.value not in by_id:
            hint = did_you_mean(card_id.value, by_id)
            problems.error(f"the deck has no card '{card_id.value}'", card_id.place, hint)
            continue
        if card_id.value in added:
            problems.error(f"id '{card_id.value}' stands twice", card_id.place)
        texts = {name: cell for name, cell in row.items() if name != "id" and cell.value}
        added[card_id.value] = {
            name: cell for name, cell in texts.items() if name.lower() not in COUNT_NAMES
        }
    return tuple(_with_language(card, added.get(card.id, {}), language) for card in cards)


def _with_language(card: Card, texts: Mapping[str, Cell], language: str) -> Card:
    fields = {name: dict(cells) for name, cells in card.fields.items()}
    for name, cell in texts.items():
        fields.setdefault(name, {})[language] = cell
    return Card(card.id, card.copies, fields, card.place)


def _count_column(table: Table, problems: Problems) -> str | None:
    found = [cell for cell in table.header if cell.value.lower() in COUNT_NAMES]
    for extra in found[1:]:
        problems.error(
            f"both '{found[0].value}' and '{extra.value}' name the number of copies", extra.place
        )
    return found[0].value if found else None


def _check_columns(table: Table, languages: tuple[str, ...], problems: Problems) -> None:
    seen: dict[tuple[str, str], str] = {}
    for cell in table.header:
        name, language = split_column(cell.value)
        twin = seen.setdefault((name, language), cell.value)
        if twin != cell.value:
            problems.error(f"columns '{twin}' and '{cell.value}' are the same field", cell.place)
        elif "@" in cell.value and name.lower() in COUNT_NAMES:
            problems.error(f"'{cell.value}': a number of copies has no language", cell.place)
        elif cell.value.endswith("@"):
            problems.error(f"column '{cell.value}' names no language after the @", cell.place)
        elif language != NEUTRAL and language not in languages:
            problems.error(
                f"column '{cell.value}' is in '{language}', which the deck does not list",
                cell.place,
                did_you_mean(language, languages),
            )
        elif not name:
            problems.error(f"column '{cell.value}' names no field", cell.place)


def _copies(cell: Cell | None, problems: Problems) -> int | None:
    """How many copies a count cell asks for; blank is 1; None after noting a fault."""
    if cell is None or not cell.value:
        return 1
    if not re.fullmatch(r"\d{1,9}", cell.value):
        problems.error(
            f"count {short(repr(cell.value))} is no whole number", cell.place, "expected 0, 1, 2 …"
        )
        return None
    copies = int(cell.value)
    if copies > _MOST_COPIES:
        problems.error(f"count {copies} is over {_MOST_COPIES}", cell.place)
        return None
    return copies


def _fields(row: Mapping[str, Cell]) -> dict[str, dict[str, Cell]]:
    fields: dict[str, dict[str, Cell]] = {}
    for column, cell in row.items():
        name, language = split_column(column)
        fields.setdefault(name, {})[language] = cell
    return fields


def _identify(
    row: Mapping[str, Cell],
    fields: Mapping[str, Mapping[str, Cell]],
    languages: Iterable[str],
    number: int,
) -> tuple[str, Place]:
    """A card's id: its `id`, else its name, else its row number."""
    cell = row.get("id")
    if cell and cell.value:
        return cell.value, cell.place
    names = fields.get("name", {})
    for language in (NEUTRAL, *languages):
        if language in names and names[language].value:
            return names[language].value, names[language].place
    return f"row {number}", next(iter(row.values())).place


def untranslated(
    cards: Iterable[Card], translated: Iterable[str], languages: Iterable[str], base: str
) -> dict[str, list[tuple[str, str]]]:
    """For each language, (card id, field) pairs that must fall back to the base text.

    A field counts when it is translated somewhere in its group and not blank in the base.
    """
    missing: dict[str, list[tuple[str, str]]] = {language: [] for language in languages}
    names = sorted(translated)
    for card in cards:
        for name in names:
            cells = card.fields.get(name, {})
            source = cells.get(base) or cells.get(NEUTRAL)
            if source is None or not source.value:
                continue
            for language, pairs in missing.items():
                cell = cells.get(language)
                if language != base and (cell is None or not cell.value):
                    pairs.append((card.id, name))
    return missing
