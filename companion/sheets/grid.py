"""How many cards fit on a page, and where."""

from __future__ import annotations

from companion.errors import PrintError
from companion.sheets.model import Grid
from companion.units import number_text, to_um


def fit_grid(
    paper: tuple[float, float], card: tuple[float, float], margin: float, gap: float
) -> Grid:
    """The grid that holds most cards inside the margins: upright, or turned if that holds more.

    All arguments in millimetres. The grid is centred on the page. Raises PrintError, naming the
    printable area, if not one card fits.
    """
    page_width, page_height = to_um(paper[0]), to_um(paper[1])
    edge, space = to_um(margin), to_um(gap)
    width, height = to_um(card[0]), to_um(card[1])
    room = (page_width - 2 * edge, page_height - 2 * edge)
    upright = _count(room, (width, height), space)
    turned = _count(room, (height, width), space)
    use_turned = turned[0] * turned[1] > upright[0] * upright[1]
    columns, rows = turned if use_turned else upright
    if use_turned:
        width, height = height, width
    if min(room) <= 0:
        raise PrintError(
            f"margins of {number_text(margin)} mm leave nothing of the paper "
            f"({number_text(paper[0])} × {number_text(paper[1])} mm)"
        )
    if columns * rows == 0:
        raise PrintError(
            f"a card of {number_text(card[0])} × {number_text(card[1])} mm does not fit into the "
            f"printable area of {number_text(room[0] / 1000)} × {number_text(room[1] / 1000)} mm "
            f"(paper {number_text(paper[0])} × {number_text(paper[1])} mm, "
            f"margin {number_text(margin)} mm)"
        )
    block_width = columns * width + (columns - 1) * space
    block_height = rows * height + (rows - 1) * space
    return Grid(
        page_width,
        page_height,
        columns,
        rows,
        (page_width - block_width) // 2,
        (page_height - block_height) // 2,
        width,
        height,
        space,
        use_turned,
    )


def _count(room: tuple[int, int], card: tuple[int, int], gap: int) -> tuple[int, int]:
    columns, rows = (max(0, (r + gap) // (c + gap)) for r, c in zip(room, card, strict=True))
    return columns, rows
