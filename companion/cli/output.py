"""The one writer to stdout and the one to stderr: answers as text or JSON, problems as lines."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import typer

from companion.errors import Problem, UsageError

MOST_SHOWN = 1000
_COLORS = {"error": "red", "warning": "yellow", "note": "cyan"}


def answer(text: str) -> None:
    """A line of the answer, to stdout."""
    typer.echo(text)


def answer_json(document: Mapping[str, Any]) -> None:
    """The whole answer as one JSON document, to stdout."""
    typer.echo(json.dumps(document, ensure_ascii=False, indent=2))


def remark(text: str) -> None:
    """A line beside the answer, to stderr."""
    typer.echo(text, err=True)


def show_problems(problems: Iterable[Problem]) -> None:
    """Problems one a line, to stderr: `file:line:column: error: message (hint)`."""
    listed = list(problems)
    for problem in listed[:MOST_SHOWN]:
        where = f"{problem.place}: " if problem.place else ""
        level = problem.level
        if colored():
            level = typer.style(problem.level, fg=_COLORS[problem.level], bold=True)  # type: ignore[assignment]
        hint = f" ({problem.hint})" if problem.hint else ""
        remark(f"{where}{level}: {problem.message}{hint}")
    if len(listed) > MOST_SHOWN:
        remark(f"… and {len(listed) - MOST_SHOWN:,} more")


def problem_json(problem: Problem) -> dict[str, Any]:
    """A problem as JSON data."""
    place = problem.place
    return {
        "level": problem.level,
        "message": problem.message,
        "hint": problem.hint or None,
        "file": place.file if place else None,
        "line": place.line or None if place else None,
        "column": place.column or None if place else None,
    }


def fraction_json(value: Fraction) -> dict[str, Any]:
    """{"num": 9, "den": 20, "approx": 0.45}."""
    return {"num": value.numerator, "den": value.denominator, "approx": float(value)}


def percent(value: Fraction) -> str:
    """A chance as a percentage, exact where two decimals are: 45%, 17.33%."""
    scaled = value * 100
    if scaled.denominator == 1:
        return f"{scaled.numerator}%"
    return f"{float(scaled):.2f}%"


def plural(count: int, noun: str) -> str:
    """1 card, 2 cards."""
    return f"{count} {noun}" + ("" if count == 1 else "s")


def write_text(text: str, out: Path | None, what: str) -> None:
    """Write a text to a file and say so; to stdout for None or `-`. Raises OSError."""
    from companion.files.atomic import replacing

    if out is None or str(out) == "-":
        typer.echo(text, nl=False)
        return
    with replacing(out) as stream:
        stream.write(text.encode())
    remark(f"{what} → {out}")


def ask(question: str) -> str:
    """A line typed in answer to a question on stderr (stdout stays for the answer).

    Raises UsageError if there is no standard input, KeyboardInterrupt at its end.
    """
    if sys.stdin is None:
        raise UsageError("there is no standard input to answer from")
    typer.echo(f"{question}: ", nl=False, err=True)
    line = sys.stdin.readline()
    if not line:
        remark("")
        raise KeyboardInterrupt
    return line.strip()


def read_stdin() -> str:
    """All of standard input. Raises UsageError if there is none."""
    if sys.stdin is None:
        raise UsageError("there is no standard input to read")
    return sys.stdin.read()


def colored() -> bool:
    """Whether stderr takes colour: a terminal, and NO_COLOR is not set."""
    return sys.stderr.isatty() and not os.environ.get("NO_COLOR")
