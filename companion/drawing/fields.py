"""What `{field}` means for a card in the chosen languages, and choices that hang on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.decks.model import NEUTRAL, Card, Deck, Group
from companion.drawing.typeset.markup import Source
from companion.errors import Place, Problems, did_you_mean
from companion.layouts.values import OTHER, ByField, Condition, FieldRef, Template

BUILT_IN = ("id", "deck", "group", "version", "language")
"""Fields that every card has; a column of the same name wins."""


@dataclass(frozen=True)
class Wording:
    """The languages chosen for a print: the first, and a second or None."""

    first: str
    second: str | None = None


@dataclass(frozen=True)
class CardView:
    """One card as a layout sees it."""

    deck: Deck
    group: Group
    card: Card
    wording: Wording
    problems: Problems

    def text(self, ref: FieldRef) -> tuple[str, Source]:
        """The text that `ref` stands for and where it comes from.

        A field without a text in the first language shows the deck's base text (`check` lists
        it); in the second language it shows nothing, since the first stands beside it.
        """
        cells = self.card.fields.get(ref.name)
        if cells is None:
            return self._built_in(ref)
        language = ref.language or self.wording.first
        if language == OTHER:
            second = self.wording.second
            cell = cells.get(second) if second else None
            if cell is None and second == self.deck.languages[0] and len(cells) > 1:
                cell = cells.get(NEUTRAL)
        else:
            cell = cells.get(language)
            if cell is None or not cell.value:
                cell = cells.get(NEUTRAL) or cells.get(self.deck.languages[0])
        if cell is None:
            return "", Source(ref.name, self.card.place)
        return cell.value, Source(ref.name, cell.place, len(cell.value))

    def _built_in(self, ref: FieldRef) -> tuple[str, Source]:
        language = self.wording.first
        if ref.language == OTHER:
            if not self.wording.second:
                return "", Source(ref.name, ref.place)
            language = self.wording.second
        elif ref.language:
            language = ref.language
        values: dict[str, Callable[[], str]] = {
            "id": lambda: self.card.id,
            "deck": lambda: self.deck.title_in(language),
            "group": lambda: self.group.title.get(language, self.group.name),
            "version": lambda: self.deck.version,
            "language": lambda: language,
        }
        value = values[ref.name]() if ref.name in values else ""
        return value, Source(ref.name, ref.place)

    def holds(self, conditions: tuple[Condition, ...]) -> bool:
        """Whether all conditions hold."""
        return all(self._holds(condition) for condition in conditions)

    def _holds(self, condition: Condition) -> bool:
        if condition.languages is not None:
            return condition.languages == (2 if self.wording.second else 1)
        assert condition.field
        value = self.text(condition.field)[0]
        if condition.empty is not None:
            return (value == "") == condition.empty
        assert condition.values is not None
        return (value in condition.values) != condition.negated

    def plain(self, template: Template) -> str:
        """A template with every field's text put in, no markup read."""
        return "".join(
            part if isinstance(part, str) else self.text(part)[0] for part in template.parts
        )

    def choose(self, value: Any, what: str) -> Any:
        """Follow `{ by = … }` choices down to a plain value or Template; None after an error."""
        while isinstance(value, ByField):
            found, source = self.text(value.field)
            if found in value.options:
                value = value.options[found]
            elif value.has_else:
                value = value.otherwise
            else:
                self._no_choice(value, found, source, what)
                return None
        return value

    def resolve(self, value: Any, finish: Callable[[str], Any], what: str) -> Any:
        """The plain value that an attribute has for this card; None after an error."""
        value = self.choose(value, what)
        if not isinstance(value, Template):
            return value
        text = self.plain(value)
        try:
            return finish(text)
        except ValueError as error:
            ref = next(value.refs)
            source = self.text(ref)[1]
            self.problems.error(
                f"card '{self.card.id}', {what}: {text!r} from field '{ref.name}': "
                f"expected {error}",
                source.place,
            )
            return None

    def _no_choice(self, value: ByField, found: str, source: Source, what: str) -> None:
        known = did_you_mean(found, value.options)
        hint = known or "add it, or an 'else', to the layout"
        place: Place = source.place
        self.problems.error(
            f"card '{self.card.id}', {what}: nothing for {value.field.name} = {found!r} "
            f"(asked at {value.place})",
            place,
            hint,
        )
