"""Members found against non-members accused, both axes logarithmic so that few accusations can be seen."""

from typing import Any

import numpy as np
import pandas as pd

from dashboard.kit.figures import theme
from dashboard.kit.figures.drawing import Drawing
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import percent

TITLE = "Found against accused (ROC)"
EMPTY = "There is no curve: it takes both members and non-members."
_TICKS = (0.0001, 0.001, 0.01, 0.1, 1.0)


def blank(across: float, up: float, *, legend: bool) -> Drawing:
    """Return an empty figure with what guessing gives.

    Args:
        across: Where the axis of non-members accused begins: one of them.
        up: Where that of members found begins.
        legend: Whether curves are named.
    """
    drawing = theme.blank("Non-members accused (FPR)", "Members found (TPR)", height=460, legend=legend)
    for axes, low in ((drawing.update_xaxes, across), (drawing.update_yaxes, up)):
        ticks = [low, *(tick for tick in _TICKS if tick >= low * 1.5)]
        axes(
            type="log",
            range=[np.log10(low * 0.9), np.log10(1.1)],
            tickvals=ticks,
            ticktext=[percent(tick) for tick in ticks],
        )
    line = {"color": theme.CHANCE, "width": 2, "dash": "dash"}
    drawing.add_scatter(x=[across, 1], y=[across, 1], mode="lines", line=line, name="guessing", hoverinfo="skip")
    return drawing


def add(
    drawing: Drawing, curve: pd.DataFrame, floor: float, mark: theme.Mark, name: str, *, told: str = "", up: float = 0.0
) -> None:
    """Draw a curve from its floor on, beginning exactly there: it is a step function.

    Args:
        drawing: Where to.
        curve: Rates with the ends of the interval.
        floor: One non-member accused.
        mark: How it looks.
        name: What the legend says.
        told: What a pointer calls it; the same where empty.
        up: Where the axis of members found begins, for a curve with its band; none without.
    """
    ordered = curve.sort_values("false_positive_rate")
    above = ordered["false_positive_rate"] > floor * (1 + 1e-9)
    part = pd.concat([ordered[~above].tail(1).assign(false_positive_rate=floor), ordered[above]], ignore_index=True)
    if up:
        bounds = part[part["low"].notna() & part["high"].notna()]
        drawing.add_scatter(
            x=[*bounds["false_positive_rate"], *bounds["false_positive_rate"][::-1]],
            y=[*bounds["high"].clip(lower=up / 2), *bounds["low"].clip(lower=up / 2)[::-1]],
            fill="toself",
            fillcolor=theme.veil(mark.colour, 0x26),
            mode="none",
            hoverinfo="skip",
            showlegend=False,
        )
    drawing.add_scatter(
        x=part["false_positive_rate"],
        y=part["true_positive_rate"].where(part["true_positive_rate"] > 0),
        mode="lines",
        line={"color": mark.colour, "width": 3, "dash": mark.dash, "shape": "hv"},
        name=name,
        text=[
            f"<b>{told or name}</b><br>{percent(row.true_positive_rate)} of members found "
            f"({percent(row.low)} to {percent(row.high)})<br>"
            f"when {percent(row.false_positive_rate)} of non-members are accused"
            for row in records(part)
        ],
    )


def at(curve: pd.DataFrame, rate: float) -> Any:
    """Return the last row of a curve with at most so many non-members accused, or None."""
    below = curve[curve["false_positive_rate"] <= rate * (1 + 1e-9)].sort_values("false_positive_rate")
    return records(below)[-1] if len(below) else None
