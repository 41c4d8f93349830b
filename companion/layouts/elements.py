"""The keys of each element type, and how a record of them becomes an element.

The tuples of `Key`s here drive the reading, the suggestions for misspelt keys and the reference in
docs/.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.errors import Problems, did_you_mean
from companion.files.located import Node
from companion.files.records import (
    Key,
    Misfit,
    boolean,
    list_of,
    number,
    one_of,
    pair_of,
    plain_value,
    read_leniently,
    read_record,
    text,
    texts,
    within,
)
from companion.layouts.colors import BASIC, Palette, UnknownColor
from companion.layouts.model import (
    Circle,
    Element,
    FontChoice,
    Icon,
    Line,
    Outline,
    Paragraph,
    Picture,
    Polygon,
    Rectangle,
    Tag,
    Text,
)
from companion.layouts.values import choice_or, conditions, parse_template, template_then
from companion.units import EXPECTED_EXTENT, Extent, parse_extent, parse_length

_extent = plain_value(parse_extent)
_length = plain_value(parse_length)


def length_from_0(node: Node) -> float:
    """A length that is not negative."""
    value: float = _length(node)
    if not 0 <= value <= 1000:
        raise Misfit("a length from 0 to 1 m")
    return value


_point = pair_of(_extent, f"two lengths [x, y], each {EXPECTED_EXTENT}")
_FULL = (Extent(percent=100), Extent(percent=100))
_ORIGIN = (Extent(), Extent())
_ALIGN = ("left", "center", "right")
_VALIGN = ("top", "middle", "bottom")


def _points(node: Node) -> tuple[Any, ...]:
    points: tuple[Any, ...] = list_of(_point)(node)
    if len(points) < 3:
        raise Misfit("three or more points [x, y]")
    return points


def _fit(node: Node) -> tuple[float, float]:
    """One size in points, or [floor, start]."""
    if node.array is None:
        size = number(node)
        floor, start = size, size
    else:
        floor, start = pair_of(number, "[floor, start] in points")(node)
    if not 1 <= floor <= start <= 500:
        raise Misfit("a size in points, or [floor, start] with floor ≤ start, from 1 to 500")
    return floor, start


def _font(node: Node) -> FontChoice:
    names = texts(node)
    if not names:
        raise Misfit("a font's name, or a list of names")
    return FontChoice(names, node.place)


def _dash(node: Node) -> tuple[float, ...]:
    lengths: tuple[float, ...] = list_of(length_from_0)(node)
    if lengths and sum(lengths) == 0:
        raise Misfit("lengths of dash and gap that are not all 0")
    return lengths


def whole_number(value: str) -> int:
    """A small whole number. Raises ValueError(expected)."""
    if not value.strip().isdecimal() or int(value) > 500:
        raise ValueError("a whole number from 0 to 500")
    return int(value)


def _repeat(node: Node) -> Any:
    if isinstance(node.value, int) and not isinstance(node.value, bool):
        return whole_number(str(node.value))
    return template_then(whole_number)(node)


def color_of(palette: Palette, *, for_text: bool = False) -> Callable[[Node], Any]:
    """A converter for a colour (or None for 'none', unless for a text), by field if wanted."""

    def finish(value: str) -> Any:
        if for_text and value == "none":
            raise ValueError("a colour: a text without one would be lost")
        return palette.color(value)

    def convert(node: Node) -> Any:
        try:
            return template_then(finish)(node)
        except UnknownColor as error:
            raise Misfit(str(error), node, did_you_mean(error.name, palette.names)) from None
        except Misfit as misfit:
            name = next(iter(str(node.value).split()), "")
            hint = misfit.hint or did_you_mean(name, palette.names)
            raise Misfit(misfit.expected, node, hint) from None

    return choice_or(convert)


def _common_keys() -> tuple[Key, ...]:
    return (
        Key("name", text, "the element's name; a child layout overrides by it", required=True),
        Key("type", text, "what it is", required=True),
        Key(
            "at",
            _point,
            "top-left corner [x, y] from the trim's top-left",
            _ORIGIN,
            default_doc="[0, 0]",
        ),
        Key("size", _point, "width and height of the box", _FULL, default_doc="the whole card"),
        Key(
            "area",
            one_of("card", "bleed", "safe"),
            "a whole area instead of at and size: card, bleed (the card and its bleed), safe",
        ),
        Key("when", conditions, "show only for cards that meet the condition(s)", ()),
        Key("rotate", number, "degrees clockwise about the middle of the box", 0.0),
        Key("show", boolean, "false hides an inherited element", True),
        Key("before", text, "draw beneath this other element instead of on top"),
    )


def _paint_keys(palette: Palette) -> tuple[Key, ...]:
    color = color_of(palette)
    return (
        Key("fill", color, "fill colour, or 'none'"),
        Key("stroke", color, "line colour, or 'none'"),
        Key("stroke-width", length_from_0, "line width", 0.25),
        Key("dash", _dash, "lengths of dash and gap in turn", ()),
        Key("repeat", choice_or(_repeat), "how many times it is drawn, such as '{stamina}'", 1),
        Key(
            "step",
            pair_of(_length, "[x, y], two lengths"),
            "how far each repetition moves",
            (0.0, 0.0),
        ),
        Key("centered", boolean, "centre the repeated row on the first place", False),
    )


def _style_keys(palette: Palette) -> tuple[Key, ...]:
    color = color_of(palette, for_text=True)
    return (
        Key(
            "font",
            _font,
            "font family, or a list: each character from the first that has it",
            default_doc="sans",
        ),
        Key("color", color, "text colour", default_doc="black"),
        Key("bold-color", color, "colour of **bold** runs"),
        Key(
            "align",
            one_of(*_ALIGN, "justify"),
            "left, center, right or justify",
            default_doc="left",
        ),
        Key("when", conditions, "only for cards that meet the condition(s)", ()),
    )


def paragraph_keys(palette: Palette) -> tuple[Key, ...]:
    """The keys of one entry of a rich text's `paragraphs`."""
    return (
        Key(
            "text", choice_or(parse_template), "the text, with {fields} and {icons}", required=True
        ),
        *_style_keys(palette),
        Key("scale", within(0.1, 10), "size relative to the element's", 1.0),
        Key("gap", within(-2, 20), "space above it, in ems of the element's size", 0.0),
    )


