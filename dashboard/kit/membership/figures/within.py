"""How well scores rank models about one target at a time, beside the scores of all targets together."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.within_target import auc_within
from dashboard.kit.figures import lanes, theme
from dashboard.kit.figures.lanes import Look
from dashboard.kit.figures.rows import interval
from dashboard.kit.figures.tables import by_size, records
from dashboard.kit.figures.wording import area, counted, documents, joined
from dashboard.kit.shared import once

TITLE = "One target at a time"
_ALONE, _TOGETHER = "alone", "together"
_LOOKS: lanes.Looks = {
    key: Look(name, mark, lane)
    for (key, name), mark, lane in zip(
        {_ALONE: "within one target, averaged", _TOGETHER: "all targets together"}.items(),
        theme.distinct(2),
        (0, 1),
        strict=True,
    )
}


@once
def points(scores: pd.DataFrame, final: pd.DataFrame) -> pd.DataFrame:
    """Return both areas under the curve for each target size.

    Args:
        scores: Table of the game.
        final: The attack's last row of the table ``curve`` for each size; has the areas of all targets together.
    """
    together = {row.size: row for row in records(final)}
    rows = []
    for size, part in by_size(scores):
        wide = part.pivot(index="play", columns="target")
        within = auc_within(wide["member"].to_numpy(bool), wide["score"].to_numpy(float))
        pooled = interval(together[size], "auc", "auc_low", "auc_high") if size in together else {}
        counts = {"models": len(wide), "targets": wide["score"].shape[1]}
        for series, values in ((_ALONE, interval(within)), (_TOGETHER, pooled)):
            rows.append({"row": documents(size), "series": series, **values, **counts})
    return (
        pd.DataFrame(rows, columns=[*lanes.COLUMNS, "models", "targets"])
        .dropna(subset=["value", "low"])
        .reset_index(drop=True)
    )


@once
def figure(shown: pd.DataFrame) -> go.Figure:
    """Draw both areas for each target size."""
    return lanes.by_chance(
        shown,
        _LOOKS,
        "Area under the ROC curve",
        lambda row: f"<b>{row.row}</b>, {_LOOKS[row.series].name}<br>AUC {area(row.value, row.low, row.high)}",
        ticks=(".1f", 0.1),
        empty="No score.",
        highest=1.02,
    )


@once
def sentence(shown: pd.DataFrame) -> str:
    """Say for which sizes one target at a time is ranked better than all together, beyond both intervals."""
    by_series: Mapping[str, dict[str, Any]] = {
        series: {row.row: row for row in records(shown[shown["series"] == series])} for series in _LOOKS
    }
    alone, together = by_series[_ALONE], by_series[_TOGETHER]
    if not alone:
        return "No target is in the training data of some models and out of that of others."
    figures = [
        f"{area(row.value, row.low, row.high, named=not number)} for {size}"
        for number, (size, row) in enumerate(alone.items())
    ]
    first = next(iter(alone.values()))
    text = (
        f"Asked about one target, the attack ranks {counted(first.models, 'model')} with an AUC of {joined(figures)}, "
        f"averaged over {counted(first.targets, 'target')}; chance is 0.5."
    )
    hidden = [size for size in alone if size in together and alone[size].low > together[size].high]
    if not hidden:
        return f"{text} That scores of all targets together rank worse is not shown beyond the intervals."
    pooled = joined([f"{area(row.value, row.low, row.high)} for {size}" for size in hidden if (row := together[size])])
    return (
        f"{text} Scores of all targets together reach only {pooled}: each target has a level of its own, which one "
        "threshold for all cannot follow."
    )
