"""`companion new`: a small commented deck that prints at once and teaches by example."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from companion.errors import UsageError
from companion.shipped import CARDSETS

STARTER = Path(__file__).parent / "starter"


def create(name: str, folder: Path) -> list[Path]:
    """Copy the starting deck into `folder`, which must not exist; returns the files.

    Raises UsageError.
    """
    if not re.fullmatch(r"\w(?:[\w .-]{,98}\w)?", name):
        raise UsageError(
            f"'{name}' is no name for a folder: up to 100 letters, digits, blanks, - and ."
        )
    if (CARDSETS / name).is_dir():
        raise UsageError(f"'{name}' is a deck that comes with companion; choose another name")
    if folder.exists():
        raise UsageError(f"{folder} is there already; choose another name")
    folder.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(STARTER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    deck = folder / "deck.toml"
    deck.write_text(deck.read_text(encoding="utf-8").replace("NAME", name), encoding="utf-8")
    return sorted(path for path in folder.rglob("*") if path.is_file())
