"""One secret a network, as in the paper, beside networks that hold a secret of each pattern."""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Result
from core.statistics.wording import measured_in
from dashboard.kit.figures import lanes, theme
from dashboard.kit.figures.lanes import Look
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import UNDECIDED, joined
from dashboard.kit.shared import once
from dashboard.topics.canaries.figures import canaries
from dashboard.topics.canaries.figures.outcome import Measure
from dashboard.topics.canaries.figures.paper import AXES

TITLE = "One secret a network"
_EMPTY = "No network with one secret is computed yet."
_LOOKS: Mapping[str, Look] = {
    "alone": Look("one secret a network, as in the paper", theme.Mark(theme.MEMBER, "circle"), 0),
    "together": Look("one secret of each pattern a network", theme.Mark(theme.NONMEMBER, "square"), 1),
}


@once
def points(together: Result, alone: Iterable[Result], measure: Measure) -> pd.DataFrame:
    """Return a measure by pattern, of networks with one secret and of those with several, at the same repetitions.

    Args:
        together: Networks with a secret of each pattern.
        alone: Networks with secrets of one pattern each.
        measure: What is measured of the attack's own method.

    Returns:
        Columns row (the pattern), series, repetitions, value with interval, and chance.
    """
    parts = [_own(result, measure).assign(series="alone") for result in alone]
    if not parts:
        return pd.DataFrame(columns=["row", "series", "repetitions", "value", "low", "high", "chance"])
    ours = pd.concat(parts)
    asked = ours[["pattern", "repetitions"]]
    beside = _own(together, measure).merge(asked, on=["pattern", "repetitions"]).assign(series="together")
    table = pd.concat([ours, beside])
    table = table.assign(row=[canaries.pattern_name(pattern) for pattern in table["pattern"]])
    return table[["row", "series", "repetitions", "value", "low", "high", "chance"]].reset_index(drop=True)


@once
def figure(points: pd.DataFrame, measure: Measure) -> go.Figure:
    """Draw a row for each pattern and a lane for each kind of networks."""
    drawing = lanes.blank(AXES[measure], list(points["row"]), _LOOKS)
    if points.empty:
        return theme.empty(drawing, _EMPTY)
    drawing.update_xaxes(range=[-0.03, theme.WHOLE], tickformat=".0%", dtick=0.25)
    lanes.draw(drawing, points, _LOOKS, [_hover(row, measure) for row in records(points)])
    lanes.chance(drawing, float(points["chance"].mean()))
    return drawing.figure()


@once
def sentence(points: pd.DataFrame, measure: Measure) -> str:
    """Read both kinds of networks aloud, pattern by pattern, and say where they lie apart."""
    if points.empty:
        return _EMPTY
    read: list[str] = []
    apart: list[str] = []
    for name, rows in points.groupby("row", sort=False):
        by_series = {row.series: row for row in records(rows)}
        alone, together = by_series["alone"], by_series["together"]
        both = f"{measured_in(alone, named=not read)} alone, {measured_in(together)} together"
        read.append(f"{name} {both}")
        if alone.low > together.high or alone.high < together.low:
            apart.append(str(name))
    times = canaries.shown_times(int(points["repetitions"].iloc[0]))
    text = f"{AXES[measure]}. {times}: {'; '.join(read)}."
    if apart:
        return f"{text} The intervals of {joined(apart)} lie apart: other secrets in a network matter there."
    return f"{text} That other secrets in a network matter is not shown: {UNDECIDED}."


def _own(result: Result, measure: Measure) -> pd.DataFrame:
    """Return the rows of the attack's own method, of single patterns."""
    cells = canaries.of_measure(result.tables["cells"], measure)
    return cells[cells["own"] & (cells["pattern"] != canaries.ALL)]


def _hover(row: Any, measure: Measure) -> str:
    return f"<b>{row.row}: {_LOOKS[row.series].name}</b><br>{AXES[measure]}: {measured_in(row)}"
