"""Examples found against examples wrongly accused, both axes logarithmic, a curve for each statistic and rule."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.examples.figures import rules
from dashboard.kit.examples.figures.rules import Series
from dashboard.kit.figures import theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import lowered, measured, percent

TITLE = "Found against accused (ROC)"
MARKS = (0.001, 0.01, 0.1)
"""False-positive rates at which the curves are read aloud, where the counts allow."""
_TICKS = (0.0001, 0.001, 0.01, 0.1, 1.0)
_EMPTY = "There is no curve: it takes both members and non-members."


def figure(roc: pd.DataFrame, nonmembers: int, series: Sequence[Series] | None = None) -> go.Figure:
    """Draw the curves, that of the answer with its band, down to one accused non-member and not below.

    Args:
        roc: As the game declares it.
        nonmembers: Number of decisions about non-members.
        series: What is drawn, the answer first; none means what `rules.drawn` finds.
    """
    series = rules.drawn(roc) if series is None else series
    drawing = theme.blank("Non-members accused (FPR)", "Members found (TPR)", height=460, legend=bool(series))
    if not series or not nonmembers:
        return theme.empty(drawing, _EMPTY)
    floor = 1 / nonmembers
    ticks = [floor, *(tick for tick in _TICKS if tick >= floor * 1.5)]
    ends = {
        "type": "log",
        "range": [np.log10(floor * 0.9), np.log10(1.1)],
        "tickvals": ticks,
        "ticktext": [percent(tick) for tick in ticks],
    }
    drawing.update_xaxes(**ends)
    drawing.update_yaxes(**ends)
    drawing.update_layout(
        margin={"t": theme.TOP + 19 * (len(series) + 1)}, legend={"orientation": "v", "y": 1.01, "yref": "paper"}
    )
    line = {"color": theme.CHANCE, "width": 2, "dash": "dash"}
    drawing.add_scatter(x=[floor, 1], y=[floor, 1], mode="lines", line=line, name="guessing", hoverinfo="skip")
    for number, one in enumerate(series):
        part = _from(one.of(roc), floor)
        if not number:
            bounds = part[part["low"].notna() & part["high"].notna()]
            drawing.add_scatter(
                x=[*bounds["false_positive_rate"], *bounds["false_positive_rate"][::-1]],
                y=[*bounds["high"].clip(lower=floor / 2), *bounds["low"].clip(lower=floor / 2)[::-1]],
                fill="toself",
                fillcolor=theme.veil(one.mark.colour, 0x26),
                mode="none",
                hoverinfo="skip",
                showlegend=False,
            )
        said = [
            f"<b>{one.name}</b><br>{percent(row.true_positive_rate)} of members found ({percent(row.low)} to "
            f"{percent(row.high)})<br>when {percent(row.false_positive_rate)} of non-members are accused"
            for row in records(part)
        ]
        drawing.add_scatter(
            x=part["false_positive_rate"],
            y=part["true_positive_rate"].where(part["true_positive_rate"] > 0),
            mode="lines",
            line={"color": one.mark.colour, "width": 3, "dash": one.mark.dash, "shape": "hv"},
            name=one.name,
            text=said,
            hovertemplate="%{text}<extra></extra>",
        )
    return drawing.figure()


def sentence(roc: pd.DataFrame, nonmembers: int, of: str = "", series: Sequence[Series] | None = None) -> str:
    """Read the curves aloud at the lowest of some false-positive rates that leaves ten accused, or at the highest.

    Args:
        roc: As the game declares it.
        nonmembers: Number of decisions about non-members.
        of: Which members the curves are about, where not all.
        series: What is read, the answer first; none means what `rules.drawn` finds.
    """
    series = rules.drawn(roc) if series is None else series
    if not series or not nonmembers:
        return _EMPTY
    rate = next((rate for rate in MARKS if rate * nonmembers >= 10), MARKS[-1])
    said: list[str] = []
    for one in series:
        below = one.of(roc)
        below = below[below["false_positive_rate"] <= rate * (1 + 1e-9)].sort_values("false_positive_rate")
        if len(below):
            row = records(below)[-1]
            found = measured(row.true_positive_rate, row.low, row.high, named=not said)
            said.append(f"{found} by {lowered(one.name)}")
    members = f"members {of}" if of else "members"
    return (
        f"Of {members}, when at most {percent(rate)} of non-members are accused, there are found: {'; '.join(said)}. "
        f"Guessing finds {percent(rate)}."
    )


def _from(curve: pd.DataFrame, floor: float) -> pd.DataFrame:
    """Return a curve from its floor on, beginning exactly there: it is a step function."""
    ordered = curve.sort_values("false_positive_rate")
    above = ordered["false_positive_rate"] > floor * (1 + 1e-9)
    return pd.concat([ordered[~above].tail(1).assign(false_positive_rate=floor), ordered[above]], ignore_index=True)
