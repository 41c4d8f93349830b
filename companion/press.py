"""The print run: choose, compose, impose, write, report. What a script calls.

job = load_job("game-on", languages="zh-TW+en")
report = print_job(job, PrintOptions(), Path("output/game-on.pdf"))
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from companion.decks.model import Deck
from companion.drawing.scene import Scene
from companion.errors import DataError, ExitCode, PrintError, Problem, UsageError
from companion.files.atomic import replacing
from companion.job import Job, Printed, agree_on_sizes, choose, choose_part, widest_bleed
from companion.manifest import (
    Changes,
    Manifest,
    changes,
    joined,
    manifest_of,
    manifest_path,
    read_manifest,
    write_manifest,
)
from companion.printers import Profile, past_margin
from companion.sheets.arrangements import fitting_rows
from companion.sheets.impose import SheetStyle, impose
from companion.sheets.model import SheetPlan
from companion.sheets.nesting import NestPlan, cells, lay, nest

Progress = Callable[[int, int], None]
"""Called with (pages done, pages in all)."""


@dataclass(frozen=True)
class PrintOptions:
    """How to print. `only` chooses cards (see `choose`), `since` those that differ from an older
    manifest; None prints all. `tone`: color, grey or low-ink. `max_ppi` 0 keeps pictures as they
    are."""

    style: SheetStyle = field(default_factory=SheetStyle)
    only: str | None = None
    part: str | None = None
    since: Manifest | None = None
    paper_name: str = "A4"
    tone: str = "color"
    max_ppi: int = 0
    printer: Profile | None = None


@dataclass(frozen=True)
class PrintReport:
    """What was printed. `paper` in millimetres."""

    deck: str
    title: str
    cards: int
    backs: int
    sheets: int
    pages: int
    problems: tuple[Problem, ...]
    removed: tuple[str, ...] = ()
    """Cards of the older print that the deck no longer has."""
    cutting: tuple[str, ...] = ()
    """For each sheet of shaped tiles: area, cuts."""


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
    if options.part is not None:
        run = choose_part(run, options.part)
    changed = None
    if options.since is not None:
        if options.since.deck != job.deck.name:
            raise UsageError(
                f"--changed-since: that is a print of '{options.since.deck}', not of "
                f"'{job.deck.name}'"
            )
        changed = changes(options.since, manifest_of(job, job.run))
        wanted = {*changed.changed, *changed.new}
        run = tuple(printed for printed in run if printed.card.id in wanted)
        if not run:
            job.problems.raise_errors()
            return _nothing(job, changed)
    if isinstance(target, Path):
        spare_sources(job.deck, target)
    agree_on_sizes(job, job.run)
    plans = list(_plans(job, run, options))
    flat = [plan for plan, _ in plans if isinstance(plan, SheetPlan)]
    nested = [plan for plan, _ in plans if isinstance(plan, NestPlan)]
    if options.printer:
        notes = past_margin(flat, options.printer, options.style.margin)
        for note in notes:
            job.problems.warning(note)
    for plan in flat:
        for note in plan.notes:
            job.problems.warning(note)
    pages = _write(job, plans, options, lambda: _opened(target), progress)
    if isinstance(target, Path):
        _keep_manifest(job, run, target)
    return PrintReport(
        deck=job.deck.name,
        title=job.deck.title_in(job.wording.first),
        cards=len(run),
        backs=sum(printed.back is not None for printed in run),
        sheets=sum(p.sheets for p in flat) + sum(len(p.sheets) for p in nested),
        pages=pages,
        problems=tuple(job.problems.items),
        removed=changed.removed if changed else (),
        cutting=tuple(line for plan in nested for line in plan.reports()),
    )


def _nothing(job: Job, changed: Changes) -> PrintReport:
    """The report when no card differs from an older print: no file is written."""
    return PrintReport(
        deck=job.deck.name,
        title=job.deck.title_in(job.wording.first),
        cards=0,
        backs=0,
        sheets=0,
        pages=0,
        problems=tuple(job.problems.items),
        removed=changed.removed,
    )


def _keep_manifest(job: Job, run: Sequence[Printed], target: Path) -> None:
    """Write down what is printed now; cards that were not in this run stay as they were."""
    path = manifest_path(target)
    whole = manifest_of(job, job.run)
    old = None
    if len(run) < len(job.run) and path.exists():
        with suppress(DataError, UsageError):
            old = read_manifest(path)
    ids = {printed.card.id for printed in run}
    printed = Manifest(
        whole.deck, whole.languages, {c: d for c, d in whole.cards.items() if c in ids}
    )
    try:
        write_manifest(path, joined(old, printed, whole))
    except OSError as error:
        job.problems.warning(f"the manifest {path} cannot be written: {_reason(error)}")


def spare_sources(deck: Deck, target: Path) -> None:
    """Raise UsageError if the output would replace a file of the deck itself."""
    resolved = target.resolve()
    if (
        resolved.is_relative_to(deck.folder.resolve())
        and resolved.suffix != ".pdf"
        and resolved.exists()
    ):
        raise UsageError(f"{target} is a file of the deck; write into another one")


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
) -> Iterator[tuple[SheetPlan | NestPlan, list[Printed]]]:
    """One plan for each card size, in the order of their first cards."""
    by_size: dict[tuple[float, float], list[Printed]] = {}
    shaped = [printed for printed in run if printed.front.shape]
    for printed in run:
        if printed.front.shape:
            continue
        size = (printed.front.width, printed.front.height)
        by_size.setdefault(size, []).append(printed)
    label = _label(job, options)
    for size, cards in by_size.items():
        backs = [printed.back is not None for printed in cards]
        yield impose(size, widest_bleed(cards), backs, options.style, label), cards
    for part in dict.fromkeys(printed.group.part for printed in shaped):
        members = [printed for printed in shaped if printed.group.part == part]
        yield nest_plan(job, members, options.style, label), members


def nest_plan(job: Job, shaped: Sequence[Printed], style: SheetStyle, label: str = "") -> NestPlan:
    """Sheets of shaped tiles: by the deck's arrangement if it is for just these, else in strips.

    Tiles keep the margin of the style, at least 10 mm.
    """
    margin = max(style.margin, TILE_MARGIN)
    tiles = [(p.front.name, p.front.shape) for p in shaped if p.front.shape]
    kinds = dict(tiles)
    cards: dict[str, list[int]] = {}
    for number, (name, _) in enumerate(tiles):
        cards.setdefault(name, []).append(number)
    rows = None
    if job.deck.arrangement:
        rows = fitting_rows(job.deck.arrangement, kinds, cards, style.gap)
    if rows is not None:
        sheets = [lay(rows, cards, style.paper, margin, style.gap)]
    else:
        sheets = nest(tiles, style.paper, margin, style.gap)
    bleed = widest_bleed(shaped)
    if style.bleed is not None:
        bleed = min(bleed, style.bleed)
    painted = tuple(tuple(cells(sheet, bleed, style.gap)) for sheet in sheets)
    return NestPlan(style.paper, margin, tuple(sheets), painted, label)


TILE_MARGIN = 10.0


def _label(job: Job, options: PrintOptions) -> str:
    title = job.deck.title.get("en") or job.deck.title_in(job.wording.first)
    version = f" {job.deck.version}" if job.deck.version else ""
    languages = "+".join(filter(None, (job.wording.first, job.wording.second)))
    return f"{title}{version} · {languages} · {options.paper_name}"


def _write(
    job: Job,
    plans: list[tuple[SheetPlan | NestPlan, list[Printed]]],
    options: PrintOptions,
    open_stream: Callable[[], AbstractContextManager[BinaryIO]],
    progress: Progress,
) -> int:
    from companion.writers.pdf import Metadata, write_sheets
    from companion.writers.pdf_ink import Look
    from companion.writers.tone import Tone

    total = sum(
        len(plan.sheets) if isinstance(plan, NestPlan) else len(plan.pages) for plan, _ in plans
    )
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
    shift = options.printer.matrix(options.style.paper) if options.printer else ()
    look = Look(Tone(options.tone), shift, options.max_ppi)
    return write_sheets(
        open_stream,
        faces,
        metadata,
        job.composer.fonts.shipped_regular(),
        advance,
        job.problems,
        look,
    )


def _faces(job: Job, cards: Sequence[Printed]) -> Callable[[bool, int], tuple[Scene, bool]]:
    def face(back: bool, index: int) -> tuple[Scene, bool]:
        printed = cards[index]
        layout = printed.back if back else printed.front
        assert layout
        scene = job.composer.face(layout, printed.group, printed.card)
        shared = printed.card.copies > 1 or not job.composer.depends_on_card(layout)
        return scene, shared

    return face
