"""What was printed: a small file beside the PDF, so that a reprint takes only what changed (P23).

Card id → hash of everything its faces are made of: the texts of the fields that its layouts use,
the layout files, fonts and icons, and the pictures' bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import DataError, Place, Problem, UsageError
from companion.files.atomic import replacing

if TYPE_CHECKING:
    from companion.job import Job, Printed

FORMAT = 1


@dataclass(frozen=True)
class Manifest:
    """Deck, languages, and each card's hash."""

    deck: str
    languages: str
    cards: Mapping[str, str]


@dataclass(frozen=True)
class Changes:
    """What differs from an older print: ids, in the deck's order (removed ones: the old order)."""

    changed: tuple[str, ...]
    new: tuple[str, ...]
    removed: tuple[str, ...]


def manifest_path(pdf: Path) -> Path:
    """Where the manifest of a PDF lies."""
    return pdf.with_name(pdf.stem + ".manifest.json")


def manifest_of(job: Job, run: Iterable[Printed]) -> Manifest:
    """The manifest of the cards in `run`."""
    wording = job.wording
    languages = "+".join(filter(None, (wording.first, wording.second)))
    common = _digest(
        [*sorted(job.composer.shelves.icons.files.values()), *job.composer.fonts.loaded()]
    )
    digests: dict[tuple[str, ...], str] = {}
    pictures: dict[Path, str] = {}
    cards: dict[str, str] = {}
    for printed in run:
        if printed.card.id in cards:
            continue
        hasher = hashlib.sha256(f"{FORMAT} {languages} {common}".encode())
        for layout in (printed.front, printed.back):
            if layout is None:
                continue
            if layout.files not in digests:
                digests[layout.files] = _digest(Path(file) for file in layout.files)
            hasher.update(digests[layout.files].encode())
            for path in job.composer.picture_files(layout, printed.group, printed.card):
                if path not in pictures:
                    pictures[path] = _digest([path])
                hasher.update(pictures[path].encode())
        hasher.update(f"\0× {printed.card.copies}".encode())
        for name, shown in _deck_wide(job, printed):
            hasher.update(f"\0{name} {shown}".encode())
        for name in sorted(job.used.get(printed.group.name, ())):
            for language, cell in sorted(printed.card.fields.get(name, {}).items()):
                hasher.update(f"\0{name}@{language}\0{cell.value}".encode())
        cards[printed.card.id] = hasher.hexdigest()[:20]
    return Manifest(job.deck.name, languages, cards)


def _deck_wide(job: Job, printed: Printed) -> Iterator[tuple[str, str]]:
    """The built-in fields that the card's layouts show: deck, version, group."""
    used = job.used.get(printed.group.name, ())
    deck, group = job.deck, printed.group
    for name, value in (
        ("deck", str(dict(deck.title))),
        ("version", deck.version),
        ("group", str(dict(group.title))),
    ):
        if name in used:
            yield name, value


def _digest(paths: Iterable[Path]) -> str:
    hasher = hashlib.sha256()
    for path in paths:
        hasher.update(path.name.encode())
        hasher.update(hashlib.sha256(path.read_bytes()).digest())
    return hasher.hexdigest()[:20]


def read_manifest(path: Path) -> Manifest:
    """Read a manifest. Raises UsageError if there is none, DataError if it is damaged."""
    if path.suffix == ".pdf":
        path = manifest_path(path)
    if not path.is_file():
        raise UsageError(f"there is no manifest {path}: a print writes one beside its PDF")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["manifest"] != FORMAT:
            raise ValueError(f"format {data['manifest']} is not known")
        cards = {str(key): str(value) for key, value in data["cards"].items()}
        return Manifest(str(data["deck"]), str(data["languages"]), cards)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        problem = Problem("error", f"is no manifest of a print: {error}", Place(str(path)))
        raise DataError(problems=[problem]) from None


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Write a manifest whole."""
    data = {
        "manifest": FORMAT,
        "deck": manifest.deck,
        "languages": manifest.languages,
        "cards": dict(manifest.cards),
    }
    with replacing(path) as stream:
        stream.write((json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode())


def changes(old: Manifest, now: Manifest) -> Changes:
    """What must be printed again, and what is gone."""
    return Changes(
        tuple(c for c, digest in now.cards.items() if c in old.cards and old.cards[c] != digest),
        tuple(c for c in now.cards if c not in old.cards),
        tuple(c for c in old.cards if c not in now.cards),
    )


def joined(old: Manifest | None, printed: Manifest, whole: Manifest) -> Manifest:
    """The state after printing some cards: theirs is new, the others' as it was printed before."""
    before = dict(old.cards) if old and old.languages == whole.languages else {}
    cards = {
        card: printed.cards.get(card) or before[card]
        for card in whole.cards
        if card in printed.cards or card in before
    }
    return Manifest(whole.deck, whole.languages, cards)
