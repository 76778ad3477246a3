"""The scores of a person's documents put together in several ways: their mean, a top share, and a test."""

import pandas as pd
import plotly.graph_objects as go

from core.statistics.intervals import difference
from core.statistics.wording.naming import documents
from dashboard.kit.figures import intervals, scatter, theme, traces
from dashboard.kit.figures.rows import interval_of
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import area_in, joined
from dashboard.kit.membership.figures import headline
from dashboard.kit.shared import once

TITLE = "A person’s documents put together"
TOP = "top_share"
_EMPTY = "The documents of a target were put together in one way only."
_COLUMNS = ["way", "auc", "auc_low", "auc_high", "accuracy", "low", "high"]
_ROW = 44


@once
def table(curve: pd.DataFrame, attack: str) -> pd.DataFrame:
    """Return accuracy and AUC of each way, about the largest targets; the mean comes first.

    Args:
        curve: Table of the membership game.
        attack: Name of the attack, whose own score is the mean.
    """
    names = {
        attack: "mean of all documents",
        TOP: "mean of the highest scores",
        "dataset_inference": "p-value of a test",
    }
    rows = headline.outcomes(curve, attack)
    rows = rows[rows["variant"].isin(list(names)) & (rows["size"] == rows["size"].max())]
    if TOP not in set(rows["variant"]):
        return pd.DataFrame(columns=[*_COLUMNS, "size"])
    order = rows["variant"].map(list(names).index)
    rows = rows.assign(way=rows["variant"].map(names), order=order).sort_values("order")
    return pd.DataFrame(rows, columns=[*_COLUMNS, "size"]).reset_index(drop=True)


@once
def figure(table: pd.DataFrame) -> go.Figure:
    """Draw the AUC of each way as a point with its interval."""
    drawing = theme.blank("AUC: area under the ROC curve", "", inner=_ROW * max(len(table), 3))
    theme.level(drawing, x=0.5)
    if table.empty:
        return theme.empty(drawing, _EMPTY)
    drawing.update_xaxes(range=[theme.floor(table["auc_low"]), theme.WHOLE], tickformat=".1f", dtick=0.1)
    for number, (row, mark) in enumerate(zip(records(table), theme.distinct(len(table)), strict=True)):
        bars = intervals.bars([row.auc], [row.auc_low], [row.auc_high], mark.colour, 3)
        hover = [f"<b>{row.way}</b><br>AUC {area_in(row)}"]
        scatter.points(drawing, [row.auc], [number], mark, row.way, hover, size=13, error_x=bars)
        traces.left_label(drawing, row.way, number, yshift=18)
    drawing.update_yaxes(range=[len(table) - 0.4, -0.9], showgrid=False, showticklabels=False)
    return drawing.figure()


@once
def sentence(table: pd.DataFrame) -> str:
    """Read the AUC of each way, and say whether one is shown to rank better than the mean."""
    if table.empty:
        return _EMPTY
    rows = records(table)
    read = joined([f"{area_in(row, named=not number)} by the {row.way}" for number, row in enumerate(rows)])
    gains = {row.way: difference(interval_of(row, "auc"), interval_of(rows[0], "auc")) for row in rows[1:]}
    better = [way for way, gain in gains.items() if gain.low > 0]
    worse = [way for way, gain in gains.items() if gain.high < 0]
    text = f"Targets of {documents(int(rows[0].size))} rank with an AUC of {read}."
    if better:
        text += f" Better than by the mean: by the {joined(better)}."
    if worse:
        text += f" Worse than by the mean: by the {joined(worse)}."
    if not better and not worse:
        text += " No way is shown to rank better than another."
    return text
