"""Renders the pictures of the README from real output.

python docs/make_images.py
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any

from companion.board_picture import board_scene
from companion.export import pdf_of
from companion.games.property_poker.board import random_board
from companion.games.property_poker.ruler import draw
from companion.games.property_poker.tiles import TILES
from companion.job import load_job
from companion.press import PrintOptions, print_job

IMAGES = Path(__file__).parent / "images"
ONE_OF_EACH_FAMILY = "#3,#15,#29,#36,#41,#48,#54,#61,#71"
NINE_OF_UNLIMITED_NINE = "#7,#13,#24,#36,#42,#62,#83,#92,#98"
WIDE = 780
"""Pixels; the README shows pictures at about half of that."""


def page_of(deck: str, only: str | None, box: tuple[float, float, float, float], part: str) -> Any:
    """The first page of a print, cut to `box` (millimetres: left, top, right, bottom)."""
    import pypdfium2

    scale = WIDE / ((box[2] - box[0]) * 72 / 25.4)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.pdf"
        print_job(load_job(deck), PrintOptions(only=only, part=part or None), path)
        document = pypdfium2.PdfDocument(path)
        image = document[0].render(scale=scale).to_pil()
        document.close()
    return image.crop(tuple(round(v * scale * 72 / 25.4) for v in box))


def board() -> Any:
    """A full board with a draw that makes a hand."""
    import pypdfium2

    table = random_board(list(TILES), random.Random(11))
    polygons = table.polygons()
    for start in polygons:
        for aim in polygons:
            if start == aim:
                continue
            poses = table[start].pose, table[aim].pose
            found = draw(polygons, start, ((poses[0].x, poses[0].y), (poses[1].x, poses[1].y)))
            if found.hand and found.hand.name.odds >= 65 and not found.alarm:
                job = load_job("property-poker", hide=("tag",))
                ruler = (found.start, found.end)
                scene = board_scene(job, table, ruler, found.covered, found.close)
                document = pypdfium2.PdfDocument(pdf_of(job, [scene]))
                scale = WIDE / (scene.width * 72 / 25.4)
                return document[0].render(scale=scale).to_pil()
    raise AssertionError("no draw on this board makes a straight or better")


def save(image: Any, name: str, colors: int = 96) -> None:
    """Keep a picture small: few colours are enough for flat art."""
    from PIL import Image

    IMAGES.mkdir(exist_ok=True)
    image.convert("RGB").quantize(colors, method=Image.Quantize.MEDIANCUT).save(
        IMAGES / name, optimize=True
    )


def main() -> None:
    """Make all of them."""
    save(page_of("game-on", ONE_OF_EACH_FAMILY, (6, 12, 204, 285), ""), "game-on.png", 256)
    box = (6, 12, 204, 285)
    save(page_of("unlimited-nine", NINE_OF_UNLIMITED_NINE, box, ""), "unlimited-nine.png", 128)
    save(page_of("property-poker", None, (5, 5, 205, 292), "tiles"), "property-poker.png", 64)
    save(board(), "draw.png", 64)


if __name__ == "__main__":
    main()
