"""Names beside points cover neither each other nor leave the figure where there is room."""

import numpy as np

from dashboard.kit.figures.labels import _box, _shared, place

FRAME = (-200.0, 200.0, -200.0, 200.0)


def boxes(names, at, placed):
    return [
        np.array([_box(len(name), *point, spot.right, spot.up)])
        for name, point, spot in zip(names, at, placed, strict=True)
    ]


def test_a_lone_name_is_beside_its_point():
    [placed] = place(["word"], [(0, 0)], [(0, 0)], FRAME)
    assert not placed.is_far and placed.right > 0


def test_names_of_one_place_do_not_overlap():
    names, at = ["first", "second", "third", "fourth"], [(0.0, 0.0)] * 4
    found = boxes(names, at, place(names, at, at, FRAME))
    assert all(_shared(a, b) == 0 for number, a in enumerate(found) for b in found[:number])


def test_a_name_at_the_edge_stays_inside():
    [placed] = place(["developed"], [(195, 0)], [(195, 0)], FRAME)
    assert placed.right < 0 or placed.right == 0
