"""Reads `deck.toml` and its tables into a `Deck`, noting every fault on the way."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.decks.cards import COUNT_NAMES, cards_of, overlay, split_column
from companion.decks.formats import read_table
from companion.decks.model import NEUTRAL, Card, Deck, FontFiles, Group, Reference
from companion.decks.tables import Table
from companion.errors import DataError, Place, Problems, did_you_mean
from companion.files.located import Node, read_toml
from companion.files.records import (
    Key,
    Misfit,
    list_of,
    read_leniently,
    read_record,
    short,
    text,
    texts,
)

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def _language(node: Node) -> str:
    value = text(node)
    if not _LANGUAGE.fullmatch(value):
        raise Misfit("a language tag such as en or zh-TW")
    return value


def _languages(node: Node) -> tuple[str, ...]:
    values: tuple[str, ...] = list_of(_language)(node)
    if not values or len({value.lower() for value in values}) != len(values):
        raise Misfit("one or more different language tags")
    return values


def _title(node: Node) -> dict[str, str]:
    """A text, or a table from language to text."""
    if isinstance(node.value, str):
        return {NEUTRAL: node.value}
    return _by_language(node)


def _by_language(node: Node) -> dict[str, str]:
    if node.table is None:
        raise Misfit('a table from language to text, such as { en = "…" }')
    return {language: text(item) for language, item in node.table.items()}


def _translations(node: Node) -> dict[str, Reference]:
    _by_language(node)
    assert node.table is not None
    return {language: Reference(text(item), item.place) for language, item in node.table.items()}


def _reference(node: Node) -> Reference:
    return Reference(text(node), node.place)


def _tables(node: Node) -> tuple[Node, ...]:
    if node.array is None or not node.array:
        raise Misfit("one or more [[group]] tables", node)
    return tuple(node.array)


def _fonts(node: Node) -> dict[str, Node]:
    if node.table is None:
        raise Misfit("a table from font name to file")
    return node.table


DECK_KEYS = (
    Key("title", _title, "the deck's title: a text, or one text a language", required=True),
    Key("version", text, "the version printed in the page margin", ""),
    Key("languages", _languages, "language tags; the first is the base", required=True),
    Key("notes", text, "what players and designers should know about this set", ""),
    Key("fonts", _fonts, "fonts of the deck's own: name = file, or { regular, bold }"),
    Key("game", text, "the game whose figures the tables hold: unlimited-nine", ""),
    Key("arrangement", _reference, "a file that says how shaped tiles lie on a sheet"),
    Key("group", _tables, "one [[group]] for each kind of card", required=True),
)
GROUP_KEYS = (
    Key("name", text, "the group's name, used by --only", required=True),
    Key("title", _title, "what people call the group, one text a language", {}),
    Key("part", text, "what --part calls it; several groups may share one", default_doc="name"),
    Key(
        "table",
        _reference,
        "the file with the cards: .csv, .tsv, .xlsx, .json or .toml",
        required=True,
    ),
    Key("layout", _reference, "the layout of the fronts", required=True),
    Key("back", _reference, "the layout of the backs; without it the cards have none"),
    Key("unprinted", texts, "columns that no layout draws, on purpose", ()),
    Key("translations", _translations, "a second table by id for a language: { en = file }", {}),
)
FONT_KEYS = (
    Key("regular", text, "the TrueType file", required=True),
    Key("bold", text, "the TrueType file for bold runs"),
)


def load_deck(folder: Path, shown: str, problems: Problems) -> Deck | None:
    """Read the deck in `folder`; None if deck.toml itself is unusable.

    `shown` is how messages name the folder. Faults in tables are noted and the rest goes on.
    """
    file = folder / "deck.toml"
    try:
        node = read_toml(file, f"{shown}/deck.toml")
    except DataError as error:
        for problem in error.problems:
            problems.add(problem)
        return None
    record = read_leniently(node, DECK_KEYS, "deck.toml", problems)
    if not record["languages"] or not record["group"]:
        return None
    _check_title(record["title"] or {}, record["languages"], node, problems)
    source = _Source(folder, shown, record["languages"], problems)
    groups = [source.group(item) for item in record["group"]]
    _check_names([group for group in groups if group], problems)
    return Deck(
        name=folder.name,
        folder=folder,
        shown=shown,
        title=record["title"] or {},
        version=record["version"],
        languages=record["languages"],
        groups=tuple(group for group in groups if group),
        fonts=read_fonts(record["fonts"] or {}, folder, problems),
        notes=record["notes"],
        game=record["game"],
        arrangement=inside(folder, record["arrangement"], "arrangement", problems)
        if record["arrangement"]
        else None,
    )


class _Source:
    """The deck's folder and languages while its groups are read."""

    def __init__(
        self, folder: Path, shown: str, languages: tuple[str, ...], problems: Problems
    ) -> None:
        self._folder, self._shown = folder, shown
        self._languages, self._problems = languages, problems

    def group(self, node: Node) -> Group | None:
        record = read_leniently(node, GROUP_KEYS, "group", self._problems)
        if any(key.required and record[key.name] is None for key in GROUP_KEYS):
            return None
        read = self._table(record["table"])
        cards: tuple[Card, ...] = ()
        columns: dict[str, Place] = {}
        translated: set[str] = set()
        if read is not None:
            cards = cards_of(read, self._languages, self._problems)
            for cell in read.header:
                name, language = split_column(cell.value)
                columns.setdefault(name, cell.place)
                if language != NEUTRAL:
                    translated.add(name)
            cards = self._overlays(cards, record["translations"], columns, translated)
            for name in record["unprinted"]:
                if name not in columns:
                    hint = did_you_mean(name, columns)
                    self._problems.error(
                        f"unprinted names no column '{name}' of {read.shown}", node.place, hint
                    )
        return Group(
            name=record["name"],
            title=record["title"],
            part=record["part"] or record["name"],
            layout=record["layout"],
            back=record["back"],
            cards=cards,
            columns=columns,
            translated=frozenset(translated),
            place=node.place,
            unprinted=frozenset(record["unprinted"]),
        )

    def _overlays(
        self,
        cards: tuple[Card, ...],
        translations: Mapping[str, Reference],
        columns: dict[str, Place],
        translated: set[str],
    ) -> tuple[Card, ...]:
        for language, reference in translations.items():
            if language not in self._languages:
                hint = did_you_mean(language, self._languages)
                self._problems.error(
                    f"'{language}' is not in the deck's languages", reference.place, hint
                )
                continue
            table = self._table(reference)
            if table is None:
                continue
            cards = overlay(cards, table, language, self._problems)
            for cell in table.header:
                if cell.value != "id" and cell.value.lower() not in COUNT_NAMES:
                    columns.setdefault(cell.value, cell.place)
                    translated.add(cell.value)
        return cards

    def _table(self, reference: Reference) -> Table | None:
        path = inside(self._folder, reference, "table", self._problems)
        if path is None:
            return None
        try:
            return read_table(path, f"{self._shown}/{reference.name}", self._problems)
        except DataError as error:
            for problem in error.problems:
                self._problems.add(problem)
            return None


