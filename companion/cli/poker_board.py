"""`companion property-poker board`: look at a board record, check it, lay tiles on it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from companion.cli.options import JsonOption, OutOption, one_of
from companion.cli.output import answer, answer_json, plural, read_stdin, remark, write_text
from companion.errors import DataError, IllegalPlay, Problem, Problems, UsageError

if TYPE_CHECKING:
    from companion.games.property_poker.board import Board, Fault, Laid

BoardArgument = Annotated[
    str, typer.Argument(metavar="BOARD", help="A board record or JSON; - reads standard input.")
]
PictureOption = Annotated[
    Path | None,
    typer.Option(
        "--picture", metavar="FILE", help="Draw it too: .png or .svg.", show_default=False
    ),
]
LotteryOption = Annotated[
    list[str],
    typer.Option(
        "--lottery",
        metavar="7S,…",
        help="The tiles of the lottery cards: nothing may lie on them (PP-4).",
        show_default=False,
    ),
]
FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="A board record.")]


class _ShowFirst(TyperGroup):
    """`board FILE` is `board show FILE`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = ["show", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_ShowFirst,
    help="Look at a board, check it, lay tiles: board FILE is board show FILE.",
    no_args_is_help=True,
)


def load_board(name: str) -> Board:
    """The board of a record. Raises DataError with every line that lays no tile."""
    from companion.files.located import read_text
    from companion.games.property_poker.record import read_record

    shown = "standard input" if name == "-" else name
    text = read_stdin() if name == "-" else read_text(Path(name), name)
    problems = Problems()
    board = read_record(text, shown, problems)
    problems.raise_errors()
    return board


def remark_faults(board: Board) -> None:
    """Say if a board is not laid legally: what is measured on it may mean nothing."""
    from companion.games.property_poker.board import check_board

    faults = check_board(board)
    if faults:
        more = f" and {len(faults) - 1} more" if len(faults) > 1 else ""
        remark(
            f"warning: not a legal board: {faults[0].id} {faults[0].message}{more} "
            "(PP-4; companion property-poker board)"
        )


def draw_picture(
    board: Board,
    target: Path,
    ruler: tuple[tuple[float, float], tuple[float, float]] | None = None,
    covered: Sequence[str] = (),
    close: Sequence[str] = (),
) -> None:
    """Draw the board into a file and say so."""
    from companion.board_picture import write_picture

    write_picture(board, target, ruler, covered, close)
    remark(f"picture → {target}")


@app.command("show")
def show(
    board: BoardArgument,
    lottery: LotteryOption = [],  # noqa: B006
    picture: PictureOption = None,
    out: OutOption = None,
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="record|json",
            help="What --out writes.",
            callback=lambda value: one_of(value, ("record", "json")),
        ),
    ] = "record",
    as_json: JsonOption = False,
) -> None:
    """Check a board tile by tile (PP-4), list it, draw it, rewrite it."""
    from companion.games.property_poker.board import check_board
    from companion.games.property_poker.record import as_data, as_text
    from companion.games.property_poker.tiles import parse_tiles

    table = load_board(board)
    faults = check_board(table, parse_tiles(lottery))
    if picture:
        draw_picture(table, picture)
    if out:
        import json

        text = as_text(table) if to == "record" else json.dumps(as_data(table), indent=1) + "\n"
        write_text(text, out, plural(len(table.laid), "tile"))
    if as_json:
        answer_json({**as_data(table), "faults": [_fault_json(fault) for fault in faults]})
    elif not out:
        for tile in table.laid:
            hidden = "   hidden" if tile.id in table.hidden else ""
            where = f"({tile.pose.x:8.3f}, {tile.pose.y:8.3f}) {tile.pose.degrees:7.2f}°"
            answer(f"{tile.id:<3} {where}   {tile.said}{hidden}")
    _raise(faults, len(table.laid))


def _fault_json(fault: Fault) -> dict[str, Any]:
    return {"tile": fault.id, "message": fault.message, "other": fault.other}


def _raise(faults: Sequence[Fault], tiles: int) -> None:
    """End with every fault, or say that all is well."""
    if faults:
        raise DataError(
            problems=[Problem("error", f"{fault.id}: {fault.message} (PP-4)") for fault in faults]
        )
    remark(f"{plural(tiles, 'tile')}, all legally laid")


