"""PDF pages → pixels by pypdfium2, and PNG files by Pillow."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from companion.files.atomic import replacing


def render(document: Any, page: int, pixels: tuple[int, int]) -> Any:
    """One page of an open pypdfium2 document as a Pillow image of exactly `pixels`."""
    sheet = document[page]
    width, _ = sheet.get_size()
    # pdfium rounds up: a hair less than the scale gives the wanted size, never one more
    image = sheet.render(scale=(pixels[0] - 0.01) / width).to_pil().convert("RGB")
    sheet.close()
    if image.size != pixels:
        image = image.crop((0, 0, *pixels)) if _covers(image.size, pixels) else image.resize(pixels)
    return image


def _covers(size: tuple[int, int], pixels: tuple[int, int]) -> bool:
    return size[0] >= pixels[0] and size[1] >= pixels[1]


def png_bytes(image: Any, ppi: float) -> bytes:
    """A PNG whose pHYs chunk says how large it prints."""
    stream = io.BytesIO()
    image.save(stream, "PNG", dpi=(ppi, ppi))
    return stream.getvalue()


def _write_some(pdf: bytes, jobs: Sequence[tuple[int, tuple[int, int], str]], ppi: float) -> int:
    """Render some pages of a PDF into files; returns how many. Runs in a process of its own."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    for page, pixels, name in jobs:
        image = render(document, page, pixels)
        with replacing(Path(name)) as stream:
            stream.write(png_bytes(image, ppi))
    document.close()
    return len(jobs)


def write_pngs(
    pdf: bytes,
    jobs: Sequence[tuple[int, tuple[int, int], Path]],
    ppi: float,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Render (page, pixels, file) jobs on all cores."""
    named = [(page, pixels, str(path)) for page, pixels, path in jobs]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    workers = min(cores or 1, (len(named) + 7) // 8)
    done = 0
    if workers <= 1:
        for job in named:
            done += _write_some(pdf, [job], ppi)
            progress(done, len(named))
        return
    chunks = list(_chunks(named, max(4, len(named) // (workers * 4))))
    with ProcessPoolExecutor(workers) as pool:
        for count in pool.map(_write_some, [pdf] * len(chunks), chunks, [ppi] * len(chunks)):
            done += count
            progress(done, len(named))


def _chunks(
    jobs: Sequence[tuple[int, tuple[int, int], str]], size: int
) -> Iterator[list[tuple[int, tuple[int, int], str]]]:
    for start in range(0, len(jobs), size):
        yield list(jobs[start : start + size])
