"""(card, layout) → Scene: resolves each element for the card, shares what does not change.

Neighbouring elements without text are drawn into a `Block` that is made once for each combination
of the fields it depends on, so that a frame is computed once and stored once in a PDF.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, fields
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, TypeAlias

from companion.decks.model import Card, Deck, Group
from companion.drawing.cache import LruCache
from companion.drawing.fields import BUILT_IN, CardView, Wording
from companion.drawing.fonts import Family, FontShelf
from companion.drawing.icons import IconShelf
from companion.drawing.paint import Shelves, paint
from companion.drawing.pictures import PictureError
from companion.drawing.scene import Block, Item, Scene, Turned, text_bounds
from companion.drawing.typeset import setting
from companion.drawing.typeset.markup import Source, Tokenizer
from companion.drawing.typeset.measure import Measured, Missing, measure
from companion.errors import ExitCode, Place, Problems, did_you_mean
from companion.files.records import short
from companion.layouts.colors import BASIC, Palette
from companion.layouts.model import Element, FontChoice, Layout, Paragraph, Picture, Text
from companion.layouts.values import ByField, Condition, FieldRef, Template
from companion.units import number_text

Overflow = Literal["error", "warn"]
_EDGE_TOLERANCE = 0.3
"""Millimetres by which a text's nominal box may pass an edge: accents and descenders are less."""
_Key: TypeAlias = tuple[int, tuple[str, ...]]
"""A step of a layout and the texts of the fields that it depends on."""
Box = tuple[float, float, float, float]


