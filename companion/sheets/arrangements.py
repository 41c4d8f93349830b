"""Arrangements: how the tiles of one deck are laid on a sheet, as data.

[[arrangement]]
gap = [0, 0]                     # for gaps from … to … millimetres
rows = [
  [{ layout = "game/square", strips = [6, 6] }],
  [{ layout = "game/triangle", strips = [7, 6] }, { layout = "game/square", strips = [1] }],
]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.errors import Problems
from companion.files.located import Node, read_toml
from companion.files.records import (
    Key,
    Misfit,
    boolean,
    counting,
    list_of,
    number,
    pair_of,
    read_leniently,
    read_record,
    text,
)
from companion.shapes import Shape
from companion.sheets.nesting import Block, Row


def _tables(node: Node) -> list[Node]:
    if not node.array:
        raise Misfit("a list of tables")
    return node.array


BLOCK_KEYS = (
    Key("layout", text, "the layout of the tiles", required=True),
    Key("strips", list_of(counting("tiles")), "tiles in each strip, top to bottom", required=True),
    Key("flat", boolean, "lie on their long side", False),
)
ARRANGEMENT_KEYS = (
    Key("gap", pair_of(number, "[from, to]"), "for gaps from … to … mm", required=True),
    Key("rows", list_of(_tables), "rows of blocks", required=True),
)
FILE_KEYS = (Key("arrangement", _tables, "arrangements", required=True),)


def fitting_rows(
    path: Path, shapes: Mapping[str, Shape], cards: Mapping[str, Sequence[int]], gap: float
) -> list[Row] | None:
    """The rows for just these tiles at this gap; None if the file has none. Raises DataError."""
    problems = Problems()
    record = read_leniently(read_toml(path, path.name), FILE_KEYS, path.name, problems)
    wanted = {kind: len(members) for kind, members in cards.items()}
    for node in record["arrangement"] or []:
        entry = read_record(node, ARRANGEMENT_KEYS, "arrangement", problems)
        if entry is None:
            continue
        blocks = [[_block(item, problems) for item in row] for row in entry["rows"]]
        counts: dict[str, int] = {}
        for row in blocks:
            for block in row:
                if block:
                    counts[block["layout"]] = counts.get(block["layout"], 0) + sum(block["strips"])
        low, high = entry["gap"]
        if counts == wanted and low <= gap <= high and not problems.errors:
            # the counts agree, so every layout named is one of the shapes
            return [[_made(block, shapes) for block in row if block] for row in blocks]
    problems.raise_errors()
    return None


def _block(node: Node, problems: Problems) -> dict[str, Any] | None:
    return read_record(node, BLOCK_KEYS, "block", problems)


def _made(block: dict[str, Any], shapes: Mapping[str, Shape]) -> Block:
    name = block["layout"]
    return Block(name, shapes[name], tuple(block["strips"]), block["flat"])