def inside(folder: Path, reference: Reference, what: str, problems: Problems) -> Path | None:
    """The file that `reference` names below `folder`; None after noting what is wrong.

    A path that leaves the folder is refused: a stranger's deck reads its own files only.
    """
    try:
        path = (folder / reference.name).resolve()
        is_file = path.is_file()
    except (OSError, ValueError):
        problems.error(f"{what} {short(repr(reference.name))} is no file name", reference.place)
        return None
    if not path.is_relative_to(folder.resolve()):
        problems.error(f"{what} '{reference.name}' lies outside the deck's folder", reference.place)
        return None
    if not is_file:
        names = [
            str(p.relative_to(folder))
            for p in folder.rglob("*")
            if p.suffix == path.suffix and p.is_file()
        ]
        problems.error(
            f"there is no {what} '{reference.name}' in the deck's folder",
            reference.place,
            did_you_mean(reference.name, names),
        )
        return None
    return path


def read_fonts(
    table: Mapping[str, Node], folder: Path, problems: Problems
) -> tuple[FontFiles, ...]:
    """The font families of a `[fonts]` table; files lie below `folder`."""
    families = []
    for name, node in table.items():
        if isinstance(node.value, str):
            record: dict[str, Any] | None = {"regular": node.value, "bold": None}
        else:
            record = read_record(node, FONT_KEYS, f"font '{name}'", problems)
        if record is None:
            continue
        regular = inside(folder, Reference(record["regular"], node.place), "font", problems)
        bold = None
        if record["bold"]:
            bold = inside(folder, Reference(record["bold"], node.place), "font", problems)
        if regular:
            families.append(FontFiles(name, regular, bold, node.place))
    return tuple(families)


def _check_title(
    title: Mapping[str, str], languages: tuple[str, ...], node: Node, problems: Problems
) -> None:
    place = (node.table or {}).get("title", node).place
    for language in title:
        if language != NEUTRAL and language not in languages:
            hint = did_you_mean(language, languages)
            problems.error(f"title in '{language}', which the deck does not list", place, hint)


def _check_names(groups: list[Group], problems: Problems) -> None:
    seen: dict[str, Group] = {}
    for group in groups:
        if group.name in seen:
            problems.error(f"two groups are named '{group.name}'", group.place)
        seen[group.name] = group
    ids: dict[str, Card] = {}
    for group in groups:
        for card in group.cards:
            if card.id in ids and "id" in group.columns:
                other = ids[card.id].place
                problems.error(f"id '{card.id}' stands twice", card.place, f"first at {other}")
            ids[card.id] = card
