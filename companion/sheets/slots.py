"""Slot files: ready places on label stock, pre-scored card paper or dies, as data.

paper = "a4"
slot-size = [63, 88]
[[slot]]
at = [8, 15]
rotate = 90          # clockwise, a multiple of 90
# or a grid
[[grid]]
at = [15, 15]
columns = 3
rows = 3
step = [65, 90]
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.errors import Problems, UsageError, did_you_mean
from companion.files.located import Node, read_toml
from companion.files.records import (
    Key,
    Misfit,
    counting,
    number,
    pair_of,
    plain_value,
    read_leniently,
    read_record,
    text,
)
from companion.sheets.model import Frame, Slot, Turn
from companion.sheets.papers import paper_size
from companion.units import parse_length, to_um

_pair = pair_of(plain_value(parse_length), "two lengths [x, y]")


def _paper(node: Node) -> tuple[float, float]:
    try:
        return paper_size(text(node))
    except UsageError as error:
        raise Misfit("a paper's name", node, str(error)) from None


def _turn(node: Node) -> Turn:
    degrees = number(node)
    if degrees % 90:
        raise Misfit("0, 90, 180 or 270 degrees clockwise")
    return Turn(int(degrees) % 360)


def _tables(node: Node) -> list[Node]:
    if node.array is None:
        raise Misfit("a list of tables")
    return node.array


SHEET_KEYS = (
    Key("title", text, "what this stock is called"),
    Key("paper", _paper, "the sheet's paper", required=True),
    Key("slot-size", _pair, "width and height of a card, upright", required=True),
    Key("slot", _tables, "single slots", []),
    Key("grid", _tables, "slots in rows and columns", []),
)
SLOT_KEYS = (
    Key("at", _pair, "the slot's top-left corner on the sheet", required=True),
    Key("rotate", _turn, "how the card is turned in it", Turn.NONE),
)
GRID_KEYS = (
    *SLOT_KEYS,
    Key("columns", counting(), "slots in a row", required=True),
    Key("rows", counting(), "slots in a column", required=True),
    Key("step", _pair, "from one slot to the next, across and down", required=True),
)


def sheet_names(folders: tuple[Path, ...]) -> dict[str, Path]:
    """Slot files by name; the first folder wins."""
    found: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.toml")):
            found.setdefault(path.stem, path)
    return found


def load_sheet(name: str, folders: tuple[Path, ...]) -> Frame:
    """The slots of the sheet called `name`, or of a file. Raises UsageError or DataError."""
    known = sheet_names(folders)
    path = known.get(name) or Path(name)
    if not path.is_file():
        hint = did_you_mean(name, known)
        raise UsageError(f"there is no sheet '{name}' ({hint or 'see companion list'})")
    problems = Problems()
    frame = _frame(read_toml(path, path.name), problems)
    problems.raise_errors()
    assert frame
    return frame


def _frame(node: Node, problems: Problems) -> Frame | None:
    record = read_leniently(node, SHEET_KEYS, "the sheet", problems)
    slots = list(_slots(record, problems))
    if not slots:
        problems.error("the sheet has no slot", node.place, "[[slot]] or [[grid]]")
    if problems.errors:
        return None
    page = tuple(to_um(side) for side in record["paper"])
    frame = Frame(page[0], page[1], tuple(slots), 1, len(slots))
    if frame.left < 0 or frame.top < 0 or frame.right > page[0] or frame.bottom > page[1]:
        problems.error("a slot leaves the paper", node.place)
    if any(_overlap(a, b) for i, a in enumerate(slots) for b in slots[:i]):
        problems.error("two slots overlap", node.place)
    return frame


def _slots(record: dict[str, Any], problems: Problems) -> Iterator[Slot]:
    size = record["slot-size"]
    if size is None:
        return
    index = 0
    for node in record["slot"]:
        entry = read_record(node, SLOT_KEYS, "slot", problems)
        if entry:
            yield _slot(entry["at"], size, entry["rotate"], index)
            index += 1
    for node in record["grid"]:
        entry = read_record(node, GRID_KEYS, "grid", problems)
        if entry is None:
            continue
        for row in range(entry["rows"]):
            for column in range(entry["columns"]):
                x = entry["at"][0] + column * entry["step"][0]
                y = entry["at"][1] + row * entry["step"][1]
                yield _slot((x, y), size, entry["rotate"], index)
                index += 1


def _slot(at: tuple[float, float], size: tuple[float, float], turn: Turn, index: int) -> Slot:
    width, height = size if turn % 180 == 0 else (size[1], size[0])
    return Slot(to_um(at[0]), to_um(at[1]), to_um(width), to_um(height), turn, index, 0)


def _overlap(a: Slot, b: Slot) -> bool:
    return (
        a.x < b.x + b.width
        and b.x < a.x + a.width
        and a.y < b.y + b.height
        and b.y < a.y + a.height
    )
