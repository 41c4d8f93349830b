"""Font files and what text setting needs of them: which characters, how wide.

ReportLab's reader is used, so that the same loaded font is measured here and embedded by the PDF
writer. Only TrueType outlines can be embedded; others are refused with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from companion.errors import Place, Problems, did_you_mean
from companion.shipped import FONTS

NARROW = dict(zip("‘’“”…×÷±·•", range(0xE000, 0xE00A), strict=True))
"""Characters that the shipped family draws one em wide, and where its narrow forms stand."""

SHIPPED_FAMILIES: dict[str, tuple[str, str]] = {
    "sans": ("PnPSansTC-Regular.ttf", "PnPSansTC-Bold.ttf"),
    "sans-bold": ("PnPSansTC-Bold.ttf", "PnPSansTC-Bold.ttf"),
}


@dataclass(frozen=True, eq=False)
class Font:
    """One loaded font file. `widths` maps a code point to its advance in ems."""

    name: str
    path: Path
    widths: Mapping[int, float]
    narrow_forms: bool
    face: Any
    """ReportLab's `TTFont`, which the PDF writer embeds."""


@dataclass(frozen=True)
class Family:
    """Regular and bold of one name; bold is None where the family has none."""

    name: str
    regular: Font
    bold: Font | None


@dataclass
class FontShelf:
    """Loads families by name when first asked for; each file once."""

    files: dict[str, tuple[Path, Path | None, Place | None]] = field(default_factory=dict)
    _fonts: dict[Path, Font] = field(default_factory=dict)
    _families: dict[str, Family | None] = field(default_factory=dict)

    @classmethod
    def with_shipped(cls, own: Iterable[tuple[str, Path, Path | None, Place]] = ()) -> FontShelf:
        """The shipped families and a deck's own (which may replace a shipped name)."""
        files: dict[str, tuple[Path, Path | None, Place | None]] = {
            name: (FONTS / regular, FONTS / bold, None)
            for name, (regular, bold) in SHIPPED_FAMILIES.items()
        }
        for name, regular_path, bold_path, place in own:
            files[name] = (regular_path, bold_path, place)
        return cls(files)

    def family(self, name: str, place: Place, problems: Problems) -> Family | None:
        """The family called `name`; None after noting at `place` what is wrong."""
        if name not in self.files:
            problems.error(f"unknown font '{name}'", place, did_you_mean(name, self.files))
            return None
        if name not in self._families:
            regular, bold, own_place = self.files[name]
            loaded = self._load(regular, own_place or place, problems)
            loaded_bold = self._load(bold, own_place or place, problems) if bold else None
            self._families[name] = Family(name, loaded, loaded_bold) if loaded else None
        return self._families[name]

    def loaded(self) -> list[Path]:
        """The files loaded so far, sorted."""
        return sorted(self._fonts)

    def shipped_regular(self) -> Font:
        """The shipped regular font, whatever a deck calls "sans"."""
        problems = Problems()
        font = self._load(FONTS / SHIPPED_FAMILIES["sans"][0], Place(""), problems)
        problems.raise_errors()
        assert font
        return font

    def _load(self, path: Path, place: Place, problems: Problems) -> Font | None:
        if path not in self._fonts:
            try:
                font = load_font(path, f"{path.stem}-{len(self._fonts)}")
                # ReportLab keys what it embeds by the font's own name: two files may share one
                taken = {other.face.face.name for other in self._fonts.values()}
                if font.face.face.name in taken:
                    font.face.face.name += f"-{len(self._fonts)}".encode()
                self._fonts[path] = font
            except ValueError as error:
                problems.error(f"font '{path.name}' cannot be used: {error}", place)
                return None
        return self._fonts[path]


def load_font(path: Path, name: str = "") -> Font:
    """Read a TrueType file. Raises ValueError saying why it cannot be embedded."""
    shipped = path.resolve().parent == FONTS.resolve()
    try:
        raw = path.read_bytes()
        if raw[:4] == b"OTTO":
            raise ValueError(
                "its outlines are CFF (OpenType .otf); PDF needs TrueType outlines (.ttf)"
            )
        face = _font_class()(name or path.stem, str(path), asciiReadable=0, shapable=False)
    except OSError as error:
        raise ValueError(error.strerror or str(error)) from None
    except ValueError:
        raise
    except Exception as error:
        # a damaged font fails anywhere in the parser, with any exception
        raise ValueError(f"it is no sound TrueType font ({error})") from None
    face.narrow_forms = shipped
    widths = {code: width / 1000 for code, width in face.face.charWidths.items()}
    return Font(name or path.stem, path, widths, shipped, face)


@cache
def _font_class() -> Any:
    """ReportLab's font, whose text copied from a PDF has the ordinary quotes and dots."""
    from reportlab.pdfbase.ttfonts import TTFont

    class EmbeddedFont(TTFont):  # type: ignore[misc]
        narrow_forms = False

        def addObjects(self, doc: Any) -> None:  # noqa: N802
            super().addObjects(doc)
            if not self.narrow_forms:
                return
            for name, entry in doc.idToObject.items():
                if str(name).startswith("toUnicodeCMap:"):
                    for char, code in NARROW.items():
                        entry.content = entry.content.replace(f"<{code:04X}>", f"<{ord(char):04X}>")

    return EmbeddedFont
