"""SVG pictures → Form XObjects one unit square large, by svglib."""

from __future__ import annotations

import logging
from typing import Any

from companion.drawing.pictures import PictureFile
from companion.errors import PrintError


def draw_svg_form(canvas: Any, name: str, picture: PictureFile) -> None:
    """Make the form `name` of an SVG file, scaled to the unit square. Raises PrintError."""
    from reportlab.graphics import renderPDF
    from svglib.svglib import svg2rlg

    logging.getLogger("svglib").setLevel(logging.CRITICAL)
    try:
        drawing = svg2rlg(str(picture.path))
    except Exception as error:
        # svglib passes on whatever its parsers raise
        raise PrintError(f"picture {picture.path.name} cannot be drawn: {error}") from None
    if drawing is None or not drawing.width or not drawing.height:
        raise PrintError(f"picture {picture.path.name} cannot be drawn: svglib finds nothing in it")
    canvas.beginForm(name, 0, 0, 1, 1)
    canvas._code.append("")
    canvas.saveState()
    canvas.scale(1 / drawing.width, 1 / drawing.height)
    renderPDF.draw(drawing, canvas, 0, 0)
    canvas.restoreState()
    canvas.endForm()
