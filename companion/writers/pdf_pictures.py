"""PNG and JPEG files → PDF image streams, their compressed bytes as they are wherever PDF can.

Decoding and compressing again costs many times the time and space, so only what PDF cannot hold
(interlaced PNG, an alpha channel, palette transparency) is unpacked. What cannot be drawn right is
refused by name.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.drawing.pictures import PictureFile, jpeg_segments
from companion.errors import PrintError
from companion.writers.tone import LOW_INK_SHARE, Tone

_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


@dataclass(frozen=True)
class Spans:
    """Bytes that stay in their file until they are written: (offset, length) of each piece."""

    path: Path
    pieces: tuple[tuple[int, int], ...]

    def read(self) -> bytes:
        """The pieces joined. Raises PrintError if the file is no longer what it was."""
        parts = []
        try:
            with self.path.open("rb") as stream:
                for offset, length in self.pieces:
                    stream.seek(offset)
                    parts.append(stream.read(length))
        except OSError as error:
            raise PrintError(f"picture {self.path.name} is gone: {error.strerror}") from None
        if any(len(part) != length for part, (_, length) in zip(parts, self.pieces, strict=True)):
            raise PrintError(f"picture {self.path.name} has changed while it was printed")
        return b"".join(parts)


@dataclass(frozen=True)
class ImageStream:
    """The dictionary entries and bytes of a PDF image; `mask` is its soft mask."""

    entries: tuple[tuple[str, str], ...]
    data: bytes | Spans
    mask: ImageStream | None = None


@dataclass(frozen=True)
class Variant:
    """What is drawn instead of the file as it is.

    `part`: an edge of the picture ("left" … "bottom-right"), for bleed made from it; `tone`; and a
    smaller size in pixels, (0, 0) for its own.
    """

    part: str = ""
    tone: Tone = Tone.COLOR
    pixels: tuple[int, int] = (0, 0)


AS_IT_IS = Variant()


def load_image(picture: PictureFile, variant: Variant = AS_IT_IS) -> ImageStream:
    """The image stream of a picture. Raises PrintError naming the file."""
    try:
        data = picture.path.read_bytes()
        if variant != AS_IT_IS:
            return _changed(data, picture, variant)
        if picture.format == "jpeg":
            return _jpeg(data, picture.path)
        return _png(data, picture.path)
    except (zlib.error, struct.error, IndexError):
        reason = "the file is cut short or damaged"
    except (ValueError, OSError, SyntaxError) as error:
        reason = str(error)
    raise PrintError(f"picture {picture.path.name} cannot be drawn: {reason}")


def _common(width: int, height: int, bits: int, space: str) -> list[tuple[str, str]]:
    return [
        ("Type", "/XObject"),
        ("Subtype", "/Image"),
        ("Width", str(width)),
        ("Height", str(height)),
        ("BitsPerComponent", str(bits)),
        ("ColorSpace", space),
    ]


def _jpeg(data: bytes, path: Path) -> ImageStream:
    width, height, channels, bits, adobe = _jpeg_frame(data)
    # phones write more bytes after the end of the picture
    if b"\xff\xd9" not in data[data.rfind(b"\xff\xda") :]:
        raise ValueError("the file is cut short")
    space = {1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK"}.get(channels)
    if space is None or bits != 8:
        raise ValueError(f"a JPEG with {channels} channels of {bits} bits")
    entries = [*_common(width, height, 8, space), ("Filter", "/DCTDecode")]
    if channels == 4 and adobe:
        # Adobe stores CMYK inverted
        entries.append(("Decode", "[1 0 1 0 1 0 1 0]"))
    return ImageStream(tuple(entries), Spans(path, ((0, len(data)),)))


def _jpeg_frame(data: bytes) -> tuple[int, int, int, int, bool]:
    """(width, height, channels, bits, whether Adobe's marker stands in it, wherever that is)."""
    frame: tuple[int, int, int, int] | None = None
    adobe = False
    for marker, segment in jpeg_segments(data):
        if marker == 0xEE and segment[:5] == b"Adobe":
            adobe = True
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            bits, height, width, channels = struct.unpack(">BHHB", segment[:6])
            frame = width, height, channels, bits
        if marker == 0xDA:
            break
    if frame is None:
        raise ValueError("the file is cut short")
    return *frame, adobe


@dataclass(frozen=True)
class _Png:
    width: int
    height: int
    bits: int
    kind: int
    interlaced: bool
    palette: bytes
    transparency: bytes
    pieces: tuple[tuple[int, int], ...]
    packed: bytes


def _png(data: bytes, path: Path) -> ImageStream:
    png = _read_png(data)
    plain = png.kind in (0, 2, 3) and not png.transparency and not png.interlaced
    if not plain:
        return _unpacked(data, png)
    _check_length(png)
    space = {
        0: "/DeviceGray",
        2: "/DeviceRGB",
        3: f"[/Indexed /DeviceRGB {len(png.palette) // 3 - 1} <{png.palette.hex()}>]",
    }[png.kind]
    columns = f"/Colors {_CHANNELS[png.kind]} /BitsPerComponent {png.bits} /Columns {png.width}"
    entries = [
        *_common(png.width, png.height, png.bits, space),
        ("Filter", "/FlateDecode"),
        ("DecodeParms", f"<< /Predictor 15 {columns} >>"),
    ]
    return ImageStream(tuple(entries), Spans(path, png.pieces))


def _read_png(data: bytes) -> _Png:
    fields: tuple[int, ...] = ()
    palette = transparency = b""
    packed, pieces = [], []
    ended = False
    for kind, chunk, offset in _chunks(data):
        if kind == b"IHDR":
            fields = struct.unpack(">IIBBBBB", chunk)
        elif kind == b"PLTE":
            palette = chunk
        elif kind == b"tRNS":
            transparency = chunk
        elif kind == b"IDAT":
            packed.append(chunk)
            pieces.append((offset, len(chunk)))
        ended = kind == b"IEND"
    if not fields or not packed or not ended:
        raise ValueError("the file is cut short")
    width, height, bits, color, _, _, interlace = fields
    if color not in _CHANNELS or bits not in (1, 2, 4, 8, 16):
        raise ValueError("no PNG colour type that exists")
    if color == 3 and not palette:
        raise ValueError("it has no palette")
    return _Png(
        width,
        height,
        bits,
        color,
        bool(interlace),
        palette,
        transparency,
        tuple(pieces),
        b"".join(packed),
    )


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes, int]]:
    """(kind, content, where the content begins in the file)."""
    at = 8
    while at + 12 <= len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, chunk = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        (checksum,) = struct.unpack(">I", data[at + 8 + length : at + 12 + length])
        if zlib.crc32(kind + chunk) != checksum:
            raise ValueError("its bytes are damaged (a checksum is off)")
        yield kind, chunk, at + 8
        if kind == b"IEND":
            return
        at += 12 + length
    raise ValueError("the file is cut short")