@dataclass
class Composer:
    """Composes faces of one deck in the chosen languages; notes every problem on the way."""

    deck: Deck
    wording: Wording
    fonts: FontShelf
    shelves: Shelves
    problems: Problems
    overflow: Overflow = "error"
    _items: LruCache[_Key, tuple[Item, ...]] = field(default_factory=lambda: LruCache(512))
    _scenes: LruCache[tuple[_Key, ...], Scene] = field(default_factory=lambda: LruCache(256))
    _measured: LruCache[tuple[Any, ...], tuple[Measured, ...]] = field(
        default_factory=lambda: LruCache(512)
    )
    _steps: dict[int, tuple[Layout, list[_Step]]] = field(default_factory=dict)
    """By identity; the layout is kept beside them, so that its identity stays its own."""
    _same_sizes: dict[int, float] = field(default_factory=dict)
    _families: dict[FontChoice, tuple[Family, ...] | None] = field(default_factory=dict)

    def face(self, layout: Layout, group: Group, card: Card) -> Scene:
        """One face of a card. Problems (missing glyph, overflow …) are noted, not raised.

        Faces that come out the same are the same object.
        """
        view = CardView(self.deck, group, card, self.wording, self.problems)
        steps = self._steps_of(layout)
        keys = tuple((id(step), tuple(view.text(ref)[0] for ref in step.refs)) for step in steps)
        scene = self._scenes.get(keys)
        if scene is None:
            noted = len(self.problems.items)
            parts = [self._draw(*pair, layout, view) for pair in zip(steps, keys, strict=True)]
            items = tuple(item for part in parts for item in part)
            anchor = layout.shape.anchor if layout.shape else None
            scene = Scene(layout.width, layout.height, layout.bleed, items, anchor)
            if len(self.problems.items) == noted:
                self._scenes.put(keys, scene)
        return scene

    def depends_on_card(self, layout: Layout) -> bool:
        """Whether faces of this layout can differ from card to card."""
        own = (ref for step in self._steps_of(layout) for ref in step.refs)
        return any(ref.name not in ("deck", "version", "language") for ref in own)

    def picture_files(self, layout: Layout, group: Group, card: Card) -> list[Path]:
        """The files of the pictures on a face, without composing it."""
        quiet = CardView(self.deck, group, card, self.wording, Problems())
        files = []
        for element in layout.elements:
            if isinstance(element, Picture) and quiet.holds(element.when):
                name = quiet.resolve(element.picture, str, "")
                with suppress(PictureError):
                    if name:
                        files.append(self.shelves.pictures.get(name).path)
        return files

    def _draw(self, step: _Step, key: _Key, layout: Layout, view: CardView) -> tuple[Item, ...]:
        items = self._items.get(key)
        if items is None:
            noted = len(self.problems.items)
            text = step.elements[0]
            if isinstance(text, Text):
                items = self._text(text, layout, view)
            else:
                items = (self._block(step, layout, view),)
            if len(self.problems.items) == noted:
                self._items.put(key, items)
        return items

    def agree_on_sizes(self, faces: Iterable[tuple[Layout, Group, Card]]) -> None:
        """Find the one size of every `same-size` text: the smallest that any card needs."""
        for layout, group, card in faces:
            for element in layout.elements:
                if not isinstance(element, Text) or not element.same_size:
                    continue
                view = CardView(self.deck, group, card, self.wording, self.problems)
                if not view.holds(element.when):
                    continue
                paragraphs = self._paragraphs(element, layout, view, None)
                if not paragraphs:
                    continue
                frame = _frame(element, layout)
                size = setting.best_size(paragraphs, frame, *element.fit) or element.fit[0]
                old = self._same_sizes.get(id(element), element.fit[1])
                self._same_sizes[id(element)] = min(old, size)

    # blocks without text

    def _steps_of(self, layout: Layout) -> list[_Step]:
        if id(layout) not in self._steps:
            self._steps[id(layout)] = (layout, list(_steps(layout)))
        return self._steps[id(layout)][1]

    def _block(self, step: _Step, layout: Layout, view: CardView) -> Block:
        items: list[Item] = []
        for element in step.elements:
            if view.holds(element.when):
                box = box_of(element, layout)
                drawn = paint(element, layout, box, view, self.shelves)
                items.extend(_turned(drawn, element, box))
        return Block(tuple(items))

    # text

    def _text(self, element: Text, layout: Layout, view: CardView) -> tuple[Item, ...]:
        if not view.holds(element.when):
            return ()
        sources: list[Source] = []
        paragraphs = self._paragraphs(element, layout, view, sources)
        if not paragraphs:
            return ()
        frame = _frame(element, layout)
        floor, start = element.fit
        size = setting.best_size(paragraphs, frame, floor, self._same_sizes.get(id(element), start))
        if size is None:
            self._report_overflow(element, paragraphs, frame, view, sources)
            size = floor
        word = setting.broken_word(paragraphs, frame, size)
        if word:
            what, place = _blamed(element, sources)
            self.problems.warning(
                f"card '{view.card.id}', {what}: '{short(word)}' is wider than its box at "
                f"{number_text(size)} pt and is broken",
                place,
            )
        items = setting.place(paragraphs, frame, size)
        placed = tuple(_turned(items, element, box_of(element, layout)))
        self._report_edges(placed, element, layout, view, sources)
        return placed

    def _paragraphs(
        self, element: Text, layout: Layout, view: CardView, sources: list[Source] | None
    ) -> list[setting.SetParagraph]:
        result = []
        for paragraph in element.paragraphs:
            if not view.holds(paragraph.when):
                continue
            lines, found = self._measure(paragraph, element, view)
            if sources is not None:
                sources.extend(found)
            if any(line.chars for line in lines):
                style = _style(paragraph, element, layout.palette, view)
                result.append(setting.SetParagraph(lines, style))
        return result

    def _measure(
        self, paragraph: Paragraph, element: Text, view: CardView
    ) -> tuple[tuple[Measured, ...], list[Source]]:
        choice = paragraph.font or element.font
        families = self._resolve_fonts(choice)
        template = view.choose(paragraph.text, f"element '{element.name}'")
        if template is None or families is None:
            return (), []
        pieces, sources = self._pieces(template, view)
        key = (id(families), element.rich, tuple((text, mark) for text, _, mark in pieces))
        known = self._measured.get(key)
        if known is not None:
            return known, sources
        noted = len(self.problems.items)
        missing: list[Missing] = []
        tokens = Tokenizer(self.shelves.icons, element.rich, view.card.id, self.problems).tokens(
            pieces
        )
        lines = tuple(measure(tokens, families, missing))
        self._report_missing(missing, view)
        if len(self.problems.items) == noted:
            self._measured.put(key, lines)
        return lines, sources

    def _pieces(
        self, template: Template, view: CardView
    ) -> tuple[list[tuple[str, Source, bool]], list[Source]]:
        """The template's texts for this card. The layout's own `{icon}` becomes cell markup."""
        pieces: list[tuple[str, Source, bool]] = []
        sources = []
        for part in template.parts:
            if isinstance(part, str):
                text = part.replace("{", "\\{").replace("}", "\\}")
                pieces.append((text, Source("", template.place), True))
            elif self._is_icon(part, view):
                pieces.append((f"{{{part.name}}}", Source("", part.place), True))
            else:
                text, source = view.text(part)
                sources.append(source)
                pieces.append((text, source, part.name not in BUILT_IN))
        return pieces, sources

    def _is_icon(self, ref: FieldRef, view: CardView) -> bool:
        known_field = ref.name in view.group.columns or ref.name in BUILT_IN
        return ref.icon_only or (not known_field and ref.name in self.shelves.icons.files)

    def _resolve_fonts(self, choice: FontChoice) -> tuple[Family, ...] | None:
        if choice not in self._families:
            loaded = [self.fonts.family(name, choice.place, self.problems) for name in choice.names]
            families = tuple(family for family in loaded if family)
            self._families[choice] = families if len(families) == len(loaded) else None
        return self._families[choice]

    # reports

    def _report_missing(self, missing: list[Missing], view: CardView) -> None:
        for gap in missing:
            where = f"card '{view.card.id}'" + (
                f", field '{gap.source.field}'" if gap.source.field else ", the layout's own text"
            )
            if gap.no_bold:
                message = f"{where}: bold text, but font '{gap.no_bold}' has no bold file"
                hint = "give the font a 'bold' file, or take the ** away"
            else:
                code = f"U+{ord(gap.char):04X}"
                message = f"{where}: no glyph for '{gap.char}' ({code}) in {', '.join(gap.fonts)}"
                hint = 'name a font that has it: font = ["sans", "mine"] with [fonts] in deck.toml'
            self.problems.error(message, gap.source.place, hint, ExitCode.PRINT)

    def _report_edges(
        self,
        items: tuple[Item, ...],
        element: Text,
        layout: Layout,
        view: CardView,
        sources: list[Source],
    ) -> None:
        """Text that leaves the card is lost with the cut: an error; the safe area: a warning."""
        x, y, width, height = box_of(element, layout)
        edge = layout.safe
        fits = x >= edge and y >= edge and element.rotate % 180 == 0
        if fits and x + width <= layout.width - edge and y + height <= layout.height - edge:
            return
        bounds = text_bounds(items)
        if bounds is None:
            return
        left, top, right, bottom = bounds
        nearest = min(left, top, layout.width - right, layout.height - bottom)
        what, place = _blamed(element, sources)
        where = f"card '{view.card.id}', {what}: the text of element '{element.name}'"
        if nearest < -_EDGE_TOLERANCE:
            message = f"{where} leaves the card by {number_text(-nearest)} mm"
            if self.overflow == "warn":
                self.problems.warning(message, place)
            else:
                hint = "move or shrink the element's box"
                self.problems.error(message, place, hint, ExitCode.PRINT)
        elif nearest < layout.safe - _EDGE_TOLERANCE:
            self.problems.warning(
                f"{where} comes within {number_text(max(0.0, nearest))} mm of the cut "
                f"(safe area {number_text(layout.safe)} mm)",
                place,
            )

    def _report_overflow(
        self,
        element: Text,
        paragraphs: list[setting.SetParagraph],
        frame: setting.Frame,
        view: CardView,
        sources: list[Source],
    ) -> None:
        needed = setting.needed_size(paragraphs, frame, element.fit[0])
        what, place = _blamed(element, sources)
        would = f"it would need {number_text(needed)} pt" if needed else "not even at 1 pt"
        message = (
            f"card '{view.card.id}', {what}: the text does not fit into "
            f"{number_text(frame.width)} × {number_text(frame.height)} mm at the floor of "
            f"{number_text(element.fit[0])} pt; {would}"
        )
        if self.overflow == "warn":
            self.problems.warning(message + "; drawn at the floor", place)
        else:
            hint = "shorten it, or use --overflow warn to draw it at the floor"
            self.problems.error(message, place, hint, ExitCode.PRINT)


