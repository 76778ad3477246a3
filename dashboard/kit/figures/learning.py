"""How right a classifier of a game of inference is against the passes of its training."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import foreign, intervals, theme
from dashboard.kit.figures.drawing import Drawing
from dashboard.kit.figures.tables import records, values
from dashboard.kit.figures.wording import counted, measured, percent

TITLE = "Accuracy against passes of training"
_DOUBLINGS = 7
_NUMBERS = ("epochs", "accuracy", "low", "high", "chance")
_COLUMNS = ("variant", "adversary", "secret", *_NUMBERS)


def growing(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return the points of a run that is still going on as a curve; absent figures become NaN."""
    frame = pd.DataFrame(list(rows), columns=list(_COLUMNS))
    return frame.assign(**{name: pd.to_numeric(frame[name], errors="coerce") for name in _NUMBERS})


def points(curve: pd.DataFrame, variant: str, adversary: str, secret: str) -> pd.DataFrame:
    """Return one line of the curve, by passes."""
    own = (curve["variant"] == variant) & (curve["adversary"] == adversary) & (curve["secret"] == secret)
    shown = curve[own & curve["accuracy"].notna()]
    return shown.drop_duplicates("epochs", keep="last").sort_values("epochs")


def figure(
    lines: Mapping[str, tuple[pd.DataFrame, theme.Mark]], *, moving: str = "", guessing: str = "guessing"
) -> go.Figure:
    """Draw one line with its band for each, and what guessing gives.

    Args:
        lines: Name to `points` and look. Points with 0 passes belong to what is not trained by passes.
        moving: The line whose mean and best over all passes are marked; none when empty.
        guessing: What the level of chance is called, where it is the same for all.
    """
    drawing = theme.blank(
        "Passes over the adversary’s own texts", theme.ACCURACY, legend=True, height=theme.HEIGHT + 40
    )
    shown = {name: line for name, line in lines.items() if len(line[0])}
    if not shown:
        return theme.empty(drawing, "No point yet: the first classifier is still being trained.")
    every = pd.concat([part for part, _ in shown.values()])
    steps = sorted({int(step) for step in every["epochs"] if step > 0})
    ends = _axis(drawing, steps)
    floor = min(float(every[["low", "chance", "accuracy"]].min().min()), 1.0)
    drawing.update_yaxes(
        range=[max(floor - 0.05, -0.02), min(float(every[["high", "accuracy", "chance"]].max().max()) + 0.06, 1.04)],
        tickformat=".0%",
        nticks=8,
    )
    _guessing(drawing, shown, ends, guessing)
    for name, (part, mark) in shown.items():
        if int(part["epochs"].max()) == 0:
            _still(drawing, name, records(part)[-1], mark, ends)
        else:
            intervals.line(
                drawing,
                part["epochs"],
                part["accuracy"],
                part["low"],
                part["high"],
                mark,
                name=foreign.shown(name),
                size=9 if len(part) <= 12 else 5,
                said=[_hover(name, row) for row in records(part)],
            )
    if moving in shown and len(shown[moving][0]) > 1:
        _moving(drawing, *shown[moving])
    return drawing.figure()


def growth(says: str, part: pd.DataFrame) -> str:
    """Read one line aloud, which begins with what happens in that share of the cases: “The month is named”."""
    if part.empty:
        return "No classifier has been trained yet."
    first, end = records(part)[0], records(part)[-1]
    text = f"{says} in {measured(end.accuracy, end.low, end.high, named=True)}"
    if len(part) == 1 or not end.epochs:
        return f"{text}; guessing gives {percent(end.chance)}."
    text += (
        f" after {counted(int(end.epochs), 'pass', 'passes')}, and in {percent(first.accuracy)} after {first.epochs}"
    )
    if end.low > first.high:
        return f"{text}: longer training makes a better attacker."
    if end.high < first.low:
        return f"{text}: it gets worse with longer training."
    return f"{text}: the intervals overlap, so longer training is not shown to help."


