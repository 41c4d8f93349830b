"""The board record: one tile a line, or JSON (see docs/rules/property-poker.md).

7S @ 0 0 0            anchor x y in cm, turn in degrees counter-clockwise
KH.a on 7S.b          side against side, meeting at the first corner, clockwise round 7S
KH.a on 7S.b end      … at the second corner
KH.a on 7S.b +0.5     … so many cm behind the first corner
9S over 7S            exactly on top
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any

from companion.errors import Place, Problems, UsageError, did_you_mean
from companion.games.property_poker.board import Board, Laid, said_attached
from companion.games.property_poker.geometry import Pose, attached, edges
from companion.games.property_poker.tiles import OUTLINES, TILES, parse_tile

FARTHEST = 200.0
"""No tile lies farther from the origin, in cm."""
_NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?"
_AT = re.compile(rf"(\S+)\s+@\s+({_NUMBER})\s+({_NUMBER})(?:\s+({_NUMBER}))?")
_ON = re.compile(rf"(\S+)\.(\w)\s+on\s+(\S+)\.(\w)(?:\s+(end|{_NUMBER}))?", re.I)
_OVER = re.compile(r"(\S+)\s+over\s+(\S+)", re.I)
FORMS = "7S @ x y turn, KH.a on 7S.b [end | +cm], or 9S over 7S"


def parse_line(text: str, board: Board) -> Laid:
    """The tile that a line lays on a board. Raises UsageError."""
    if match := _AT.fullmatch(text):
        id = parse_tile(match[1])
        x, y, turn = float(match[2]), float(match[3]), float(match[4] or 0)
        return _at(id, x, y, turn)
    if match := _ON.fullmatch(text):
        id, to = parse_tile(match[1]), _on_table(match[3], board)
        side, to_side = _side(id, match[2]), _side(to, match[4])
        after, at_end = _shift(match[5])
        edge = edges(board[to].polygon)[to_side]
        pose = attached(id, side, edge, after, at_end)
        said = said_attached(id, side, to, to_side, "end" if at_end else "first")
        return Laid(
            id, pose, said + (f" {'+' if after > 0 else ''}{plain(after)}" if after else "")
        )
    if match := _OVER.fullmatch(text):
        return _over(parse_tile(match[1]), _on_table(match[2], board), board)
    raise UsageError(f"'{text}' lays no tile: write {FORMS}")


def lay(board: Board, tile: Laid) -> Board:
    """The board with the tile. Raises UsageError if it lies there already."""
    if tile.id in board:
        raise UsageError(f"{tile.id} lies on the board already")
    return board.with_tile(tile)


def _at(id: str, x: float, y: float, turn: float) -> Laid:
    if not all(math.isfinite(v) for v in (x, y, turn)) or max(abs(x), abs(y)) > FARTHEST:
        raise UsageError(f"{id}: x and y lie within {FARTHEST:g} cm")
    said = f"{id} @ {plain(x)} {plain(y)} {plain(turn)}"
    return Laid(id, Pose.turned(x, y, turn), said)


def plain(value: float) -> str:
    """A number without exponent, to 1e-10: finer than anything that lies on a table."""
    return f"{value:.10f}".rstrip("0").rstrip(".") if abs(value) > 5e-11 else "0"


def _shift(text: str | None) -> tuple[float, bool]:
    """(cm behind the first corner, whether at the second corner)."""
    if text is None:
        return 0.0, False
    if text.lower() == "end":
        return 0.0, True
    after = float(text)
    if abs(after) > 20:
        raise UsageError(f"a shift of {text} cm is longer than any side")
    return after, False


def _over(id: str, under: str, board: Board) -> Laid:
    if TILES[id].kind is not TILES[under].kind:
        raise UsageError(f"{id} over {under}: they are of different shapes (PP-4)")
    return Laid(id, board[under].pose, f"{id} over {under}", under)


def _on_table(text: str, board: Board) -> str:
    id = parse_tile(text)
    if id not in board:
        hint = did_you_mean(id, [tile.id for tile in board.laid])
        raise UsageError(f"{id} does not lie on the board yet" + (f" ({hint})" if hint else ""))
    if id in board.hidden:
        raise UsageError(f"{id} is hidden under another tile (PP-4)")
    return id


def _side(id: str, letter: str) -> int:
    sides = "abcd"[: len(OUTLINES[TILES[id].kind])]
    side = sides.find(letter.lower()) if len(letter) == 1 else -1
    if side < 0:
        raise UsageError(f"{id} has no side '{letter}': {', '.join(sides)}")
    return side


# whole files


def read_record(text: str, shown: str, problems: Problems) -> Board:
    """The board of a record, text or JSON; every fault is noted with its line."""
    if text.lstrip().startswith("{"):
        return _read_json(text, shown, problems)
    board = Board()
    for number, line in enumerate(text.split("\n"), 1):
        words = line.split("#")[0].strip()
        if not words:
            continue
        column = line.index(words[0]) + 1

        def make(so_far: Board, words: str = words) -> Laid:
            return parse_line(" ".join(words.split()), so_far)

        board = _next(board, make, Place(shown, number, column), problems)
    return board


def _next(board: Board, make: Callable[[Board], Laid], place: Place, problems: Problems) -> Board:
    try:
        return lay(board, make(board))
    except UsageError as error:
        problems.error(str(error), place)
        return board


def _read_json(text: str, shown: str, problems: Problems) -> Board:
    """`{"tiles": [{"id": "7S", "at": [0, 0], "turn": 0}, …]}`, later ones on top."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        line, column = getattr(error, "lineno", 1), getattr(error, "colno", 1)
        problems.error(f"no JSON: {error}", Place(shown, line, column))
        return Board()
    tiles = document.get("tiles") if isinstance(document, dict) else None
    if not isinstance(tiles, list):
        problems.error('a JSON board is {"tiles": [ … ]}', Place(shown, 1, 1))
        return Board()
    board = Board()
    for number, item in enumerate(tiles, 1):

        def make(so_far: Board, item: Any = item, number: int = number) -> Laid:
            return _json_tile(item, number, so_far)

        board = _next(board, make, Place(shown, 1, 1), problems)
    return board


