"""TOML whose every key and value knows its file, line and column.

`tomllib` reads the values (and refuses bad syntax); a small scanner over the same, by then valid,
text finds where they stand, since `tomllib` does not tell.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from companion.errors import DataError, Place, Problem

Route: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True)
class Node:
    """A value with its place: a scalar, a dict of nodes or a list of nodes."""

    value: object
    place: Place
    key_place: Place

    @property
    def table(self) -> dict[str, Node] | None:
        """The nodes of a table, or None if this is no table."""
        return self.value if isinstance(self.value, dict) else None

    @property
    def array(self) -> list[Node] | None:
        """The nodes of an array, or None if this is no array."""
        return self.value if isinstance(self.value, list) else None

    def plain(self) -> object:
        """The value without places: dicts, lists and scalars."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value


def read_text(path: Path, shown: str) -> str:
    """The text of a UTF-8 (or BOM-marked UTF-16) file with `\\n` line ends.

    Raises DataError naming `shown` if it cannot be read or is in another encoding.
    """
    try:
        raw = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DataError(
            problems=[Problem("error", f"cannot be read: {reason}", Place(shown))]
        ) from None
    encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        is_table = path.suffix.lower() not in (".toml", ".jsonl")
        raise DataError(
            problems=[
                Problem(
                    "error",
                    f"byte {raw[error.start]:#04x} is not UTF-8",
                    Place(shown, line),
                    'save the table as "CSV UTF-8"' if is_table else "save the file as UTF-8",
                )
            ]
        ) from None
    # accents typed as two code points (macOS) are the same letters as those of one
    # (but only those: NFC would also replace Han compatibility characters by others)
    text = _COMBINED.sub(
        lambda match: unicodedata.normalize("NFC", match[0]), text.lstrip("\ufeff")
    )
    return text.replace("\r\n", "\n").replace("\r", "\n")


_COMBINED = re.compile("[^\u0300-\u036f][\u0300-\u036f]+")


def read_toml(path: Path, shown: str) -> Node:
    """Read a TOML file into located nodes. Raises DataError with the place of a syntax error."""
    text = read_text(path, shown)
    try:
        data = tomllib.loads(text)
        scanner = _Scanner(text)
        scanner.run()
        return _Wrapper(shown, text, scanner).wrap(data, ())
    except (ValueError, RecursionError) as error:
        # besides syntax: numbers of thousands of digits, thousands of nested tables
        raise DataError(problems=[_syntax_problem(error, shown)]) from None


def _syntax_problem(error: Exception, shown: str) -> Problem:
    if isinstance(error, RecursionError):
        return Problem("error", "nested too deeply", Place(shown))
    message = str(error)
    found = re.search(r"\s*\(at line (\d+), column (\d+)\)", message)
    place = Place(shown, int(found[1]), int(found[2])) if found else Place(shown)
    return Problem(
        "error", f"not valid TOML: {message[: found.start()] if found else message}", place
    )


class _Wrapper:
    """Joins the values of `tomllib` with the offsets of the scanner."""

    def __init__(self, shown: str, text: str, scanner: _Scanner) -> None:
        self._shown = shown
        self._scanner = scanner
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def wrap(self, value: object, route: Route) -> Node:
        place = self._place(self._scanner.values.get(route, 0))
        key_place = self._place(self._scanner.keys.get(route, self._scanner.values.get(route, 0)))
        if isinstance(value, dict):
            value = {key: self.wrap(item, (*route, key)) for key, item in value.items()}
        elif isinstance(value, list):
            value = [self.wrap(item, (*route, index)) for index, item in enumerate(value)]
        return Node(value, place, key_place)

    def _place(self, offset: int) -> Place:
        line = bisect_right(self._starts, offset)
        return Place(self._shown, line, offset - self._starts[line - 1] + 1)


class _Scanner:
    """Finds the offsets of keys and values in valid TOML."""

    _BARE = re.compile(r"[A-Za-z0-9_-]+")
    _BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
    _STRING = re.compile(
        r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'[\s\S]*?\'{3,5}|"(?:\\.|[^"\\])*"|\'[^\']*\'', re.DOTALL
    )
    _SCALAR = re.compile(r"[^,\]}\n#]+")

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._arrays: dict[Route, int] = {}
        self.keys: dict[Route, int] = {}
        self.values: dict[Route, int] = {}

    def run(self) -> None:
        table: Route = ()
        for _ in self._items():
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)

    def _items(self) -> Iterator[None]:
        self._skip()
        while self._at < len(self._text):
            yield
            self._skip()

    def _skip(self) -> None:
        match = self._BLANK.match(self._text, self._at)
        assert match
        self._at = match.end()

    def _header(self) -> Route:
        start = self._at
        double = self._text.startswith("[[", start)
        self._at += 2 if double else 1
        route: Route = ()
        parts = self._key()
        for index, part in enumerate(parts):
            route = (*route, part)
            last = index == len(parts) - 1
            if last and double:
                self._arrays[route] = self._arrays.get(route, -1) + 1
                self._mark(route, start)
            if route in self._arrays:
                route = (*route, self._arrays[route])
            self._mark(route, start)
        self._at += 2 if double else 1
        return route

    def _mark(self, route: Route, at: int) -> None:
        self.keys.setdefault(route, at)
        self.values.setdefault(route, at)

    def _pair(self, table: Route) -> None:
        start = self._at
        route = table
        for part in self._key():
            route = (*route, part)
            self._mark(route, start)
        self._at += 1  # the equals sign
        self._skip()
        self._value(route)

    def _key(self) -> list[str]:
        parts: list[str] = []
        while True:
            self._skip()
            quoted = self._STRING.match(self._text, self._at)
            if quoted:
                key = tomllib.loads(f"k={quoted[0]}")["k"]
                self._at = quoted.end()
            else:
                bare = self._BARE.match(self._text, self._at)
                assert bare
                key = bare[0]
                self._at = bare.end()
            parts.append(key)
            self._skip()
            if self._text[self._at] != ".":
                return parts
            self._at += 1

    def _value(self, route: Route) -> None:
        self.values[route] = self._at
        self.keys.setdefault(route, self._at)
        opening = self._text[self._at]
        if opening == "[":
            self._sequence("]", route)
        elif opening == "{":
            self._sequence("}", route)
        else:
            pattern = self._STRING if opening in "\"'" else self._SCALAR
            match = pattern.match(self._text, self._at)
            assert match
            self._at = match.end()

    def _sequence(self, closing: str, route: Route) -> None:
        self._at += 1
        index = 0
        self._skip()
        while self._text[self._at] != closing:
            if closing == "]":
                self._value((*route, index))
                index += 1
            else:
                self._pair(route)
            self._skip()
            if self._text[self._at] == ",":
                self._at += 1
                self._skip()
        self._at += 1
