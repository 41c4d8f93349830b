"""Every error a person can meet: its text, its place, its hint and its exit code.

A loader does not stop at the first fault: it notes each in a `Problems` collector and goes on
as far as it can, so that a file's mistakes are listed in one go. Printing them is left to the cli.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import IntEnum
from typing import Literal

Level = Literal["error", "warning", "note"]


class ExitCode(IntEnum):
    """What the process returns; documented in the README."""

    OK = 0
    UNEXPECTED = 1
    USAGE = 2
    DATA = 3
    ILLEGAL_PLAY = 4
    SESSION = 5
    PRINT = 6
    INTERRUPTED = 130


@dataclass(frozen=True, order=True)
class Place:
    """A spot in a file: line and column count from 1, 0 means unknown."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        parts = [self.file]
        if self.line:
            parts.append(str(self.line))
            if self.column:
                parts.append(str(self.column))
        return ":".join(parts)


@dataclass(frozen=True)
class Problem:
    """One finding: what is wrong, where, and what would mend it."""

    level: Level
    message: str
    place: Place | None = None
    hint: str = ""
    exit_code: ExitCode = ExitCode.DATA

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        hint = f" ({self.hint})" if self.hint else ""
        return f"{where}{self.message}{hint}"


class CompanionError(Exception):
    """Base of every error that is the user's to mend; carries an exit code and its problems."""

    exit_code = ExitCode.UNEXPECTED

    def __init__(self, message: str = "", *, problems: Iterable[Problem] = ()) -> None:
        self.problems = tuple(problems)
        super().__init__(message or "\n".join(str(p) for p in self.problems))


class UsageError(CompanionError):
    """The command line itself is off: an unknown deck, paper or language."""

    exit_code = ExitCode.USAGE


class DataError(CompanionError):
    """A deck, layout or other file is wrong."""

    exit_code = ExitCode.DATA


class IllegalPlay(CompanionError):
    """A play that the rules forbid; says which rule and what would be legal."""

    exit_code = ExitCode.ILLEGAL_PLAY


class SessionError(CompanionError):
    """A stored session is missing, damaged or of a newer format."""

    exit_code = ExitCode.SESSION


class PrintError(CompanionError):
    """The data is sound but cannot be put on paper: overflow, missing glyph or picture."""

    exit_code = ExitCode.PRINT


@dataclass
class Problems:
    """Collects problems in the order found, each distinct one once."""

    items: list[Problem] = field(default_factory=list)
    _seen: set[Problem] = field(default_factory=set, repr=False)

    def add(self, problem: Problem) -> None:
        """Keep `problem` unless the very same one stands already."""
        if problem not in self._seen:
            self._seen.add(problem)
            self.items.append(problem)

    def error(
        self,
        message: str,
        place: Place | None = None,
        hint: str = "",
        exit_code: ExitCode = ExitCode.DATA,
    ) -> None:
        """Note something that forbids printing."""
        self.add(Problem("error", message, place, hint, exit_code))

    def warning(self, message: str, place: Place | None = None, hint: str = "") -> None:
        """Note something that prints, though perhaps not as meant."""
        self.add(Problem("warning", message, place, hint))

    def note(self, message: str, place: Place | None = None, hint: str = "") -> None:
        """Note something worth a line."""
        self.add(Problem("note", message, place, hint))

    @property
    def errors(self) -> list[Problem]:
        """The problems that forbid printing."""
        return [p for p in self.items if p.level == "error"]

    def raise_errors(self) -> None:
        """Raise `DataError` if a file is wrong, else `PrintError` if printing is, else nothing.

        The exception carries warnings and notes too: they may explain the errors.
        """
        errors = self.errors
        if not errors:
            return
        if any(p.exit_code == ExitCode.DATA for p in errors):
            raise DataError(problems=self.items)
        raise PrintError(problems=self.items)


def close_match(word: str, options: Iterable[str]) -> str:
    """The option most like `word`, or an empty string.

    Case is ignored: `Attack` finds `attack`.
    """
    by_lower = {option.lower(): option for option in options}
    found = get_close_matches(word.lower(), list(by_lower), n=1, cutoff=0.55)
    return by_lower[found[0]] if found else ""


def did_you_mean(word: str, options: Iterable[str]) -> str:
    """A hint: the closest option, else the options if they are few, else nothing."""
    names = list(dict.fromkeys(options))
    match = close_match(word, names)
    if match:
        return f"did you mean '{match}'?"
    if 0 < len(names) <= 12:
        return "known: " + ", ".join(sorted(names))
    return ""


def nearest(word: str, options: Iterable[str]) -> str:
    """The end of a message: ` (did you mean 'x'?)` for the closest option, or nothing."""
    match = close_match(word, list(options))
    return f" (did you mean '{match}'?)" if match else ""
