"""Elements without text → items: shapes, icons and pictures of one card."""

from __future__ import annotations

from dataclasses import dataclass

from companion.drawing.fields import CardView
from companion.drawing.icons import Icon as IconDrawing
from companion.drawing.icons import IconShelf
from companion.drawing.pictures import PictureError, PictureShelf
from companion.drawing.scene import Image, Item, Op, Path, Turned
from companion.drawing.svgpath import ellipse, polygon, rectangle
from companion.errors import ExitCode, did_you_mean
from companion.layouts.colors import BASIC, Color
from companion.layouts.elements import whole_number
from companion.layouts.model import (
    Circle,
    Element,
    Icon,
    Layout,
    Line,
    Painted,
    Picture,
    Polygon,
    Rectangle,
)
from companion.layouts.values import Template

Box = tuple[float, float, float, float]
_SHIFT = {"left": 0.0, "top": 0.0, "center": 0.5, "middle": 0.5, "right": 1.0, "bottom": 1.0}


@dataclass(frozen=True)
class Shelves:
    """Where icons and pictures are found."""

    icons: IconShelf
    pictures: PictureShelf


def paint(
    element: Element, layout: Layout, box: Box, view: CardView, shelves: Shelves
) -> list[Item]:
    """The items of an element for one card; problems are noted in the view."""
    if isinstance(element, Picture):
        return _picture(element, box, view, shelves.pictures)
    assert isinstance(element, Painted)
    what = f"element '{element.name}'"
    count = view.resolve(element.repeat, whole_number, what)
    fill = view.resolve(element.fill, layout.palette.color, what)
    if isinstance(element, Icon) and element.fill is None:
        fill = BASIC["black"]
    stroke = view.resolve(element.stroke, layout.palette.color, what)
    once: list[Item] = (
        _icon(element, box, fill, view, shelves.icons)
        if isinstance(element, Icon)
        else _shape(element, layout, box, fill, stroke)
    )
    return _repeated(once, 1 if count is None else count, element)


def _repeated(once: list[Item], count: int, element: Painted) -> list[Item]:
    first = -(count - 1) / 2 if element.centered else 0.0
    items: list[Item] = []
    for number in range(count):
        dx, dy = (step * (first + number) for step in element.step)
        plain = dx == 0 and dy == 0
        items.extend(once if plain else [Turned((1, 0, 0, 1, dx, dy), tuple(once))])
    return items


def _shape(
    element: Painted, layout: Layout, box: Box, fill: Color | None, stroke: Color | None
) -> list[Item]:
    if fill is None and stroke is None:
        return []
    return [Path(_outline(element, layout, box), fill, stroke, element.stroke_width, element.dash)]


def _outline(element: Painted, layout: Layout, box: Box) -> tuple[Op, ...]:
    x, y, width, height = box
    if isinstance(element, Rectangle):
        return rectangle(x, y, width, height, element.corner)
    if isinstance(element, Circle):
        rx, ry = width / 2, height / 2
        if not element.ellipse:
            rx = ry = min(rx, ry)
        return ellipse(x + width / 2, y + height / 2, rx, ry)
    if isinstance(element, Line):
        ends = (element.start, element.end)
        return polygon(
            [(p[0].of(layout.width), p[1].of(layout.height)) for p in ends], closed=False
        )
    assert isinstance(element, Polygon)
    return polygon([(p[0].of(layout.width), p[1].of(layout.height)) for p in element.points])


def _icon(
    element: Icon, box: Box, color: Color | None, view: CardView, icons: IconShelf
) -> list[Item]:
    what = f"element '{element.name}'"
    name = view.resolve(element.icon, str, what)
    if not name:
        return []
    try:
        icon: IconDrawing = icons.get(name)
    except KeyError:
        hint = did_you_mean(name, icons.files)
        view.problems.error(
            f"card '{view.card.id}', {what}: there is no icon '{name}'", element.place, hint
        )
        return []
    except ValueError as error:
        view.problems.error(str(error), element.place)
        return []
    x, y, width, height = box
    if width <= 0 or height <= 0:
        view.problems.error(f"{what}: its box has no size", element.place)
        return []
    tall = min(height, width * icon.height / icon.width)
    wide = tall * icon.width / icon.height
    left = x + (width - wide) * _SHIFT[element.align]
    top = y + (height - tall) * _SHIFT[element.valign]
    return [icon.placed(left, top, tall, color)]


def _picture(element: Picture, box: Box, view: CardView, pictures: PictureShelf) -> list[Item]:
    what = f"element '{element.name}'"
    name = view.resolve(element.picture, str, what)
    if not name:
        return []
    place = element.place
    value = view.choose(element.picture, what)
    if isinstance(value, Template):
        place = view.text(next(value.refs))[1].place
    try:
        picture = pictures.get(name)
    except PictureError as error:
        message = f"card '{view.card.id}', {what}: {error}"
        view.problems.error(message, place, error.hint, ExitCode.PRINT)
        return []
    x, y, width, height = box
    if width <= 0 or height <= 0:
        view.problems.error(f"{what}: its box has no size", element.place)
        return []
    wide, tall = width, height
    if element.fit != "stretch":
        scales = (width / picture.width, height / picture.height)
        scale = min(scales) if element.fit == "contain" else max(scales)
        wide, tall = picture.width * scale, picture.height * scale
    elif abs(width / height - picture.width / picture.height) > 0.01:
        view.problems.warning(f"card '{view.card.id}', {what}: '{name}' is stretched", place)
    left = x + (width - wide) * _SHIFT[element.align]
    top = y + (height - tall) * _SHIFT[element.valign]
    shown = (max(left, x), max(top, y), min(wide, width), min(tall, height))
    clipped = element.corner > 0 or element.fit == "cover"
    clip = rectangle(*shown, element.corner) if clipped else ()
    return [Image(picture, left, top, wide, tall, clip, place)]
