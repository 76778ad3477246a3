"""How membership of sentence pairs comes to be told over training: methods after each of some passes."""

import math
from typing import Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.examples.figures import course as example_course
from dashboard.kit.figures import theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, decimal, lowered
from dashboard.topics.translation.figures import methods

TITLE = "How the leak opens"
Measure = Literal["auc", "accuracy", "group_auc"]
MEASURES: dict[Measure, str] = {"auc": "AUC", "accuracy": "Right guesses", "group_auc": "AUC, 30 pairs together"}

_BEFORE = "beyond chance before any training"
_ENDS = ("low", "high", "chance_low", "chance_high")


def points(course: pd.DataFrame, measure: Measure = "auc") -> pd.DataFrame:
    """Return a measure of the drawn methods by passes, as ``auc``; where chance lies is known of single pairs only."""
    own = methods.keyed(course)
    found = []
    for series in methods.drawn(own):
        rows = series.of(own)
        nothing = pd.Series(np.nan, rows.index)
        ends = {name: rows.get(f"{measure}_{name}", nothing) for name in _ENDS}
        found.append(
            pd.DataFrame(
                {
                    "group": series.name,
                    "passes": rows["passes"],
                    "auc": rows[measure],
                    **{f"auc_{name}": end for name, end in ends.items() if name in ("low", "high")},
                    **{name: end for name, end in ends.items() if name.startswith("chance")},
                }
            )
        )
    columns = ["group", "passes", "auc", "auc_low", "auc_high", "chance_low", "chance_high"]
    shown = pd.concat(found, ignore_index=True) if found else pd.DataFrame(columns=columns)
    return shown[shown["auc"].notna()]


def figure(course: pd.DataFrame, measure: Measure = "auc") -> go.Figure:
    """Draw a line for each method."""
    marks = {series.name: series.mark for series in methods.drawn(methods.keyed(course))}
    drawn = example_course.lines(points(course, measure), marks, title=MEASURES[measure])
    room = theme.TOP + 25 * (len(marks) + 2)
    return drawn.update_layout(height=560, margin={"t": room}, legend={"orientation": "v", "y": 1.01, "yref": "paper"})


def sentence(course: pd.DataFrame, measure: Measure = "auc") -> str:
    """Read aloud where each method ends, and when it leaves what chance gives."""
    own = points(course, measure)
    if own.empty:
        return "The translators were not asked before their last pass."
    said = []
    for name, part in own.groupby("group", sort=False):
        rows = records(part.sort_values("passes"))
        ends = f"{lowered(str(name))} {decimal(rows[-1].auc)}"
        if math.isfinite(rows[-1].chance_high):
            within = [number for number, row in enumerate(rows) if row.auc <= row.chance_high]
            first = within[-1] + 1 if within else 0
            begun = int(rows[first].passes) if first < len(rows) else -1
            late = "within chance" if begun < 0 else f"beyond chance from pass {begun} on" if begun else _BEFORE
            ends = f"{ends}, {late}"
        said.append(ends)
    after = counted(int(own["passes"].max()), "pass", "passes")
    return f"{MEASURES[measure]} after {after}: {'; '.join(said)}."
