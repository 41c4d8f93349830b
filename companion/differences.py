"""What changed between two versions of a deck, in words: card by card, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.decks.cards import COUNT_NAMES
from companion.decks.folders import find_deck
from companion.decks.loader import load_deck
from companion.decks.model import Card, Deck
from companion.errors import DataError, Problems


@dataclass(frozen=True)
class Difference:
    """One change. `kind`: added, removed, changed, deck; `field` as the column is written."""

    kind: str
    card: str
    field: str = ""
    old: str = ""
    new: str = ""

    def __str__(self) -> str:
        if self.kind == "added":
            return f"+ {self.card}" + (f" × {self.new}" if self.new != "1" else "")
        if self.kind == "removed":
            return f"– {self.card}" + (f" × {self.old}" if self.old != "1" else "")
        return f"~ {self.card}: {self.field} {self.old or '(blank)'} → {self.new or '(blank)'}"


def compare(old: str, new: str) -> list[Difference]:
    """The differences of two decks given by name or folder. Raises UsageError or DataError."""
    first, second = _load(old), _load(new)
    found = [
        Difference("deck", "deck", field, before, after)
        for field, before, after in (
            ("version", first.version, second.version),
            ("title", " / ".join(first.title.values()), " / ".join(second.title.values())),
            ("languages", ", ".join(first.languages), ", ".join(second.languages)),
        )
        if before != after
    ]
    cards, others = _cards(first), _cards(second)
    for name, card in cards.items():
        if name not in others:
            found.append(Difference("removed", name, old=str(card.copies)))
        else:
            found.extend(_fields(name, card, others[name]))
    found += [
        Difference("added", name, new=str(card.copies))
        for name, card in others.items()
        if name not in cards
    ]
    return [*found, *_files(first.folder, second.folder)]


def _load(name: str) -> Deck:
    problems = Problems()
    folder, shown = find_deck(name)
    deck = load_deck(folder, shown, problems)
    problems.raise_errors()
    if deck is None:
        raise DataError(problems=problems.items)
    return deck


def _cards(deck: Deck) -> dict[str, Card]:
    return {card.id: card for group in deck.groups for card in group.cards}


def _fields(name: str, old: Card, new: Card) -> Iterator[Difference]:
    if old.copies != new.copies:
        yield Difference("changed", name, "copies", str(old.copies), str(new.copies))
    texts = [_texts(old), _texts(new)]
    for field in dict.fromkeys([*texts[0], *texts[1]]):
        before, after = texts[0].get(field, ""), texts[1].get(field, "")
        if before != after:
            yield Difference("changed", name, field, before, after)


def _texts(card: Card) -> dict[str, str]:
    return {
        f"{name}@{language}" if language else name: cell.value
        for name, cells in card.fields.items()
        if name.lower() not in COUNT_NAMES
        for language, cell in cells.items()
    }


def _files(old: Path, new: Path) -> Iterator[Difference]:
    """Layouts, icons and pictures of the deck's own that differ."""
    suffixes = (".toml", ".svg", ".png", ".jpg", ".jpeg", ".ttf")
    names: dict[str, None] = {}
    for folder in (old, new):
        for path in sorted(folder.rglob("*")):
            relative = path.relative_to(folder)
            if path.suffix.lower() in suffixes and path.is_file() and len(relative.parts) > 1:
                names[relative.as_posix()] = None
    for name in names:
        before, after = (
            (folder / name).read_bytes() if (folder / name).is_file() else None
            for folder in (old, new)
        )
        if before != after:
            words = ("missing" if before is None else "there", "there" if after else "missing")
            if None not in (before, after):
                words = ("one content", "another")
            yield Difference("changed", "file", name, *words)