def _style(paragraph: Paragraph, element: Text, palette: Palette, view: CardView) -> setting.Style:
    what = f"element '{element.name}'"

    def color(value: Any, default: Any) -> Any:
        found = view.resolve(value, palette.color, what)
        return default if found is None else found

    plain = color(paragraph.color, color(element.color, BASIC["black"]))
    bold = color(paragraph.bold_color, color(element.bold_color, plain))
    align = paragraph.align or element.align
    return setting.Style(plain, bold, align, paragraph.scale, paragraph.gap)


def _blamed(element: Text, sources: list[Source]) -> tuple[str, Place]:
    """What to name for a text that does not fit: its longest field, and where that stands."""
    named = [source for source in sources if source.field]
    if not named:
        return f"element '{element.name}'", element.place
    longest = max(named, key=lambda source: source.length)
    return f"field '{longest.field}'", longest.place


@dataclass(frozen=True, eq=False)
class _Step:
    """One text, or neighbouring elements without text and the fields they depend on."""

    elements: tuple[Element, ...]
    refs: tuple[FieldRef, ...]


def _steps(layout: Layout) -> Iterator[_Step]:
    for is_text, group in groupby(layout.elements, key=lambda e: isinstance(e, Text)):
        elements = tuple(group)
        for part in [(element,) for element in elements] if is_text else [elements]:
            refs = {ref: None for element in part for ref in _refs(element)}
            yield _Step(part, tuple(refs))


