"""Reads a located TOML table against a list of declared keys.

A file format is a tuple of `Key`s: name, how to read it, what it means. The same tuple drives the
reading, the error for a misspelt key, and the reference in docs/.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.errors import Problems, did_you_mean
from companion.files.located import Node

Convert = Callable[[Node], Any]


class Misfit(ValueError):
    """A value that does not fit: `expected` says what would; `node` is the exact spot."""

    def __init__(self, expected: str, node: Node | None = None, hint: str = "") -> None:
        self.expected, self.node, self.hint = expected, node, hint
        super().__init__(expected)


@dataclass(frozen=True)
class Key:
    """One key of a table: its name, its converter (raises Misfit or ValueError), its meaning."""

    name: str
    convert: Convert
    doc: str
    default: Any = None
    required: bool = False
    default_doc: str = ""
    """How the reference shows a default that is no plain value."""


def read_record(
    node: Node, keys: Iterable[Key], what: str, problems: Problems
) -> dict[str, Any] | None:
    """Read the table `node` into a dict with every key present (`default` if absent).

    Unknown keys, missing keys and values that do not fit are noted, all of them.
    Returns None if any was.
    """
    before = len(problems.errors)
    record = read_leniently(node, keys, what, problems)
    return record if len(problems.errors) == before else None


def read_leniently(
    node: Node, keys: Iterable[Key], what: str, problems: Problems
) -> dict[str, Any]:
    """Like `read_record`, but gives what could be read (`default` for the rest), so that a reader
    can go on and find the faults further down as well.
    """
    known = {key.name: key for key in keys}
    table = node.table
    if table is None:
        problems.error(f"{what} must be a table, not {shown(node)}", node.place)
        return {key.name: key.default for key in known.values()}
    for name, item in table.items():
        if name not in known:
            hint = did_you_mean(name, known)
            problems.error(f"unknown key '{name}' in {what}", item.key_place, hint)
    return {key.name: _read_key(table, key, what, node, problems) for key in known.values()}


def _read_key(
    table: Mapping[str, Node], key: Key, what: str, node: Node, problems: Problems
) -> Any:
    item = table.get(key.name)
    if item is None:
        if key.required:
            problems.error(f"{what} has no '{key.name}'", node.place, f"needed: {key.doc}")
        return key.default
    try:
        return key.convert(item)
    except Misfit as misfit:
        spot = misfit.node or item
        problems.error(
            f"{key.name} = {shown(spot)} in {what}: expected {misfit.expected}",
            spot.place,
            misfit.hint,
        )
    except ValueError as error:
        problems.error(f"{key.name} = {shown(item)} in {what}: expected {error}", item.place)
    return key.default


def shown(node: Node) -> str:
    """The value as one would quote it in a message, cut at 60 characters."""
    plain = node.plain()
    if isinstance(plain, bool):
        return str(plain).lower()
    if isinstance(plain, int) and abs(plain) > 10**60:
        return "a number of over 60 digits"
    return short(repr(plain) if isinstance(plain, str | int | float | list | dict) else str(plain))


def short(text: str) -> str:
    """The text, cut at 60 characters."""
    return text if len(text) <= 60 else text[:57] + "…"


def text(node: Node) -> str:
    """A string."""
    if not isinstance(node.value, str):
        raise Misfit("a text in quotes")
    return node.value


def boolean(node: Node) -> bool:
    """true or false."""
    if not isinstance(node.value, bool):
        raise Misfit("true or false")
    return node.value


def number(node: Node) -> float:
    """Any finite number."""
    if isinstance(node.value, bool) or not isinstance(node.value, int | float):
        raise Misfit("a number")
    if abs(node.value) > 1e9 or node.value != node.value:
        raise Misfit("a number of ordinary size")
    return float(node.value)


def counting(things: str = "") -> Convert:
    """A converter: how many (of the things), from 1 to 100."""

    def convert(node: Node) -> int:
        value = number(node)
        if not (value.is_integer() and 1 <= value <= 100):
            raise Misfit(f"a whole number{f' of {things}' if things else ''} from 1 to 100")
        return int(value)

    return convert


def texts(node: Node) -> tuple[str, ...]:
    """One string or an array of strings."""
    if isinstance(node.value, str):
        return (node.value,)
    if node.array is None:
        raise Misfit("a text or a list of texts")
    return tuple(_each(node, text))


def within(low: float, high: float) -> Convert:
    """A converter for a number from `low` to `high`."""

    def convert(node: Node) -> float:
        value = number(node)
        if not low <= value <= high:
            raise Misfit(f"a number from {low:g} to {high:g}")
        return value

    return convert


def one_of(*options: str) -> Convert:
    """A converter for one of a few words."""

    def convert(node: Node) -> str:
        if node.value not in options:
            hint = did_you_mean(str(node.value), options)
            raise Misfit("one of " + ", ".join(options), node, hint)
        return str(node.value)

    return convert


def pair_of(convert: Convert, expected: str) -> Convert:
    """A converter for an array of exactly two."""

    def read(node: Node) -> tuple[Any, Any]:
        if node.array is None or len(node.array) != 2:
            raise Misfit(expected)
        first, second = _each(node, convert)
        return first, second

    return read


def list_of(convert: Convert) -> Convert:
    """A converter for an array of any length."""

    def read(node: Node) -> tuple[Any, ...]:
        if node.array is None:
            raise Misfit("a list")
        return tuple(_each(node, convert))

    return read


def plain_value(parse: Callable[[object], Any]) -> Convert:
    """A converter from a parser of bare values that raises ValueError(expected)."""

    def convert(node: Node) -> Any:
        try:
            return parse(node.plain())
        except ValueError as error:
            raise Misfit(str(error), node) from None

    return convert


def _each(node: Node, convert: Convert) -> list[Any]:
    values = []
    for item in node.array or []:
        try:
            values.append(convert(item))
        except Misfit as misfit:
            raise Misfit(misfit.expected, misfit.node or item, misfit.hint) from None
        except ValueError as error:
            raise Misfit(str(error), item) from None
    return values
