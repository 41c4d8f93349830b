"""Scene items → PDF operators; what repeats becomes a Form XObject, pictures are stored once.

Card coordinates are points from the trim's bottom-left corner, y up. Operators are written as text,
which costs a tenth of ReportLab's drawing calls.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from companion.drawing.fonts import Font
from companion.drawing.pictures import PictureFile
from companion.drawing.scene import Block, Image, Item, Op, Path, Run, Scene, Turned
from companion.errors import ExitCode, PrintError, Problems
from companion.layouts.colors import Color
from companion.units import PT_PER_MM
from companion.writers.pdf_pictures import ImageStream, Spans, Variant, load_image
from companion.writers.pdf_svg import draw_svg_form
from companion.writers.tone import OUTLINE, Tone, ink, line, surface


@dataclass(frozen=True)
class Look:
    """How pages are drawn: the tone, the shift of back pages (a printer's), the finest pictures.

    `back` is a PDF matrix in points; `max_ppi` 0 keeps every picture as it is.
    """

    tone: Tone = Tone.COLOR
    back: tuple[float, ...] = ()
    max_ppi: int = 0


AS_DESIGNED = Look()


class Ink:
    """Turns items into PDF operators, making a Form XObject for each block and shared scene."""

    def __init__(self, canvas: Any, problems: Problems, look: Look) -> None:
        self._canvas = canvas
        self._look = look
        self._problems = problems
        self._forms: dict[int, tuple[str, object]] = {}
        self._pictures: dict[tuple[PictureFile, Variant], str] = {}
        self._encoded: dict[tuple[int, str], list[tuple[str, str]]] = {}

    def scene(self, scene: Scene, shared: bool) -> str:
        """The operators of a scene, by way of a form if it is shared."""
        if not shared:
            return self.items(scene.items, scene.height, scene)
        return self._form(scene, scene.items, scene)

    def items(self, items: tuple[Item, ...], height: float, scene: Scene | None = None) -> str:
        """Operators for items in card coordinates of a card `height` millimetres tall."""
        out: list[str] = []
        text = _TextState()
        for item in items:
            if isinstance(item, Run):
                self._run(item, height, text, out)
                continue
            text.close(out)
            if isinstance(item, Path):
                out.append(_path(item, height, self._look.tone))
            elif isinstance(item, Turned):
                out.append(self._turned(item, height, scene))
            elif isinstance(item, Block):
                assert scene is not None
                if item.items:
                    out.append(self._form(item, item.items, scene))
            elif isinstance(item, Image):
                out.append(self._image(item, height))
        text.close(out)
        return "\n".join(out)

    def _form(self, owner: object, items: tuple[Item, ...], scene: Scene) -> str:
        known = self._forms.get(id(owner))
        if known is None:
            name = f"c{len(self._forms)}"
            # kept with its owner: an id is only unique while its object lives
            self._forms[id(owner)] = (name, owner)
            edge = scene.bleed
            self._canvas.beginForm(
                name,
                -edge * PT_PER_MM,
                -edge * PT_PER_MM,
                (scene.width + edge) * PT_PER_MM,
                (scene.height + edge) * PT_PER_MM,
            )
            # forms inside this one must be made while it is open, to stand in its resources
            self._canvas._code.append("")
            ops = self.items(items, scene.height, scene)
            self._canvas._code.append(ops)
            self._canvas.endForm()
            known = self._forms[id(owner)]
        self._canvas._formsinuse.append(known[0])
        return f"/{self._canvas._doc.getXObjectName(known[0])} Do"

    def _turned(self, item: Turned, height: float, scene: Scene | None) -> str:
        """The matrix has y down; conjugated with the flip it becomes one with y up."""
        a, b, c, d, e, f = item.matrix
        # page(x, y) = (x, H − y): a, −b, −c, d, e + c·H, H − d·H − f
        shift_x = (e + c * height) * PT_PER_MM
        shift_y = (height - d * height - f) * PT_PER_MM
        # inside, a point of height 0 lies on the card's top: the clip is in those coordinates
        clip = f"{_outline(item.clip, height)} W n " if item.clip else ""
        inner = clip + self.items(item.items, height, scene)
        return f"q {a:.5f} {-b:.5f} {-c:.5f} {d:.5f} {shift_x:.3f} {shift_y:.3f} cm {inner} Q"

    def _run(self, run: Run, height: float, text: _TextState, out: list[str]) -> None:
        text.open(out)
        text.style(run, ink(run.color, self._look.tone), out)
        x, y = run.x * PT_PER_MM, (height - run.y) * PT_PER_MM
        out.append(f"1 0 0 1 {x:.3f} {y:.3f} Tm")
        for name, encoded in self._encode(run.font, run.text):
            text.font(name, run.points, out)
            out.append(f"<{encoded}> Tj")

    def _encode(self, font: Font, text: str) -> list[tuple[str, str]]:
        key = (id(font), text)
        found = self._encoded.get(key)
        if found is None:
            document = self._canvas._doc
            found = [
                (font.face.getSubsetInternalName(subset, document), chunk.hex())
                for subset, chunk in font.face.splitString(text, document)
            ]
            if len(self._encoded) < 4096:
                self._encoded[key] = found
        return found

    def _image(self, image: Image, height: float) -> str:
        """Each file is stored once; orientation, mirroring and clipping belong to the place."""
        name = self._picture(image)
        if not name:
            return ""
        wide, tall = image.width * PT_PER_MM, image.height * PT_PER_MM
        x, y = image.x * PT_PER_MM, (height - image.y - image.height) * PT_PER_MM
        place = f"{wide:.3f} 0 0 {tall:.3f} {x:.3f} {y:.3f} cm"
        clip = f"{_outline(image.clip, height)} W n " if image.clip else ""
        flip = _FLIP[image.flip]
        turn = "" if image.part else _ORIENTATION[image.picture.orientation]
        return f"q {clip}{place} {flip} {turn} /{name} Do Q"

    def _picture(self, image: Image) -> str:
        """The name of the stored picture; empty after noting that it cannot be drawn."""
        picture = image.picture
        document = self._canvas._doc
        variant = self._variant(image)
        key = (picture, variant)
        name = self._pictures.get(key)
        if name is None:
            name = f"p{len(self._pictures)}"
            try:
                if picture.format == "svg":
                    draw_svg_form(self._canvas, name, picture, variant.tone)
                else:
                    _add_image(document, name, load_image(picture, variant))
            except PrintError as error:
                self._problems.error(str(error), image.place, exit_code=ExitCode.PRINT)
                name = ""
            self._pictures[key] = name
        if not name:
            return ""
        self._canvas._formsinuse.append(name)
        return str(document.getXObjectName(name))

    def _variant(self, image: Image) -> Variant:
        """What must be changed in the file's pixels: nothing, in most prints."""
        pixels = (0, 0)
        limit = self._look.max_ppi
        if limit and not image.part:
            wanted = (round(image.width / 25.4 * limit), round(image.height / 25.4 * limit))
            if wanted[0] < image.picture.width:
                pixels = (max(1, wanted[0]), max(1, wanted[1]))
        return Variant(image.part, self._look.tone, pixels)


class _TextState:
    """What a text object has set so far, so that nothing is set twice."""

    def __init__(self) -> None:
        self._open = False
        self._color: Color | None = None
        self._spread = 0.0
        self._font: tuple[str, float] | None = None

    def open(self, out: list[str]) -> None:
        if not self._open:
            out.append("BT")
            self._open, self._font = True, None

    def close(self, out: list[str]) -> None:
        if self._open:
            if self._spread:
                out.append("0 Tc")
            out.append("ET")
            self._open, self._spread, self._color = False, 0.0, None

    def style(self, run: Run, color: Color, out: list[str]) -> None:
        if color != self._color:
            out.append(_fill(color))
            self._color = color
        if run.spread != self._spread:
            out.append(f"{run.spread:.4f} Tc")
            self._spread = run.spread

    def font(self, name: str, points: float, out: list[str]) -> None:
        if (name, points) != self._font:
            out.append(f"{name} {points:.4g} Tf")
            self._font = (name, points)


def _fill(color: Color) -> str:
    return "{:.4g} {:.4g} {:.4g} rg".format(*color)


def _path(path: Path, height: float, tone: Tone) -> str:
    if path.fill is None and path.stroke is None:
        return ""
    out = []
    if path.fill is not None:
        out.append(_fill(surface(path.fill, tone)))
    if path.stroke is None and tone is Tone.LOW_INK:
        # zero width: the thinnest line of the device, whatever scale the shape stands under
        path = replace(path, stroke=OUTLINE, stroke_width=0.0)
    if path.stroke is not None:
        out.append("{:.4g} {:.4g} {:.4g} RG".format(*line(path.stroke, tone)))
        out.append(f"{path.stroke_width * PT_PER_MM:.3f} w {path.cap} J {path.join} j")
        dash = " ".join(f"{d * PT_PER_MM:.3f}" for d in path.dash)
        out.append(f"[{dash}] 0 d")
    out.append(_outline(path.ops, height))
    out.append(_PAINT[path.fill is not None, path.stroke is not None, path.even_odd])
    return "\n".join(out)


def _outline(steps: tuple[Op, ...], height: float) -> str:
    out = []
    for kind, numbers in steps:
        points = " ".join(
            f"{(height - n if i % 2 else n) * PT_PER_MM:.3f}" for i, n in enumerate(numbers)
        )
        out.append(f"{points} {_OPERATOR[kind]}")
    return "\n".join(out)


@cache
def _lazy_stream() -> Any:
    """ReportLab's stream, whose content is read from the picture's file when it is written."""
    from reportlab.pdfbase.pdfdoc import PDFStream

    class LazyStream(PDFStream):  # type: ignore[misc]
        def format(self, document: Any) -> Any:
            content = self.content  # type: ignore[has-type]
            if isinstance(content, Spans):
                self.content = content.read()
            try:
                return super().format(document)
            finally:
                self.content = content

    return LazyStream


def _add_image(document: Any, name: str, image: ImageStream) -> Any:
    """Put an image (and its soft mask) into the document as the XObject `name`."""
    stream = _lazy_stream()(content=image.data)
    for key, value in image.entries:
        stream.dictionary[key] = value
    if image.mask:
        stream.dictionary["SMask"] = _add_image(document, f"{name}m", image.mask)
    return document.Reference(stream, document.getXObjectName(name))


_OPERATOR = {"Z": "h", "M": "m", "L": "l", "C": "c"}
_FLIP = {
    (False, False): "",
    (True, False): "-1 0 0 1 1 0 cm",
    (False, True): "1 0 0 -1 0 1 cm",
    (True, True): "-1 0 0 -1 1 1 cm",
}
"""Mirrored left to right, top to bottom."""
_ORIENTATION = {
    1: "",
    2: "-1 0 0 1 1 0 cm",
    3: "-1 0 0 -1 1 1 cm",
    4: "1 0 0 -1 0 1 cm",
    5: "0 -1 -1 0 1 1 cm",
    6: "0 -1 1 0 0 1 cm",
    7: "0 1 1 0 0 0 cm",
    8: "0 1 -1 0 1 0 cm",
}
"""EXIF orientation of a JPEG → the matrix that shows it upright in the unit square."""
_PAINT = {
    (True, True, False): "B",
    (True, True, True): "B*",
    (True, False, False): "f",
    (True, False, True): "f*",
    (False, True, False): "S",
    (False, True, True): "S",
}
