"""Vector icons: a small, strict part of SVG, drawn at any size in any colour.

`fill="currentColor"` (or no fill at all) takes the colour of the place where the icon stands; other
fills are kept. What this reader cannot draw is an error, never left out without a word. Drawing
programs' own notes (metadata, attributes in other namespaces) mean nothing and are skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from companion.drawing.scene import Item, Matrix, Op, Turned
from companion.drawing.scene import Path as ScenePath
from companion.drawing.svgpath import ellipse, finite, numbers, parse_path, polygon, rectangle
from companion.layouts.colors import Color, parse_hex

_NAMESPACE = "{http://www.w3.org/2000/svg}"
_LARGEST = 200_000
_DEEPEST = 100
_INHERITED = (
    "fill",
    "stroke",
    "stroke-width",
    "stroke-linecap",
    "stroke-linejoin",
    "fill-rule",
    "stroke-dasharray",
)
_IGNORED = {
    *("id", "class", "version", "width", "height", "viewBox", "role", "aria-label"),
    *("preserveAspectRatio", "baseProfile", "enable-background"),
}
_SKIPPED = ("title", "desc", "metadata")
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}


@dataclass(frozen=True)
class Shape:
    """One outline of an icon. Paint is a colour, "current" or None."""

    ops: tuple[Op, ...]
    fill: Color | str | None
    stroke: Color | str | None
    stroke_width: float
    dash: tuple[float, ...]
    cap: int
    join: int
    even_odd: bool


@dataclass(frozen=True)
class Icon:
    """Outlines in a box of `width` × `height` units from 0, 0; `clipped` if they leave it."""

    name: str
    width: float
    height: float
    shapes: tuple[Shape, ...]
    clipped: bool

    def placed(self, x: float, y: float, height: float, color: Color | None) -> Item:
        """The icon with its top-left corner at x, y and the given height (millimetres)."""
        scale = height / self.height
        matrix: Matrix = (scale, 0, 0, scale, x, y)
        clip = rectangle(0, 0, self.width, self.height) if self.clipped else ()
        return Turned(matrix, tuple(_painted(shape, color) for shape in self.shapes), clip)


def _painted(shape: Shape, color: Color | None) -> ScenePath:
    fill = color if shape.fill == "current" else shape.fill
    stroke = color if shape.stroke == "current" else shape.stroke
    assert not isinstance(fill, str) and not isinstance(stroke, str)
    return ScenePath(
        shape.ops,
        fill,
        stroke,
        shape.stroke_width,
        shape.dash,
        shape.cap,
        shape.join,
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
                    if path.is_file():
                        self._files.setdefault(path.stem, path)
        return self._files

    def get(self, name: str) -> Icon:
        """The icon called `name`. Raises KeyError if unknown, ValueError if it cannot be drawn."""
        if name not in self._icons:
            self._icons[name] = load_icon(self.files[name])
        return self._icons[name]


def load_icon(path: Path) -> Icon:
    """Read an SVG file. Raises ValueError saying what in it cannot be drawn."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ValueError(f"icon {path.name} cannot be read: {error.strerror}") from None
    if len(raw) > _LARGEST:
        raise ValueError(f"icon {path.name} is larger than {_LARGEST // 1000} kB")
    if b"<!ENTITY" in raw:
        raise ValueError(f"icon {path.name} defines entities, which an icon does not need")
    try:
        root = ElementTree.fromstring(raw)
    except (ElementTree.ParseError, ValueError) as error:
        raise ValueError(f"icon {path.name} is no SVG ({error})") from None
    try:
        return _icon(path.stem, root)
    except (ValueError, OverflowError, ZeroDivisionError) as error:
        raise ValueError(f"icon {path.name}: {error}") from None


def _icon(name: str, root: ElementTree.Element) -> Icon:
    if root.tag not in (f"{_NAMESPACE}svg", "svg"):
        raise ValueError("it is no SVG")
    box = numbers(root.get("viewBox", ""))
    if len(box) != 4 or not all(0.01 <= side <= 100_000 for side in box[2:]):
        raise ValueError("it needs a viewBox of four numbers, such as 0 0 24 24")
    x, y, width, height = box
    shapes = tuple(_shapes(root, {}, (-x, -y), 0))
    if not shapes:
        raise ValueError("it draws nothing")
    return Icon(name, width, height, shapes, any(_leaves(s, width, height) for s in shapes))


def _leaves(shape: Shape, width: float, height: float) -> bool:
    """Whether any of its points (with half the line's width) lies outside the box."""
    edge = shape.stroke_width / 2 if shape.stroke is not None else 0.0
    for _, points in shape.ops:
        for index, value in enumerate(points):
            if not edge - 1e-6 <= value <= (height if index % 2 else width) - edge + 1e-6:
                return True
    return False


