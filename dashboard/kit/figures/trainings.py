"""Several trainings of one kind, pass by pass: each as a faint line, and their mean as a strong one."""

from collections.abc import Callable

import pandas as pd

from dashboard.kit.figures import theme
from dashboard.kit.figures.drawing import Drawing
from dashboard.kit.figures.tables import values
from dashboard.kit.figures.wording import counted


def lines(
    drawing: Drawing,
    trainings: pd.DataFrame,
    passes: str,
    measure: str,
    row: str,
    mark: theme.Mark,
    name: str,
    *,
    said: Callable[[float], str],
    one: str,
    shown: bool = True,
) -> None:
    """Draw a measure of all trainings.

    Args:
        drawing: Where to.
        trainings: The measure of each ``model`` after each of its passes.
        passes: Column of the number of passes.
        measure: Column of the measure.
        row: Vertical axis.
        mark: How the mean looks.
        name: What the legend says.
        said: Says a value of the measure.
        one: What one model is called.
        shown: Whether the legend names it.
    """
    x: list[float | None] = []
    y: list[float | None] = []
    for _, own in trainings.sort_values(["model", passes], kind="stable").groupby("model", sort=False):
        x += [*values(own[passes]), None]
        y += [*values(own[measure]), None]
    drawing.add_scatter(
        x=x,
        y=y,
        yaxis=row,
        mode="lines",
        hoverinfo="skip",
        showlegend=False,
        connectgaps=False,
        line={"color": theme.veil(mark.colour, 0x3C), "width": 1},
    )
    by_pass = trainings.groupby(passes, sort=True)
    means, models = by_pass[measure].mean(), by_pass["model"].nunique()
    drawing.add_scatter(
        x=list(means.index),
        y=values(means),
        yaxis=row,
        mode="lines+markers",
        name=name,
        showlegend=shown,
        line={"color": mark.colour, "width": 3, "dash": mark.dash},
        marker={"color": mark.colour, "symbol": mark.symbol, "size": 8 if len(means) <= 20 else 4},
        text=[
            f"<b>{name}</b>, pass {int(at)}<br>{said(value)}, mean of {counted(int(count), one)}"
            for at, value, count in zip(means.index, means, models, strict=True)
        ],
    )
