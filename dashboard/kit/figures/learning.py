"""Accuracy of an inference classifier against the epochs of its training."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import counted
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import axes, foreign, scatter, tables, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import UNDECIDED
from dashboard.kit.shared import once

TITLE = "Accuracy against epochs"
_DOUBLINGS = 7
_NUMBERS = ("epochs", "accuracy", "low", "high", "chance")


def growing(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return the points of a run in progress as a curve; absent figures become NaN."""
    return tables.growing(rows, ["variant", "adversary", "secret"], _NUMBERS)


@once
def has_course(curve: pd.DataFrame) -> bool:
    """Tell whether some classifier was measured after several numbers of epochs; an SVM is not trained in epochs."""
    trained = curve[curve["epochs"] > 0]
    return bool((trained.groupby(["variant", "adversary", "secret"])["epochs"].nunique() > 1).any())


@once
def points(curve: pd.DataFrame, variant: str, adversary: str, secret: str) -> pd.DataFrame:
    """Return one line of the curve, by epochs."""
    in_line = (curve["variant"] == variant) & (curve["adversary"] == adversary) & (curve["secret"] == secret)
    known = curve[in_line & curve["accuracy"].notna()]
    return known.drop_duplicates("epochs", keep="last").sort_values("epochs")


@once
def figure(lines: Mapping[str, tuple[pd.DataFrame, theme.Mark]], *, moving: str = "") -> go.Figure:
    """Draw one line with its band for each classifier, and the level of chance.

    Args:
        lines: Name to `points` and look. Points with 0 epochs belong to a classifier not trained in epochs.
        moving: The line whose mean and best epoch are marked; none when empty.
    """
    drawing = theme.blank("Epochs over the auxiliary texts", theme.ACCURACY, legend=True, height=theme.HEIGHT + 40)
    known = {name: line for name, line in lines.items() if len(line[0])}
    if not known:
        return theme.empty(drawing, "No point yet: the first classifier is still being trained.")
    every = pd.concat([part for part, _ in known.values()])
    steps = sorted({int(step) for step in every["epochs"] if step > 0})
    ends = _axis(drawing, steps)
    floor = min(float(every[["low", "chance", "accuracy"]].min().min()), 1.0)
    drawing.update_yaxes(
        range=[
            max(floor - 0.05, -0.02),
            min(float(every[["high", "accuracy", "chance"]].max().max()) + 0.06, theme.WHOLE),
        ],
        tickformat=".0%",
        nticks=8,
    )
    _chance(drawing, known, ends)
    for name, (part, mark) in known.items():
        if int(part["epochs"].max()) == 0:
            _still(drawing, name, records(part)[-1], mark, ends)
        else:
            columns, size = ("epochs", "accuracy", "low", "high"), 9 if len(part) <= 12 else 5
            hover = [_hover(name, row) for row in records(part)]
            traces.interval_line(drawing, part, columns, mark, foreign.shown(name), hover, size=size)
    if moving in known and len(known[moving][0]) > 1:
        _moving(drawing, *known[moving])
    return drawing.figure()


@once
def growth(beginning: str, part: pd.DataFrame) -> str:
    """Read one line aloud; ``beginning`` is what happens in that share of cases, such as “The month is predicted”."""
    if part.empty:
        return "No classifier has been trained yet."
    first, last = records(part)[0], records(part)[-1]
    text = f"{beginning} in {measured_in(last, 'accuracy', named=True)}"
    if len(part) == 1 or not last.epochs:
        return f"{text}; chance is {percent(last.chance)}."
    text += f" after {counted(int(last.epochs), 'epoch')}, and in {percent(first.accuracy)} after {first.epochs}"
    if last.low > first.high:
        return f"{text}: longer training makes a stronger attack."
    if last.high < first.low:
        return f"{text}: longer training makes the attack weaker."
    return f"{text}: {UNDECIDED}."


