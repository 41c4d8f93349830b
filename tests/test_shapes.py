"""Shapes: outlines from sides and angles, anchors, and P9's honeycomb cuts."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import Polygon

from companion import shapes
from companion.errors import PrintError
from companion.sheets.nesting import cells, nest


@pytest.mark.parametrize(
    ("shape", "sides"),
    [
        (shapes.rhombus(20), (20, 20, 20, 20)),
        (shapes.rectangle(10, 40), (10, 40, 10, 40)),
        (shapes.isosceles(40, 40), (40, 40, 40)),
        (shapes.rectangle(30, 30), (30, 30, 30, 30)),
        (shapes.isosceles(30, 70), (70, 30, 70)),
        (shapes.trapezoid(50, 40, 50), (40, 50, 50, 50)),
        (shapes.from_sides([40, 40, 40], [60, 60, 60]), (40, 40, 40)),
        (shapes.regular(6, 40), (40 / math.sqrt(3),) * 6),
    ],
)
def test_pp_1_sides_are_as_given_and_the_anchor_is_the_centroid(
    shape: shapes.Shape, sides: tuple[float, ...]
) -> None:
    assert shape.sides == pytest.approx(sides, abs=0.001)
    polygon = Polygon(shape.points)
    assert polygon.is_valid and polygon.is_simple
    assert shape.area == pytest.approx(polygon.area)
    assert shape.anchor == pytest.approx((polygon.centroid.x, polygon.centroid.y), abs=1e-9)
    assert polygon.bounds[:2] == pytest.approx((0, 0), abs=1e-9)


def test_pp_1_areas_in_square_centimetres() -> None:
    areas = [shapes.rhombus(20).area, shapes.rectangle(10, 40).area, shapes.isosceles(40, 40).area]
    assert [a / 100 for a in areas] == pytest.approx([3.464, 4, 6.928], abs=0.001)


def test_sides_that_do_not_close_or_cross_are_refused() -> None:
    with pytest.raises(ValueError, match="close"):
        shapes.from_sides([40, 40, 41], [60, 60, 60])
    with pytest.raises(ValueError, match="do not cross"):
        shapes.from_points([(0, 0), (10, 10), (10, 0), (0, 10.5)])
    for wrong in (
        lambda: shapes.isosceles(40, 20),
        lambda: shapes.trapezoid(50, 10, 15),
        lambda: shapes.circle(0),
        lambda: shapes.regular(2, 10),
        lambda: shapes.from_points([(0, 0), (1, 1)]),
    ):
        with pytest.raises(ValueError, match=r"\w"):
            wrong()


def hexes(gap: float, count: int = 4) -> list[tuple[str, shapes.Shape]]:
    return [("hex", shapes.regular(6, 40))] * count


def test_p9_honeycomb_cuts() -> None:
    # a paper that holds two a row: a 2 × 2 honeycomb
    paper = (40 * 2 + 20 + 20.5, 120)
    touching = nest(hexes(0), paper, 10, 0)
    assert len(touching) == 1 and len(touching[0].tiles) == 4
    assert len(touching[0].cuts.segments) == 19
    apart = nest(hexes(4), (paper[0] + 10, 130), 10, 4)
    assert len(apart[0].cuts.segments) == 24


def test_p9_bleed_is_clipped_to_the_own_cell_when_tiles_touch() -> None:
    (sheet,) = nest(hexes(0), (121, 120), 10, 0)
    outlines = [Polygon(tile.points) for tile in sheet.tiles]
    for number, cell in enumerate(cells(sheet, 2, 0)):
        area = Polygon(cell)
        assert area.buffer(1e-6).contains(outlines[number])
        assert area.area > outlines[number].area
        for other, outline in enumerate(outlines):
            if other != number:
                assert area.intersection(outline).area < 1e-6


SHAPES = st.sampled_from(
    [
        shapes.rhombus(20),
        shapes.rectangle(10, 40),
        shapes.isosceles(40, 40),
        shapes.isosceles(30, 70),
        shapes.trapezoid(50, 40, 50),
        shapes.regular(6, 25),
        shapes.regular(5, 25),
        shapes.circle(22),
    ]
)


@given(SHAPES, st.integers(1, 30), st.sampled_from([0.0, 1.0, 2.5]))
def test_nested_tiles_never_overlap_and_keep_their_gap(
    shape: shapes.Shape, count: int, gap: float
) -> None:
    """Independent: shapely measures areas and distances."""
    sheets = nest([("t", shape)] * count, (210, 297), 10, gap)
    assert sorted(t.card for s in sheets for t in s.tiles) == list(range(count))
    for sheet in sheets:
        polygons = [Polygon(tile.points) for tile in sheet.tiles]
        for i, polygon in enumerate(polygons):
            assert polygon.area == pytest.approx(shape.area)
            assert min(polygon.bounds) >= 10 - 1e-6
            assert polygon.bounds[2] <= 200 + 1e-6 and polygon.bounds[3] <= 287 + 1e-6
            for other in polygons[:i]:
                assert polygon.intersection(other).area < 1e-6
                assert polygon.distance(other) >= gap - 1e-6


@given(SHAPES, st.integers(1, 12))
def test_cut_length_is_that_of_the_union_of_all_edges(shape: shapes.Shape, count: int) -> None:
    """Independent: shapely joins the outlines, shared edges once."""
    from shapely import unary_union

    if shape.round:
        return
    (sheet, *_) = nest([("t", shape)] * count, (210, 297), 10, 0)
    snapped = [
        Polygon([(round(x, 5), round(y, 5)) for x, y in t.points]).exterior for t in sheet.tiles
    ]
    assert sheet.cuts.length == pytest.approx(unary_union(snapped).length, rel=2e-3)


def test_a_tile_that_does_not_fit_is_named() -> None:
    with pytest.raises(PrintError, match="tile 'big' of 300 × 300 mm does not fit"):
        nest([("big", shapes.rectangle(300, 300))], (210, 297), 10, 0)
