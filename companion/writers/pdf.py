"""Scenes and sheets → PDF through ReportLab: text stays text, what repeats is stored once.

Card coordinates are points from the trim's bottom-left corner, y up. Content is written as PDF
operators, which costs a tenth of ReportLab's drawing calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, BinaryIO

from companion.drawing.fonts import Font
from companion.drawing.pictures import PictureFile
from companion.drawing.scene import Block, Image, Item, Op, Path, Run, Scene, Turned
from companion.errors import ExitCode, PrintError, Problems
from companion.layouts.colors import Color
from companion.sheets.model import Label, Page, Placement, SheetPlan
from companion.units import PT_PER_MM
from companion.writers.pdf_pictures import ImageStream, Spans, Variant, load_image
from companion.writers.pdf_svg import draw_svg_form
from companion.writers.tone import OUTLINE, Tone, ink, line, surface

_UM = PT_PER_MM / 1000
_MARK_WIDTH = 0.25
_MARK_GREY = "0.35 G"
_LABEL_POINTS = 6.0
_LABEL_SMALLEST = 4.5
_LABEL_GREY: Color = (0.35, 0.35, 0.35)


@dataclass(frozen=True)
class Look:
    """How pages are drawn: the tone, the shift of back pages (a printer's), the finest pictures.

    `back` is a PDF matrix in points; `max_ppi` 0 keeps every picture as it is.
    """

    tone: Tone = Tone.COLOR
    back: tuple[float, ...] = ()
    max_ppi: int = 0


@dataclass(frozen=True)
class Metadata:
    """What the PDF says of itself."""

    title: str
    subject: str = ""
    language: str = ""


FaceOf = Callable[[bool, int], tuple[Scene, bool]]
"""(is it the back?, card index) → its scene, and whether it is drawn more than once."""


def write_sheets(
    open_stream: Callable[[], AbstractContextManager[BinaryIO]],
    plans: list[tuple[SheetPlan, FaceOf]],
    metadata: Metadata,
    label_font: Font,
    progress: Callable[[int], None] = lambda pages: None,
    problems: Problems | None = None,
    look: Look = Look(),
) -> int:
    """Write all pages of all plans to a stream; returns the number of pages.

    Pictures that cannot be drawn are noted in `problems`; if it then holds an error, whoever
    noted it, that is raised before the stream is opened.
    """
    problems = Problems() if problems is None else problems
    with _reportlab_settings():
        document = _Document(metadata, label_font, problems, look)
        for plan, face_of in plans:
            for page in plan.pages:
                document.sheet_page(plan, page, face_of)
                progress(1)
        problems.raise_errors()
        with open_stream() as stream:
            document.save(stream)
        return document.pages


def write_pages(
    open_stream: Callable[[], AbstractContextManager[BinaryIO]],
    scenes: Iterable[Scene],
    metadata: Metadata,
    label_font: Font,
    problems: Problems | None = None,
    look: Look = Look(),
) -> int:
    """One scene a page, its bleed around it: MediaBox and BleedBox hold it, TrimBox does not.

    Returns the number of pages. Problems as in `write_sheets`.
    """
    problems = Problems() if problems is None else problems
    with _reportlab_settings():
        document = _Document(metadata, label_font, problems, look)
        for scene in scenes:
            document.scene_page(scene)
        problems.raise_errors()
        with open_stream() as stream:
            document.save(stream)
        return document.pages


@contextmanager
def _reportlab_settings() -> Iterator[None]:
    """Reproducible bytes and binary streams, and the settings as they were afterwards."""
    from reportlab import rl_config

    before = rl_config.useA85, rl_config.invariant
    rl_config.useA85, rl_config.invariant = 0, 1
    try:
        yield
    finally:
        rl_config.useA85, rl_config.invariant = before


class _Document:
    """A PDF being written: its canvas, and the forms made so far."""

    def __init__(
        self, metadata: Metadata, label_font: Font, problems: Problems, look: Look
    ) -> None:
        from reportlab.pdfbase import pdfmetrics
        from reportlab.pdfgen.canvas import Canvas

        pdfmetrics.registerFont(label_font.face)
        self.pages = 0
        self._problems = problems
        self._label_font = label_font
        # the initial font must be embedded: the default is a Helvetica that nobody asked for
        self._canvas = Canvas(
            None,
            pageCompression=1,
            invariant=1,
            initialFontName=label_font.face.fontName,
            lang=metadata.language or None,
        )
        self._canvas.setTitle(metadata.title)
        self._canvas.setSubject(metadata.subject)
        self._canvas.setAuthor("")
        self._canvas.setCreator("companion")
        self._look = look
        self._ink = _Ink(self._canvas, problems, look)

    def save(self, stream: BinaryIO) -> None:
        """Write object by object: ReportLab would first gather the whole file in memory."""
        from reportlab.pdfbase import pdfdoc

        ordinary = pdfdoc.PDFFile

        class StreamedFile(ordinary):  # type: ignore[misc]
            def __init__(self, *arguments: Any) -> None:
                super().__init__(*arguments)
                head: list[bytes] = self.strings  # type: ignore[has-type]
                stream.write(b"".join(head))
                self.strings: list[bytes] = []
                self.write = stream.write

        self._canvas._filename = stream
        pdfdoc.PDFFile = StreamedFile
        try:
            self._canvas.save()
        finally:
            pdfdoc.PDFFile = ordinary

    def sheet_page(self, plan: SheetPlan, page: Page, face_of: FaceOf) -> None:
        """One side of a sheet: cards, then marks and label."""
        frame = plan.frame
        height = frame.page_height
        self._canvas.setPageSize((frame.page_width * _UM, height * _UM))
        # a form made on an empty page would make ReportLab forget what the page uses
        self._canvas._code.append("")
        ops: list[str] = []
        if page.side == "back" and self._look.back and page.placements:
            ops.append(" ".join(f"{value:.6f}" for value in self._look.back) + " cm")
        for placement in page.placements:
            scene, shared = face_of(placement.back, placement.card)
            ops.append(self._placed(scene, placement, height, shared))
        if page.marks:
            ops.append(f"q {_MARK_GREY} {_MARK_WIDTH} w")
            ops.extend(
                f"{m.x1 * _UM:.3f} {(height - m.y1) * _UM:.3f} m "
                f"{m.x2 * _UM:.3f} {(height - m.y2) * _UM:.3f} l S"
                for m in page.marks
            )
            ops.append("Q")
        if page.fold:
            fold = page.fold
            y = (height - fold.y1) * _UM
            ops.append(
                f"q {_MARK_GREY} {_MARK_WIDTH} w [3 3] 0 d "
                f"{fold.x1 * _UM:.3f} {y:.3f} m {fold.x2 * _UM:.3f} {y:.3f} l S Q"
            )
        if page.bars:
            ops.append("q 0 g")
            ops.extend(
                f"{b.x * _UM:.3f} {(height - b.y - b.height) * _UM:.3f} "
                f"{b.width * _UM:.3f} {b.height * _UM:.3f} re f"
                for b in page.bars
            )
            ops.append("Q")
        if page.label:
            ops.append(self._label(page.label, height))
        if page.placements:
            self._boxes(page, frame.page_width, height)
        self._canvas._code.extend(ops)
        self._canvas.showPage()
        self.pages += 1

    def scene_page(self, scene: Scene) -> None:
        """A page as large as a scene with its bleed."""
        edge = scene.bleed * PT_PER_MM
        width, height = scene.width * PT_PER_MM, scene.height * PT_PER_MM
        self._canvas.setPageSize((width + 2 * edge, height + 2 * edge))
        self._canvas._code.append("")
        ops = self._ink.items(scene.items, scene.height, scene)
        self._canvas.setTrimBox((edge, edge, width + edge, height + edge))
        self._canvas.setBleedBox((0, 0, width + 2 * edge, height + 2 * edge))
        self._canvas._code.append(f"q 1 0 0 1 {edge:.4f} {edge:.4f} cm {ops} Q")
        self._canvas.showPage()
        self.pages += 1

    def _boxes(self, page: Page, width: int, height: int) -> None:
        """TrimBox round all trims of the page, BleedBox round all bleeds."""
        slots = [(p.slot, p.bleed) for p in page.placements]
        left = min(slot.x for slot, _ in slots)
        top = min(slot.y for slot, _ in slots)
        right = max(slot.x + slot.width for slot, _ in slots)
        bottom = max(slot.y + slot.height for slot, _ in slots)
        self._canvas.setTrimBox(_box(left, top, right, bottom, height))
        left = max(0, min(slot.x - bleed.left for slot, bleed in slots))
        top = max(0, min(slot.y - bleed.top for slot, bleed in slots))
        right = min(width, max(slot.x + slot.width + bleed.right for slot, bleed in slots))
        bottom = min(height, max(slot.y + slot.height + bleed.bottom for slot, bleed in slots))
        self._canvas.setBleedBox(_box(left, top, right, bottom, height))

    def _placed(self, scene: Scene, placement: Placement, height: int, shared: bool) -> str:
        slot, bleed = placement.slot, placement.bleed
        left, right = slot.x - bleed.left, slot.x + slot.width + bleed.right
        top, bottom = slot.y - bleed.top, slot.y + slot.height + bleed.bottom
        clip = (
            f"{left * _UM:.3f} {(height - bottom) * _UM:.3f} "
            f"{(right - left) * _UM:.3f} {(bottom - top) * _UM:.3f} re W n"
        )
        x, y = slot.x * _UM, (height - slot.y - slot.height) * _UM
        wide, tall = slot.width * _UM, slot.height * _UM
        matrix = {
            0: f"1 0 0 1 {x:.3f} {y:.3f}",
            90: f"0 -1 1 0 {x:.3f} {y + tall:.3f}",
            180: f"-1 0 0 -1 {x + wide:.3f} {y + tall:.3f}",
            270: f"0 1 -1 0 {x + wide:.3f} {y:.3f}",
        }[int(slot.turn)]
        return f"q {clip} {matrix} cm {self._ink.scene(scene, shared)} Q"

    def _label(self, label: Label, page_height: int) -> str:
        font, room = self._label_font, label.room * _UM
        text, width = "", 0.0
        for char in label.text:
            advance = font.widths.get(ord(char))
            if advance is None:
                self._note_label(f"no glyph for '{char}' (U+{ord(char):04X}), left out")
            elif (width + advance) * _LABEL_SMALLEST > room:
                self._note_label("it is too long and cut off")
                break
            else:
                text, width = text + char, width + advance
        points = min(_LABEL_POINTS, room / width) if width else _LABEL_POINTS
        run = Run(0, 0, text, font, points, _LABEL_GREY)
        turn = "0 1 -1 0" if label.upwards else "1 0 0 1"
        x, y = label.x * _UM, (page_height - label.y) * _UM
        return f"q {turn} {x:.3f} {y:.3f} cm {self._ink.items((run,), 0.0)} Q"

    def _note_label(self, message: str) -> None:
        self._problems.warning(f"the label in the page margin: {message}")


def _box(left: int, top: int, right: int, bottom: int, height: int) -> tuple[float, ...]:
    return (left * _UM, (height - bottom) * _UM, right * _UM, (height - top) * _UM)


class _Ink:
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
                    draw_svg_form(self._canvas, name, picture)
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
