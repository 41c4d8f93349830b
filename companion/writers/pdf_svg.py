"""SVG pictures → Form XObjects one unit square large, by svglib."""

from __future__ import annotations

import logging
from typing import Any

from companion.drawing.pictures import PictureFile
from companion.errors import PrintError
from companion.writers.tone import Tone, line, surface


def read_svg(picture: PictureFile) -> Any:
    """A ReportLab drawing of the file. Raises PrintError."""
    from svglib.svglib import svg2rlg

    logging.getLogger("svglib").setLevel(logging.CRITICAL)
    try:
        drawing = svg2rlg(str(picture.path))
    except Exception as error:
        # svglib passes on whatever its parsers raise
        raise PrintError(f"picture {picture.path.name} cannot be drawn: {error}") from None
    if drawing is None or not drawing.width or not drawing.height:
        raise PrintError(f"picture {picture.path.name} cannot be drawn: svglib finds nothing in it")
    return drawing


def draw_svg_form(canvas: Any, name: str, picture: PictureFile, tone: Tone) -> None:
    """Make the form `name` of an SVG file, scaled to the unit square. Raises PrintError."""
    from reportlab.graphics import renderPDF

    drawing = read_svg(picture)
    if tone is not Tone.COLOR:
        _tint(drawing, tone)
    canvas.beginForm(name, 0, 0, 1, 1)
    canvas._code.append("")
    canvas.saveState()
    canvas.scale(1 / drawing.width, 1 / drawing.height)
    renderPDF.draw(drawing, canvas, 0, 0)
    canvas.restoreState()
    canvas.endForm()


def _tint(node: Any, tone: Tone) -> None:
    """Turn the colours of a drawing and everything in it."""
    from reportlab.lib.colors import Color

    for name, change in (("fillColor", surface), ("strokeColor", line)):
        color = getattr(node, name, None)
        if color is not None:
            tinted = change((color.red, color.green, color.blue), tone)
            setattr(node, name, Color(*tinted, alpha=color.alpha))
    for child in getattr(node, "contents", ()):
        _tint(child, tone)
