"""Values that depend on the card: `{field}` templates, `{ by = "kind", … }` choices, conditions.

No code runs in a layout: a template only puts a field's text in place, a choice only looks up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.errors import Place
from companion.files.located import Node
from companion.files.records import Misfit, boolean, number, text, texts

OTHER = "other"
"""`{name@other}`: the second chosen language, nothing if only one is chosen."""

_BRACES = re.compile(r"\{\{|\}\}|\{([^{}\n]*)\}|[{}]")


@dataclass(frozen=True)
class FieldRef:
    """`{name}`, `{name@en}`, `{name@other}`, or an icon: `{coin}`, `{icon:coin}`."""

    name: str
    language: str
    place: Place
    icon_only: bool = False


@dataclass(frozen=True)
class Template:
    """Literal texts and references, in order."""

    parts: tuple[str | FieldRef, ...]
    place: Place

    @property
    def refs(self) -> Iterator[FieldRef]:
        """The references in it."""
        return (part for part in self.parts if isinstance(part, FieldRef))

    @property
    def literal(self) -> str | None:
        """The text if nothing in it depends on the card."""
        if any(isinstance(part, FieldRef) for part in self.parts):
            return None
        return "".join(str(part) for part in self.parts)


@dataclass(frozen=True)
class ByField:
    """A choice by the value of a field; `otherwise` is None where no `else` was written."""

    field: FieldRef
    options: Mapping[str, Any]
    otherwise: Any
    has_else: bool
    place: Place


@dataclass(frozen=True)
class Condition:
    """One test of `when`; all of an element's must hold."""

    field: FieldRef | None
    values: frozenset[str] | None
    negated: bool
    empty: bool | None
    languages: int | None


def parse_template(node: Node) -> Template:
    """Split a text at its `{…}`. `{{` and `}}` stand for braces. Raises Misfit."""
    source = text(node)
    parts: list[str | FieldRef] = []
    literal, at = "", 0
    for match in _BRACES.finditer(source):
        literal += source[at : match.start()]
        at = match.end()
        if match[0] in ("{{", "}}"):
            literal += match[0][0]
        elif match[1] is None:
            raise Misfit("braces in pairs ('{{' stands for one brace)", node)
        else:
            if literal:
                parts.append(literal)
            literal = ""
            parts.append(parse_ref(match[1], node))
    literal += source[at:]
    if literal:
        parts.append(literal)
    return Template(tuple(parts), node.place)


def parse_ref(inner: str, node: Node) -> FieldRef:
    """`name`, `name@language`, `icon:name`. Raises Misfit."""
    name, _, language = inner.strip().removeprefix("{").removesuffix("}").partition("@")
    if name.startswith("icon:"):
        return FieldRef(name.removeprefix("icon:").strip(), "", node.place, icon_only=True)
    if not name.strip():
        raise Misfit("a field's name between the braces", node)
    return FieldRef(name.strip(), language.strip(), node.place)


def template_then(finish: Callable[[str], Any]) -> Callable[[Node], Any]:
    """A converter for a text that may hold fields: finished now if it is literal."""

    def convert(node: Node) -> Any:
        template = parse_template(node)
        literal = template.literal
        if literal is None:
            return template
        try:
            return finish(literal)
        except Misfit:
            raise
        except ValueError as error:
            raise Misfit(str(error), node) from None

    return convert


def choice_or(convert: Callable[[Node], Any]) -> Callable[[Node], Any]:
    """A converter that also takes `{ by = "field", value = …, else = … }`, nested if wanted."""

    def read(node: Node) -> Any:
        table = node.table
        if table is None or "by" not in table:
            return convert(node)
        ref = parse_ref(text(table["by"]), table["by"])
        options: dict[str, Any] = {}
        otherwise: Any = None
        for key, item in table.items():
            if key == "by":
                continue
            try:
                value = read(item)
            except Misfit as misfit:
                raise Misfit(misfit.expected, misfit.node or item, misfit.hint) from None
            except ValueError as error:
                raise Misfit(str(error), item) from None
            if key == "else":
                otherwise = value
            else:
                options[key] = value
        return ByField(ref, options, otherwise, "else" in table, node.place)

    return read


_CONDITION_KEYS = ("field", "is", "in", "not", "not-in", "empty", "languages")


def conditions(node: Node) -> tuple[Condition, ...]:
    """`when`: one table or a list of tables, all of which must hold."""
    if node.array is not None:
        return tuple(_condition(item) for item in node.array)
    return (_condition(node),)


def _condition(node: Node) -> Condition:
    table = node.table
    if table is None:
        raise Misfit('a condition such as { field = "kind", in = ["attack"] }', node)
    for key, item in table.items():
        if key not in _CONDITION_KEYS:
            raise Misfit("the keys " + ", ".join(_CONDITION_KEYS), item)
    if "languages" in table:
        if len(table) > 1:
            raise Misfit("'languages' alone, another condition beside it in a list", node)
        if table["languages"].value not in (1, 2):
            raise Misfit("1 or 2 languages", table["languages"])
        return Condition(None, None, False, None, int(number(table["languages"])))
    tests = [key for key in table if key != "field"]
    if "field" not in table or len(tests) != 1:
        raise Misfit("'field' and one of is, in, not, not-in, empty", node)
    ref = parse_ref(text(table["field"]), table["field"])
    test = tests[0]
    if test == "empty":
        return Condition(ref, None, False, boolean(table[test]), None)
    return Condition(ref, frozenset(texts(table[test])), test.startswith("not"), None, None)
