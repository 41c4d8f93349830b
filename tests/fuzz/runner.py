"""Feeds changed inputs to a target and notes what should not be."""

from __future__ import annotations

import os
import random
import signal
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from companion.errors import CompanionError
from tests.fuzz.mutate import mutated
from tests.fuzz.targets import Target

SECONDS = 10


@dataclass(frozen=True)
class Finding:
    """An input that did what no input may: what, and the input."""

    target: str
    what: str
    data: bytes


class TooLong(BaseException):
    """An input took longer than it may."""


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Raise TooLong after so many seconds (where the system has alarms)."""

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def run_target(target: Target, count: int, seed: int) -> list[Finding]:
    """Try `count` changed inputs; each is made from the seed and its number alone."""
    findings: list[Finding] = []
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outer, folder = Path(name), Path(name) / "in" / "here"
        folder.mkdir(parents=True)
        os.chdir(folder)
        try:
            for number in range(count):
                data = mutated(target.seeds, random.Random(f"{target.name} {seed} {number}"))
                what = _try(target, data, folder)
                if what:
                    findings.append(Finding(target.name, what, data))
            strays = {path.name for path in outer.iterdir()} - {"in"}
            strays |= {path.name for path in (outer / "in").iterdir()} - {"here"}
            if strays:
                findings.append(Finding(target.name, f"files outside: {strays}", b""))
        finally:
            os.chdir(here)
    return findings


def _try(target: Target, data: bytes, folder: Path) -> str:
    """What went wrong, or nothing."""
    try:
        with limited(SECONDS):
            target.run(data, folder)
    except CompanionError as error:
        if not str(error) and not error.problems:
            return "an error without a message"
    except TooLong:
        return f"took over {SECONDS} s"
    except MemoryError:
        return "took over 1 GB"
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {error} ({Path(last.filename).name}:{last.lineno})"
    return ""
