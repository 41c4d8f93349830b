"""A deck loaded and ready: every copy in order with its layouts, and what was noted on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from companion.decks.cards import COUNT_NAMES, untranslated
from companion.decks.folders import find_deck
from companion.decks.loader import load_deck
from companion.decks.model import Card, Deck, Group
from companion.drawing.compose import Composer, check_fields, layout_fonts
from companion.drawing.fields import Wording
from companion.drawing.fonts import FontShelf
from companion.drawing.icons import IconShelf
from companion.drawing.paint import Shelves
from companion.drawing.pictures import PictureFile, PictureShelf
from companion.drawing.scene import Image
from companion.errors import (
    CompanionError,
    DataError,
    ExitCode,
    PrintError,
    Problems,
    UsageError,
    did_you_mean,
)
from companion.layouts.loader import LayoutLibrary
from companion.layouts.model import Layout
from companion.shipped import ICONS, LAYOUTS


@dataclass(frozen=True)
class Printed:
    """One copy of a card in the run, with its layouts."""

    number: int
    group: Group
    card: Card
    front: Layout
    back: Layout | None


@dataclass
class Job:
    """A loaded deck, ready to print: every copy in order, and what was noted on the way."""

    deck: Deck
    wording: Wording
    composer: Composer
    problems: Problems
    run: tuple[Printed, ...]
    used: Mapping[str, frozenset[str]]
    """Group → the fields that its layouts use."""


def load_job(
    name: str,
    languages: str | None = None,
    overflow: Literal["error", "warn"] = "error",
    missing: Literal["error", "placeholder"] = "error",
    hide: Sequence[str] = (),
) -> Job:
    """Load the deck called `name` and every layout, font and icon that it needs.

    Raises UsageError for an unknown deck or language, DataError with all faults of the deck file
    if nothing of it can be used. Other faults are noted in the job's problems, so that composing
    can add its own.
    """
    folder, shown = find_deck(name)
    problems = Problems()
    deck = load_deck(folder, shown, problems)
    if deck is None:
        raise DataError(problems=problems.errors)
    wording = choose_wording(deck, languages)
    library = LayoutLibrary((folder / "layouts", LAYOUTS), problems, hidden=tuple(hide))
    fonts = FontShelf.with_shipped((f.name, f.regular, f.bold, f.place) for f in deck.fonts)
    shelves = Shelves(
        IconShelf((folder / "icons", ICONS)),
        PictureShelf(folder),
        fonts.shipped_regular,
        missing,
    )
    composer = Composer(deck, wording, fonts, shelves, problems, overflow)
    used: dict[str, frozenset[str]] = {}
    copies = list(_copies(deck, library, composer, used))
    run = tuple(Printed(number, *entry) for number, entry in enumerate(copies, 1))
    _note_untranslated(deck, wording, problems)
    for element in hide:
        if element not in library.hid:
            raise UsageError(f"--hide {element}: no layout has such an element")
    return Job(deck, wording, composer, problems, run, used)


def sheet_folders() -> tuple[Path, ...]:
    """Where slot files are found: here, then the shipped ones."""
    return (Path("layouts") / "sheets", LAYOUTS / "sheets")


def choose_wording(deck: Deck, languages: str | None) -> Wording:
    """`zh-TW+en` → first and second language; by default the deck's first two.

    Raises UsageError with a suggestion for a language that the deck lacks.
    """
    names = list(deck.languages[:2]) if languages is None else languages.split("+")
    by_lower = {language.lower(): language for language in deck.languages}
    chosen = []
    for name in names:
        known = by_lower.get(name.strip().lower())
        if known is None:
            hint = did_you_mean(name, deck.languages)
            raise UsageError(f"the deck has no language '{name}' ({hint})")
        chosen.append(known)
    if len(chosen) > 2 or len(set(chosen)) < len(chosen):
        raise UsageError(f"'{languages}' must be one language or two different ones, such as en")
    return Wording(chosen[0], chosen[1] if len(chosen) > 1 else None)


def _copies(
    deck: Deck, library: LayoutLibrary, composer: Composer, uses: dict[str, frozenset[str]]
) -> Iterator[tuple[Group, Card, Layout, Layout | None]]:
    problems = composer.problems
    for group in deck.groups:
        front = library.get(group.layout)
        back = library.get(group.back) if group.back else None
        used = {"id", "name"}
        for layout in (front, back):
            if layout and group.columns:
                used |= check_fields(
                    layout, group, deck.languages, composer.shelves.icons, problems
                )
                for font, place in layout_fonts(layout):
                    composer.fonts.family(font, place, problems)
        uses[group.name] = frozenset(used)
        if front and (back or not group.back):
            for column, place in group.columns.items():
                known = used | group.unprinted
                if column not in known and column.lower() not in COUNT_NAMES:
                    problems.note(f"no layout uses the column '{column}'", place)
        if front is None or (group.back and back is None):
            continue
        if back and (front.shape or back.shape):
            assert group.back
            problems.error("a layout with a shape of its own takes no back", group.back.place)
            continue
        if back and (back.width, back.height) != (front.width, front.height):
            assert group.back
            problems.error(
                f"back '{back.name}' is {back.width:g} × {back.height:g} mm, its front "
                f"{front.width:g} × {front.height:g} mm",
                group.back.place,
            )
            continue
        for card in group.cards:
            for _ in range(card.copies):
                yield group, card, front, back


def _note_untranslated(deck: Deck, wording: Wording, problems: Problems) -> None:
    chosen = [language for language in (wording.first, wording.second) if language]
    for group in deck.groups:
        missing = untranslated(group.cards, group.translated, chosen, deck.languages[0])
        for language, pairs in missing.items():
            if pairs:
                listed = ", ".join(f"{card}.{name}" for card, name in pairs[:8])
                more = f" and {len(pairs) - 8} more" if len(pairs) > 8 else ""
                count = "1 text is" if len(pairs) == 1 else f"{len(pairs)} texts are"
                message = f"{count} not in {language}: {listed}{more}"
                problems.warning(f"group '{group.name}': {message}", group.place)


def compose_all(job: Job) -> None:
    """Compose every distinct face and read every picture, so that all problems are noted."""
    from companion.writers.pdf_pictures import load_image
    from companion.writers.pdf_svg import read_svg

    agree_on_sizes(job, job.run)
    pictures: dict[PictureFile, Image] = {}
    for printed in distinct(job.run):
        for layout in (printed.front, printed.back):
            if layout:
                scene = job.composer.face(layout, printed.group, printed.card)
                for image in scene.images():
                    pictures.setdefault(image.picture, image)
    for picture, image in pictures.items():
        try:
            if picture.format == "svg":
                read_svg(picture)
            else:
                load_image(picture)
        except PrintError as error:
            job.problems.error(str(error), image.place, exit_code=ExitCode.PRINT)


def check_job(job: Job) -> ExitCode:
    """Compose everything and say with which exit code a print would end."""
    compose_all(job)
    if not job.run and not job.problems.errors:
        job.problems.error("the deck has no card to print")
    try:
        job.problems.raise_errors()
    except CompanionError as error:
        return error.exit_code
    return ExitCode.OK


def distinct(run: Sequence[Printed]) -> Iterator[Printed]:
    """The first copy of each card."""
    before: Card | None = None
    for printed in run:
        if printed.card is not before:
            yield printed
        before = printed.card


def widest_bleed(cards: Sequence[Printed]) -> float:
    """The widest bleed of the cards' faces, in millimetres."""
    return max(face.bleed for card in cards for face in (card.front, card.back) if face)


