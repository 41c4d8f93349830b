"""Vector icons: a small, strict part of SVG, drawn at any size in any colour.

`fill="currentColor"` (or no fill at all) takes the colour of the place where the icon stands; other
fills are kept. What this reader cannot draw is an error, never left out without a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from companion.drawing.scene import Item, Matrix, Op, Turned
from companion.drawing.scene import Path as ScenePath
from companion.drawing.svgpath import ellipse, parse_path, polygon, rectangle
from companion.layouts.colors import Color, parse_hex

_NAMESPACE = "{http://www.w3.org/2000/svg}"
_LARGEST = 200_000
_INHERITED = (
    "fill",
    "stroke",
    "stroke-width",
    "stroke-linecap",
    "fill-rule",
    "stroke-dasharray",
)
_IGNORED = {
    *("id", "class", "version", "width", "height", "viewBox", "role", "aria-label"),
    *("stroke-linejoin", "xmlns"),
}


@dataclass(frozen=True)
class Shape:
    """One outline of an icon. Paint is a colour, "current" or None."""

    ops: tuple[Op, ...]
    fill: Color | str | None
    stroke: Color | str | None
    stroke_width: float
    dash: tuple[float, ...]
    round_ends: bool
    even_odd: bool


@dataclass(frozen=True)
class Icon:
    """Outlines in a box of `width` × `height` units, origin top-left."""

    name: str
    width: float
    height: float
    shapes: tuple[Shape, ...]

    def placed(self, x: float, y: float, height: float, color: Color) -> Item:
        """The icon with its top-left corner at x, y and the given height (millimetres)."""
        scale = height / self.height
        matrix: Matrix = (scale, 0, 0, scale, x, y)
        return Turned(matrix, tuple(_painted(shape, color) for shape in self.shapes))


def _painted(shape: Shape, color: Color) -> ScenePath:
    fill = color if shape.fill == "current" else shape.fill
    stroke = color if shape.stroke == "current" else shape.stroke
    assert not isinstance(fill, str) and not isinstance(stroke, str)
    return ScenePath(
        shape.ops,
        fill,
        stroke,
        shape.stroke_width,
        shape.dash,
        shape.round_ends,
        shape.even_odd,
    )


@dataclass
class IconShelf:
    """Icons by name from folders of SVG files; the first folder that has a name wins."""

    folders: tuple[Path, ...]
    _icons: dict[str, Icon] = field(default_factory=dict)
    _files: dict[str, Path] | None = None

    @property
    def files(self) -> dict[str, Path]:
        """Every icon name and its file."""
        if self._files is None:
            self._files = {}
            for folder in self.folders:
                for path in sorted(folder.glob("*.svg")):
                    self._files.setdefault(path.stem, path)
        return self._files

    def get(self, name: str) -> Icon:
        """The icon called `name`. Raises KeyError if unknown, ValueError if it cannot be drawn."""
        if name not in self._icons:
            self._icons[name] = load_icon(self.files[name])
        return self._icons[name]


def load_icon(path: Path) -> Icon:
    """Read an SVG file. Raises ValueError saying what in it cannot be drawn."""
    raw = path.read_bytes()
    if len(raw) > _LARGEST:
        raise ValueError(f"icon {path.name} is larger than {_LARGEST // 1000} kB")
    if b"<!DOCTYPE" in raw or b"<!ENTITY" in raw:
        raise ValueError(f"icon {path.name} has a DOCTYPE, which an icon does not need")
    try:
        root = ElementTree.fromstring(raw)
        x, y, width, height = (float(n) for n in re.split(r"[\s,]+", root.get("viewBox", "")))
    except (ElementTree.ParseError, ValueError, RecursionError) as error:
        raise ValueError(f"icon {path.name} is no SVG with a viewBox ({error})") from None
    if width <= 0 or height <= 0:
        raise ValueError(f"icon {path.name} has an empty viewBox")
    try:
        shapes = tuple(_shapes(root, {}, (-x, -y)))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"icon {path.name}: {error}") from None
    return Icon(path.stem, width, height, shapes)


def _shapes(
    node: ElementTree.Element, inherited: dict[str, str], offset: tuple[float, float]
) -> Iterator[Shape]:
    tag = str(node.tag).removeprefix(_NAMESPACE)
    if tag in ("title", "desc"):
        return
    style = {**inherited, **{k: v for k, v in node.attrib.items() if k in _INHERITED}}
    if tag in ("svg", "g"):
        _refuse_unknown(node, tag, set())
        for child in node:
            yield from _shapes(child, style, offset)
        return
    if tag not in _OUTLINES:
        raise ValueError(f"<{tag}> cannot be drawn; known: g, {', '.join(_OUTLINES)}")
    names, outline = _OUTLINES[tag]
    _refuse_unknown(node, tag, set(names))
    ops = _moved(outline(node), offset)
    closed = tag != "line"
    yield _shape(ops, style, closed)


def _refuse_unknown(node: ElementTree.Element, tag: str, own: set[str]) -> None:
    for name in node.attrib:
        if name not in own and name not in _INHERITED and name not in _IGNORED:
            raise ValueError(f"attribute '{name}' of <{tag}> cannot be drawn")


def _shape(ops: tuple[Op, ...], style: dict[str, str], closed: bool) -> Shape:
    return Shape(
        ops=ops,
        fill=_paint(style.get("fill", "currentColor")) if closed else None,
        stroke=_paint(style.get("stroke", "none")),
        stroke_width=float(style.get("stroke-width", "1")),
        dash=tuple(float(n) for n in re.findall(r"[\d.]+", style.get("stroke-dasharray", ""))),
        round_ends=style.get("stroke-linecap") == "round",
        even_odd=style.get("fill-rule") == "evenodd",
    )


def _paint(value: str) -> Color | str | None:
    if value == "none":
        return None
    if value == "currentColor":
        return "current"
    named = {"black": "#000", "white": "#fff"}.get(value, value)
    return parse_hex(named)


def _number(node: ElementTree.Element, name: str, default: str = "0") -> float:
    return float(node.get(name, default))


def _points(node: ElementTree.Element) -> list[tuple[float, float]]:
    numbers = [float(n) for n in re.findall(r"[-+.\deE]+", node.get("points", ""))]
    if len(numbers) < 4 or len(numbers) % 2:
        raise ValueError("points need pairs of numbers")
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _circle(node: ElementTree.Element) -> tuple[Op, ...]:
    r = _number(node, "r")
    return ellipse(_number(node, "cx"), _number(node, "cy"), r, r)


def _ellipse(node: ElementTree.Element) -> tuple[Op, ...]:
    return ellipse(*(_number(node, name) for name in ("cx", "cy", "rx", "ry")))


def _rect(node: ElementTree.Element) -> tuple[Op, ...]:
    x, y, width, height = (_number(node, name) for name in ("x", "y", "width", "height"))
    return rectangle(x, y, width, height, _number(node, "rx"))


def _line(node: ElementTree.Element) -> tuple[Op, ...]:
    x1, y1, x2, y2 = (_number(node, name) for name in ("x1", "y1", "x2", "y2"))
    return (("M", (x1, y1)), ("L", (x2, y2)))


_OUTLINES: dict[str, tuple[tuple[str, ...], Callable[[ElementTree.Element], tuple[Op, ...]]]] = {
    "path": (("d",), lambda node: parse_path(node.get("d", ""))),
    "circle": (("cx", "cy", "r"), _circle),
    "ellipse": (("cx", "cy", "rx", "ry"), _ellipse),
    "rect": (("x", "y", "rx", "width", "height"), _rect),
    "line": (("x1", "y1", "x2", "y2"), _line),
    "polygon": (("points",), lambda node: polygon(_points(node))),
    "polyline": (("points",), lambda node: polygon(_points(node), closed=False)),
}


def _moved(ops: tuple[Op, ...], offset: tuple[float, float]) -> tuple[Op, ...]:
    if offset == (0.0, 0.0):
        return ops
    return tuple(
        (kind, tuple(n + offset[i % 2] for i, n in enumerate(numbers))) for kind, numbers in ops
    )