def moves(part: pd.DataFrame) -> str:
    """Read aloud how an accuracy that never settles moves, with its mean, its best and its last."""
    if len(part) < 2:
        return ""
    best = records(part.loc[[part["accuracy"].idxmax()]])[0]
    last = records(part)[-1]
    return (
        f"The DANN’s accuracy moves with every pass: {percent(float(part['accuracy'].mean()))} on average, "
        f"{percent(best.accuracy)} at best (pass {best.epochs}), {percent(last.accuracy)} at the last, which is "
        "what counts here. Which pass is best is known only to who knows the truth: an adversary cannot stop there."
    )


def _axis(drawing: Drawing, steps: Sequence[int]) -> tuple[float, float]:
    """Set the axis of passes, logarithmic where steps double, and return its ends in passes."""
    if not steps:
        drawing.update_xaxes(range=[0, 1], showticklabels=False)
        return 0, 1
    if len(steps) > 2 and steps[-1] / steps[0] >= 8 and len(steps) <= _DOUBLINGS:
        ends = steps[0] / 1.15, steps[-1] * 1.15
        drawing.update_xaxes(
            type="log",
            range=[math.log10(end) for end in ends],
            tickvals=list(steps),
            minor={"ticks": ""},
            ticktext=[f"{step:,}" for step in steps],
        )
        return ends
    room = max(0.04 * (steps[-1] - steps[0]), 0.5)
    ends = max(steps[0] - room, 0), steps[-1] + room
    drawing.update_xaxes(range=ends)
    return ends


def _guessing(
    drawing: Drawing, lines: Mapping[str, tuple[pd.DataFrame, theme.Mark]], ends: tuple[float, float], text: str
) -> None:
    levels = {name: float(np.mean(part["chance"])) for name, (part, _) in lines.items()}
    if len({round(level, 4) for level in levels.values()}) == 1:
        theme.level(drawing, y=next(iter(levels.values())), text=text)
        return
    for number, (name, level) in enumerate(levels.items()):
        drawing.add_scatter(
            x=list(ends),
            y=[level, level],
            mode="lines",
            name="guessing, in each colour",
            showlegend=number == 0,
            line={"color": lines[name][1].colour, "width": 2, "dash": "dash"},
            text=[f"guessing, {foreign.shown(name)}: {percent(level)}"] * 2,
        )


def _still(drawing: Drawing, name: str, row: Any, mark: theme.Mark, ends: tuple[float, float]) -> None:
    """Draw what has no passes as a level line with its interval at the right."""
    drawing.add_scatter(
        x=list(ends),
        y=[row.accuracy] * 2,
        mode="lines",
        name=foreign.shown(name),
        line={"color": mark.colour, "width": 3, "dash": "dashdot"},
        text=[_hover(name, row)] * 2,
    )
    drawing.add_scatter(
        x=[ends[1]] * 2,
        y=[row.low, row.high],
        mode="lines",
        line={"color": theme.veil(mark.colour, 0x88), "width": 5},
        hoverinfo="skip",
        showlegend=False,
    )


def _moving(drawing: Drawing, part: pd.DataFrame, mark: theme.Mark) -> None:
    best = records(part.loc[[part["accuracy"].idxmax()]])[0]
    mean = float(part["accuracy"].mean())
    drawing.add_scatter(
        x=values(part["epochs"].iloc[[0, -1]]),
        y=[mean, mean],
        mode="lines",
        name=f"mean of all passes, {percent(mean)}",
        hoverinfo="skip",
        line={"color": mark.colour, "width": 2, "dash": "dot"},
    )
    drawing.add_scatter(
        x=[best.epochs],
        y=[best.accuracy],
        mode="markers",
        name=f"best pass, {percent(best.accuracy)}: only in hindsight",
        marker={"symbol": "star", "size": 17, "color": theme.PAPER, "line": {"color": theme.BACKGROUND, "width": 1}},
        hovertemplate=f"best: {percent(best.accuracy)} at pass {best.epochs}<extra></extra>",
    )


def _hover(name: str, row: Any) -> str:
    when = f", {counted(int(row.epochs), 'pass', 'passes')}" if row.epochs else ""
    return (
        f"<b>{foreign.shown(name)}</b>{when}<br>right: {measured(row.accuracy, row.low, row.high)}; "
        f"guessing {percent(row.chance)}"
    )
