"""The palette can be seen on both backgrounds, and every mark differs from the others without colour too."""

from itertools import pairwise

import pytest

from dashboard.kit.browser import scheme
from dashboard.kit.figures import labels, theme


def luminance(colour):
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(first, second):
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_measured_as_wcag_does():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_every_colour_has_contrast_for_graphics(mode):
    ramp = [mark.colour for mark in theme.ordered(range(1, 6)).values()]
    shown = scheme.palette(mode)
    for colour in (*theme.CATEGORICAL, *ramp):
        assert contrast(shown[colour], shown[theme.BACKGROUND]) >= 3, colour
    assert contrast(shown[theme.INK], shown[theme.BACKGROUND]) >= 7, "small letters, seen from the last row"


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_larger_sizes_stand_out_more(mode):
    ramp = [mark.colour for _, mark in sorted(theme.ordered([1, 10, 100]).items())]
    shown = scheme.palette(mode)
    seen = [contrast(shown[colour], shown[theme.BACKGROUND]) for colour in ramp]
    assert seen == sorted(seen)


@pytest.mark.parametrize("count", range(1, 9))
def test_marks_differ_in_more_than_colour(count):
    assert len({(mark.symbol, mark.dash) for mark in theme.ordered(range(count)).values()}) == count
    assert len(set(theme.distinct(count))) == count


def test_type_is_large_enough_for_a_projector():
    drawing = theme.blank("x", "y")
    figure = drawing.figure()
    sizes = [figure.layout.font.size, figure.layout.xaxis.tickfont.size, figure.layout.xaxis.title.font.size]
    assert min([*sizes, figure.layout.legend.font.size, figure.layout.hoverlabel.font.size]) >= 14


def test_names_of_lines_that_end_together_are_moved_apart():
    drawing = theme.blank("x", "y")
    labels.beside(drawing, [(0.5, "a", theme.MEMBER), (0.5, "b", theme.NONMEMBER), (0.51, "c", theme.PAPER)], 10, 0, 1)
    shifts = sorted(
        note.yshift + note.y * (theme.HEIGHT - theme.TOP - theme.BOTTOM) for note in drawing.figure().layout.annotations
    )
    assert all(second - first >= 18 for first, second in pairwise(shifts))


def test_rows_fill_the_height_without_overlap():
    drawing = theme.blank("x", "y")
    names = theme.rows(drawing, [0.7, 0.3])
    figure = drawing.figure()
    upper, lower = figure.layout.yaxis.domain, figure.layout.yaxis2.domain
    assert names == ["y", "y2"] and upper[1] == 1 and lower[0] == pytest.approx(0) and lower[1] < upper[0]


def test_the_title_of_an_axis_fits_below_a_plot_on_a_phone():
    long = "AUC: probability that a member scores above a non-member"
    for layout, plain in ((theme.blank(long, "").layout, 400), (theme.blank(long, "", inner=100).layout, 186)):
        lines = layout["xaxis"]["title"]["text"].split("<br>")
        assert " ".join(lines) == long and max(map(len, lines)) <= 44
        assert layout["height"] == plain + theme.LINE
    divided = theme.blank("Epochs<br>of training", "").layout
    assert divided["xaxis"]["title"]["text"] == "Epochs<br>of training" and divided["height"] == 400
