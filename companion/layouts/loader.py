"""Reads layout files: finds them, follows `extends`, merges by element name, then resolves.

Merging comes first and works on raw tables, each file once (so a diamond of `extends` keeps every
override); only the merged whole is turned into elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.decks.model import Reference
from companion.errors import DataError, Place, Problems, did_you_mean
from companion.files.located import Node, read_toml
from companion.files.records import Key, Misfit, read_leniently, short, shown, text, texts
from companion.layouts.colors import BASIC, Color, Palette, parse_hex
from companion.layouts.elements import length_from_0, read_element
from companion.layouts.model import Element, Layout
from companion.layouts.shapes import shape
from companion.layouts.sizes import CARD_SIZES, card_size
from companion.shapes import Shape


def _bleed(node: Node) -> float:
    value = length_from_0(node)
    if value > 20:
        raise Misfit("a bleed from 0 to 20 mm")
    return value


def _elements(node: Node) -> list[Node]:
    if node.array is None:
        raise Misfit("[[element]] tables")
    return node.array


def _colors(node: Node) -> dict[str, Node]:
    if node.table is None:
        raise Misfit("a table from name to colour")
    return node.table


def _palette(nodes: dict[str, Node], problems: Problems) -> Palette:
    """The colours of a layout; a faulty one is noted once, where it is defined."""
    colors: dict[str, Color] = {}
    for name, node in nodes.items():
        if name in (*BASIC, "none") or not re.fullmatch(r"[\w-]+", name):
            problems.error(
                f"'{short(name)}' cannot name a colour", node.key_place, "one word, none of its own"
            )
        try:
            colors[name] = parse_hex(node.value)
        except ValueError as error:
            problems.error(f"{name} = {shown(node)} in [colors]: expected {error}", node.place)
            colors[name] = BASIC["black"]
    return Palette(colors)


LAYOUT_KEYS = (
    Key("extends", texts, "a layout, or several, to start from", ()),
    Key("size", card_size, "card size: a name (poker, bridge, tarot …) or [width, height]"),
    Key("shape", shape, 'an outline other than a rectangle: { type = "circle", diameter = 25 } …'),
    Key("corner", length_from_0, "radius of the cut card's corners (exports, cut files)", 0.0),
    Key("bleed", _bleed, "how far the background runs over the trim", 0.0),
    Key("safe", length_from_0, "text nearer to the trim than this gives a warning", 0.0),
    Key("colors", _colors, "colours by name", {}),
    Key("notes", text, "what the layout is for"),
    Key("element", _elements, "the elements, bottom to top", []),
)


@dataclass
class LayoutLibrary:
    """Finds layouts by name in `folders` (first wins), reads each once and remembers it."""

    folders: tuple[Path, ...]
    problems: Problems
    hidden: tuple[str, ...] = ()
    """Elements that are left out: by name, or all whose name begins with it and a hyphen."""
    hid: set[str] = field(default_factory=set)
    """Which of them there were."""
    _files: dict[str, Node | None] = field(default_factory=dict)
    _paths: dict[str, Path] = field(default_factory=dict)
    _layouts: dict[str, Layout | None] = field(default_factory=dict)

    def get(self, reference: Reference) -> Layout | None:
        """The layout that `reference` names, its faults noted; None if it cannot be read at all."""
        if reference.name not in self._layouts:
            self._layouts[reference.name] = self._load(reference)
        return self._layouts[reference.name]

    def names(self) -> list[str]:
        """The names of all layouts to be found."""
        found = {
            path.relative_to(folder).with_suffix("").as_posix()
            for folder in self.folders
            for path in folder.rglob("*.toml")
            if path.is_file() and path.parent.name != "sheets"
        }
        return sorted(found)

    def _load(self, reference: Reference) -> Layout | None:
        order: list[str] = []
        if not self._order(reference, (), order):
            return None
        nodes = [node for name in order if (node := self._files[name])]
        merged = _merge(nodes, self.problems)
        what = f"layout '{reference.name}'"
        record = read_leniently(merged, LAYOUT_KEYS, what, self.problems)
        palette = _palette(record["colors"], self.problems)
        table = merged.table or {}
        items = (table["element"].array or []) if "element" in table else []
        elements = [read_element(item, palette, self.problems) for item in items]
        files = tuple(str(self._paths[name]) for name in order)
        place = nodes[-1].place
        return self._build(reference.name, record, palette, elements, files, place, "size" in table)

    def _build(
        self,
        name: str,
        record: dict[str, Any],
        palette: Palette,
        elements: list[Element | None],
        files: tuple[str, ...],
        place: Place,
        has_size: bool,
    ) -> Layout:
        outline: Shape | None = record["shape"]
        if record["size"] is None and not has_size and outline is None:
            hint = 'size = "poker" or [63, 88], here or in a layout that it extends'
            self.problems.error(f"layout '{name}' has no size", place, hint)
        # after a fault nothing is printed, but the cards are still checked against the rest
        width, height = record["size"] or CARD_SIZES["poker"]
        if outline:
            width, height = outline.width, outline.height
        return Layout(
            name=name,
            place=place,
            width=width,
            height=height,
            corner=record["corner"],
            bleed=record["bleed"],
            safe=record["safe"],
            palette=palette,
            shape=outline,
            elements=tuple(self._shown(elements)),
            files=files,
        )

    def _shown(self, elements: list[Element | None]) -> Iterator[Element]:
        for element in elements:
            if element is None or not element.show:
                continue
            hiding = [
                n for n in self.hidden if element.name == n or element.name.startswith(f"{n}-")
            ]
            self.hid.update(hiding)
            if not hiding:
                yield element

    def _order(self, reference: Reference, path: tuple[str, ...], order: list[str]) -> bool:
        """Append the layouts that `reference` stands on, bases first, each once."""
        name = reference.name
        if name in path:
            cycle = " → ".join((*path[path.index(name) :], name))
            self.problems.error(f"layouts extend each other in a circle: {cycle}", reference.place)
            return False
        if name in order:
            return True
        node = self._file(reference)
        if node is None:
            return False
        bases = (node.table or {}).get("extends")
        sound = True
        for base in _references(bases):
            sound = self._order(base, (*path, name), order) and sound
        order.append(name)
        return sound

    def _file(self, reference: Reference) -> Node | None:
        if reference.name not in self._files:
            self._files[reference.name] = self._read(reference)
        return self._files[reference.name]

    def _read(self, reference: Reference) -> Node | None:
        for folder in self.folders:
            try:
                path = folder / f"{reference.name}.toml"
                if path.resolve().is_relative_to(folder.resolve()) and path.is_file():
                    self._paths[reference.name] = path
                    return read_toml(path, _shown(path))
            except (OSError, ValueError):
                break
            except DataError as error:
                for problem in error.problems:
                    self.problems.add(problem)
                return None
        self.problems.error(
            f"there is no layout '{short(reference.name)}'",
            reference.place,
            did_you_mean(reference.name, self.names()),
        )
        return None


def _references(node: Node | None) -> list[Reference]:
    if node is None:
        return []
    items = node.array if node.array is not None else [node]
    return [Reference(item.value, item.place) for item in items if isinstance(item.value, str)]


def _shown(path: Path) -> str:
    resolved = path.resolve()
    if resolved.is_relative_to(Path.cwd()):
        return resolved.relative_to(Path.cwd()).as_posix()
    for part in resolved.parents:
        if part.name in ("layouts", "cardsets"):
            return resolved.relative_to(part.parent).as_posix()
    return str(resolved)


def _merge(nodes: list[Node], problems: Problems) -> Node:
    """Later files win: plain keys replace, `colors` join, elements merge by name."""
    merged: dict[str, Node] = {}
    for node in nodes:
        for key, item in (node.table or {}).items():
            if key == "colors" and key in merged:
                joined = {**(merged[key].table or {}), **(item.table or {})}
                merged[key] = Node(joined, item.place, item.key_place)
            elif key == "element" and item.array is not None:
                before = merged[key].array if key in merged else []
                joined_list = _merge_elements(before or [], item.array, problems)
                merged[key] = Node(joined_list, item.place, item.key_place)
            else:
                merged[key] = item
    last = nodes[-1]
    return Node(merged, last.place, last.key_place)


def _merge_elements(base: list[Node], own: list[Node], problems: Problems) -> list[Node]:
    result = list(base)
    names: set[str] = set()
    for item in own:
        name = _name(item)
        if name and name in names:
            problems.error(f"element '{name}' stands twice in this file", item.place)
        names.add(name)
        at = next((i for i, old in enumerate(result) if name and _name(old) == name), None)
        if at is None and name and "type" not in (item.table or {}):
            hint = did_you_mean(name, [known for other in base if (known := _name(other))])
            message = f"element '{name}' has no 'type', and no inherited element has that name"
            problems.error(message, item.place, hint or 'type = "text", …')
            continue
        if at is None:
            result.insert(_place_before(item, result, problems), item)
            continue
        old, new = result[at], item
        table = _override(old.table or {}, new.table or {})
        result[at] = Node(table, new.place, new.key_place)
        if "before" in (new.table or {}):
            moved = result.pop(at)
            result.insert(_place_before(moved, result, problems), moved)
    return result


def _override(old: dict[str, Node], new: dict[str, Node]) -> dict[str, Node]:
    """The keys of `old` with those of `new` put over them; a new type starts afresh."""
    if "type" in new and "type" in old and new["type"].value != old["type"].value:
        return new
    kept = dict(old)
    for replaced, by in (("text", "paragraphs"), ("paragraphs", "text")):
        if by in new:
            kept.pop(replaced, None)
    return {**kept, **new}


def _place_before(item: Node, elements: list[Node], problems: Problems) -> int:
    before = (item.table or {}).get("before")
    if before is None:
        return len(elements)
    for index, other in enumerate(elements):
        if _name(other) == before.value:
            return index
    hint = did_you_mean(str(before.value), [name for item in elements if (name := _name(item))])
    problems.error(
        f"there is no element '{short(str(before.value))}' to stand before", before.place, hint
    )
    return len(elements)


def _name(node: Node) -> str:
    name = (node.table or {}).get("name")
    return name.value if name and isinstance(name.value, str) else ""
