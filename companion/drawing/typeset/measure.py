"""Tokens → measured characters: prefix sums in ems, so that any size costs a bisection."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from companion.drawing.fonts import NARROW, Family, Font
from companion.drawing.icons import Icon
from companion.drawing.typeset.charclass import (
    class_of,
    gap,
    may_break,
    may_break_at_blank,
)
from companion.drawing.typeset.markup import Break, Chars, IconToken, Source, Token

ICON_HEIGHT = 0.86
"""An inline icon's height in ems: cap height and a little more, the same over every baseline."""
ICON_DROP = 0.10
"""How far an inline icon reaches below the baseline, in ems."""
_HALF_EMPTY = 0.5


@dataclass(slots=True)
class Measured:
    """One hard line (no forced break inside), measured at 1 em.

    `x[i]` is the origin of character i, `advance[i]` its width. `breaks` holds the positions where
    a new line may start, ending with the length; `ends[k]` is the right edge of the text before
    `breaks[k]`; `lasts[k]` the index after its last visible character. `widest` is the widest
    stretch without a break.
    """

    chars: list[str] = field(default_factory=list)
    icons: dict[int, Icon] = field(default_factory=dict)
    fonts: list[Font] = field(default_factory=list)
    bold: list[bool] = field(default_factory=list)
    classes: str = ""
    x: list[float] = field(default_factory=list)
    advance: list[float] = field(default_factory=list)
    breaks: list[int] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)
    lasts: list[int] = field(default_factory=list)
    widest: float = 0.0

    def left(self, start: int) -> float:
        """The x that a line starting at `start` begins with: an opening bracket hangs its half."""
        if self.classes[start : start + 1] == "O":
            return self.x[start] + _HALF_EMPTY
        return self.x[start] if start < len(self.x) else 0.0

    def right(self, last: int) -> float:
        """The right edge of a line whose last visible character is `last` − 1."""
        if last <= 0:
            return 0.0
        trim = _HALF_EMPTY if self.classes[last - 1] == "C" else 0.0
        return self.x[last - 1] + self.advance[last - 1] - trim


@dataclass(frozen=True, slots=True)
class Missing:
    """A character that no font of the list has, or a bold run without a bold font."""

    char: str
    source: Source
    fonts: tuple[str, ...]
    no_bold: str = ""


def measure(
    tokens: Iterable[Token], families: tuple[Family, ...], missing: list[Missing]
) -> list[Measured]:
    """The hard lines of a paragraph. Characters without a glyph are added to `missing`."""
    lines = [Measured()]
    for token in tokens:
        line = lines[-1]
        if isinstance(token, Break):
            lines.append(Measured())
        elif isinstance(token, IconToken):
            icon = token.icon
            line.icons[len(line.chars)] = icon
            line.chars.append("")
            line.fonts.append(families[0].regular)
            line.bold.append(False)
            line.advance.append(icon.width / icon.height * ICON_HEIGHT)
        else:
            _add_chars(line, token, families, missing)
    for line in lines:
        _narrow(line)
        _lay_out(line)
        _find_breaks(line)
    return lines


def _add_chars(
    line: Measured, token: Chars, families: tuple[Family, ...], missing: list[Missing]
) -> None:
    fonts = [family.bold if token.bold else family.regular for family in families]
    usable = [font for font in fonts if font]
    if not usable:
        names = tuple(family.name for family in families)
        missing.append(Missing("", token.source, names, no_bold=names[0]))
        usable = [family.regular for family in families]
    first = usable[0]
    widths = first.widths
    for written in token.text:
        char: str = written
        font: Font | None = first
        if ord(char) not in widths:
            char, font = _fallback(char, usable)
            if font is None:
                missing.append(Missing(char, token.source, tuple(f.path.stem for f in usable)))
                continue
        assert font
        line.chars.append(char)
        line.fonts.append(font)
        line.bold.append(token.bold)
        line.advance.append(font.widths[ord(char)])


def _fallback(char: str, fonts: list[Font]) -> tuple[str, Font | None]:
    """The character and the first font that has it; blanks of any width become a plain one."""
    for font in fonts:
        if ord(char) in font.widths:
            return char, font
    if char in "\u00a0\u2009\t\u3000" and ord(" ") in fonts[0].widths:
        return " ", fonts[0]
    return char, None


