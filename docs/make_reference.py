"""Writes docs/commands.md and docs/files.md from the code, so that they cannot go stale.

python docs/make_reference.py            rewrite them
python docs/make_reference.py --check    fail if they differ from the code
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import typer

from companion.cli.app import app
from companion.decks.cards import COUNT_NAMES
from companion.decks.loader import DECK_KEYS, FONT_KEYS, GROUP_KEYS
from companion.drawing.fields import BUILT_IN
from companion.errors import ExitCode
from companion.files.records import Key
from companion.layouts.colors import BASIC, Palette
from companion.layouts.elements import ELEMENT_TYPES, element_keys, paragraph_keys
from companion.layouts.loader import LAYOUT_KEYS
from companion.layouts.sizes import CARD_SIZES
from companion.sheets.papers import PAPERS

HERE = Path(__file__).parent


def commands() -> str:
    """Every command with its arguments and options."""
    lines = [
        "# Commands",
        "",
        "Made by `docs/make_reference.py` from the code. `-h` or `--help` shows the same.",
        "",
        "Exit codes: "
        + ", ".join(f"{int(c)} {c.name.lower().replace('_', ' ')}" for c in ExitCode)
        + ".",
    ]
    for path, command in _walk("companion", typer.main.get_command(app)):
        lines += ["", f"## `{path}`", "", str(command.help or "").strip()]
        rows = [_option_row(parameter) for parameter in command.params]
        rows = [row for row in rows if row]
        if rows:
            lines += ["", "| option | meaning | default |", "| --- | --- | --- |", *rows]
    return "\n".join(lines) + "\n"


def _walk(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield path, command
    for name, child in getattr(command, "commands", {}).items():
        if not child.hidden:
            yield from _walk(f"{path} {name}", child)


def _option_row(parameter: Any) -> str:
    names = [*parameter.opts, *parameter.secondary_opts]
    if parameter.param_type_name == "argument":
        names = [parameter.metavar or parameter.name.upper()]
    shown = ", ".join(f"`{name}`" for name in names)
    metavar = "" if parameter.param_type_name == "argument" else _metavar(parameter)
    default = parameter.default
    plain = getattr(default, "value", default)
    if plain in (None, False, ()) or callable(plain) or getattr(parameter, "required", False):
        plain = "required" if getattr(parameter, "required", False) else ""
    text = " ".join(str(parameter.help or "").split()).replace("|", "\\|")
    return f"| {shown}{metavar} | {text} | {plain} |"


def _metavar(parameter: Any) -> str:
    choices = parameter.type_descriptor.choices
    if choices:
        return " " + " \\| ".join(str(getattr(c, "value", c)) for c in choices)
    if getattr(parameter, "is_flag", False):
        return ""
    return f" {(parameter.metavar or '').replace('|', chr(92) + '|')}".rstrip()


def files() -> str:
    """Every key of deck and layout files."""
    lines = [
        "# Deck and layout files",
        "",
        "Made by `docs/make_reference.py` from the code. A key that is not listed here is an error.",
        "",
        "## deck.toml",
        "",
        *_table(DECK_KEYS),
        "",
        "### `[[group]]`",
        "",
        *_table(GROUP_KEYS),
        "",
        "### A font of the deck's own",
        "",
        "`[fonts]` maps a name to a TrueType file, or to a table:",
        "",
        *_table(FONT_KEYS),
        "",
        "## Card tables",
        "",
        "CSV with comma, semicolon or tab; UTF-8. The first line names the columns. `name@en` is the",
        "field `name` in English. The number of copies stands in a column called "
        + ", ".join(f"`{name}`" for name in COUNT_NAMES)
        + "; blank is 1.",
        "Fields that every card has: " + ", ".join(f"`{name}`" for name in BUILT_IN) + ".",
        "",
        "## Layout files",
        "",
        *_table(LAYOUT_KEYS),
    ]
    palette = Palette({})
    common = {key.name for key in _shared(palette)}
    lines += ["", "### Keys of every `[[element]]`", "", *_table(_shared(palette))]
    for kind in ELEMENT_TYPES:
        own = [key for key in element_keys(kind, palette) if key.name not in common]
        lines += ["", f'### `type = "{kind}"`', "", *_table(own)]
    lines += ["", "### One of `paragraphs`", "", *_table(paragraph_keys(palette))]
    lines += ["", "## Names", "", "Colours: " + ", ".join(f"`{n}`" for n in (*BASIC, "none")) + "."]
    lines += ["", "Card sizes (mm): " + _sizes(CARD_SIZES) + "."]
    lines += ["", "Papers (mm): " + _sizes(PAPERS) + "."]
    return "\n".join(lines) + "\n"


def _shared(palette: Palette) -> list[Key]:
    kinds = [{key.name: key for key in element_keys(kind, palette)} for kind in ELEMENT_TYPES]
    return [key for name, key in kinds[0].items() if all(name in kind for kind in kinds)]


def _table(keys: Iterable[Key]) -> list[str]:
    rows = ["| key | meaning | default |", "| --- | --- | --- |"]
    for key in keys:
        default = "required" if key.required else key.default_doc or _plain(key.default)
        rows.append(f"| `{key.name}` | {key.doc} | {default} |")
    return rows


def _plain(default: Any) -> str:
    if default in (None, (), [], {}, "") or not isinstance(default, int | float | str | bool):
        return ""
    return str(default).lower() if isinstance(default, bool) else f"{default}"


def _sizes(sizes: dict[str, tuple[float, float]]) -> str:
    return ", ".join(f"`{name}` {w:g} × {h:g}" for name, (w, h) in sizes.items())


DOCUMENTS = {"commands.md": commands, "files.md": files}


def main() -> int:
    """Write or check."""
    stale = []
    for name, make in DOCUMENTS.items():
        path = HERE / name
        if "--check" in sys.argv:
            if not path.exists() or path.read_text(encoding="utf-8") != make():
                stale.append(name)
        else:
            path.write_text(make(), encoding="utf-8")
    if stale:
        sys.stderr.write(f"stale: {', '.join(stale)}; run python docs/make_reference.py\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
