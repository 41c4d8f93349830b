"""Previews of a deck: a contact sheet PNG and one self-contained HTML gallery, rebuilt on a change.

The gallery holds every distinct face as a data URI; a tiny script beside it tells an open page when
it was rebuilt, so that it reloads by itself even from a file.
"""

from __future__ import annotations

import base64
import html
import json
import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import CompanionError, Problem
from companion.export import Face, faces, pdf_of, pixels
from companion.files.atomic import replacing
from companion.job import Job, Printed, compose_all, load_job
from companion.shipped import LAYOUTS

PPI = 130
_GAP = 14
_COLUMNS = 8


@dataclass(frozen=True)
class Preview:
    """The files of a preview, and what `check` found."""

    sheet: Path
    gallery: Path
    faces: int
    problems: tuple[Problem, ...]


def build(name: str, languages: str | None, folder: Path) -> Preview:
    """Write contact sheet and gallery into `folder`. Raises DataError or PrintError.

    Texts that do not fit are drawn at their floor and pictures that are missing as placeholders, so
    that the gallery can show what is wrong on the card itself.
    """
    job = load_job(name, languages, "warn", "placeholder")
    compose_all(job)
    job.problems.raise_errors()
    found = faces(job, job.run, 0.0, copies=False)
    images = _render(job, found)
    sheet = folder / f"{job.deck.name}.png"
    gallery = folder / f"{job.deck.name}.html"
    _write(sheet, _contact_sheet(images))
    problems = tuple(job.problems.items)
    page = _page(job, found, images, problems, gallery.stem)
    _write(gallery, page.encode())
    _stamp(gallery)
    return Preview(sheet, gallery, len(found), problems)


def show_fault(gallery: Path, title: str, problems: Iterable[Problem]) -> None:
    """Keep the last good gallery and show above it why the newest could not be built."""
    items = "".join(f"<li>{html.escape(str(problem))}</li>" for problem in problems)
    box = f'<aside id="fault"><b>{html.escape(title)}</b><ul>{items}</ul></aside>'
    page = gallery.read_text(encoding="utf-8") if gallery.exists() else _empty(gallery.stem)
    if _FAULT_START not in page or _FAULT_END not in page:
        page = _empty(gallery.stem)  # somebody else's file of that name
    start = page.index(_FAULT_START) + len(_FAULT_START)
    end = page.index(_FAULT_END)
    _write(gallery, (page[:start] + box + page[end:]).encode())
    _stamp(gallery)


def watch(
    name: str,
    languages: str | None,
    folder: Path,
    told: Callable[[Preview | CompanionError], None],
    stop: Callable[[], bool] = lambda: False,
) -> None:
    """Build, then build again whenever a file of the deck or the layouts changes, until stopped.

    A rebuild that fails keeps the last good gallery and shows the error in it.
    """
    from watchfiles import watch as changes

    from companion.decks.folders import find_deck

    deck, _ = find_deck(name)
    gallery = folder / f"{deck.name}.html"
    watched = [path for path in (deck, LAYOUTS, Path("layouts")) if path.is_dir()]

    def rebuild() -> None:
        try:
            told(build(name, languages, folder))
        except CompanionError as error:
            problems = error.problems or (Problem("error", str(error)),)
            show_fault(gallery, "This is the last good version. Now:", problems)
            told(error)

    rebuild()
    for found in changes(*watched, debounce=200, step=50, rust_timeout=500, yield_on_timeout=True):
        if stop():
            return
        if any(not _is_output(Path(path), gallery) for _, path in found):
            rebuild()


def _is_output(path: Path, gallery: Path) -> bool:
    """Whether a changed file is one that the preview itself writes (or is writing)."""
    name = path.name.removeprefix(".")
    return path.parent.resolve() == gallery.parent.resolve() and name.startswith(gallery.stem + ".")


def _render(job: Job, found: Sequence[Face]) -> list[Any]:
    import pypdfium2

    from companion.writers.raster import render

    document = pypdfium2.PdfDocument(pdf_of(job, [face.scene for face in found]))
    images = [render(document, n, pixels(face.scene, PPI)) for n, face in enumerate(found)]
    document.close()
    return images


def _contact_sheet(images: Sequence[Any]) -> bytes:
    """All faces in rows, on grey."""
    from PIL import Image

    from companion.writers.raster import png_bytes

    columns = min(_COLUMNS, len(images))
    rows = math.ceil(len(images) / columns)
    width = max(image.width for image in images) + _GAP
    height = max(image.height for image in images) + _GAP
    size = (columns * width + _GAP, rows * height + _GAP)
    canvas = Image.new("RGB", size, (205, 205, 205))
    for number, image in enumerate(images):
        row, column = divmod(number, columns)
        canvas.paste(image, (_GAP + column * width, _GAP + row * height))
    return png_bytes(canvas, PPI)


def _write(path: Path, data: bytes) -> None:
    with replacing(path) as stream:
        stream.write(data)


def _stamp(gallery: Path) -> None:
    """Tell open pages that there is a new gallery."""
    script = f"window.companionStamp = {json.dumps(str(time.time_ns()))};\n"
    _write(gallery.with_suffix(".stamp.js"), script.encode())


_FAULT_START, _FAULT_END = "<!-- fault -->", "<!-- end of fault -->"


