"""A board of Property Poker as a picture: the tiles as they are printed, the ruler, what it covers.

1 cm on the table is 1 cm in the picture. A tile that is hidden shows as an edge beneath the one
that lies on it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path as FilePath

from companion.drawing.fonts import Font
from companion.drawing.scene import Item, Path, Run, Scene, Turned
from companion.drawing.svgpath import ellipse, polygon, rectangle
from companion.errors import UsageError
from companion.export import pdf_of, pixels
from companion.files.atomic import replacing
from companion.games.property_poker.board import Board, Laid
from companion.games.property_poker.ruler import LENGTH
from companion.games.property_poker.tiles import OUTLINES, TILES, Point
from companion.job import Job, load_job
from companion.units import MM_PER_PT

DECK = "property-poker"
PPI = 150
_MOST_PIXELS = 30_000_000
"""A board that is spread far out is drawn coarser."""
_EDGE = 12.0
_INK = (0.10, 0.12, 0.14)
_MARK = (0.76, 0.09, 0.36)
_CLOSE = (0.95, 0.55, 0.0)
_FELT = (0.97, 0.965, 0.94)
_UNDER = 1.3
_RULER_WIDTH = 20.0
_DISC = 2.3

Ruler = tuple[Point, Point]


def write_picture(
    board: Board,
    target: FilePath,
    ruler: Ruler | None = None,
    covered: Sequence[str] = (),
    close: Sequence[str] = (),
) -> None:
    """Draw the board as PNG or SVG, by the file's ending. Raises UsageError, OSError."""
    suffix = target.suffix.lower()
    if suffix not in (".png", ".svg"):
        raise UsageError(f"{target}: a picture ends in .png or .svg")
    job = load_job(DECK, hide=("tag",))
    scene = board_scene(job, board, ruler, covered, close)
    job.problems.raise_errors()
    if suffix == ".svg":
        from companion.writers.svg import svg_of

        data = svg_of(scene, f"{len(board.laid)} tiles").encode()
    else:
        data = _png(job, scene)
    with replacing(target) as stream:
        stream.write(data)


def _png(job: Job, scene: Scene) -> bytes:
    import pypdfium2

    from companion.writers.raster import png_bytes, render

    document = pypdfium2.PdfDocument(pdf_of(job, [scene]))
    ppi = min(PPI, 25.4 * math.sqrt(_MOST_PIXELS / (scene.width * scene.height)))
    image = render(document, 0, pixels(scene, ppi))
    document.close()
    return png_bytes(image, ppi)


def board_scene(
    job: Job,
    board: Board,
    ruler: Ruler | None = None,
    covered: Sequence[str] = (),
    close: Sequence[str] = (),
) -> Scene:
    """Everything on one face, in millimetres with y down."""
    points = [point for tile in board.laid for point in tile.polygon]
    points += _body(*ruler) if ruler else []
    left = min((x for x, _ in points), default=0.0)
    right = max((x for x, _ in points), default=0.0)
    low = min((y for _, y in points), default=0.0)
    high = max((y for _, y in points), default=0.0)
    view = _View(10 * left - _EDGE, 10 * high + _EDGE)
    width, height = 10 * (right - left) + 2 * _EDGE, 10 * (high - low) + 2 * _EDGE
    items: list[Item] = [Path(rectangle(0, 0, width, height), _FELT)]
    faces = _Faces(job)
    hidden = board.hidden
    for tile in board.laid:
        if tile.id in hidden:
            items.append(_under(view, tile))
    for tile in board.visible.values():
        items.append(_printed(view, tile, faces[tile.id]))
    font = job.composer.fonts.shipped_regular()
    for number, id in enumerate(covered, 1):
        items += _covered(view, board[id], number, id in close, font)
    for id in close:
        if id not in covered:
            items.append(_outline(view, board[id], _CLOSE, 0.8, (1.6, 1.0)))
    if ruler:
        items += _ruler(view, ruler)
    return Scene(width, height, 0.0, tuple(items))


class _View:
    """Centimetres on the table, y up → millimetres in the picture, y down."""

    def __init__(self, left: float, top: float) -> None:
        self.left, self.top = left, top

    def at(self, point: Point) -> tuple[float, float]:
        return 10 * point[0] - self.left, self.top - 10 * point[1]


