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

    _check_xlsx(path, shown, problems)
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


def _check_xlsx(path: Path, shown: str, problems: Problems) -> None:
    """Note what the reader would pass over as blank: error values, formulas without a result.

    Raises DataError for a cell far out, which would make a table of millions of blanks. A file that
    is no workbook at all is left to the reader to refuse.
    """
    import lzma
    import zipfile
    import zlib
    from xml.etree import ElementTree

    try:
        with zipfile.ZipFile(path) as archive:
            _check_sizes(archive, path.stat().st_size)
            with archive.open(_first_sheet(archive)) as stream:
                for _, cell in ElementTree.iterparse(stream):
                    if _local(cell) == "c":
                        _check_xlsx_cell(cell, shown, problems)
                        cell.clear()
    except (OSError, zipfile.BadZipFile):
        return
    except (
        zlib.error,
        lzma.LZMAError,
        KeyError,
        ElementTree.ParseError,
        StopIteration,
        EOFError,
        ValueError,
        NotImplementedError,  # a compression that zipfile does not know
        RuntimeError,  # an encrypted member
    ) as error:
        # a lenient reader would go on and might make a table of millions of blanks
        reason = str(error) or "it has no first sheet"
        raise DataError(
            problems=[Problem("error", f"the workbook is damaged: {reason}", Place(shown))]
        ) from None


def _check_sizes(archive: Any, size: int) -> None:
    """Raise ValueError for a member that says it is larger than it can be."""
    for member in archive.infolist():
        if member.compress_size > size or member.file_size > _MOST_BYTES:
            raise ValueError(f"its part {member.filename} claims {member.file_size:,} bytes")


_MOST_BYTES = 256 << 20
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_MOST_ROWS, _MOST_COLUMNS = 50_000, 1_000


def _first_sheet(archive: Any) -> str:
    """The path of the first sheet. Raises KeyError, StopIteration or ParseError."""
    from xml.etree import ElementTree

    book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
    wanted = next(book.iter(f"{_MAIN}sheet")).get(_RELATION)
    links = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
    target = next(str(link.get("Target")) for link in links if link.get("Id") == wanted)
    return target.removeprefix("/") if target.startswith("/") else f"xl/{target}"


def _local(element: Any) -> str:
    """A tag without its namespace: strict workbooks have another one, and the reader asks none."""
    return str(element.tag).rpartition("}")[2]


def _check_xlsx_cell(cell: Any, shown: str, problems: Problems) -> None:
    parts = {_local(part): part for part in cell}
    value, formula = parts.get("v"), parts.get("f")
    row, column = _row_and_column(cell.get("r", "A1"))
    place = Place(shown, row, column)
    if row > _MOST_ROWS or column > _MOST_COLUMNS:
        raise DataError(
            problems=[
                Problem(
                    "error",
                    f"there is something in cell {cell.get('r')}, far out",
                    Place(shown),
                    f"a table has at most {_MOST_ROWS} rows and {_MOST_COLUMNS} columns",
                )
            ]
        )
    text = value.text if value is not None else None
    if cell.get("t") == "e":
        problems.error(f"the cell holds the error {text}", place)
    elif formula is not None and not text and cell.get("t") != "str":
        problems.error(
            "the formula has no stored result", place, "save the file in a spreadsheet program"
        )


def _row_and_column(reference: str) -> tuple[int, int]:
    """`B7` → (7, 2)."""
    letters = reference.rstrip("0123456789")
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return int(reference[len(letters) :] or 0), column


def _cell_text(value: Any, place: Place, problems: Problems) -> str:
    """A spreadsheet's value as one would type it: 2, 2.5, text."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        # 15 digits, as a spreadsheet shows them: 0.07 × 100 is 7
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.15g}"
    if isinstance(value, int | str):
        return str(value).strip()
    problems.error(f"{value!r} is neither text nor a number", place, "format the cell as text")
    return ""


def _json_lines(path: Path, shown: str) -> list[list[Cell]]:
    """A list of objects with texts and numbers; a place is the number of the object."""
    text = read_text(path, shown)
    try:
        data = json.loads(text, object_pairs_hook=_distinct_keys, parse_constant=_no_number)
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


def _distinct_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different. Raises ValueError."""
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"the key '{name}' stands twice in one object")
    return dict(pairs)


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")


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
