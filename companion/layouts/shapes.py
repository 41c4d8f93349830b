"""The `shape` of a layout: an outline other than a rectangle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion import shapes
from companion.files.located import Node
from companion.files.records import Key, Misfit, list_of, number, one_of, plain_value
from companion.shapes import Shape
from companion.units import parse_length

_length = plain_value(parse_length)
SHAPE_TYPES = ("circle", "regular", "polygon", "rectangle", "rhombus", "isosceles", "trapezoid")


def _points(node: Node) -> Any:
    return tuple(tuple(values) for values in list_of(list_of(_length))(node) if len(values) == 2)


SHAPE_KEYS = (
    Key("type", one_of(*SHAPE_TYPES), "what it is", required=True),
    Key("diameter", _length, "circle: its diameter"),
    Key("corners", number, "regular: how many"),
    Key("across", _length, "regular: from a side to the opposite side or corner"),
    Key("points", _points, "polygon: its corners [[x, y], …]"),
    Key("sides", list_of(_length), "polygon: its sides, clockwise, the first along the top"),
    Key("angles", list_of(number), "polygon: the inner angle after each side, in degrees"),
    Key("width", _length, "rectangle"),
    Key("height", _length, "rectangle"),
    Key("side", _length, "rhombus: its side"),
    Key("acute", number, "rhombus: its acute angle in degrees", 60.0),
    Key("base", _length, "isosceles: the side at the bottom"),
    Key("bottom", _length, "trapezoid: the parallel side at the bottom"),
    Key("top", _length, "trapezoid: the parallel side on top"),
    Key("leg", _length, "isosceles, trapezoid: the two equal sides"),
)
_NEEDS: dict[str, tuple[tuple[str, ...], Callable[..., Shape]]] = {
    "circle": (("diameter",), shapes.circle),
    "regular": (("corners", "across"), lambda n, across: shapes.regular(int(n), across)),
    "rectangle": (("width", "height"), shapes.rectangle),
    "rhombus": (("side", "acute"), shapes.rhombus),
    "isosceles": (("base", "leg"), shapes.isosceles),
    "trapezoid": (("bottom", "top", "leg"), shapes.trapezoid),
}


def shape(node: Node) -> Shape:
    """A converter for the key `shape`. Raises Misfit."""
    table = node.table
    if table is None:
        raise Misfit('a table such as { type = "circle", diameter = 25 }')
    known = {key.name: key for key in SHAPE_KEYS}
    record: dict[str, Any] = {}
    for name, item in table.items():
        if name not in known:
            raise Misfit("the keys " + ", ".join(known), item)
        record[name] = known[name].convert(item)
    kind = record.pop("type", None)
    if kind is None:
        raise Misfit("a 'type': " + ", ".join(SHAPE_TYPES))
    if kind == "rhombus":
        record.setdefault("acute", 60.0)
    try:
        return _made(kind, record)
    except ValueError as error:
        raise Misfit(str(error), node) from None


def _made(kind: str, record: dict[str, Any]) -> Shape:
    if kind == "polygon" and set(record) == {"points"}:
        return shapes.from_points(record["points"])
    if kind == "polygon" and set(record) == {"sides", "angles"}:
        return shapes.from_sides(record["sides"], record["angles"])
    if kind == "polygon":
        raise ValueError("either points, or sides and angles")
    needs, make = _NEEDS[kind]
    if set(record) != set(needs):
        raise ValueError(f"a {kind} needs {' and '.join(needs)}, nothing else")
    return make(*(record[name] for name in needs))