class _Faces(dict[str, Scene]):
    """Faces composed when first asked for: a board shows few of the deck's 330 cards."""

    def __init__(self, job: Job) -> None:
        super().__init__()
        self._job = job
        self._printed = {p.card.id: p for p in job.run if p.card.id in TILES}

    def __missing__(self, id: str) -> Scene:
        printed = self._printed[id]
        self[id] = self._job.composer.face(printed.front, printed.group, printed.card)
        return self[id]


def _printed(view: _View, tile: Laid, face: Scene) -> Turned:
    """The face, moved so that its anchor lies at the tile's and turned with it."""
    outline = OUTLINES[TILES[tile.id].kind]
    left, top = min(x for x, _ in outline), max(y for _, y in outline)
    ax, ay = -10 * left, 10 * top
    x, y = view.at((tile.pose.x, tile.pose.y))
    # y runs down: a turn counter-clockwise on the table keeps its sense for the eye
    a, b, c, d = tile.pose.cos, -tile.pose.sin, tile.pose.sin, tile.pose.cos
    matrix = (a, b, c, d, x - a * ax - c * ay, y - b * ax - d * ay)
    clip = polygon([(10 * (px - left), 10 * (top - py)) for px, py in outline])
    return Turned(matrix, face.items, clip)


def _under(view: _View, tile: Laid) -> Path:
    """A hidden tile: an edge that looks out below the tile on top."""
    points = [view.at(point) for point in tile.polygon]
    moved = [(x + _UNDER, y + _UNDER) for x, y in points]
    return Path(polygon(moved), (0.8, 0.8, 0.8), _INK, 0.3, dash=(0.8, 0.5))


def _outline(
    view: _View,
    tile: Laid,
    color: tuple[float, float, float],
    width: float,
    dash: tuple[float, ...] = (),
) -> Path:
    points = [view.at(point) for point in tile.polygon]
    return Path(polygon(points), None, color, width, dash=dash, join=1)


def _covered(view: _View, tile: Laid, number: int, close: bool, font: Font) -> Iterator[Item]:
    """A thick outline (dashed if it is too close to call) and the order along the ruler."""
    yield _outline(view, tile, _CLOSE if close else _MARK, 1.0, (2.0, 1.2) if close else ())
    anchor = view.at((tile.pose.x, tile.pose.y))
    corner = min((view.at(p) for p in tile.polygon), key=lambda p: (p[1], p[0]))
    x, y = (corner[i] + 0.3 * (anchor[i] - corner[i]) for i in (0, 1))
    yield Path(ellipse(x, y, _DISC, _DISC), _MARK, (1, 1, 1), 0.3)
    text = str(number)
    points = 9.0
    wide = sum(font.widths[ord(c)] for c in text) * points * MM_PER_PT
    yield Run(x - wide / 2, y + 0.37 * points * MM_PER_PT, text, font, points, (1, 1, 1))


def _body(a: Point, b: Point) -> list[Point]:
    """The corners of the ruler's body, which lies to the right of its edge (cm)."""
    nx, ny = ((b[1] - a[1]) / LENGTH, -(b[0] - a[0]) / LENGTH)
    wide = _RULER_WIDTH / 10
    return [a, b, (b[0] + nx * wide, b[1] + ny * wide), (a[0] + nx * wide, a[1] + ny * wide)]


def _ruler(view: _View, ruler: Ruler) -> Iterator[Item]:
    """The edge as a thick line from its start, the ruler's body beside it as a thin outline."""
    a, b = view.at(ruler[0]), view.at(ruler[1])
    ux, uy = (b[0] - a[0]) / (10 * LENGTH), (b[1] - a[1]) / (10 * LENGTH)
    body = [view.at(point) for point in _body(*ruler)]
    nx, ny = body[3][0] - a[0], body[3][1] - a[1]
    yield Path(polygon(body), None, _INK, 0.25, dash=(1.2, 0.8))
    for cm in range(int(LENGTH) + 1):
        x, y = a[0] + ux * 10 * cm, a[1] + uy * 10 * cm
        share = 0.14 if cm % 5 else 0.22
        yield _line((x, y), (x + nx * share, y + ny * share), 0.25)
    yield _line(a, b, 0.7, _MARK)
    yield Path(ellipse(*a, 1.3, 1.3), _MARK, (1, 1, 1), 0.3)


def _line(p: Point, q: Point, width: float, color: tuple[float, float, float] = _INK) -> Path:
    return Path(polygon([p, q], closed=False), None, color, width)