def _text_keys(palette: Palette, *, rich: bool) -> tuple[Key, ...]:
    def paragraphs(node: Node) -> tuple[Node, ...]:
        if not node.array:
            raise Misfit("a list of paragraphs { text = … }")
        return tuple(node.array)

    several = (
        (Key("paragraphs", paragraphs, "several paragraphs, each with a style of its own"),)
        if rich
        else ()
    )
    return (
        Key("text", choice_or(parse_template), "the text, with {fields} and {icons}"),
        *several,
        *(key for key in _style_keys(palette) if key.name != "when"),
        Key(
            "fit",
            _fit,
            "size in points, or [floor, start]: the largest that fits",
            (9.0, 9.0),
            default_doc="9",
        ),
        Key("valign", one_of(*_VALIGN), "top, middle or bottom", "top"),
        Key("leading", within(0.5, 5), "distance of lines, in ems", 1.35),
        Key("same-size", boolean, "one size for all cards of the deck: the smallest needed", False),
    )


def element_keys(kind: str, palette: Palette) -> tuple[Key, ...]:
    """All keys that an element of type `kind` takes."""
    common, paint = _common_keys(), _paint_keys(palette)
    own: dict[str, tuple[Key, ...]] = {
        "rectangle": paint,
        "rounded-rectangle": (
            *paint,
            Key("corner", length_from_0, "radius of the corners", 2.0),
        ),
        "circle": (*paint, Key("ellipse", boolean, "fill the box instead of a circle", False)),
        "outline": paint,
        "tag": (
            *(key for key in paint if key.name == "fill"),
            Key("tag", choice_or(_repeat), "the tag's number, 0 to 99", required=True),
        ),
        "line": (
            *paint,
            Key("from", _point, "start [x, y]", required=True),
            Key("to", _point, "end [x, y]", required=True),
        ),
        "polygon": (*paint, Key("points", _points, "corners [[x, y], …]", required=True)),
        "icon": (
            *(key for key in paint if key.name not in ("stroke", "stroke-width", "dash")),
            Key(
                "icon",
                choice_or(template_then(str)),
                "the icon's name (icons/NAME.svg)",
                required=True,
            ),
            Key("align", one_of(*_ALIGN), "place in the box", "center"),
            Key("valign", one_of(*_VALIGN), "place in the box", "middle"),
        ),
        "picture": (
            Key(
                "picture",
                choice_or(template_then(str)),
                "a PNG, JPEG or SVG file below the deck's folder",
                required=True,
            ),
            Key(
                "fit",
                one_of("contain", "cover", "stretch", "tile"),
                "how it fills the box",
                "contain",
            ),
            Key("tile", length_from_0, "width of one tile; 0 is its size at 300 ppi", 0.0),
            Key(
                "extend",
                one_of("none", "mirror", "edge"),
                "make the bleed round the box from the picture: mirrored, or its edge drawn out",
                "none",
            ),
            Key("corner", length_from_0, "radius of the corners it is clipped to", 0.0),
            Key("align", one_of(*_ALIGN), "place in the box", "center"),
            Key("valign", one_of(*_VALIGN), "place in the box", "middle"),
        ),
        "text": _text_keys(palette, rich=False),
        "rich-text": _text_keys(palette, rich=True),
    }
    return (*common, *own[kind])


