"""Lines with intervals: three bands are shaded, what follows keeps its intervals as bars, one point has no line."""

import pandas as pd

from dashboard.kit.figures import theme, traces


def test_three_bands_are_shaded_and_later_lines_have_bars():
    drawing = theme.blank("", "")
    points = pd.DataFrame(
        {"x": [1, 2, 3], "y": [0.5, 0.6, 0.7], "low": [0.4, 0.5, float("nan")], "high": [0.6, 0.8, 0.9]}
    )
    for mark in theme.distinct(5):
        traces.interval_line(drawing, points, ("x", "y", "low", "high"), mark, "line", [""] * 3)
    figure = drawing.figure()
    lines = [trace for trace in figure.data if trace.name == "line"]
    assert sum(trace.fill == "toself" for trace in figure.data) == 3
    assert [trace.error_y.array is None for trace in lines] == [True, True, True, False, False]
    assert [round(end, 9) for end in lines[3].error_y.array[:2]] == [0.1, 0.2]
    assert lines[3].error_y.arrayminus[2] == 0, "an end that is not known has no bar"


def test_a_single_point_has_its_interval_and_no_line():
    drawing = theme.blank("", "")
    point = pd.DataFrame({"x": [1], "y": [0.5], "low": [0.4], "high": [0.6]})
    traces.interval_line(drawing, point, ("x", "y", "low", "high"), theme.distinct(1)[0], "line", [""])
    stroke, mark = drawing.figure().data
    assert (stroke.y, mark.mode, mark.y) == ((0.4, 0.6), "markers", (0.5,))
