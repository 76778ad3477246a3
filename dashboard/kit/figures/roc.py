"""ROC curves, both axes logarithmic so that low false-positive rates can be seen."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from core.result import Estimate
from core.statistics.intervals import uncertain
from core.statistics.measures import LOW_RATES
from core.statistics.wording import measured_in, percent
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import intervals, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once

TITLE = "ROC: true against false positives"
EMPTY = "No ROC curve: it needs both members and non-members."
FROM_ZERO = "95% interval from 0% to here"
"""Name of the upper ends of intervals that reach 0."""
_APART = 2.6
"""Least quotient of two neighbouring ticks; below it, their names would overlap on a phone."""
_TICKS = (0.0001, 0.001, 0.01, 0.1, 1.0)


def blank(across: float, up: float, *, legend: bool) -> Drawing:
    """Return an empty figure with the line of chance.

    Args:
        across: Lowest false-positive rate of the axis: one non-member.
        up: Lowest true-positive rate of the axis.
        legend: Whether curves are named.
    """
    titles = "False-positive rate:<br>non-members taken for members", "True-positive rate: members found"
    drawing = theme.blank(*titles, height=460, legend=legend)
    for axes, low in ((drawing.update_xaxes, across), (drawing.update_yaxes, up)):
        ticks = [tick for tick in _TICKS if tick >= low]
        if percent(low) != percent(ticks[0]):
            ticks = [low, *(tick for tick in ticks if tick >= low * _APART)]
        axes(
            type="log",
            range=[np.log10(low * 0.9), np.log10(1.1)],
            tickvals=ticks,
            ticktext=[percent(tick) for tick in ticks],
        )
    ends = [across, 1]
    drawing.add_scatter(x=ends, y=ends, mode="lines", line=theme.CHANCE_LINE, name="chance", hoverinfo="skip")
    return drawing


def add(
    drawing: Drawing,
    curve: pd.DataFrame,
    floor: float,
    mark: theme.Mark,
    name: str,
    *,
    hover_name: str = "",
    band: bool = False,
    band_name: str = "",
) -> None:
    """Draw a curve as a step function that begins exactly at its floor, its interval in the same steps.

    A measured rate holds up to the next one; a slope between them would show rates that nobody measured, over whole
    decades of the axis. A curve that finds no member has nothing to draw: the legend says so.

    Args:
        drawing: The figure.
        curve: Rates with the ends of the interval.
        floor: False-positive rate of one non-member.
        mark: How the curve looks.
        name: Name in the legend.
        hover_name: Name in hover texts; ``name`` where empty.
        band: Whether to draw its interval.
        band_name: Name of the band in the legend; empty for none.
    """
    if finds_none(curve):
        line = {**mark.line(3), "shape": "hv"}
        drawing.add_scatter(x=[None], y=[None], mode="lines", line=line, name=f"{name}: finds none")
        return
    ordered = curve.sort_values("false_positive_rate")
    above = ordered["false_positive_rate"] > floor * (1 + 1e-9)
    part = pd.concat([ordered[~above].tail(1).assign(false_positive_rate=floor), ordered[above]], ignore_index=True)
    if band:
        _add_interval(drawing, part, mark, band_name)
    drawing.add_scatter(
        x=part["false_positive_rate"],
        y=part["true_positive_rate"].where(part["true_positive_rate"] > 0),
        mode="lines",
        line={**mark.line(3), "shape": "hv"},
        name=name,
        text=[
            f"<b>{hover_name or name}</b><br>TPR {measured_in(row, 'true_positive_rate')}<br>"
            f"at FPR {percent(row.false_positive_rate)}"
            for row in records(part)
        ],
    )


def _add_interval(drawing: Drawing, part: pd.DataFrame, mark: theme.Mark, name: str) -> None:
    """Draw intervals as a band, and of those that reach 0, which no logarithmic axis shows, the upper end alone.

    A band down to the lower edge would be a block whose height depends on where the axis begins.
    """
    known = part["low"].notna() & part["high"].notna() & (part["true_positive_rate"] > 0)
    drawn = part[known & (part["low"] > 0)]
    intervals.stepped_band(drawing, drawn["false_positive_rate"], drawn["low"], drawn["high"], mark.colour, name)
    reaching = part[known & (part["low"] <= 0)]
    if reaching.empty:
        return
    ends = pd.concat([reaching, drawn.head(1)]).drop_duplicates("false_positive_rate")
    drawing.add_scatter(
        x=ends["false_positive_rate"],
        y=ends["high"],
        mode="lines",
        line={"color": theme.veil(mark.colour, 0x99), "width": 1.5, "dash": "dot", "shape": "hv"},
        name=FROM_ZERO,
        showlegend=not any(trace.get("name") == FROM_ZERO for trace in drawing.traces),
        hoverinfo="skip",
    )


@once
def finds_none(curve: pd.DataFrame) -> bool:
    """Tell whether a curve is zero at every false-positive rate below 100%, as where all scores are equal."""
    return not ((curve["true_positive_rate"] > 0) & (curve["false_positive_rate"] < 1)).any()


def none_found(names: Sequence[str]) -> str:
    """Say which curves find no member at all; empty for none.

    >>> none_found(["“Loss alone”"]), none_found([])
    ('Not drawn, as no member is found at any rate below 100%: “Loss alone”.', '')
    """
    return f"Not drawn, as no member is found at any rate below 100%: {joined(names)}." if names else ""


@once
def undrawn(curves: Mapping[str, pd.DataFrame], nonmembers: int) -> str:
    """Say up to which false-positive rate curves are zero, which a logarithmic axis cannot show; empty for none.

    Args:
        curves: Rates of each curve by its name.
        nonmembers: Number of decisions about non-members.
    """
    never = [name for name, curve in curves.items() if finds_none(curve)] if nonmembers else []
    first = {
        name: float(curve.loc[curve["true_positive_rate"] > 0, "false_positive_rate"].min())
        for name, curve in curves.items()
        if name not in never
    }
    late = [f"{name} below {percent(rate)}" for name, rate in first.items() if nonmembers and rate > 1 / nonmembers]
    low = f"At low false-positive rates no member is found by {joined(late)}: a logarithmic axis cannot show 0%."
    return " ".join(filter(None, (low if late else "", none_found(never))))


@once
def settled(curve: pd.DataFrame, estimates: Mapping[str, Estimate], ending: str, independent: int) -> pd.DataFrame:
    """Return a curve whose intervals are those of the estimates, so that a rate has one interval on a page.

    At the other rates below 100%, where all resamples agree, the interval is Wilson's bound. Nor does it begin below
    that of a lower rate: a higher one finds no fewer members.

    Args:
        curve: Rates with the ends of their band.
        estimates: Those of the result.
        ending: What the names of the estimates about these decisions end with, after the false-positive rate.
        independent: As many decisions as may be independent.
    """
    wanted = {rate: estimates[name + ending] for name, rate in LOW_RATES.items() if name + ending in estimates}
    ends, least = [], 0.0
    for row in records(curve):
        known = next((estimate for rate, estimate in wanted.items() if np.isclose(row.false_positive_rate, rate)), None)
        inside = row.false_positive_rate < 1
        bounded = uncertain(row.low, row.high, independent) if inside else (row.low, row.high)
        low, high = (max(bounded[0], least), bounded[1]) if known is None else (known.low, known.high)
        least = max(least, low)
        ends.append((low, high))
    low, high = np.reshape(ends, (-1, 2)).T
    return curve.assign(low=low, high=high)


@once
def at(curve: pd.DataFrame, rate: float) -> Any:
    """Return the last row of a curve up to a false-positive rate, or None."""
    below = curve[curve["false_positive_rate"] <= rate * (1 + 1e-9)].sort_values("false_positive_rate")
    return records(below)[-1] if len(below) else None