ELEMENT_TYPES = (
    "text",
    "rich-text",
    "rectangle",
    "rounded-rectangle",
    "circle",
    "outline",
    "line",
    "polygon",
    "tag",
    "icon",
    "picture",
)
_DEFAULT_FONT = "sans"


def read_element(node: Node, palette: Palette, problems: Problems) -> Element | None:
    """One element from its (merged) table, faults noted; None if nothing can be made of it."""
    table = node.table
    if table is None:
        problems.error("an element must be a table", node.place)
        return None
    name = table["name"].value if "name" in table else None
    what = f"element '{name}'" if isinstance(name, str) else "element"
    kind = table.get("type")
    if kind is None:
        problems.error(f"{what} has no 'type'", node.place, "one of " + ", ".join(ELEMENT_TYPES))
        return None
    if kind.value not in ELEMENT_TYPES:
        hint = did_you_mean(str(kind.value), ELEMENT_TYPES)
        problems.error(f"unknown element type '{kind.value}'", kind.place, hint)
        return None
    keys = element_keys(str(kind.value), palette)
    record = read_leniently(node, keys, what, problems)
    if any(key.required and record[key.name] is None for key in keys):
        return None
    del record["before"]
    record["place"] = node.place
    return _build(str(record.pop("type")), record, palette, node, problems)


def _build(
    kind: str, record: dict[str, Any], palette: Palette, node: Node, problems: Problems
) -> Element | None:
    if kind in ("text", "rich-text"):
        return _build_text(record, kind == "rich-text", palette, node, problems)
    if kind == "picture":
        return Picture(**record)
    record["stroke_width"] = record.pop("stroke-width", 0.0)
    if kind in ("icon", "tag"):
        record = {"repeat": 1, "step": (0.0, 0.0), "centered": False} | record
        record |= {"stroke": None, "dash": ()}
    elif (record["show"] and not ({"fill", "stroke"} & set(node.table or {}))) or (
        record["show"] and kind == "line" and "stroke" not in (node.table or {})
    ):
        needs = "a stroke" if kind == "line" else "a fill or a stroke"
        problems.error(f"element '{record['name']}' draws nothing: give it {needs}", node.place)
    if kind in ("rectangle", "rounded-rectangle"):
        return Rectangle(**{"corner": 0.0, **record})
    if kind == "line":
        return Line(start=record.pop("from"), end=record.pop("to"), **record)
    shapes: dict[str, Callable[..., Element]] = {
        "circle": Circle,
        "polygon": Polygon,
        "icon": Icon,
        "outline": Outline,
        "tag": Tag,
    }
    return shapes[kind](**record)


def _build_text(
    record: dict[str, Any], rich: bool, palette: Palette, node: Node, problems: Problems
) -> Text | None:
    entries = record.pop("paragraphs", None)
    template = record.pop("text")
    if (entries is None) == (template is None):
        choice = "either 'text' or 'paragraphs'" if rich else "a 'text'"
        problems.error(f"element '{record['name']}' needs {choice}", node.place)
        return None
    if entries is None:
        paragraphs: tuple[Paragraph, ...] = (_plain_paragraph(template),)
    else:
        read = [_paragraph(entry, palette, problems) for entry in entries]
        paragraphs = tuple(entry for entry in read if entry)
        if len(paragraphs) < len(read):
            return None
    return Text(
        paragraphs=paragraphs,
        rich=rich,
        font=record.pop("font") or FontChoice((_DEFAULT_FONT,), node.place),
        color=record.pop("color") or BASIC["black"],
        bold_color=record.pop("bold-color"),
        same_size=record.pop("same-size"),
        align=record.pop("align") or "left",
        **record,
    )


def _plain_paragraph(template: Any) -> Paragraph:
    return Paragraph(
        text=template,
        font=None,
        color=None,
        bold_color=None,
        scale=1.0,
        align=None,
        gap=0.0,
        when=(),
    )


def _paragraph(node: Node, palette: Palette, problems: Problems) -> Paragraph | None:
    record = read_record(node, paragraph_keys(palette), "paragraph", problems)
    if record is None:
        return None
    record["bold_color"] = record.pop("bold-color")
    return replace(_plain_paragraph(record["text"]), **record)