def _shapes(
    node: ElementTree.Element, inherited: dict[str, str], offset: tuple[float, float], depth: int
) -> Iterator[Shape]:
    if depth > _DEEPEST:
        raise ValueError("its groups are nested too deeply")
    tag = str(node.tag).removeprefix(_NAMESPACE)
    if tag in _SKIPPED or tag.startswith("{"):
        return
    own = {key: value for key, value in node.attrib.items() if key in _INHERITED}
    style = {**inherited, **own}
    if tag == "g" or (tag == "svg" and depth == 0):
        _refuse_unknown(node, tag, set())
        for child in node:
            yield from _shapes(child, style, offset, depth + 1)
        return
    if tag == "defs" and not len(node):
        return
    if tag not in _OUTLINES:
        raise ValueError(f"<{tag}> cannot be drawn; known: g, {', '.join(_OUTLINES)}")
    names, outline = _OUTLINES[tag]
    _refuse_unknown(node, tag, set(names))
    yield _shape(_moved(outline(node), offset), style, closed=tag != "line")


def _refuse_unknown(node: ElementTree.Element, tag: str, own: set[str]) -> None:
    for name in node.attrib:
        if name.startswith("{") or name in own or name in _INHERITED or name in _IGNORED:
            continue
        raise ValueError(f"attribute '{name}' of <{tag}> cannot be drawn")


def _shape(ops: tuple[Op, ...], style: dict[str, str], *, closed: bool) -> Shape:
    dash = style.get("stroke-dasharray", "none")
    return Shape(
        ops=ops,
        fill=_paint(style.get("fill", "currentColor")) if closed else None,
        stroke=_paint(style.get("stroke", "none")),
        stroke_width=_positive(style.get("stroke-width", "1"), "stroke-width"),
        dash=() if dash == "none" else tuple(_positive(str(n), "dash") for n in numbers(dash)),
        cap=_word(style.get("stroke-linecap", "butt"), _CAPS, "stroke-linecap"),
        join=_word(style.get("stroke-linejoin", "miter"), _JOINS, "stroke-linejoin"),
        even_odd=style.get("fill-rule") == "evenodd",
    )


def _word(value: str, known: dict[str, int], what: str) -> int:
    if value not in known:
        raise ValueError(f"{what}='{value}' is none of {', '.join(known)}")
    return known[value]


def _paint(value: str) -> Color | str | None:
    value = value.strip()
    if value in ("none", "transparent"):
        return None
    if value.lower() == "currentcolor":
        return "current"
    if value.startswith("#"):
        return parse_hex(value)
    from PIL import ImageColor

    try:
        red, green, blue = ImageColor.getrgb(value)[:3]
    except ValueError:
        raise ValueError(f"'{value[:40]}' is no plain colour") from None
    return red / 255, green / 255, blue / 255


def _positive(text: str, what: str) -> float:
    value = finite(text.strip().removesuffix("px"))
    if value < 0:
        raise ValueError(f"{what} is negative: {text}")
    return value


def _number(node: ElementTree.Element, name: str, default: str = "0") -> float:
    return finite(node.get(name, default).strip().removesuffix("px"))


def _size(node: ElementTree.Element, name: str) -> float:
    """A length that must be over 0."""
    value = _positive(node.get(name, "0"), name)
    if value == 0:
        raise ValueError(f"<{str(node.tag).removeprefix(_NAMESPACE)}> has no {name}")
    return value


def _points(node: ElementTree.Element) -> list[tuple[float, float]]:
    found = numbers(node.get("points", ""))
    if len(found) < 4 or len(found) % 2:
        raise ValueError("points need pairs of numbers")
    return list(zip(found[::2], found[1::2], strict=True))


def _circle(node: ElementTree.Element) -> tuple[Op, ...]:
    r = _size(node, "r")
    return ellipse(_number(node, "cx"), _number(node, "cy"), r, r)


def _ellipse(node: ElementTree.Element) -> tuple[Op, ...]:
    center = (_number(node, "cx"), _number(node, "cy"))
    return ellipse(*center, _size(node, "rx"), _size(node, "ry"))


def _rect(node: ElementTree.Element) -> tuple[Op, ...]:
    radii = {_positive(node.attrib[name], name) for name in ("rx", "ry") if name in node.attrib}
    if len(radii) > 1:
        raise ValueError("a <rect> with different rx and ry cannot be drawn")
    corner = (_number(node, "x"), _number(node, "y"))
    radius = radii.pop() if radii else 0.0
    return rectangle(*corner, _size(node, "width"), _size(node, "height"), radius)


def _line(node: ElementTree.Element) -> tuple[Op, ...]:
    x1, y1, x2, y2 = (_number(node, name) for name in ("x1", "y1", "x2", "y2"))
    return (("M", (x1, y1)), ("L", (x2, y2)))


_OUTLINES: dict[str, tuple[tuple[str, ...], Callable[[ElementTree.Element], tuple[Op, ...]]]] = {
    "path": (("d",), lambda node: parse_path(node.get("d", ""))),
    "circle": (("cx", "cy", "r"), _circle),
    "ellipse": (("cx", "cy", "rx", "ry"), _ellipse),
    "rect": (("x", "y", "rx", "ry", "width", "height"), _rect),
    "line": (("x1", "y1", "x2", "y2"), _line),
    "polygon": (("points",), lambda node: polygon(_points(node))),
    "polyline": (("points",), lambda node: polygon(_points(node), closed=False)),
}


def _moved(ops: tuple[Op, ...], offset: tuple[float, float]) -> tuple[Op, ...]:
    if offset == (0.0, 0.0):
        return ops
    return tuple(
        (kind, tuple(n + offset[i % 2] for i, n in enumerate(points))) for kind, points in ops
    )
