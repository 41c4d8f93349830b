"""A progress bar on stderr for long work, only where stderr is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import typer

_LONG = 40
"""Steps from which a bar is worth showing."""


@contextmanager
def progress_bar() -> Iterator[Callable[[int, int], None]]:
    """A function to call with (done, total)."""
    with ExitStack() as stack:
        bar: Any = None

        def draw(done: int, total: int) -> None:
            nonlocal bar
            if total < _LONG:
                return
            if bar is None:
                bar = stack.enter_context(
                    typer.progressbar(length=total, label="working", file=sys.stderr)
                )
            bar.update(done - bar.pos)

        yield draw if sys.stderr.isatty() else lambda done, total: None
