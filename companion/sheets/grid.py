"""How many cards fit on a page, and where: grids of equal slots, centred."""

from __future__ import annotations

from companion.errors import PrintError
from companion.sheets.model import Frame, Slot, Turn
from companion.units import number_text, to_um


def fit_grid(
    paper: tuple[float, float], card: tuple[float, float], margin: float, gap: float
) -> Frame:
    """The grid that holds most cards inside the margins: upright, or turned if that holds more.

    All arguments in millimetres. The grid is centred on the page. Raises PrintError, naming the
    printable area, if not one card fits.
    """
    page = to_um(paper[0]), to_um(paper[1])
    edge, space = to_um(margin), to_um(gap)
    size, turned = _best(page, (to_um(card[0]), to_um(card[1])), edge, space)
    columns, rows = _count((page[0] - 2 * edge, page[1] - 2 * edge), size, space)
    _refuse_none(columns * rows, paper, card, margin)
    left = (page[0] - columns * size[0] - (columns - 1) * space) // 2
    top = (page[1] - rows * size[1] - (rows - 1) * space) // 2
    slots = _slots(left, top, size, (columns, rows), space, turned)
    return Frame(*page, slots, columns, rows)


def fit_fold(
    paper: tuple[float, float], card: tuple[float, float], margin: float, gap: float
) -> Frame:
    """Slots for fronts above a fold line across the middle of the page; backs mirror them below.

    The card's far edge is where it is cut; near the fold a card keeps half a gap, at least 2 mm.
    Raises PrintError if not one card fits.
    """
    page = to_um(paper[0]), to_um(paper[1])
    edge, space = to_um(margin), to_um(gap)
    near = max(space // 2, _FOLD_DISTANCE)
    fold = page[1] // 2
    half = (page[0], fold - near + edge)
    # upright where that fits, so that a back stands upside down to its front and both are read
    # the same way round while the sheet lies flat
    size, turned = (to_um(card[0]), to_um(card[1])), False
    if not all(_count((half[0] - 2 * edge, half[1] - 2 * edge), size, space)):
        size, turned = (size[1], size[0]), True
    columns, rows = _count((half[0] - 2 * edge, half[1] - 2 * edge), size, space)
    _refuse_none(columns * rows, paper, card, margin)
    left = (page[0] - columns * size[0] - (columns - 1) * space) // 2
    top = fold - near - rows * size[1] - (rows - 1) * space
    slots = _slots(left, top, size, (columns, rows), space, turned)
    return Frame(*page, slots, columns, rows, fold)


_FOLD_DISTANCE = 2000


def _best(
    page: tuple[int, int], card: tuple[int, int], edge: int, gap: int
) -> tuple[tuple[int, int], bool]:
    """The slot's size on the page, and whether the card is turned in it."""
    room = (page[0] - 2 * edge, page[1] - 2 * edge)
    across = (card[1], card[0])
    upright, turned = _count(room, card, gap), _count(room, across, gap)
    if turned[0] * turned[1] > upright[0] * upright[1]:
        return across, True
    return card, False


def _count(room: tuple[int, int], card: tuple[int, int], gap: int) -> tuple[int, int]:
    columns, rows = (max(0, (r + gap) // (c + gap)) for r, c in zip(room, card, strict=True))
    return columns, rows


def _slots(
    left: int,
    top: int,
    size: tuple[int, int],
    counts: tuple[int, int],
    gap: int,
    turned: bool,
) -> tuple[Slot, ...]:
    return tuple(
        Slot(
            left + column * (size[0] + gap),
            top + row * (size[1] + gap),
            *size,
            Turn.RIGHT if turned else Turn.NONE,
            row,
            column,
        )
        for row in range(counts[1])
        for column in range(counts[0])
    )


def _refuse_none(
    count: int, paper: tuple[float, float], card: tuple[float, float], margin: float
) -> None:
    if count:
        return
    room = (paper[0] - 2 * margin, paper[1] - 2 * margin)
    of_paper = f"paper {number_text(paper[0])} × {number_text(paper[1])} mm"
    if min(room) <= 0:
        raise PrintError(f"margins of {number_text(margin)} mm leave nothing of the {of_paper}")
    raise PrintError(
        f"a card of {number_text(card[0])} × {number_text(card[1])} mm does not fit into the "
        f"printable area of {number_text(room[0])} × {number_text(room[1])} mm "
        f"({of_paper}, margin {number_text(margin)} mm)"
    )
