"""`companion session`: names, list, rename, delete, export and import of stored games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.options import JsonOption, OutOption, StoreOption, open_store, session_name
from companion.cli.output import answer, answer_json, ask, plural, read_stdin, remark, write_text
from companion.errors import SessionError

app = typer.Typer(help="List, rename, delete, export and import sessions.", no_args_is_help=True)

NameArgument = Annotated[str, session_name(None)]


@app.command("list")
def list_sessions(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List all sessions of all games."""
    with open_store(store) as opened:
        found = opened.sessions()
        where = str(opened.path)
    if as_json:
        keys = ("name", "game", "events", "created")
        rows = [{key: getattr(info, key) for key in keys} for info in found]
        answer_json({"store": where, "sessions": rows})
        return
    for info in found:
        answer(f"{info.name}  {info.game}, {plural(info.events, 'event')}, {info.created[:10]}")
    if not found:
        remark(f"no sessions in {where}")


@app.command("rename")
def rename(
    name: NameArgument,
    new_name: Annotated[str, typer.Argument(metavar="NEW", help="Its new name.")],
    store: StoreOption = None,
) -> None:
    """Give a session another name."""
    with open_store(store) as opened:
        opened.rename(name, new_name)
    answer(f"{name} → {new_name}")


@app.command("delete")
def delete(
    name: NameArgument,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    store: StoreOption = None,
) -> None:
    """Delete a session and its log, after asking."""
    with open_store(store) as opened:
        info = opened.info(name)
        question = f"Delete '{name}' ({info.game}, {plural(info.events, 'event')})?"
        if not yes and ask(f"{question} [y/N]").lower() not in ("y", "yes"):
            raise SessionError("nothing was deleted")
        opened.delete(name)
    answer(f"deleted {name}")


@app.command("export")
def export(
    name: NameArgument,
    out: OutOption = None,
    store: StoreOption = None,
) -> None:
    """Write a session as JSON Lines, one event a line."""
    with open_store(store) as opened:
        lines = list(opened.export(name))
    text = "\n".join(lines) + "\n"
    write_text(text, out, plural(len(lines) - 1, "event"))


@app.command("import")
def import_session(
    file: Annotated[str, typer.Argument(metavar="FILE", help="An export; - reads standard input.")],
    name: Annotated[
        str | None,
        typer.Option("--as", metavar="NAME", help="Another name for it.", show_default=False),
    ] = None,
    store: StoreOption = None,
) -> None:
    """Read an exported session, checking it by the game's rules."""
    from companion.files.located import read_text
    from companion.games.registry import GAMES

    text = read_stdin() if file == "-" else read_text(Path(file), file)
    shown = "standard input" if file == "-" else file
    with open_store(store) as opened:
        made = opened.import_lines(text.split("\n"), name, GAMES, shown)
    answer(f"imported {made}")
