"""Examples found against examples wrongly accused, a curve for each statistic and rule."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.examples.figures import rules
from dashboard.kit.examples.figures.rules import Series
from dashboard.kit.figures import roc as curves
from dashboard.kit.figures import theme
from dashboard.kit.figures.wording import lowered, measured, percent

MARKS = (0.001, 0.01, 0.1)
"""False-positive rates at which the curves are read aloud, where the counts allow."""


def figure(roc: pd.DataFrame, nonmembers: int, series: Sequence[Series] | None = None) -> go.Figure:
    """Draw the curves, that of the answer with its band, down to one accused non-member and not below.

    Args:
        roc: As the game declares it.
        nonmembers: Number of decisions about non-members.
        series: What is drawn, the answer first; none means what `rules.drawn` finds.
    """
    series = rules.drawn(roc) if series is None else series
    if not series or not nonmembers:
        return theme.empty(curves.blank(0.01, 0.01, legend=False), curves.EMPTY)
    floor = 1 / nonmembers
    drawing = curves.blank(floor, floor, legend=True)
    drawing.update_layout(
        margin={"t": theme.TOP + 19 * (len(series) + 1)}, legend={"orientation": "v", "y": 1.01, "yref": "paper"}
    )
    for number, one in enumerate(series):
        curves.add(drawing, one.of(roc), floor, one.mark, one.name, up=0.0 if number else floor)
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
        return curves.EMPTY
    rate = next((rate for rate in MARKS if rate * nonmembers >= 10), MARKS[-1])
    said: list[str] = []
    for one in series:
        if (row := curves.at(one.of(roc), rate)) is not None:
            found = measured(row.true_positive_rate, row.low, row.high, named=not said)
            said.append(f"{found} by {lowered(one.name)}")
    members = f"members {of}" if of else "members"
    return (
        f"Of {members}, when at most {percent(rate)} of non-members are accused, there are found: {'; '.join(said)}. "
        f"Guessing finds {percent(rate)}."
    )
