"""Several trainings over their epochs: each as a faint line, their mean as a strong one."""

from collections.abc import Callable

import pandas as pd

from core.statistics.wording.naming import counted
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import theme, traces
from dashboard.kit.figures.tables import values


def lines(
    drawing: Drawing,
    trainings: pd.DataFrame,
    epochs: str,
    measure: str,
    row: str,
    mark: theme.Mark,
    name: str,
    *,
    formatted: Callable[[float], str],
    one: str,
    listed: bool = True,
) -> None:
    """Draw a measure of all trainings.

    Args:
        drawing: The figure.
        trainings: The measure of each ``model`` after each epoch.
        epochs: Column of the number of epochs.
        measure: Column of the measure.
        row: Vertical axis.
        mark: How the mean looks.
        name: Name in the legend.
        formatted: Formats a value of the measure.
        one: Noun for one model.
        listed: Whether the legend has an entry.
    """
    x: list[float | None] = []
    y: list[float | None] = []
    for _, training in trainings.sort_values(["model", epochs], kind="stable").groupby("model", sort=False):
        x += [*values(training[epochs]), None]
        y += [*values(training[measure]), None]
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
    by_epoch = trainings.groupby(epochs, sort=True)
    means, models = by_epoch[measure].mean(), by_epoch["model"].nunique()
    hover = [
        f"<b>{name}</b>, epoch {int(epoch)}<br>{formatted(value)}, mean of {counted(int(count), one)}"
        for epoch, value, count in zip(means.index, means, models, strict=True)
    ]
    size = 8 if len(means) <= 20 else 4
    traces.series(
        drawing, list(means.index), means, mark, size=size, name=name, showlegend=listed, yaxis=row, text=hover
    )