def agree_on_sizes(job: Job, run: Sequence[Printed]) -> None:
    """One-size texts look at all cards of the deck, whichever of them are printed."""
    faces = (
        (layout, printed.group, printed.card)
        for printed in distinct(run)
        for layout in (printed.front, printed.back)
        if layout
    )
    job.composer.agree_on_sizes(faces)


def choose_part(run: Sequence[Printed], part: str) -> tuple[Printed, ...]:
    """The cards of one part of a game (`--part`). Raises UsageError with a suggestion."""
    chosen = tuple(printed for printed in run if printed.group.part == part)
    if not chosen:
        parts = dict.fromkeys(printed.group.part for printed in run)
        raise UsageError(f"there is no part '{part}' ({did_you_mean(part, parts)})")
    return chosen


def choose(run: Sequence[Printed], only: str) -> tuple[Printed, ...]:
    """The cards that `only` names: numbers and ranges in the run (3,7-9), ids, group names.

    `#7` is always a number and `=7` always an id. Raises UsageError with a suggestion.
    """
    ids = {printed.card.id for printed in run}
    groups = {printed.group.name for printed in run}
    chosen: set[int] = set()
    for token in (part.strip() for part in only.split(",")):
        if not token:
            continue
        span = re.fullmatch(r"#?(\d+)(?:-(\d+))?", token)
        is_id = token.removeprefix("=") in ids and not token.startswith("#")
        if span and is_id and not token.startswith("="):
            raise UsageError(
                f"'{token}' is both a card's number and an id: write #{token} or ={token}"
            )
        if is_id or token in groups:
            name = token.removeprefix("=")
            by_group = token in groups and not token.startswith("=")
            chosen |= {
                p.number for p in run if p.card.id == name or (by_group and p.group.name == name)
            }
        elif span:
            first, last = int(span[1]), int(span[2] or span[1])
            if not 1 <= first <= last <= len(run):
                raise UsageError(f"--only {token}: the run has the cards 1 to {len(run)}")
            chosen |= set(range(first, last + 1))
        else:
            hint = did_you_mean(token, [*ids, *groups])
            raise UsageError(f"--only {token}: no card or group of that name ({hint})")
    if not chosen:
        raise UsageError("--only names no card")
    return tuple(printed for printed in run if printed.number in chosen)
