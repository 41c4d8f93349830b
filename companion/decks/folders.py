"""Finds the folder that a deck's name means."""

from __future__ import annotations

from pathlib import Path

from companion.errors import UsageError, did_you_mean
from companion.shipped import CARDSETS


def deck_folders() -> dict[str, Path]:
    """Deck names that can be printed from here: `./cardsets` first, then the shipped ones."""
    folders: dict[str, Path] = {}
    for parent in (Path("cardsets"), CARDSETS):
        if parent.is_dir():
            for folder in sorted(parent.iterdir()):
                if (folder / "deck.toml").is_file():
                    folders.setdefault(folder.name, folder)
    return folders


def find_deck(name: str) -> tuple[Path, str]:
    """(folder, how messages name it) of a deck given by name or path.

    Raises UsageError with a suggestion.
    """
    as_path = Path(name)
    if as_path.name == "deck.toml":
        as_path = as_path.parent
    if (as_path / "deck.toml").is_file():
        return as_path.resolve(), _shown(as_path)
    known = deck_folders()
    if name in known:
        return known[name].resolve(), _shown(known[name])
    if as_path.is_dir():
        raise UsageError(f"the folder '{name}' holds no deck.toml")
    hint = did_you_mean(name, known)
    raise UsageError(f"there is no deck '{name}'" + (f" ({hint})" if hint else ""))


def _shown(folder: Path) -> str:
    """A short name for messages: relative to here, or `cardsets/NAME` for a shipped deck."""
    resolved = folder.resolve()
    for base in (Path.cwd(), CARDSETS.parent):
        if resolved.is_relative_to(base):
            relative = resolved.relative_to(base)
            return relative.as_posix() if relative.parts else "."
    return folder.as_posix()
