"""Picture files: found inside the deck's folder, looked at without decoding, checked, placed.

Only the header is read here (format, pixels, orientation), so that a stranger's 50,000 × 50,000
pixel file is refused before anything is unpacked.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from companion.drawing.svgpath import parse_path
from companion.files.records import short

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MOST_PIXELS = 100_000_000
LARGEST_SVG = 5_000_000
_FORMATS = (".png", ".jpg", ".jpeg", ".svg")
_SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class PictureFile:
    """What a header says. `width`, `height` in pixels as shown (orientation applied)."""

    path: Path
    format: str
    width: int
    height: int
    orientation: int = 1
    """EXIF orientation of a JPEG, 1 to 8; 1 is upright."""
    not_drawn: tuple[str, ...] = ()
    """Parts of an SVG that will be missing."""


class PictureError(ValueError):
    """A picture that cannot be used; `hint` may name a file that could be meant."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.hint = hint
        super().__init__(message)


@dataclass
class PictureShelf:
    """Pictures of one deck: paths are below `folder`; each header is read once."""

    folder: Path
    _known: dict[str, PictureFile] = field(default_factory=dict)

    def get(self, name: str) -> PictureFile:
        """The picture that `name` means. Raises PictureError saying what is wrong."""
        if name not in self._known:
            self._known[name] = self._open(name)
        return self._known[name]

    def _open(self, name: str) -> PictureFile:
        try:
            path = (self.folder / name).resolve()
            is_file = path.is_file()
        except (OSError, ValueError):
            raise PictureError(f"{short(repr(name))} is no picture's name") from None
        if not path.is_relative_to(self.folder.resolve()):
            raise PictureError(f"picture '{name}' lies outside the deck's folder")
        if not is_file:
            tried = f"{self.folder.name}/{name}"
            raise PictureError(f"there is no picture '{name}' (tried {tried})", self._nearest(name))
        try:
            return read_header(path)
        except (struct.error, IndexError):
            raise PictureError(f"picture '{name}' is cut short or damaged") from None
        except OSError as error:
            raise PictureError(f"picture '{name}' cannot be read: {error.strerror}") from None
        except PictureError as error:
            raise PictureError(f"picture '{name}' {error}") from None

    def _nearest(self, name: str) -> str:
        names = [
            path.relative_to(self.folder).as_posix()
            for path in self.folder.rglob("*")
            if path.suffix.lower() in _FORMATS
        ]
        found = get_close_matches(name, names, n=1, cutoff=0.5)
        return f"did you mean '{found[0]}'?" if found else ""


def read_header(path: Path) -> PictureFile:
    """Format and size of a PNG, JPEG or SVG. Raises PictureError for anything else."""
    with path.open("rb") as stream:
        start = stream.read(32)
        if not start:
            raise PictureError("is an empty file")
        if start[:8] == b"\x89PNG\r\n\x1a\n":
            width, height = struct.unpack(">II", start[16:24])
            return _checked(PictureFile(path, "png", width, height))
        if start[:2] == b"\xff\xd8":
            stream.seek(0)
            return _checked(_jpeg_header(path, stream.read()))
    if path.suffix.lower() == ".svg":
        return _svg_header(path)
    raise PictureError("is neither PNG nor JPEG nor SVG")


def _checked(picture: PictureFile) -> PictureFile:
    if picture.width < 1 or picture.height < 1:
        raise PictureError("has no pixels")
    if picture.width * picture.height > MOST_PIXELS:
        raise PictureError(
            f"has {picture.width} × {picture.height} pixels; at most {MOST_PIXELS // 1_000_000} "
            "million are allowed"
        )
    return picture


def _jpeg_header(path: Path, data: bytes) -> PictureFile:
    orientation = 1
    for marker, segment in jpeg_segments(data):
        if marker == 0xE1 and segment[:6] == b"Exif\0\0":
            orientation = _orientation(segment[6:])
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", segment[1:5])
            if orientation >= 5:
                width, height = height, width
            return PictureFile(path, "jpeg", width, height, orientation)
    raise PictureError("is cut short or damaged")


def jpeg_segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """(marker, content) of each segment up to the compressed data. Raises PictureError."""
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            raise PictureError("is cut short or damaged")
        marker = data[at + 1]
        if marker == 0xFF or 0xD0 <= marker <= 0xD8 or marker == 0x01:
            at += 1 if marker == 0xFF else 2
            continue
        (length,) = struct.unpack(">H", data[at + 2 : at + 4])
        yield marker, data[at + 4 : at + 2 + length]
        at += 2 + length


