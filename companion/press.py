"""The print run: load, choose, compose, impose, write, report. What a script calls.

job = load_job("game-on", languages="zh-TW+en")
report = print_job(job, PrintOptions(), Path("output/game-on.pdf"))
"""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Literal

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
from companion.drawing.scene import Image, Scene
from companion.errors import (
    CompanionError,
    DataError,
    ExitCode,
    PrintError,
    Problem,
    Problems,
    UsageError,
    did_you_mean,
)
from companion.files.atomic import replacing
from companion.layouts.loader import LayoutLibrary
from companion.layouts.model import Layout
from companion.sheets.impose import SheetStyle, impose
from companion.sheets.model import SheetPlan
from companion.shipped import ICONS, LAYOUTS

Progress = Callable[[int, int], None]
"""Called with (pages done, pages in all)."""


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


@dataclass(frozen=True)
class PrintOptions:
    """How to print. `only` chooses cards (see `choose`); None prints all."""

    style: SheetStyle = field(default_factory=SheetStyle)
    only: str | None = None
    paper_name: str = "A4"


@dataclass(frozen=True)
class PrintReport:
    """What was printed. `paper` in millimetres."""

    deck: str
    title: str
    cards: int
    backs: int
    sheets: int
    pages: int
    per_page: int
    problems: tuple[Problem, ...]


def load_job(
    name: str,
    languages: str | None = None,
    overflow: Literal["error", "warn"] = "error",
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
    library = LayoutLibrary((folder / "layouts", LAYOUTS), problems)
    shelves = Shelves(IconShelf((folder / "icons", ICONS)), PictureShelf(folder))
    fonts = FontShelf.with_shipped((f.name, f.regular, f.bold, f.place) for f in deck.fonts)
    composer = Composer(deck, wording, fonts, shelves, problems, overflow)
    copies = list(_copies(deck, library, composer))
    run = tuple(Printed(number, *entry) for number, entry in enumerate(copies, 1))
    _note_untranslated(deck, wording, problems)
    return Job(deck, wording, composer, problems, run)


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
    deck: Deck, library: LayoutLibrary, composer: Composer
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
        if front and (back or not group.back):
            for column, place in group.columns.items():
                if column not in used and column.lower() not in COUNT_NAMES:
                    problems.note(f"no layout uses the column '{column}'", place)
        if front is None or (group.back and back is None):
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

    _agree(job, job.run)
    pictures: dict[PictureFile, Image] = {}
    for printed in _distinct(job.run):
        for layout in (printed.front, printed.back):
            if layout:
                scene = job.composer.face(layout, printed.group, printed.card)
                for image in scene.images():
                    pictures.setdefault(image.picture, image)
    for picture, image in pictures.items():
        try:
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


def _distinct(run: Sequence[Printed]) -> Iterator[Printed]:
    """The first copy of each card."""
    before: Card | None = None
    for printed in run:
        if printed.card is not before:
            yield printed
        before = printed.card


def _agree(job: Job, run: Sequence[Printed]) -> None:
    """One-size texts look at all cards of the deck, whichever of them are printed."""
    faces = (
        (layout, printed.group, printed.card)
        for printed in _distinct(run)
        for layout in (printed.front, printed.back)
        if layout
    )
    job.composer.agree_on_sizes(faces)


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


def print_job(
    job: Job,
    options: PrintOptions,
    target: Path | BinaryIO,
    progress: Progress = lambda done, total: None,
) -> PrintReport:
    """Print the job into a file (replaced whole, at the end) or a stream.

    Raises DataError or PrintError with every problem; then nothing is written.
    """
    if not job.run and not job.problems.errors:
        job.problems.error("the deck has no card to print", exit_code=ExitCode.DATA)
    if not job.run:
        job.problems.raise_errors()
    run = job.run if options.only is None else choose(job.run, options.only)
    if isinstance(target, Path):
        _spare_sources(job.deck, target)
    _agree(job, job.run)
    plans = list(_plans(job, run, options))
    for plan, _ in plans:
        for note in plan.notes:
            job.problems.warning(note)
    pages = _write(job, plans, options, lambda: _opened(target), progress)
    return PrintReport(
        deck=job.deck.name,
        title=job.deck.title_in(job.wording.first),
        cards=len(run),
        backs=sum(printed.back is not None for printed in run),
        sheets=sum(plan.sheets for plan, _ in plans),
        pages=pages,
        per_page=plans[0][0].grid.capacity,
        problems=tuple(job.problems.items),
    )


def _spare_sources(deck: Deck, target: Path) -> None:
    """Refuse to replace a file of the deck itself."""
    resolved = target.resolve()
    if (
        resolved.is_relative_to(deck.folder.resolve())
        and resolved.suffix != ".pdf"
        and resolved.exists()
    ):
        raise UsageError(f"{target} is a file of the deck; print into another one")


@contextmanager
def _opened(target: Path | BinaryIO) -> Iterator[BinaryIO]:
    """The stream to write to; an OSError in it is one clear line."""
    try:
        if isinstance(target, Path):
            with replacing(target) as stream:
                yield stream
        else:
            yield target
            target.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        name = str(target) if isinstance(target, Path) else "standard output"
        raise PrintError(f"cannot write {name}: {_reason(error)}") from None


def _reason(error: OSError) -> str:
    if error.errno == errno.ENOSPC:
        return "No space left on the disk"
    return error.strerror or str(error)


def _plans(
    job: Job, run: Sequence[Printed], options: PrintOptions
) -> Iterator[tuple[SheetPlan, list[Printed]]]:
    """One plan for each card size, in the order of their first cards."""
    by_size: dict[tuple[float, float], list[Printed]] = {}
    for printed in run:
        size = (printed.front.width, printed.front.height)
        by_size.setdefault(size, []).append(printed)
    for size, cards in by_size.items():
        bleed = max(
            layout.bleed for p in cards for layout in (p.front, p.back) if layout is not None
        )
        label = _label(job, options)
        yield impose(size, bleed, [p.back is not None for p in cards], options.style, label), cards


def _label(job: Job, options: PrintOptions) -> str:
    title = job.deck.title.get("en") or job.deck.title_in(job.wording.first)
    version = f" {job.deck.version}" if job.deck.version else ""
    languages = "+".join(filter(None, (job.wording.first, job.wording.second)))
    return f"{title}{version} · {languages} · {options.paper_name}"


def _write(
    job: Job,
    plans: list[tuple[SheetPlan, list[Printed]]],
    options: PrintOptions,
    open_stream: Callable[[], AbstractContextManager[BinaryIO]],
    progress: Progress,
) -> int:
    from companion.writers.pdf import Metadata, write_sheets

    total = sum(len(plan.pages) for plan, _ in plans)
    done = 0

    def advance(pages: int) -> None:
        nonlocal done
        done += pages
        progress(done, total)

    metadata = Metadata(
        title=job.deck.title_in(job.wording.first),
        subject=_label(job, options),
        language=job.wording.first,
    )
    faces = [(plan, _faces(job, cards)) for plan, cards in plans]
    return write_sheets(
        open_stream, faces, metadata, job.composer.fonts.shipped_regular(), advance, job.problems
    )


def _faces(job: Job, cards: Sequence[Printed]) -> Callable[[str, int], tuple[Scene, bool]]:
    def face(side: str, index: int) -> tuple[Scene, bool]:
        printed = cards[index]
        layout = printed.front if side == "front" else printed.back
        assert layout
        scene = job.composer.face(layout, printed.group, printed.card)
        shared = printed.card.copies > 1 or not job.composer.depends_on_card(layout)
        return scene, shared

    return face