def _page(
    job: Job, found: Sequence[Face], images: Sequence[Any], problems: Sequence[Problem], stem: str
) -> str:
    groups = {printed.card.id: printed for printed in job.run}
    figures = [
        _figure(face, image, groups[face.card], problems)
        for face, image in zip(found, images, strict=True)
    ]
    options = "".join(
        f'<option value="{html.escape(group.name)}">{html.escape(group.name)}</option>'
        for group in job.deck.groups
    )
    rest = [p for p in problems if not _cards_of(p, groups)]
    notes = "".join(f"<li>{html.escape(str(problem))}</li>" for problem in rest)
    return _TEMPLATE.format(
        title=html.escape(job.deck.title_in(job.wording.first)),
        stem=html.escape(stem),
        start=_FAULT_START,
        end=_FAULT_END,
        count=len(groups),
        options=options,
        figures="\n".join(figures),
        notes=f"<ul>{notes}</ul>" if notes else "",
    )


def _empty(stem: str) -> str:
    return _TEMPLATE.format(
        title=html.escape(stem),
        stem=html.escape(stem),
        start=_FAULT_START,
        end=_FAULT_END,
        count=0,
        options="",
        figures="",
        notes="",
    )


def _figure(face: Face, image: Any, printed: Printed, problems: Sequence[Problem]) -> str:
    import io

    stream = io.BytesIO()
    image.save(stream, "PNG", optimize=False)
    data = base64.b64encode(stream.getvalue()).decode()
    names = {cell.value for cell in printed.card.fields.get("name", {}).values()}
    search = " ".join([face.card, *sorted(names)]).lower()
    own = [p for p in problems if face.card in _cards_of(p, {face.card: printed})]
    listed = "".join(f"<li>{html.escape(p.message)}</li>" for p in own)
    mark = f'<ul class="problems">{listed}</ul>' if own and face.side == "front" else ""
    copies = f" × {printed.card.copies}" if printed.card.copies > 1 else ""
    return (
        f'<figure data-group="{html.escape(printed.group.name)}" data-side="{face.side}" '
        f'data-search="{html.escape(search)}"{" data-faulty" if mark else ""}>'
        f'<img src="data:image/png;base64,{data}" alt="{html.escape(face.card)}, {face.side}" '
        f'style="--mm: {face.scene.width}mm">'
        f"<figcaption>{html.escape(face.card)}{copies} · {face.side}</figcaption>{mark}</figure>"
    )


def _cards_of(problem: Problem, cards: dict[str, Printed]) -> list[str]:
    """The cards that a problem names."""
    return [card for card in cards if f"card '{card}'" in problem.message]


_TEMPLATE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>
  body {{ margin: 0; font: 15px/1.4 system-ui, sans-serif; background: #ececec; color: #222; }}
  header {{ position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: .8em;
    align-items: center; padding: .7em 1.2em; background: #fff; box-shadow: 0 1px 4px #0003; }}
  h1 {{ font-size: 1.1em; margin: 0; }}
  main {{ display: flex; flex-wrap: wrap; gap: 18px; padding: 20px; }}
  figure {{ margin: 0; width: 180px; }}
  figure[hidden] {{ display: none; }}
  img {{ width: 100%; display: block; border-radius: 7px; box-shadow: 0 1px 5px #0004; }}
  figure:hover img {{ position: relative; z-index: 1; width: var(--mm); }}
  figcaption {{ font-size: .8em; margin-top: .4em; color: #444; }}
  .problems, aside {{ background: #fff3cd; border-left: 4px solid #b45309; margin: .5em 0;
    padding: .4em .6em .4em 1.4em; font-size: .8em; }}
  aside {{ margin: 0; font-size: .95em; }}
</style>
{start}{end}
<header><h1>{title}</h1>
<input id="search" type="search" placeholder="name or id" aria-label="name or id">
<select id="group" aria-label="group"><option value="">all groups</option>{options}</select>
<label><input id="backs" type="checkbox" checked> backs</label>
<label><input id="faulty" type="checkbox"> only with problems</label>
<span id="shown"></span> of {count} cards</header>
{notes}
<main>
{figures}
</main>
<script>
  const byId = id => document.getElementById(id);
  function filter() {{
    const words = byId("search").value.toLowerCase(), group = byId("group").value;
    let fronts = 0;
    for (const figure of document.querySelectorAll("figure")) {{
      const data = figure.dataset;
      const shown = data.search.includes(words) && (!group || data.group === group)
        && (byId("backs").checked || data.side === "front")
        && (!byId("faulty").checked || "faulty" in data);
      figure.hidden = !shown;
      fronts += shown && data.side === "front";
    }}
    byId("shown").textContent = fronts;
  }}
  for (const id of ["search", "group", "backs", "faulty"])
    byId(id).addEventListener("input", filter);
  filter();
  let known = null;
  function look() {{
    const script = document.createElement("script");
    script.src = encodeURIComponent("{stem}") + ".stamp.js?" + Date.now();
    script.onload = () => {{
      if (known && known !== window.companionStamp) location.reload();
      known = window.companionStamp;
      script.remove();
    }};
    script.onerror = () => script.remove();
    document.head.append(script);
  }}
  look();
  setInterval(look, 1000);
</script>
</html>
"""