def _refs(value: Any) -> Iterator[FieldRef]:
    """Every field reference inside an element, paragraph, choice, template or condition."""
    if isinstance(value, FieldRef):
        yield value
    elif isinstance(value, Template):
        yield from value.refs
    elif isinstance(value, ByField):
        yield value.field
        yield from _refs(value.otherwise)
        for option in value.options.values():
            yield from _refs(option)
    elif isinstance(value, tuple):
        for item in value:
            yield from _refs(item)
    elif isinstance(value, Element | Paragraph | Condition):
        for attribute in fields(value):
            yield from _refs(getattr(value, attribute.name))


def box_of(element: Element, layout: Layout) -> Box:
    """x, y, width, height of an element's box in millimetres from the trim's top-left."""
    if element.area:
        edge = {"card": 0.0, "bleed": -layout.bleed, "safe": layout.safe}[element.area]
        return edge, edge, layout.width - 2 * edge, layout.height - 2 * edge
    return (
        element.at[0].of(layout.width),
        element.at[1].of(layout.height),
        element.size[0].of(layout.width),
        element.size[1].of(layout.height),
    )


def _frame(element: Text, layout: Layout) -> setting.Frame:
    return setting.Frame(*box_of(element, layout), element.valign, element.leading)


def _turned(items: list[Item], element: Element, box: Box) -> list[Item]:
    """The items rotated clockwise about the middle of the box."""
    if element.rotate % 360 == 0 or not items:
        return items
    angle = math.radians(element.rotate)
    cos, sin = math.cos(angle), math.sin(angle)
    if element.rotate % 90 == 0:
        cos, sin = round(cos), round(sin)
    cx, cy = box[0] + box[2] / 2, box[1] + box[3] / 2
    shift = (cx - cos * cx + sin * cy, cy - sin * cx - cos * cy)
    return [Turned((cos, sin, -sin, cos, *shift), tuple(items))]


def check_fields(
    layout: Layout, group: Group, languages: tuple[str, ...], icons: IconShelf, problems: Problems
) -> set[str]:
    """Note every reference of the layout that the group's table does not answer.

    Returns the names of the columns that the layout uses.
    """
    used: set[str] = set()
    for element in layout.elements:
        for ref in _refs(element):
            if ref.icon_only:
                _check_icon(ref, icons, problems)
                continue
            known = ref.name in group.columns or ref.name in BUILT_IN
            if known:
                used.add(ref.name)
                _check_language(ref, languages, problems)
            elif not (isinstance(element, Text) and ref.name in icons.files):
                names = [*group.columns, *BUILT_IN]
                if isinstance(element, Text):
                    names.extend(icons.files)
                problems.error(
                    f"'{{{ref.name}}}' in layout '{layout.name}' is no column of group "
                    f"'{group.name}'",
                    ref.place,
                    did_you_mean(ref.name, names),
                )
    return used


def _check_icon(ref: FieldRef, icons: IconShelf, problems: Problems) -> None:
    if ref.name not in icons.files:
        hint = did_you_mean(ref.name, icons.files)
        problems.error(f"there is no icon '{ref.name}'", ref.place, hint)


def _check_language(ref: FieldRef, languages: tuple[str, ...], problems: Problems) -> None:
    if ref.language not in ("", "other", *languages):
        hint = did_you_mean(ref.language, [*languages, "other"])
        problems.error(
            f"'{{{ref.name}@{ref.language}}}': the deck has no such language", ref.place, hint
        )


def layout_fonts(layout: Layout) -> Iterator[tuple[str, Place]]:
    """Every font name that a layout uses, with its place."""
    for element in layout.elements:
        if isinstance(element, Text):
            for choice in (element.font, *(p.font for p in element.paragraphs)):
                if choice:
                    for name in choice.names:
                        yield name, choice.place
