"""Utility of networks behind each defense: intent accuracy and slot F1 on held-out requests."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from core.experiment import Experiment
from core.result import Result
from core.statistics.wording import measured_in, percent
from dashboard.kit.figures import lanes, theme
from dashboard.kit.figures.lanes import Look
from dashboard.kit.figures.rows import interval
from dashboard.kit.figures.tables import records, where
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once
from dashboard.topics.canaries.figures.defenses import (
    PLAIN,
    broken,
    defense_name,
    noise,
    of_networks,
    ordered,
    undefended,
)

TITLE = "Utility"

_NAMES = {"intent_accuracy": "intent accuracy", "slot_f1": "slot F1"}
_LOOKS: lanes.Looks = {
    name: Look(title, mark, lane)
    for (name, title), mark, lane in zip(_NAMES.items(), theme.distinct(2), (0, 2), strict=True)
}
"""Lanes 0 and 2 make the rows as high as those of the figures with three numbers of repetitions."""


@once
def points(results: Sequence[Result]) -> pd.DataFrame:
    """Return both measures of each result, over all its networks, by defense."""
    rows = [
        {
            "row": defense_name(Experiment.parse(result.experiment)),
            "series": name,
            "networks": result.tables["canaries"]["model"].nunique(),
            **interval(result.estimates[name]),
        }
        for result in results
        for name in _NAMES
    ]
    return ordered(pd.DataFrame(rows, columns=[*lanes.COLUMNS, "networks"]))


@once
def figure(points: pd.DataFrame) -> go.Figure:
    """Draw both measures for each defense, and as dotted lines their values without a defense."""
    drawing = lanes.blank("Intent accuracy and slot F1", list(points["row"]), _LOOKS, beside=True)
    if points.empty:
        return theme.empty(drawing, "Not computed yet.")
    drawing.update_xaxes(range=[theme.floor(points["low"], least=0.85), 1.01], tickformat=".0%", nticks=6)
    for row in records(points[points["row"] == PLAIN]):
        line = {"color": _LOOKS[row.series].mark.colour, "width": 1.5, "dash": "dot"}
        theme.rule(drawing, x=row.value, line=line, name="plain")
    theme.note(
        drawing, "dotted: no defense", xref="x domain", x=0, xanchor="left", yref="y domain", y=0, yanchor="bottom"
    )
    hover = [f"<b>{row.row}</b><br>{_NAMES[row.series]}: {measured_in(row)}" for row in records(points)]
    lanes.draw(drawing, points.assign(row=broken(points["row"])), _LOOKS, hover, beside=True)
    return drawing.figure()


@once
def sentence(points: pd.DataFrame) -> str:
    """Say which defenses reduce a measure beyond both intervals, and by how much at most."""
    plain = {row.series: row for row in records(points[points["row"] == PLAIN])}
    defended = records(points[~undefended(points)])
    if not plain or not defended:
        return "The utility behind defenses is not computed yet."
    level = joined([f"{_NAMES[name]} {measured_in(row)}" for name, row in plain.items()])
    text = f"Each mark is a mean over all repetitions: {of_networks(points)}. Without a defense (dotted): {level}."
    worse = [row for row in defended if row.high < plain[row.series].low]
    same_training = _beside_the_same_training(points)
    if not worse:
        return f"{text} No defense reduces it beyond both intervals.{same_training}"
    most = max(worse, key=lambda row: float(plain[row.series].value - row.value))
    lost = 100 * (plain[most.series].value - most.value)
    names = list(dict.fromkeys(row.row for row in worse))
    cost = f"{lost:.1f} points of {_NAMES[most.series]}"
    if len(names) == 1:
        return f"{text} Reduced beyond both intervals by {names[0]} alone: it costs {cost}.{same_training}"
    most_by = f"most by {most.row}, which costs {cost}"
    return f"{text} Reduced beyond both intervals by {joined(names)}; {most_by}.{same_training}"


def _beside_the_same_training(points: pd.DataFrame) -> str:
    """Say what private training costs beside the same training without noise, where both are there."""
    private, without_noise = (where(points, "row", name) for name in noise(points["row"]))
    if private.empty or without_noise.empty:
        return ""
    others = {other.series: other for other in records(without_noise)}
    pairs = [(row, others[row.series]) for row in records(private)]
    values = joined([f"{_NAMES[row.series]} {percent(row.value)} against {measured_in(other)}" for row, other in pairs])
    lower = [_NAMES[row.series] for row, other in pairs if row.high < other.low]
    if not lower:
        comparison = "the intervals overlap"
    else:
        comparison = "both lower beyond both intervals" if len(lower) > 1 else f"{lower[0]} lower beyond both intervals"
    return f" Beside the same training without noise: {values}; {comparison}."
