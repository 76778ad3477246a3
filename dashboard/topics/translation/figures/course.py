"""Translation membership by training epoch, for each method."""

import math
from typing import Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import decimal, percent
from core.statistics.wording.naming import counted, lowered
from dashboard.kit.examples.figures import course as example_course
from dashboard.kit.figures import theme
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.topics.translation.figures import methods

TITLE = "Leak by epoch"
Measure = Literal["auc", "accuracy", "group_auc"]
MEASURES: dict[Measure, str] = {"auc": "AUC", "accuracy": "Accuracy", "group_auc": "AUC, 30 pairs together"}

_BEFORE = "above chance before training"
_ENDS = {"auc_low": "low", "auc_high": "high", "chance_low": "chance_low", "chance_high": "chance_high"}
"""Columns of the ends, with their suffixes in the game's table."""


@once
def points(course: pd.DataFrame, measure: Measure = "auc") -> pd.DataFrame:
    """Return a measure by epoch, in columns named ``auc``; the range of chance is known for single pairs only."""
    keyed = methods.keyed(course)
    parts = []
    for series in methods.drawn(keyed):
        rows = series.of(keyed)
        nothing = pd.Series(np.nan, rows.index)
        ends = {column: rows.get(f"{measure}_{name}", nothing) for column, name in _ENDS.items()}
        parts.append(pd.DataFrame({"group": series.name, "passes": rows["passes"], "auc": rows[measure], **ends}))
    columns = ["group", "passes", "auc", *_ENDS]
    table = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)
    return table[table["auc"].notna()]


@once
def figure(course: pd.DataFrame, measure: Measure = "auc") -> go.Figure:
    """Draw a line for each method."""
    marks = {series.name: series.mark for series in methods.drawn(methods.keyed(course))}
    chart = example_course.lines(points(course, measure), marks, title=MEASURES[measure])
    room = theme.TOP + 25 * (len(marks) + 2)
    return chart.update_layout(height=560, margin={"t": room}, legend={"orientation": "v", "y": 1.01, **theme.ON_PLOT})


@once
def sentence(course: pd.DataFrame, measure: Measure = "auc") -> str:
    """Read the last value of each method aloud, and the epoch from which it is above chance."""
    table = points(course, measure)
    if table.empty:
        return "The translators were not queried before their last epoch."
    ends = []
    for name, method_rows in table.groupby("group", sort=False):
        rows = records(method_rows.sort_values("passes"))
        text = f"{lowered(str(name))} {decimal(rows[-1].auc)}"
        if math.isfinite(rows[-1].chance_high):
            begun = example_course.beyond(rows)
            since = f"above the range by chance from epoch {begun} on" if begun else _BEFORE
            if len(rows) == 1:
                since = "above chance"
            text = f"{text}, {'not shown to be above chance' if begun is None else since}"
        ends.append(text)
    after = counted(int(table["passes"].max()), "epoch")
    text = f"{MEASURES[measure]} after {after}: {'; '.join(ends)}."
    if methods.of(course, methods.CENTRED).empty:
        return text
    last = methods.of(course, methods.CALIBRATED).nlargest(1, "passes")
    reached = "is right in" if measure == "accuracy" else "has an AUC of"
    written = percent if measure == "accuracy" else decimal
    without = [f"{reached} {written(value)} then" for value in last[measure]]
    return f"{text} {methods.without_subcorpora(''.join(without))}".strip()