@once
def moves(part: pd.DataFrame) -> str:
    """Read aloud the mean, best and last value of an accuracy that does not converge."""
    if len(part) < 2:
        return ""
    best = records(part.loc[[part["accuracy"].idxmax()]])[0]
    last = records(part)[-1]
    return (
        f"The DANN’s accuracy changes with every epoch: {percent(float(part['accuracy'].mean()))} on average, "
        f"{percent(best.accuracy)} at best (epoch {best.epochs}), {percent(last.accuracy)} at the last, which is "
        "reported here. Finding the best epoch takes the true labels, so an adversary cannot stop there."
    )


def _axis(drawing: Drawing, steps: Sequence[int]) -> tuple[float, float]:
    """Set the axis of epochs, logarithmic where steps double, and return its ends in epochs."""
    if not steps:
        drawing.update_xaxes(range=[0, 1], showticklabels=False)
        return 0, 1
    if len(steps) > 2 and steps[-1] / steps[0] >= 8 and len(steps) <= _DOUBLINGS:
        ends = steps[0] / 1.15, steps[-1] * 1.15
        drawing.update_xaxes(**axes.log_ticks([math.log10(end) for end in ends], steps))
        return ends
    room = max(0.04 * (steps[-1] - steps[0]), 0.5)
    ends = max(steps[0] - room, 0), steps[-1] + room
    drawing.update_xaxes(range=ends)
    return ends


def _chance(drawing: Drawing, lines: Mapping[str, tuple[pd.DataFrame, theme.Mark]], ends: tuple[float, float]) -> None:
    levels = {name: float(np.mean(part["chance"])) for name, (part, _) in lines.items()}
    if len({round(level, 4) for level in levels.values()}) == 1:
        theme.level(drawing, y=next(iter(levels.values())))
        return
    for number, (name, level) in enumerate(levels.items()):
        line = {"color": lines[name][1].colour, "width": 2, "dash": "dash"}
        hover = [f"chance, {foreign.shown(name)}: {percent(level)}"] * 2
        _across(drawing, ends, level, "chance, in each colour", line, text=hover, showlegend=number == 0)


def _still(drawing: Drawing, name: str, row: Any, mark: theme.Mark, ends: tuple[float, float]) -> None:
    """Draw a classifier without epochs as a level line with its interval at the right."""
    line = {"color": mark.colour, "width": 3, "dash": "dashdot"}
    _across(drawing, ends, row.accuracy, foreign.shown(name), line, text=[_hover(name, row)] * 2)
    interval = {"color": theme.veil(mark.colour, 0x88), "width": 5}
    drawing.add_scatter(
        x=[ends[1]] * 2, y=[row.low, row.high], mode="lines", line=interval, hoverinfo="skip", showlegend=False
    )


def _across(
    drawing: Drawing, ends: tuple[float, float], height: float, name: str, line: dict[str, Any], **trace: Any
) -> None:
    """Draw a level line from one number of epochs to another."""
    drawing.add_scatter(x=ends, y=[height, height], mode="lines", name=name, line=line, **trace)


def _moving(drawing: Drawing, part: pd.DataFrame, mark: theme.Mark) -> None:
    best = records(part.loc[[part["accuracy"].idxmax()]])[0]
    mean = float(part["accuracy"].mean())
    ends, line = (part["epochs"].iloc[0], part["epochs"].iloc[-1]), {"color": mark.colour, "width": 2, "dash": "dot"}
    _across(drawing, ends, mean, f"mean of all epochs, {percent(mean)}", line, hoverinfo="skip")
    star, name = theme.Mark(theme.PAPER, "star"), f"best epoch, {percent(best.accuracy)}: only in hindsight"
    hover = f"best: {percent(best.accuracy)} at epoch {best.epochs}<extra></extra>"
    at_best = [best.epochs], [best.accuracy]
    scatter.points(drawing, *at_best, star, name, size=17, edge=scatter.RIM, hovertemplate=hover)


def _hover(name: str, row: Any) -> str:
    when = f", {counted(int(row.epochs), 'epoch')}" if row.epochs else ""
    right = measured_in(row, "accuracy")
    return f"<b>{foreign.shown(name)}</b>{when}<br>right: {right}; chance {percent(row.chance)}"