def _json_tile(item: Any, number: int, board: Board) -> Laid:
    said = _said(item, board)
    if said is not None and "at" not in item:
        return said
    sound = (
        isinstance(item, dict)
        and isinstance(item.get("id"), str)
        and isinstance(item.get("at"), list)
        and len(item["at"]) == 2
        and all(_is_number(v) for v in (*item["at"], item.get("turn", 0)))
    )
    if not sound:
        raise UsageError(f'tile {number}: expected {{"id": "7S", "at": [x, y], "turn": degrees}}')
    x, y = map(float, item["at"])
    tile = _at(parse_tile(item["id"]), x, y, float(item.get("turn", 0)))
    # the words stay as they are if they still say the same
    if said and said.id == tile.id and _near(said.pose, tile.pose):
        return said
    return tile


def _said(item: Any, board: Board) -> Laid | None:
    """The tile that the item's words lay, if it has any."""
    if not isinstance(item, dict) or not isinstance(item.get("said"), str):
        return None
    try:
        return parse_line(item["said"], board)
    except UsageError:
        if "at" in item:
            return None
        raise


def _near(one: Pose, other: Pose) -> bool:
    return all(
        abs(a - b) < 1e-6
        for a, b in ((one.x, other.x), (one.y, other.y), (one.cos, other.cos), (one.sin, other.sin))
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9


def as_text(board: Board) -> str:
    """The record of a board, one line a tile."""
    return "".join(f"{tile.said}\n" for tile in board.laid)


def as_data(board: Board) -> dict[str, Any]:
    """The board as JSON data: exact poses, and each line as it was said."""
    hidden = board.hidden
    return {
        "tiles": [
            {
                "id": tile.id,
                "at": [tile.pose.x, tile.pose.y],
                "turn": tile.pose.degrees,
                "said": tile.said,
                "hidden": tile.id in hidden,
            }
            for tile in board.laid
        ]
    }
