"""What changed between two versions of a deck, in words: card by card, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.decks.cards import COUNT_NAMES
from companion.decks.folders import find_deck
from companion.decks.loader import load_deck
from companion.decks.model import Card, Deck, Group
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
    found += _groups(first, second)
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
    return [*found, *_files(first, second)]


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


def _groups(old: Deck, new: Deck) -> Iterator[Difference]:
    """Groups that are new, gone, or have another layout, back or title."""
    before, after = ({group.name: group for group in deck.groups} for deck in (old, new))
    for name in dict.fromkeys([*before, *after]):
        facts = [_facts(groups.get(name)) for groups in (before, after)]
        for field in dict.fromkeys([*facts[0], *facts[1]]):
            was, now = facts[0].get(field, ""), facts[1].get(field, "")
            if was != now:
                yield Difference("changed", f"group {name}", field, was, now)


def _facts(group: Group | None) -> dict[str, str]:
    if group is None:
        return {}
    return {
        "layout": group.layout.name,
        "back": group.back.name if group.back else "",
        "title": " / ".join(group.title.values()),
        "part": group.part,
    }


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


def _files(first: Deck, second: Deck) -> Iterator[Difference]:
    """Layouts, icons, pictures and fonts of the deck's own that differ."""
    old, new = first.folder, second.folder
    suffixes = (".toml", ".svg", ".png", ".jpg", ".jpeg", ".ttf")
    names: dict[str, None] = {}
    for folder in (old, new):
        for path in sorted(folder.rglob("*")):
            relative = path.relative_to(folder)
            # the deck file and TOML tables lie at the top; they are compared by content above
            data = path.suffix.lower() == ".toml" and len(relative.parts) == 1
            if path.suffix.lower() in suffixes and path.is_file() and not data:
                names[relative.as_posix()] = None
    for name in names:
        before, after = (
            (folder / name).read_bytes() if (folder / name).is_file() else None
            for folder in (old, new)
        )
        if before != after:
            words = tuple("missing" if data is None else "there" for data in (before, after))
            if None not in (before, after):
                words = ("one content", "another")
            yield Difference("changed", "file", name, *words)
