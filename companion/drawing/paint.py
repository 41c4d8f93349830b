"""Elements without text → items: shapes, icons and pictures of one card."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from companion.drawing.aruco import tag_outline
from companion.drawing.fields import CardView
from companion.drawing.fonts import Font
from companion.drawing.icons import Icon as IconDrawing
from companion.drawing.icons import IconShelf
from companion.drawing.pictures import PictureError, PictureFile, PictureShelf
from companion.drawing.scene import Image, Item, Op, Path, Run, Turned
from companion.drawing.svgpath import ellipse, polygon, rectangle
from companion.errors import ExitCode, Place, did_you_mean
from companion.layouts.colors import BASIC, Color
from companion.layouts.elements import whole_number
from companion.layouts.model import (
    Circle,
    Element,
    Icon,
    Layout,
    Line,
    Outline,
    Painted,
    Picture,
    Polygon,
    Rectangle,
    Tag,
)
from companion.layouts.values import Template
from companion.units import MM_PER_PT

Box = tuple[float, float, float, float]
_SHIFT = {"left": 0.0, "top": 0.0, "center": 0.5, "middle": 0.5, "right": 1.0, "bottom": 1.0}


@dataclass(frozen=True)
class Shelves:
    """Where icons and pictures are found; what to do about a missing one; a font for its name."""

    icons: IconShelf
    pictures: PictureShelf
    label_font: Callable[[], Font]
    missing: str = "error"


def paint(
    element: Element, layout: Layout, box: Box, view: CardView, shelves: Shelves
) -> list[Item]:
    """The items of an element for one card; problems are noted in the view."""
    if isinstance(element, Picture):
        return _picture(element, layout, box, view, shelves)
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
        else _tag(element, box, fill, view)
        if isinstance(element, Tag)
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
    if isinstance(element, Outline):
        if layout.shape:
            return polygon(list(layout.shape.points))
        return rectangle(0, 0, layout.width, layout.height, layout.corner)
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


def _tag(element: Tag, box: Box, fill: Color | None, view: CardView) -> list[Item]:
    number = view.resolve(element.tag, whole_number, f"element '{element.name}'")
    if number is None:
        return []
    x, y, width, height = box
    side = min(width, height)
    left, top = x + (width - side) / 2, y + (height - side) / 2
    try:
        outline = tag_outline(number, left, top, side)
    except ValueError as error:
        message = f"card '{view.card.id}', element '{element.name}': expected {error}"
        view.problems.error(message, element.place)
        return []
    return [Path(outline, fill or BASIC["black"])]


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


def _picture(
    element: Picture, layout: Layout, box: Box, view: CardView, shelves: Shelves
) -> list[Item]:
    what = f"element '{element.name}'"
    name = view.resolve(element.picture, str, what)
    if not name:
        return []
    place = element.place
    value = view.choose(element.picture, what)
    if isinstance(value, Template):
        place = view.text(next(value.refs))[1].place
    where = f"card '{view.card.id}', {what}"
    if box[2] <= 0 or box[3] <= 0:
        view.problems.error(f"{what}: its box has no size", element.place)
        return []
    try:
        picture = shelves.pictures.get(name)
    except PictureError as error:
        if shelves.missing == "placeholder":
            view.problems.warning(f"{where}: {error}; a placeholder is drawn", place, error.hint)
            return _placeholder(name, box, shelves)
        view.problems.error(f"{where}: {error}", place, error.hint, ExitCode.PRINT)
        return []
    if picture.not_drawn:
        view.problems.warning(
            f"{where}: '{name}' will lack its {', '.join(picture.not_drawn)}", place
        )
    try:
        images = _fitted(element, picture, box, place, layout)
    except PictureError as error:
        view.problems.error(f"{where}: '{name}' {error}", place, error.hint, ExitCode.PRINT)
        return []
    _check_picture(images[0], element, box, where, view)
    return list(images)


def _check_picture(image: Image, element: Picture, box: Box, where: str, view: CardView) -> None:
    picture = image.picture
    name = picture.path.name
    distortion = abs(box[2] / box[3] - picture.width / picture.height)
    if element.fit == "stretch" and distortion > 0.01:
        view.problems.warning(f"{where}: '{name}' is stretched", image.place)
    ppi = picture.width / image.width * 25.4
    if picture.format != "svg" and ppi < FEWEST_PPI:
        view.problems.warning(
            f"{where}: '{name}' lands at {ppi:.0f} ppi, under {FEWEST_PPI}: it will look coarse",
            image.place,
        )


FEWEST_PPI = 150
"""Pictures that land coarser than this are warned of."""
_NATURAL_PPI = 300


def _fitted(
    element: Picture, picture: PictureFile, box: Box, place: Place, layout: Layout
) -> list[Image]:
    """The picture in its box, tiled or with its bleed made from it if the layout asks for that.

    Raises PictureError for tiles without number or a bleed that cannot be made.
    """
    x, y, width, height = box
    clip = rectangle(*box, element.corner) if element.corner else ()
    if element.fit == "tile":
        return _tiles(element, picture, box, place)
    wide, tall = width, height
    if element.fit != "stretch":
        scales = (width / picture.width, height / picture.height)
        scale = min(scales) if element.fit == "contain" else max(scales)
        wide, tall = picture.width * scale, picture.height * scale
    left = x + (width - wide) * _SHIFT[element.align]
    top = y + (height - tall) * _SHIFT[element.valign]
    if element.fit == "cover" or element.corner:
        shown = (max(left, x), max(top, y), min(wide, width), min(tall, height))
        clip = rectangle(*shown, element.corner)
    images = [Image(picture, left, top, wide, tall, clip, place)]
    if element.extend == "edge":
        _check_edges(picture, (wide, tall), box)
    if element.extend != "none":
        images += _extended(element, images[0], box, layout.bleed)
    return images


def _tiles(element: Picture, picture: PictureFile, box: Box, place: Place) -> list[Image]:
    x, y, width, height = box
    wide = element.tile or picture.width / _NATURAL_PPI * 25.4
    tall = wide * picture.height / picture.width
    clip = rectangle(*box, element.corner)
    columns, rows = (
        math.ceil(side / step - 1e-9) for side, step in ((width, wide), (height, tall))
    )
    if element.extend != "none":
        raise PictureError("is tiled and extended at once", 'use area = "bleed" for tiles')
    if max(columns, rows) > _MOST_TILES:
        raise PictureError(
            f"would be tiled {columns} × {rows} times; at most {_MOST_TILES} a side",
            "make tile larger",
        )
    return [
        Image(picture, x + column * wide, y + row * tall, wide, tall, clip, place)
        for row in range(rows)
        for column in range(columns)
    ]


_MOST_TILES = 100


def _check_edges(picture: PictureFile, size: tuple[float, float], box: Box) -> None:
    """Edge pixels can be drawn out only where the picture's own edge is the box's."""
    if picture.format == "svg":
        raise PictureError("is an SVG, it has no edge pixels", 'extend = "mirror" works')
    if max(abs(size[0] - box[2]), abs(size[1] - box[3])) > 0.05:
        raise PictureError(
            "does not end at its box, so its edge cannot be drawn out",
            'extend = "mirror" works, or a picture of the box\'s proportions',
        )


def _extended(element: Picture, image: Image, box: Box, bleed: float) -> list[Image]:
    """Bleed round the box: the picture mirrored at its edges, or its edge pixels drawn out."""
    # about which line the picture is mirrored, for each column and row of the ring
    across = {-1: box[0], 1: box[0] + box[2]}
    down = {-1: box[1], 1: box[1] + box[3]}
    ring = []
    for row in (-1, 0, 1):
        for column in (-1, 0, 1):
            if row == column == 0:
                continue
            if element.extend == "mirror":
                ring.append(
                    replace(
                        image,
                        x=2 * across[column] - image.x - image.width if column else image.x,
                        y=2 * down[row] - image.y - image.height if row else image.y,
                        clip=_clip(box, column, row, bleed),
                        flip=(column != 0, row != 0),
                    )
                )
            else:
                part = "-".join(filter(None, (_ROWS[row], _COLUMNS[column])))
                left, top, right, bottom = _cell(box, column, row, bleed)
                ring.append(
                    Image(
                        image.picture,
                        left,
                        top,
                        right - left,
                        bottom - top,
                        (),
                        image.place,
                        part=part,
                    )
                )
    return ring


_ROWS = {-1: "top", 0: "", 1: "bottom"}
_COLUMNS = {-1: "left", 0: "", 1: "right"}


def _cell(box: Box, column: int, row: int, bleed: float) -> tuple[float, float, float, float]:
    """left, top, right, bottom of one of the eight cells of the bleed round a box."""
    x, y, width, height = box
    xs = {-1: (x - bleed, x), 0: (x, x + width), 1: (x + width, x + width + bleed)}[column]
    ys = {-1: (y - bleed, y), 0: (y, y + height), 1: (y + height, y + height + bleed)}[row]
    return xs[0], ys[0], xs[1], ys[1]


def _clip(box: Box, column: int, row: int, bleed: float) -> tuple[Op, ...]:
    left, top, right, bottom = _cell(box, column, row, bleed)
    return rectangle(left, top, right - left, bottom - top)


def _placeholder(name: str, box: Box, shelves: Shelves) -> list[Item]:
    """A crossed box with the name of what is missing."""
    x, y, width, height = box
    grey = (0.4, 0.4, 0.4)
    font = shelves.label_font()
    text = "".join(c for c in name if ord(c) in font.widths)
    room = sum(font.widths[ord(c)] for c in text) or 1.0
    points = min(8.0, 0.9 * width / room / MM_PER_PT)
    return [
        Path(rectangle(x, y, width, height), (0.95, 0.95, 0.95), grey, 0.3),
        Path((("M", (x, y)), ("L", (x + width, y + height))), None, grey, 0.3),
        Path((("M", (x + width, y)), ("L", (x, y + height))), None, grey, 0.3),
        Run(x + 0.05 * width, y + height / 2, text, font, points, (0.0, 0.0, 0.0)),
    ]
