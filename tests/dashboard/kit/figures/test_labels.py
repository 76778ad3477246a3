"""Names beside points cover neither each other nor leave the figure where there is room."""

import numpy as np

from dashboard.kit.figures.labels import _box, _shared, place

SIZE = (400.0, 400.0)
CENTRE, EDGE = (0.5, 0.5), (0.99, 0.5)


def boxes(names, at, placed, size=SIZE):
    return [
        np.array([_box(name, x * size[0], y * size[1], spot.right, spot.up)])
        for name, (x, y), spot in zip(names, at, placed, strict=True)
    ]


def test_a_lone_name_is_beside_its_point():
    [placed] = place(["word"], [CENTRE], [CENTRE], [SIZE])
    assert not placed.is_far and placed.right > 0


def test_names_of_one_place_do_not_overlap():
    names, at = ["first", "second", "third", "fourth"], [CENTRE] * 4
    found = boxes(names, at, place(names, at, at, [SIZE]))
    assert all(_shared(a, b) == 0 for number, a in enumerate(found) for b in found[:number])


def test_a_name_at_the_edge_stays_inside():
    [placed] = place(["developed"], [EDGE], [EDGE], [SIZE])
    assert placed.right < 0 or placed.right == 0


def test_a_name_is_off_other_points_on_a_phone_too():
    points = [CENTRE, (0.62, 0.5)]
    phone, projector = (250.0, 300.0), (850.0, 300.0)
    assert place(["name"], [CENTRE], points, [projector])[0].right > 0, "there is room on the right of a wide plot"
    [placed] = place(["name"], [CENTRE], points, [projector, phone])
    assert placed.right <= 0 or placed.up, "on a narrow one another point is there"


def test_the_lines_of_a_name_stand_below_one_another():
    left, right, low, high = _box("of two<br>lines", 0, 0, 9, 0)
    assert (left, high) == (9, -low) and high - low == 34 and right - left < 60
