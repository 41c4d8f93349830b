"""A table of cells that know where they stand, and its CSV reader.

The delimiter (comma, semicolon, tab) is read off the header line. Quoted cells may hold the
delimiter, doubled quotes and line breaks. Other formats turn into the same `Table`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.errors import Place, Problems
from companion.files.located import read_text


@dataclass(frozen=True, slots=True)
class Cell:
    """One value and its place. `value` is text, as written; outer blanks are gone."""

    value: str
    place: Place


@dataclass(frozen=True)
class Table:
    """Column names in order, and rows as dicts from column name to cell."""

    shown: str
    columns: tuple[str, ...]
    header: tuple[Cell, ...]
    rows: tuple[dict[str, Cell], ...]


def read_csv(path: Path, shown: str, problems: Problems) -> Table | None:
    """Read a CSV or TSV file. Faults are noted; None if the table cannot be used at all.

    Raises DataError if the file cannot be read or is not UTF-8.
    """
    text = read_text(path, shown)
    named = _SEPARATOR_LINE.match(text)
    delimiter = named[1] if named else _delimiter(text)
    lines = list(_records(text, delimiter, shown, problems))[1 if named else 0 :]
    return table_from_lines(lines, shown, problems)


def table_from_lines(lines: list[list[Cell]], shown: str, problems: Problems) -> Table | None:
    """A table from lines of cells, the first of which names the columns; blank lines are left out.

    Faults are noted; None if the table cannot be used at all.
    """
    lines = [line for line in lines if any(cell.value for cell in line)]
    if not lines:
        problems.error("the table is empty", Place(shown, 1), "expected a header line and cards")
        return None
    widest = max(len(_without_empty_end(line)) for line in lines)
    header = lines[0][:widest]
    if not _check_header(header, problems):
        return None
    if len(lines) == 1:
        problems.error("the table has a header but no cards", Place(shown, 1))
        return None
    # `ID` is `id`, as `Count` is a count
    names = tuple("id" if c.value.lower() == "id" else c.value for c in header)
    rows = []
    for line in lines[1:]:
        cells = line[: len(names)] + _without_empty_end(line[len(names) :])
        if len(cells) == len(names):
            rows.append(dict(zip(names, cells, strict=True)))
        else:
            _report_length(cells, names, problems)
    return Table(shown, names, tuple(header), tuple(rows))


_SEPARATOR_LINE = re.compile(r'"?sep=([,;\t])"?(?=\n)')
"""The line with which Excel names the delimiter."""


def _without_empty_end(cells: list[Cell]) -> list[Cell]:
    """Spreadsheets write delimiters for columns in which nothing stands."""
    end = len(cells)
    while end and not cells[end - 1].value:
        end -= 1
    return cells[:end]


def _delimiter(text: str) -> str:
    """The one of comma, semicolon and tab that stands most often outside quotes in line 1."""
    first = re.sub(r'"(?:[^"]|"")*"', "", text).lstrip("\n").split("\n", 1)[0]
    return max(",;\t", key=first.count)


def _records(text: str, delimiter: str, shown: str, problems: Problems) -> Iterator[list[Cell]]:
    """Lines of cells; a line number is that of the cell's first character."""
    mark = re.escape(delimiter)
    quoted = re.compile(rf'[^\S\n{mark}]*"((?:[^"]|"")*)"[^\S\n{mark}]*(?={mark}|\n|\Z)')
    bare = re.compile(rf"[^\n{mark}]*")
    at, line, line_start = 0, 1, 0
    cells: list[Cell] = []
    while at < len(text) or cells:
        place = Place(shown, line, at - line_start + 1)
        match = quoted.match(text, at)
        if match:
            value = match[1].replace('""', '"').strip()
        else:
            match = bare.match(text, at)
            assert match
            value = match[0].strip()
            if value.startswith('"'):
                closed = '"' in value[1:]
                problems.error(
                    f"stray quote in {value[:30]!r}" if closed else "a quote is never closed",
                    place,
                    'put quotes around the whole cell and double those inside: "He said ""go"""',
                )
        cells.append(Cell(value, place))
        breaks = match[0].count("\n")
        if breaks:
            line += breaks
            line_start = match.start() + match[0].rindex("\n") + 1
        at = match.end()
        if at < len(text) and text[at] == delimiter:
            at += 1
            if at < len(text):
                continue
            cells.append(Cell("", Place(shown, line, at - line_start + 1)))
        yield cells
        cells = []
        at += 1
        line += 1
        line_start = at


def _check_header(header: list[Cell], problems: Problems) -> bool:
    seen: dict[str, Cell] = {}
    sound = True
    for number, cell in enumerate(header, 1):
        if not cell.value:
            problems.error(f"column {number} has no name", cell.place)
            sound = False
        elif cell.value in seen:
            other = seen[cell.value].place
            problems.error(
                f"column '{cell.value}' stands twice", cell.place, f"first at column {other.column}"
            )
            sound = False
        seen.setdefault(cell.value, cell)
    return sound


def _report_length(line: list[Cell], names: tuple[str, ...], problems: Problems) -> None:
    found, expected = len(line), len(names)
    if found > expected:
        extra = line[expected]
        problems.error(
            f"the row has {found} cells, the header {expected}: {extra.value!r} is one too many",
            extra.place,
            "a text that holds the delimiter needs quotes around it",
        )
    else:
        problems.error(
            f"the row has {found} cells, the header {expected}: "
            f"no cell for '{names[found]}' and what follows",
            line[-1].place,
        )
