"""Renders the pictures of the README and the docs from real output.

python docs/make_images.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from companion.job import load_job
from companion.press import PrintOptions, print_job

IMAGES = Path(__file__).parent / "images"
NINE = "#3,#15,#29,#36,#41,#48,#54,#61,#71"
"""One card of each family."""


def page_of(deck: str, only: str, scale: float, box: tuple[float, float, float, float]) -> Any:
    """The first page of a print, cut to `box` (millimetres: left, top, right, bottom)."""
    import pypdfium2

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.pdf"
        print_job(load_job(deck), PrintOptions(only=only), path)
        document = pypdfium2.PdfDocument(path)
        image = document[0].render(scale=scale).to_pil()
        document.close()
    return image.crop(tuple(round(v * scale * 72 / 25.4) for v in box))


def save(image: Any, name: str) -> None:
    """Keep a picture small: 256 colours are enough for flat art."""
    from PIL import Image

    IMAGES.mkdir(exist_ok=True)
    image.convert("RGB").quantize(256, method=Image.Quantize.MEDIANCUT).save(
        IMAGES / name, optimize=True
    )


def main() -> None:
    """Make all of them."""
    save(page_of("game-on", NINE, 1.55, (6, 12, 204, 285)), "game-on.png")


if __name__ == "__main__":
    main()