def _orientation(tiff: bytes) -> int:
    """The orientation tag (0x0112) of an EXIF block; 1 if it has none."""
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None or len(tiff) < 14:
        return 1
    (offset,) = struct.unpack(order + "I", tiff[4:8])
    (count,) = struct.unpack(order + "H", tiff[offset : offset + 2])
    for number in range(count):
        entry = tiff[offset + 2 + 12 * number : offset + 14 + 12 * number]
        tag, _, _, value = struct.unpack(order + "HHIH", entry[:10])
        if tag == 0x0112:
            return value if 1 <= value <= 8 else 1
    return 1


_SVG_REFUSED = {
    "text": "text (its font would not be embedded): turn it into paths",
    "image": "another picture inside it",
    "script": "a script",
    "foreignObject": "a foreign object",
}
_SVG_MISSING = (
    "pattern",
    "filter",
    "mask",
    "marker",
    "symbol",
    "switch",
    "animate",
    "linearGradient",
    "radialGradient",
)
_SEE_THROUGH = re.compile(
    r"(?<![\w-])(?:fill-|stroke-)?opacity\s*[:=]\s*[\"']?\s*0?\.\d*[1-9]|rgba\(|hsla\("
)
_TRANSFORMS = re.compile(
    r"(?:matrix|translate|scale|rotate|skewX|skewY)\s*\(\s*[-+.\deE]+(?:[\s,]+[-+.\deE]+)*\s*\)"
)
_UNITS = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72, "pc": 25.4 / 6}


def _svg_header(path: Path) -> PictureFile:
    """Size of an SVG, and what in it cannot be drawn. Raises PictureError for what is refused."""
    from xml.etree import ElementTree

    raw = path.read_bytes()
    if len(raw) > LARGEST_SVG:
        raise PictureError(f"is larger than {LARGEST_SVG // 1_000_000} MB")
    if b"<!ENTITY" in raw:
        raise PictureError("defines entities, which a picture does not need")
    try:
        root = ElementTree.fromstring(raw)
    except (ElementTree.ParseError, ValueError) as error:
        raise PictureError(f"is no SVG ({error})") from None
    tags = {str(node.tag).removeprefix(_SVG) for node in root.iter()}
    for tag, what in _SVG_REFUSED.items():
        if tag in tags:
            raise PictureError(f"holds {what}")
    for node in root.iter():
        for name, value in node.attrib.items():
            if name.endswith("href") and not value.startswith("#"):
                raise PictureError(f"refers to another file: {short(value)}")
    _check_paths(root)
    missing = tuple(f"<{tag}>" for tag in _SVG_MISSING if tag in tags)
    if _SEE_THROUGH.search(raw.decode("utf-8", "replace")):
        missing = (*missing, "transparency")
    width, height = _svg_size(root)
    return PictureFile(path, "svg", width, height, not_drawn=missing)


def _check_paths(root: Element) -> None:
    """Raise PictureError for paths and transforms that svglib would drop without a word."""
    for node in root.iter():
        transform = node.get("transform", "")
        if _TRANSFORMS.sub("", transform).strip(" ,\t\r\n"):
            raise PictureError(f"has a transform that cannot be read: {short(transform)}")
        if str(node.tag) == f"{_SVG}path" and node.get("d", "").strip():
            try:
                parse_path(node.get("d", ""))
            except ValueError as error:
                raise PictureError(f"has a path that cannot be read ({error})") from None


def _svg_size(root: Element) -> tuple[int, int]:
    """Its proportions in whole units: by width and height, else by the viewBox."""
    box = root.get("viewBox", "").replace(",", " ").split()
    sides = [root.get("width", ""), root.get("height", "")]
    if len(box) == 4 and not all(re.match(r"[\d.]", s) and "%" not in s for s in sides):
        sides = box[2:4]
    try:
        width, height = (_svg_length(side.strip()) for side in sides)
    except ValueError:
        raise PictureError("has neither a viewBox nor a size") from None
    if not (0 < width < 1e6 and 0 < height < 1e6):
        raise PictureError("has no size")
    # proportions to a thousandth, whatever its unit
    scale = 10_000 / max(width, height)
    return max(1, round(width * scale)), max(1, round(height * scale))


def _svg_length(text: str) -> float:
    """Millimetres; a bare number is a pixel, 96 an inch."""
    unit = re.search(r"[a-z%]*$", text)
    name = unit[0] if unit else ""
    return float(text.removesuffix(name)) * _UNITS.get(name, 25.4 / 96)
