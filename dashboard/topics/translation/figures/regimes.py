"""AUC of several experiments on translation membership."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate
from core.statistics.wording import CONSTANT, area, decimal
from core.statistics.wording.naming import counted
from dashboard.kit.figures import lanes, theme
from dashboard.kit.figures.lanes import Look
from dashboard.kit.figures.rows import interval
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once

TITLE = "AUC by experiment"
_FIGURES = {
    "auc": Look("Bob’s classifier", theme.Mark(theme.MEMBER, "circle"), 0),
    "auc_likelihood_ratio": Look("Likelihood ratio, reference", theme.Mark(theme.NONMEMBER, "square"), 1),
    "group_auc": Look("Bob’s classifier, 30 pairs together", theme.Mark(theme.THIRD, "triangle-up"), 2),
}
_CHANCE = 0.5
_EMPTY = "There is no experiment to compare."


def points(results: Sequence[tuple[str, Mapping[str, Estimate]]]) -> pd.DataFrame:
    """Return the compared estimates by experiment."""
    rows = [
        {"row": name, "series": key, **interval(estimates[key])}
        for name, estimates in results
        for key in _FIGURES
        if key in estimates
    ]
    return pd.DataFrame(rows, columns=list(lanes.COLUMNS))


@once
def figure(points: pd.DataFrame) -> go.Figure:
    """Draw a row for each experiment, the name of the first, which the page shows, in bold."""
    rows = list(points["row"])
    named = points.assign(row=[f"<b>{row}</b>" if row == rows[0] else row for row in rows])
    return lanes.by_chance(named, _FIGURES, "AUC", _hover, ticks=(".1f", 0.1), empty=_EMPTY)


@once
def sentence(points: pd.DataFrame) -> str:
    """Read aloud where the adversary's classifier ranks best and worst, and where chance is not exceeded."""
    rows = sorted(records(points[points["series"] == "auc"]), key=lambda row: -row.value)
    if not rows:
        return _EMPTY
    ends = [f"{area(row.value, row.low, row.high)} for “{row.row}”" for row in (rows[0], rows[-1])]
    spread = f"from {ends[0]} to {ends[1]}" if len(rows) > 1 else ends[0]
    text = f"AUC of Bob’s classifier: {spread}; chance is 0.50."
    if undecided := [f"“{row.row}”" for row in rows if row.low <= _CHANCE]:
        text += f" It is not shown to exceed chance for {joined(undecided)}."
    return text


def caution(experiments: Sequence[Mapping[str, Any]]) -> str:
    """Say how many experiments differ from the first in both pairs and epochs, so that neither alone explains why."""
    first, *others = [(each["dataset"].get("pairs"), each["model"].get("epochs")) for each in experiments]
    differing = sum(pairs != first[0] and epochs != first[1] for pairs, epochs in others)
    if not differing:
        return ""
    return (
        f"Of {counted(len(others), 'other experiment')}, {differing:,} differ{'s' if differing == 1 else ''} from the "
        "first in both pairs and epochs: neither alone explains the difference."
    )


def _hover(row: Any) -> str:
    is_constant = row.low == row.high
    written = f"{decimal(row.value)} ({CONSTANT})" if is_constant else area(row.value, row.low, row.high)
    return f"<b>{row.row}</b><br>{_FIGURES[row.series].name}: AUC {written}"
