"""Cell text and templates into tokens: characters, bold on and off, icons, line breaks.

Markup is `**bold**`, `{icon}` and line breaks; a backslash makes the next `*`, `{`, `}` or
backslash plain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from companion.drawing.icons import Icon, IconShelf
from companion.errors import Place, Problems, did_you_mean


@dataclass(frozen=True, slots=True)
class Source:
    """Where a text comes from: a field's name ('' for the layout's own words) and its place."""

    field: str
    place: Place
    length: int = 0


@dataclass(frozen=True, slots=True)
class Chars:
    """Characters without line breaks, in one weight."""

    text: str
    bold: bool
    source: Source


@dataclass(frozen=True, slots=True)
class IconToken:
    """An icon that stands in the line like a character."""

    icon: Icon
    source: Source


@dataclass(frozen=True, slots=True)
class Break:
    """A line break that the text asks for."""


Token = Chars | IconToken | Break
_PIECE = re.compile(r"\\([*{}\\])|(\*\*)|\{([^{}\n]*)\}|(\n)|([{}])")
_PLAIN_PIECE = re.compile(r"\\([{}\\])|((?!))|\{([^{}\n]*)\}|(\n)|([{}])")


@dataclass
class Tokenizer:
    """Collects the tokens of one paragraph, remembering whether bold is on."""

    icons: IconShelf
    rich: bool
    card: str
    problems: Problems
    bold: bool = False

    def tokens(self, pieces: Iterable[tuple[str, Source, bool]]) -> list[Token]:
        """Tokens of texts in order; the flag says whether markup in a text counts."""
        result: list[Token] = []
        for text, source, marked in pieces:
            if marked:
                self._read(text, source, result)
            elif text:
                self._plain(text, source, result)
        if self.bold:
            last = next((t for t in reversed(result) if isinstance(t, Chars)), None)
            where = last.source if last else None
            self.problems.error(
                f"card '{self.card}': '**' opens bold but nothing closes it",
                where.place if where else None,
                r"write \* for a plain asterisk",
            )
            self.bold = False
        return result

    def icon(self, name: str, source: Source, known: Iterable[str] = ()) -> IconToken | None:
        """The icon called `name`; None after noting that there is none."""
        try:
            return IconToken(self.icons.get(name), source)
        except KeyError:
            hint = did_you_mean(name, [*self.icons.files, *known])
            what = f"field '{source.field}' of card '{self.card}'" if source.field else "the layout"
            self.problems.error(
                f"{what} asks for '{{{name}}}', which is unknown", source.place, hint
            )
        except ValueError as error:
            self.problems.error(str(error), source.place)
        return None

    def _plain(self, text: str, source: Source, result: list[Token]) -> None:
        for number, line in enumerate(text.split("\n")):
            if number:
                result.append(Break())
            if line:
                result.append(Chars(line, self.bold, source))

    def _read(self, text: str, source: Source, result: list[Token]) -> None:
        literal, at = "", 0
        for match in (_PIECE if self.rich else _PLAIN_PIECE).finditer(text):
            literal += text[at : match.start()]
            at = match.end()
            escaped, toggle, icon, newline, brace = match.groups()
            if escaped:
                literal += escaped
                continue
            if literal:
                result.append(Chars(literal, self.bold, source))
                literal = ""
            if toggle:
                self.bold = not self.bold
            elif newline:
                result.append(Break())
            elif brace:
                self.problems.error(
                    f"card '{self.card}': a single '{brace}' in field '{source.field}'",
                    source.place,
                    rf"write \{brace} for a plain brace",
                )
            else:
                name = (icon or "").strip().removeprefix("icon:").strip()
                token = self.icon(name, source)
                if token:
                    result.append(token)
        literal += text[at:]
        if literal:
            result.append(Chars(literal, self.bold, source))
