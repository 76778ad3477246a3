"""What networks are still good for behind each defense: intents and slots of requests that they never saw."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from core.experiment import Experiment
from core.result import Result
from dashboard.kit.figures import lanes, theme
from dashboard.kit.figures.lanes import Look
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined, measured
from dashboard.topics.canaries.figures.defenses import PLAIN, broken, called, ordered

TITLE = "What it costs"

_NAMES = {"intent_accuracy": "right intents", "slot_f1": "slots (F1)"}
_LOOKS: lanes.Looks = {
    name: Look(said, mark, lane)
    for (name, said), mark, lane in zip(_NAMES.items(), theme.distinct(2), (0, 2), strict=True)
}
"""The lanes leave one between them, so that rows are as high as those of three numbers of repetitions beside them."""


def points(results: Sequence[Result]) -> pd.DataFrame:
    """Return both measures of each result, over all its networks, by defense."""
    rows = []
    for result in results:
        row = called(Experiment.parse(result.experiment))
        for name in _NAMES:
            found = result.estimates[name]
            rows.append({"row": row, "series": name, "value": found.value, "low": found.low, "high": found.high})
    return ordered(pd.DataFrame(rows, columns=list(lanes.COLUMNS)))


def figure(shown: pd.DataFrame) -> go.Figure:
    """Draw a row for each defense with both measures, and dotted what they are without one.

    Args:
        shown: As `points` returned it.
    """
    drawing = lanes.blank("Right intents (share) and slots (F1)", shown["row"].nunique(), _LOOKS)
    if shown.empty:
        return theme.empty(drawing, "Not computed here yet.")
    drawing.update_xaxes(range=[theme.floor(shown["low"], least=0.85), 1.01], tickformat=".0%", nticks=6)
    for row in records(shown[shown["row"] == PLAIN]):
        line = {"color": _LOOKS[row.series].mark.colour, "width": 1.5, "dash": "dot"}
        theme.rule(drawing, x=row.value, line=line, name="plain")
    said = [
        f"<b>{row.row}</b><br>{_NAMES[row.series]}: {measured(row.value, row.low, row.high)}" for row in records(shown)
    ]
    lanes.draw(drawing, shown.assign(row=broken(shown["row"])), _LOOKS, said)
    return drawing.figure()


def sentence(shown: pd.DataFrame) -> str:
    """Say which defenses cost the network something beyond both intervals, and what the dearest one costs.

    Args:
        shown: As `points` returned it.
    """
    plain = {row.series: row for row in records(shown[shown["row"] == PLAIN])}
    defended = records(shown[shown["row"] != PLAIN])
    if not plain or not defended:
        return "What defenses cost is not computed here yet."
    level = joined([f"{_NAMES[name]} {measured(row.value, row.low, row.high)}" for name, row in plain.items()])
    text = f"Without a defense (dotted): {level}."
    worse = [row for row in defended if row.high < plain[row.series].low]
    if not worse:
        return f"{text} No defense costs anything beyond both intervals."
    most = max(worse, key=lambda row: float(plain[row.series].value - row.value))
    lost = 100 * (plain[most.series].value - most.value)
    names = joined(list(dict.fromkeys(row.row for row in worse)))
    return (
        f"{text} Beyond both intervals something is lost behind {names}; most behind {most.row}, {lost:.1f} points of "
        f"{_NAMES[most.series]}."
    )