@app.command("add")
def add(
    file: FileArgument,
    line: Annotated[
        str, typer.Argument(metavar="LINE", help="'KH.a on 7S.b', '9S over 7S', '7S @ 0 0 0'.")
    ],
    lottery: LotteryOption = [],  # noqa: B006
    as_json: JsonOption = False,
) -> None:
    """Append a tile to a record, if it may lie there; the file is made if it is new."""
    from companion.files.atomic import alone
    from companion.games.property_poker.board import Board, faults_of
    from companion.games.property_poker.record import lay, parse_line
    from companion.games.property_poker.tiles import parse_tiles

    _check_file(file)
    with alone(file):
        table = load_board(str(file)) if file.exists() else Board()
        tile = parse_line(" ".join(line.split()), table)
        after = lay(table, tile)
        faults = faults_of(table, tile, parse_tiles(lottery))
        if faults:
            raise IllegalPlay("; ".join(f"{f.id} {f.message}" for f in faults) + " (PP-4)")
        _rewrite(file, after)
    laid = after[tile.id]
    if as_json:
        answer_json(_tile_json(laid))
    else:
        under = f" exactly on {laid.over}, which is hidden now" if laid.over else ""
        answer(f"{laid.said}: laid{under}, {plural(len(after.visible), 'tile')} in sight")


def _check_file(file: Path) -> None:
    """Raise UsageError for what is no file to append to."""
    if not file.name or file.is_dir() or str(file) == "-":
        raise UsageError(f"'{file}' is no file that a tile can be added to")


def _rewrite(file: Path, board: Board) -> None:
    """The record with one more tile; comments and the form of a text record stay."""
    import json

    from companion.files.atomic import replacing
    from companion.files.located import read_text
    from companion.games.property_poker.record import as_data

    old = read_text(file, str(file)) if file.exists() else ""
    if old.lstrip().startswith("{"):
        text = json.dumps(as_data(board), indent=1) + "\n"
    else:
        text = old + ("" if not old or old.endswith("\n") else "\n") + board.laid[-1].said + "\n"
    with replacing(file) as stream:
        stream.write(text.encode())


def _tile_json(tile: Laid) -> dict[str, Any]:
    pose = tile.pose
    return {
        "id": tile.id,
        "at": [pose.x, pose.y],
        "turn": pose.degrees,
        "said": tile.said,
        "over": tile.over,
    }


@app.command("slots")
def slots(
    board: BoardArgument,
    tile: Annotated[str, typer.Argument(metavar="TILE", help="The tile to lay: 5D.")],
    lottery: LotteryOption = [],  # noqa: B006
    take: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Lay it there: append slot N.", show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List, numbered, where a tile may be laid flush, and on what."""
    from companion.files.atomic import alone
    from companion.games.property_poker.record import lay
    from companion.games.property_poker.tiles import parse_tile

    id = parse_tile(tile)
    if take is not None:
        file = Path(board)
        _check_file(file)
        with alone(file):
            table, found = _legal(board, id, lottery)
            if take > len(found):
                raise UsageError(f"--take {take}: there are {len(found)} slots")
            slot = found[take - 1]
            _rewrite(file, lay(table, slot))
        if as_json:
            answer_json(_tile_json(slot))
        else:
            answer(f"{slot.said}: laid")
        return
    table, found = _legal(board, id, lottery)
    if as_json:
        answer_json({"tile": id, "slots": [_tile_json(slot) for slot in found]})
        return
    for number, slot in enumerate(found, 1):
        answer(f"{number:>3}  {slot.said}")
    if not found:
        remark(f"{id} fits nowhere flush" if table.laid else f"the board is empty: {id} @ 0 0 0")


def _legal(board: str, id: str, lottery: Sequence[str]) -> tuple[Board, list[Laid]]:
    """(the board, where a tile may go)."""
    from companion.games.property_poker.board import slots as legal_slots
    from companion.games.property_poker.tiles import parse_tiles

    table = load_board(board)
    if id in table:
        raise UsageError(f"{id} lies on the board already")
    return table, legal_slots(table, id, parse_tiles(lottery))


@app.command("random")
def random_tiles(
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The same board again.", show_default=False)
    ] = None,
    ghosts: Annotated[bool, typer.Option("--ghosts", help="The four ghost tiles too.")] = False,
    tiles: Annotated[int, typer.Option(metavar="N", min=1, max=56, help="Lay only so many.")] = 56,
    picture: PictureOption = None,
    out: OutOption = None,
) -> None:
    """Lay a legal board at random, all 52 tiles."""
    from companion.games.property_poker.board import random_board
    from companion.games.property_poker.record import as_text
    from companion.games.property_poker.tiles import TILES

    rng = random.Random(seed)
    ids = [id for id, tile in TILES.items() if ghosts or not tile.is_ghost]
    chosen = rng.sample(ids, min(tiles, len(ids)))
    table = random_board(chosen, rng)
    if picture:
        draw_picture(table, picture)
    write_text(as_text(table), out, plural(len(table.laid), "tile"))