def _check_length(png: _Png) -> None:
    """A sound checksum does not yet mean that there are pixels enough: unpack and count."""
    row = (png.width * _CHANNELS[png.kind] * png.bits + 7) // 8 + 1
    unpacker = zlib.decompressobj()
    total = len(unpacker.decompress(png.packed, row * png.height + 1))
    if total != row * png.height:
        raise ValueError("it holds fewer pixels than it says")


def _unpacked(data: bytes, png: _Png) -> ImageStream:
    """An image with alpha (as soft mask) or interlacing, decoded by Pillow and packed again."""
    import io

    from PIL import Image

    with Image.open(io.BytesIO(data)) as opened:
        opened.load()
        has_alpha = png.kind in (4, 6) or png.transparency
        if not has_alpha:
            return _packed(_rgba(opened).convert("L" if png.kind == 0 else "RGB"))
        full = _rgba(opened)
        colors, alpha = full.convert("RGB"), full.getchannel("A")
    mask = None if alpha.getextrema() == (255, 255) else _packed(alpha)
    image = _packed(colors)
    return ImageStream(image.entries, image.data, mask=mask)


def _changed(data: bytes, picture: PictureFile, variant: Variant) -> ImageStream:
    """Pixels cut, shrunk or toned by Pillow; orientation stays with the place of drawing."""
    import io

    from PIL import Image, ImageOps

    with Image.open(io.BytesIO(data)) as opened:
        opened.load()
        full = _rgba(opened)
    if variant.part:
        full = ImageOps.exif_transpose(full)
        full = full.crop(_edge_box(variant.part, full.width, full.height))
    elif variant.pixels != (0, 0):
        size = variant.pixels if picture.orientation < 5 else variant.pixels[::-1]
        full = full.resize(size, Image.Resampling.LANCZOS)
    alpha = full.getchannel("A")
    colors = full.convert("RGB")
    if variant.tone is not Tone.COLOR:
        colors = colors.convert("L")
    if variant.tone is Tone.LOW_INK:
        colors = colors.point(lambda value: round(255 - LOW_INK_SHARE * (255 - value)))
    mask = None if alpha.getextrema() == (255, 255) else _packed(alpha)
    image = _packed(colors)
    return ImageStream(image.entries, image.data, mask=mask)


def _rgba(image: Any) -> Any:
    """The picture in 8 bits a channel; Pillow alone would turn 16-bit grey into plain white."""
    if not image.mode.startswith("I"):
        return image.convert("RGBA")
    if "transparency" in image.info:
        raise ValueError("16-bit grey with a transparent shade; save it with 8 bits")
    return image.convert("I").point(lambda value: value * (1 / 257)).convert("L").convert("RGBA")


def _edge_box(part: str, width: int, height: int) -> tuple[int, int, int, int]:
    """The outermost row or column of pixels, or a corner pixel."""
    left = width - 1 if "right" in part else 0
    top = height - 1 if "bottom" in part else 0
    right = 1 if "left" in part else width
    bottom = 1 if "top" in part else height
    return left, top, right, bottom


def _packed(image: object) -> ImageStream:
    width, height = image.size  # type: ignore[attr-defined]
    gray = image.mode == "L"  # type: ignore[attr-defined]
    space = "/DeviceGray" if gray else "/DeviceRGB"
    entries = [*_common(width, height, 8, space), ("Filter", "/FlateDecode")]
    return ImageStream(tuple(entries), zlib.compress(image.tobytes(), 6))  # type: ignore[attr-defined]
