"""Experiments about membership of sentence pairs side by side: what each adversary makes of each of them."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate
from dashboard.kit.figures import lanes, theme
from dashboard.kit.figures.lanes import Look
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import decimal, joined

TITLE = "AUC by experiment"
_FIGURES = {
    "auc": Look("Bob’s classifier", theme.Mark(theme.MEMBER, "circle", "solid"), 0),
    "auc_likelihood_ratio": Look(
        "Likelihood ratio of the reference", theme.Mark(theme.NONMEMBER, "square", "solid"), 1
    ),
    "group_auc": Look("Bob’s classifier, 30 pairs together", theme.Mark(theme.THIRD, "triangle-up", "solid"), 2),
}


def points(results: Sequence[tuple[str, Mapping[str, Estimate]]]) -> pd.DataFrame:
    """Return the figures that are compared, by experiment."""
    rows = [
        {"row": name, "series": key, "value": own[key].value, "low": own[key].low, "high": own[key].high}
        for name, own in results
        for key in _FIGURES
        if key in own
    ]
    return pd.DataFrame(rows, columns=list(lanes.COLUMNS))


def figure(points: pd.DataFrame) -> go.Figure:
    """Draw a row for each experiment."""
    looks = {key: look for key, look in _FIGURES.items() if key in set(points["series"])}
    drawing = lanes.blank("AUC", points["row"].nunique(), looks, listed=True)
    if points.empty:
        return theme.empty(drawing, "Nothing to compare.")
    drawing.update_xaxes(range=[theme.floor(points["low"]), 1.03], tickformat=".1f", dtick=0.1)
    lanes.draw(drawing, points, looks, [_said(row) for row in records(points)])
    lanes.chance(drawing, 0.5)
    return drawing.figure()


def sentence(points: pd.DataFrame) -> str:
    """Read the adversary's classifier aloud, experiment by experiment."""
    own = records(points[points["series"] == "auc"])
    if not own:
        return "Nothing to compare."
    said = joined([f"{_value(row)} for “{_plain(row.row)}”" for row in own])
    return f"By Bob’s classifier: {said}; guessing gives 0.50."


def _plain(name: str) -> str:
    return re.sub(r"<[^>]*>", " ", name).strip()


def _value(row: Any) -> str:
    return f"{decimal(row.value)} ({decimal(row.low)}–{decimal(row.high)})"


def _said(row: Any) -> str:
    return f"<b>{_plain(row.row)}</b><br>{_FIGURES[row.series].name}: AUC {_value(row)}"
