"""Card tables in other formats: XLSX, JSON, TOML. They turn into the same `Table` as CSV."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from companion.decks.tables import Cell, Table, read_csv, table_from_lines
from companion.errors import DataError, Place, Problem, Problems
from companion.files.located import Node, read_text, read_toml

SUFFIXES = (".csv", ".tsv", ".txt", ".xlsx", ".json", ".toml")


def read_table(path: Path, shown: str, problems: Problems) -> Table | None:
    """Read a table by its file's suffix. Faults are noted; None if it cannot be used at all.

    Raises DataError if the file cannot be read.
    """
    suffix = path.suffix.lower()
    if suffix == ".xlsx":
        return table_from_lines(_xlsx_lines(path, shown, problems), shown, problems)
    if suffix == ".json":
        return table_from_lines(_json_lines(path, shown), shown, problems)
    if suffix == ".toml":
        return table_from_lines(_toml_lines(path, shown, problems), shown, problems)
    if suffix in SUFFIXES:
        return read_csv(path, shown, problems)
    problems.error(
        f"a table '{suffix}' cannot be read", Place(shown), "known: " + ", ".join(SUFFIXES)
    )
    return None


def _xlsx_lines(path: Path, shown: str, problems: Problems) -> list[list[Cell]]:
    """The first sheet; a line is its row, a column its number."""
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        workbook = CalamineWorkbook.from_path(str(path))
        if not workbook.sheet_names:
            raise ValueError("it has no sheet")
        rows = workbook.get_sheet_by_index(0).to_python(skip_empty_area=False)
    except (CalamineError, ValueError, OSError) as error:
        raise _unreadable(shown, f"is no XLSX workbook: {error}") from None
    lines = []
    for number, row in enumerate(rows, 1):
        lines.append(
            [
                Cell(
                    _cell_text(value, Place(shown, number, column), problems),
                    Place(shown, number, column),
                )
                for column, value in enumerate(row, 1)
            ]
        )
    return lines


def _cell_text(value: Any, place: Place, problems: Problems) -> str:
    """A spreadsheet's value as one would type it: 2, 2.5, text."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, int | str):
        return str(value).strip()
    problems.error(f"{value!r} is neither text nor a number", place, "format the cell as text")
    return ""


def _json_lines(path: Path, shown: str) -> list[list[Cell]]:
    """A list of objects with texts and numbers; a place is the number of the object."""
    text = read_text(path, shown)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _unreadable(shown, f"is no JSON: {error}") from None
    if not isinstance(data, list) or not all(isinstance(row, dict) for row in data):
        raise _unreadable(shown, 'must be a list of objects: [{ "id": "a", "name": "Ada" }, …]')
    names = list(dict.fromkeys(name for row in data for name in row))
    lines = [[Cell(name, Place(shown, 1, n)) for n, name in enumerate(names, 1)]]
    for number, row in enumerate(data, 1):
        place = Place(f"{shown}[{number}]")
        for name, value in row.items():
            if not isinstance(value, str | int | float | type(None)):
                raise _unreadable(str(place), f"'{name}' is neither text nor a number")
        lines.append([Cell(_plain(row.get(name)), place) for name in names])
    return lines


def _plain(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value).strip()


def _toml_lines(path: Path, shown: str, problems: Problems) -> list[list[Cell]]:
    """[[card]] tables with texts and numbers."""
    node = read_toml(path, shown)
    cards = (node.table or {}).get("card")
    if cards is None or cards.array is None or len(node.table or {}) != 1:
        raise _unreadable(shown, "must hold [[card]] tables and nothing else")
    rows = [card.table or {} for card in cards.array]
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = [[Cell(name, _header_place(name, rows, shown)) for name in names]]
    for card, row in zip(cards.array, rows, strict=True):
        lines.append([_toml_cell(row.get(name), card, problems) for name in names])
    return lines


def _header_place(name: str, rows: list[dict[str, Node]], shown: str) -> Place:
    return next((row[name].key_place for row in rows if name in row), Place(shown))


def _toml_cell(node: Node | None, card: Node, problems: Problems) -> Cell:
    if node is None:
        return Cell("", card.place)
    if not isinstance(node.value, str | int | float):
        problems.error("a card's field is a text or a number", node.place)
        return Cell("", node.place)
    return Cell(_plain(node.value), node.place)


def _unreadable(shown: str, message: str) -> DataError:
    return DataError(problems=[Problem("error", message, Place(shown))])
