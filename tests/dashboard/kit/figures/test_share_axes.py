"""Axes of shares: they end at 100%, and no tick is named twice."""

import pytest

from dashboard.kit.figures import axes, roc, theme


@pytest.mark.parametrize(("most", "end"), [(0.5, 0.51), (0.99, 1.02), (0.98, 1.02), (0.31, 0.408), (1.0, 1.02)])
def test_written_values_stand_in_the_margin_not_beyond_100_percent(most, end):
    def written(*values):
        drawing = theme.blank("Share", "")
        axes.written_shares(drawing, most, values)
        return drawing.figure().layout

    assert written("98%").xaxis.range[1] == pytest.approx(end, abs=0.01)
    assert written("98%", "98%, right").margin.r > written("98%").margin.r >= 8 * len("98%")


@pytest.mark.parametrize("nonmembers", [1, 3, 100, 900, 1100, 1500, 1900, 10_000])
def test_no_tick_of_a_rate_is_named_twice(nonmembers):
    figure = roc.blank(1 / nonmembers, 1 / nonmembers, legend=False).figure()
    names = list(figure.layout.xaxis.ticktext)
    assert len(set(names)) == len(names) and names[-1] == "100%"