def _narrow(line: Measured) -> None:
    """Beside Latin, quotes and dots take the narrow forms that the shipped fonts have."""
    for i, char in enumerate(line.chars):
        code = NARROW.get(char)
        font = line.fonts[i]
        if code and font.narrow_forms and code in font.widths and _beside_latin(line.chars, i):
            line.chars[i] = chr(code)
            line.advance[i] = font.widths[code]


def _beside_latin(chars: list[str], i: int) -> bool:
    before = _neighbour(chars, i, -1)
    return (before or _neighbour(chars, i, 1)) in ("a", "n", "c", "o")


def _neighbour(chars: list[str], i: int, step: int) -> str:
    """The class of the nearest character that is neither blank nor itself such a sign."""
    i += step
    while 0 <= i < len(chars):
        char = chars[i]
        if (
            char
            and char not in NARROW
            and not 0xE000 <= ord(char) < 0xE00A
            and class_of(char) != "_"
        ):
            return class_of(char)
        i += step
    return ""


def _lay_out(line: Measured) -> None:
    classes = [_class(*pair) for pair in zip(line.chars, line.advance, strict=True)]
    if '"' in line.chars:
        _pair_straight_quotes(line.chars, classes)
    line.classes = "".join(classes)
    _narrow_blanks(line)
    at, before = 0.0, ""
    for cls, advance in zip(classes, line.advance, strict=True):
        if before:
            at += gap(before, cls)
        line.x.append(at)
        at += advance
        before = cls


def _pair_straight_quotes(chars: list[str], classes: list[str]) -> None:
    """A straight quote opens and closes in turn."""
    opens = True
    for i, char in enumerate(chars):
        if char == '"':
            classes[i] = "o" if opens else "c"
            opens = not opens


def _narrow_blanks(line: Measured) -> None:
    """A typed blank between Han and Latin is as wide as the gap that is set where none is typed."""
    for match in _TYPED_GAP.finditer(line.classes):
        line.advance[match.start() + 1] = gap("H", "a")


def _class(char: str, advance: float) -> str:
    if not char:
        return "I"
    if char in _EITHER:
        wide, narrow = _EITHER[char]
        return wide if advance > 0.8 else narrow
    if "\ue000" <= char < "\ue00a":
        return "o" if char in "\ue000\ue002" else "c" if char in "\ue001\ue003\ue004" else "a"
    return class_of(char)


_TYPED_GAP = re.compile(r"(?:H_(?=[anI]))|(?:[anI]_(?=H))")
_EITHER = {
    **dict.fromkeys("‘“", ("O", "o")),
    **dict.fromkeys("’”", ("C", "c")),
    **dict.fromkeys("·•", ("S", "c")),
    **dict.fromkeys("×÷±", ("a", "a")),
}
"""Signs that some fonts draw one em wide and others narrow: their class as either."""


def _find_breaks(line: Measured) -> None:
    classes, chars = line.classes, line.chars
    count = len(chars)
    start = 0
    for i in range(1, count + 1):
        if i < count and not _may_start(line, i):
            continue
        last = i
        while last > start and classes[last - 1] == "_":
            last -= 1
        line.breaks.append(i)
        line.lasts.append(last)
        right = line.right(last) if last else 0.0
        line.ends.append(max(right, line.ends[-1] if line.ends else 0.0))
        line.widest = max(line.widest, right - line.left(start))
        start = i


def _may_start(line: Measured, i: int) -> bool:
    classes, chars = line.classes, line.chars
    if classes[i] == "_":
        return False
    if classes[i - 1] != "_":
        return may_break(classes[i - 1], classes[i], chars[i - 1], chars[i])
    end = i - 1
    while end > 0 and classes[end] == "_":
        end -= 1
    if classes[end] == "_":
        return False
    return may_break_at_blank(classes[end], classes[i], _word(line, end, -1), _word(line, i, 1))


def _word(line: Measured, i: int, step: int) -> str:
    """The Latin word or number that starts or ends at `i` (one character if it is wide)."""
    word = line.chars[i]
    if line.classes[i] not in "anco":
        return word
    i += step
    while 0 <= i < len(line.chars) and line.classes[i] in "anco":
        word = word + line.chars[i] if step > 0 else line.chars[i] + word
        i += step
    return word
