"""Names of settings beside their points: on a phone, none lies on a level of chance of a sweep that ships."""

from dashboard.kit import sweeps
from dashboard.kit.figures import labels
from dashboard.topics.defenses import measured
from dashboard.topics.defenses.figures import pareto
from tests.dashboard import samples

WIDTH, HEIGHT = pareto._SCREENS[-1]


def test_no_name_lies_on_a_level_of_chance() -> None:
    looked_at = 0
    for sweep in sweeps.in_catalogue():
        table = measured.points(sweep)
        known = pareto.measured_points(table)
        if known.empty:
            continue
        layout = samples.validated(pareto.figure(table)).layout
        (left, right), (low, high) = layout.xaxis.range, layout.yaxis.range
        success, utility = known["success_chance"].mean(), known["utility_chance"].mean()
        across, up = (success - left) / (right - left) * WIDTH, (utility - low) / (high - low) * HEIGHT
        for name in layout.annotations:
            if name.ax is None:
                continue
            x, y = (name.x - left) / (right - left) * WIDTH, (name.y - low) / (high - low) * HEIGHT
            begins, ends, below, above = labels._box(name.text, x, y, name.ax, -name.ay, labels._DRAWN)
            assert not begins < across < ends, (sweep.title, name.text)
            assert not below < up < above, (sweep.title, name.text)
            looked_at += 1
    assert looked_at
