"""`companion property-poker`: board, draw, best placement, hands; money in `poker_money`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli import completing
from companion.cli.lazy import LazyGroup
from companion.cli.options import JsonOption, one_of
from companion.cli.output import answer, answer_json, remark
from companion.cli.poker_board import (
    BoardArgument,
    PictureOption,
    draw_picture,
    load_board,
    remark_faults,
)
from companion.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from companion.games.property_poker.board import Board
    from companion.games.property_poker.hands import Hand
    from companion.games.property_poker.ruler import Draw


class _Group(LazyGroup):
    lazy = {  # noqa: RUF012 (its type stands in LazyGroup)
        "board": "poker_board:app",
        "money": "poker_money:app",
        "bets": "poker_money:show_bets",
    }


app = typer.Typer(
    cls=_Group,
    help="Property Poker: board, ruler, best placement, hands, money.",
    no_args_is_help=True,
)


@app.callback()
def root() -> None:
    """Property Poker: board, ruler, best placement, hands, money."""


@app.command("draw")
def draw(
    board: BoardArgument,
    start: Annotated[
        str,
        typer.Option(
            metavar="TILE", help="Where the ruler starts: 7S.", autocompletion=completing.tiles
        ),
    ],
    aim: Annotated[
        str,
        typer.Option(
            metavar="TILE", help="What it points to: KH.", autocompletion=completing.tiles
        ),
    ],
    close: Annotated[
        float | None,
        typer.Option(
            metavar="MM",
            min=0,
            max=50,
            help="Tiles with less margin are too close to call.",
            show_default=False,
        ),
    ] = None,
    official: Annotated[
        str,
        typer.Option(
            metavar="record|table",
            help="What decides, record (0.5 mm) or table (1 mm): sets --close.",
            callback=lambda value: one_of(value, ("record", "table")),
        ),
    ] = "record",
    picture: PictureOption = None,
    as_json: JsonOption = False,
) -> None:
    """Lay the ruler from one tile towards another: what it covers, and the best hand (PP-7)."""
    from companion.games.property_poker import ruler as rules

    table = load_board(board)
    remark_faults(table)
    first, second = (
        _visible(table, text, option) for text, option in ((start, "--start"), (aim, "--aim"))
    )
    if first == second:
        raise UsageError(f"--start and --aim are both {first}: the ruler needs two tiles (PP-7)")
    anchors = tuple((table[id].pose.x, table[id].pose.y) for id in (first, second))
    limit = close if close is not None else rules.OFFICIAL[official]
    found = rules.draw(table.polygons(), first, (anchors[0], anchors[1]), limit)
    if picture:
        draw_picture(table, picture, (found.start, found.end), found.covered, found.close)
    if as_json:
        answer_json(_draw_json(found))
        return
    for line in _draw_lines(found, first, second, limit):
        answer(line)


def _visible(table: Board, text: str, option: str) -> str:
    from companion.games.property_poker.tiles import parse_tile

    id = parse_tile(text)
    if id in table.hidden:
        raise UsageError(f"{option} {id}: it is hidden under another tile (PP-4)")
    if id not in table.visible:
        hint = did_you_mean(id, table.visible)
        raise UsageError(f"{option} {id}: not on the board" + (f" ({hint})" if hint else ""))
    return id


def _draw_json(found: Draw) -> dict[str, Any]:
    return {
        "covered": list(found.covered),
        "tiles": {
            id: {"covered": v.covered, "margin_mm": v.margin_mm, "close": v.close}
            for id, v in found.verdicts.items()
        },
        "hand": hand_json(found.hand),
        "ruler": {"from": list(found.start), "to": list(found.end)},
        "close": list(found.close),
        "alarm": list(found.alarm),
    }


def hand_json(hand: Hand | None) -> dict[str, Any] | None:
    """{"name", "tiles", "wilds"}, or None."""
    if hand is None:
        return None
    return {"name": hand.name.id, "tiles": list(hand.tiles), "wilds": dict(hand.wilds)}


def _draw_lines(found: Draw, start: str, aim: str, limit: float) -> Iterator[str]:
    yield f"ruler from {start} towards {aim}: {len(found.covered)} covered"
    for number, id in enumerate(found.covered, 1):
        verdict = found.verdicts[id]
        flag = "   too close to call" if verdict.close else ""
        yield f"{number:>3}  {id:<3}  margin {verdict.margin_mm:6.2f} mm{flag}"
    for id in found.close:
        if id not in found.covered:
            mm = found.verdicts[id].margin_mm
            yield f"  –  {id:<3}  not covered by {mm:.2f} mm   too close to call"
    if found.alarm:
        yield (
            f"ALARM: tiles within {limit:g} mm decide: {' or '.join(found.alarm)}. "
            "Look at the table together"
        )
    yield sentence(found.hand, len(found.covered))


def sentence(hand: Hand | None, covered: int) -> str:
    """What to say at the table."""
    if hand is None:
        why = f"{covered} tiles are fewer than five" if covered < 5 else "high card only"
        return f"no hand: {why}; nobody wins (PP-7)"
    tiles = [f"{id} as {hand.wilds[id]}" if id in hand.wilds else id for id in hand.tiles]
    return f"{hand.name.id} {hand.name.chinese}: {' '.join(tiles)}"


@app.command("best")
def best(
    board: BoardArgument,
    own: Annotated[
        list[str],
        typer.Option(metavar="7S,KH,…", help="The player's tiles; a joker's ghost too (PP-11)."),
    ],
    min_margin: Annotated[
        float,
        typer.Option(metavar="MM", min=0, max=50, help="The hand must survive such a wobble."),
    ] = 0.0,
    picture: PictureOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the best hand that one ruler covers in a territory, and the safest ruler (PP-10)."""
    from companion.games.property_poker.best import best_placement
    from companion.games.property_poker.ruler import in_order, judge
    from companion.games.property_poker.tiles import parse_tiles

    table = load_board(board)
    remark_faults(table)
    ids = [_visible(table, id, "--own") for id in parse_tiles(own)]
    polygons = table.polygons()
    found = best_placement({id: polygons[id] for id in ids}, min_margin / 10)
    if found is None:
        if as_json:
            answer_json(
                {"hand": None, "covered": [], "own_covered": [], "ruler": None, "margin_mm": None}
            )
        else:
            answer("no ruler covers a hand: wealth counts once (PP-10)")
        return
    ruler = (found.start, found.end)
    verdicts = judge(polygons, *ruler)
    if picture:
        draw_picture(table, picture, ruler, found.covered, ())
    if as_json:
        answer_json(
            {
                "hand": hand_json(found.hand),
                "covered": list(in_order(verdicts)),
                "own_covered": list(found.covered),
                "ruler": {"from": list(found.start), "to": list(found.end)},
                "margin_mm": found.margin_mm,
            }
        )
        return
    answer(sentence(found.hand, len(found.covered)))
    answer(f"× {found.hand.name.odds}, margin {found.margin_mm:.2f} mm")
    answer(f"own tiles covered: {' '.join(found.covered)}")
    (ax, ay), (bx, by) = ruler
    answer(f"ruler from ({ax:.3f}, {ay:.3f}) to ({bx:.3f}, {by:.3f}) cm on the board")
    if found.margin_mm < 0.5 and not min_margin:
        remark("under 0.5 mm: --min-margin 0.5 finds the best hand that a hand can lay")


@app.command("hand")
def hand(
    tiles: Annotated[list[str], typer.Argument(metavar="TILES", help="5S,6S,7S,8S,G1")],
    as_json: JsonOption = False,
) -> None:
    """Name the best hand of some tiles; ghosts are wild (PP-2)."""
    from companion.games.property_poker.hands import best_hand
    from companion.games.property_poker.tiles import parse_tiles

    ids = parse_tiles(tiles)
    found = best_hand(ids)
    if as_json:
        answer_json({"hand": hand_json(found)})
    else:
        answer(sentence(found, len(ids)))
