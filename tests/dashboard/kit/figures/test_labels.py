"""Names beside points cover neither each other nor leave the figure where there is room."""

import numpy as np

from dashboard.kit.figures import theme
from dashboard.kit.figures.labels import _DRAWN, Label, _around, _box, _shared, along, place, write

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
    drawn = boxes(names, at, place(names, at, at, [SIZE]))
    assert all(_shared(a, b) == 0 for number, a in enumerate(drawn) for b in drawn[:number])


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
    assert (left, high) == (9, -low) and high - low == 36 and right - left < 60


def test_names_leave_every_point_free_however_crowded_and_say_where_none_can():
    draw = np.random.default_rng(0)
    points = [(float(x), float(y)) for x, y in draw.uniform(0.2, 0.8, (40, 2))]
    sizes = [(290.0, 230.0), (430.0, 330.0)]
    placed = place(["hospital"] * 6, points[:6], points, sizes)
    for size in sizes:
        drawn = [
            np.array([_box(spot.text, x * size[0], y * size[1], spot.right, spot.up, _DRAWN)])
            for spot, (x, y) in zip(placed, points, strict=False)
        ]
        marks = np.array(_around(points, size, _DRAWN.mark))
        for number, (box, spot) in enumerate(zip(drawn, placed, strict=True)):
            assert not spot.is_clear or not _shared(box, marks)
            assert not spot.is_clear or not any(_shared(box, other) for other in drawn[:number])
    assert sum(spot.is_clear for spot in placed) >= 4
    crowd = [(x / 40, y / 40) for x in range(41) for y in range(41)]
    assert not place(["word"], [CENTRE], crowd, [SIZE])[0].is_clear


def test_a_name_keeps_off_lines_where_there_is_room():
    line = [(0.5 + step / 40, 0.5) for step in range(1, 10)]
    [placed] = place(["name"], [CENTRE], [CENTRE], [SIZE], line)
    assert placed.is_clear and placed.right < 0


def test_a_name_covers_neither_interval_of_its_point():
    across, up = ((0.4, 0.5), (0.6, 0.5)), ((0.5, 0.45), (0.5, 0.55))
    lines = along([across, up, ((0.1, float("nan")), (0.2, 0.3))])
    assert len(lines) == 30, "an unknown end is no line"
    [placed] = place(["name"], [CENTRE], [CENTRE], [SIZE], lines)
    [box] = boxes(["name"], [CENTRE], [placed])
    assert not _shared(box, np.array(_around(lines, SIZE, 1.0)))


def test_plotly_draws_the_line_to_a_name_exactly_below_and_right_of_its_point():
    drawing = theme.blank("", "")
    for right, up in ((25, -25), (25, 25), (-25, -25), (36, -18)):
        write(drawing, Label("name", right, up), 0, 0)
    ends = [(note["ax"], note["ay"]) for note in drawing.layout["annotations"]]
    assert ends == [(26, 25), (25, -25), (-25, 25), (36, 18)], "only a ray of 45 degrees would meet its corner"


def test_no_line_to_a_name_leads_over_another_point():
    around = [(0.5 + 0.09 * np.cos(turn), 0.5 + 0.09 * np.sin(turn)) for turn in np.arange(8) * np.pi / 4]
    [placed] = place(["a long name"], [CENTRE], [CENTRE, *around], [SIZE])
    assert placed.is_far and placed.is_clear
    steps = [(0.5 + share * placed.right / 400, 0.5 + share * placed.up / 400) for share in np.linspace(0.4, 1, 9)]
    assert not _shared(np.array(_around(steps, SIZE, 1)), np.array(_around(around, SIZE, 6))).any()
