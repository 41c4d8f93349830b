"""Helpers: small decks made on the fly, the command line in process, PDFs read back in mm."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from typer.testing import CliRunner

from companion.cli.app import app

settings.register_profile("default", deadline=None)
settings.load_profile("default")

MM = 72 / 25.4

PLAIN_LAYOUT = """
size = "poker"
[[element]]
name = "title"
type = "text"
text = "{name}"
at = [5, 5]
size = [53, 20]
fit = [6, 9]
"""
PLAIN_BACK = """
size = "poker"
[[element]]
name = "title"
type = "text"
text = "back of {name}"
at = [5, 5]
size = [53, 20]
"""


@dataclass
class Answer:
    """What a command returned."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def run(*arguments: str, stdin: str | None = None) -> Answer:
    """Run a command in this process, as a user would type it."""
    result = CliRunner().invoke(app, list(arguments), input=stdin)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Answer(result.exit_code, result.stdout, result.stderr)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sessions and printer profiles of a test lie in its own folder."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


MakeDeck = Callable[..., Path]


@pytest.fixture
def make_deck(tmp_path: Path) -> MakeDeck:
    """Write a deck folder: one group from a CSV text and layout texts."""

    def make(
        csv: str = "name\nAda\n",
        layout: str = PLAIN_LAYOUT,
        back: str | None = None,
        languages: Iterable[str] = ("en",),
        extra: str = "",
        group: str = "",
        files: dict[str, str] | None = None,
        name: str = "demo",
    ) -> Path:
        folder = tmp_path / name
        (folder / "layouts").mkdir(parents=True, exist_ok=True)
        listed = ", ".join(f'"{language}"' for language in languages)
        (folder / "deck.toml").write_text(
            f'title = "Demo"\nlanguages = [{listed}]\n{extra}\n'
            f'[[group]]\nname = "all"\ntable = "cards.csv"\nlayout = "front"\n'
            + ('back = "back"\n' if back is not None else "")
            + group,
            encoding="utf-8",
        )
        (folder / "cards.csv").write_text(csv, encoding="utf-8")
        (folder / "layouts" / "front.toml").write_text(layout, encoding="utf-8")
        if back is not None:
            (folder / "layouts" / "back.toml").write_text(back, encoding="utf-8")
        for path, text in (files or {}).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        return folder

    return make


@dataclass(frozen=True)
class Word:
    """A line of text on a page: millimetres from the page's top-left, and its direction."""

    text: str
    x: float
    y: float
    upside_down: bool


def words(pdf: Path, page: int) -> list[Word]:
    """The texts of a page, joined along each baseline, in the order of the file."""
    import pdfplumber

    with pdfplumber.open(pdf) as document:
        found: list[Word] = []
        height = float(document.pages[page].height)
        last: Any = None
        edge = 0.0
        for char in document.pages[page].chars:
            a, _, _, _, e, f = char["matrix"]
            here = (round(a, 3) < 0, round(f, 1), char["size"])
            if last == here and found and abs(e - edge) < 4:
                word = found[-1]
                found[-1] = Word(word.text + char["text"], word.x, word.y, word.upside_down)
            else:
                found.append(Word(char["text"], e / MM, (height - f) / MM, a < 0))
            last, edge = here, e + char["width"] * (1 if a > 0 else -1)
    return found


def pages(pdf: Path) -> int:
    from pypdf import PdfReader

    return len(PdfReader(pdf).pages)


def text_of(pdf: Path) -> str:
    from pypdf import PdfReader

    return "\n".join(page.extract_text() for page in PdfReader(pdf).pages)


def lines_of(pdf: Path, page: int) -> list[tuple[float, float, float, float]]:
    """Straight strokes of a page: x1, y1, x2, y2 in millimetres."""
    import pdfplumber

    with pdfplumber.open(pdf) as document:
        return [
            tuple(round(line[key] / MM, 3) for key in ("x0", "top", "x1", "bottom"))
            for line in document.pages[page].lines
        ]
