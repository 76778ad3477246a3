"""Training of a word classifier by epoch: loss above, F1 on held-out texts below."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import percent
from core.statistics.wording.naming import counted
from dashboard.kit.figures import axes, encoders, tables, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.kit.words import number

TITLE = "Loss, and F1 on held-out texts"
_LINES = (
    ("loss", "y", theme.Mark(theme.MEMBER, "circle"), "loss %{y:.2f} nats per text"),
    ("left_out_f1", "y2", theme.Mark(theme.NONMEMBER, "square", "dash"), "F1 on held-out texts %{y:.1%}"),
)
_COLUMNS = ("epochs", "loss", "left_out_f1")
_FEW = 25


def growing(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return the epochs of a run in progress as a table, each once; absent values become NaN."""
    return tables.growing(rows, (), _COLUMNS).drop_duplicates("epochs", keep="last").sort_values("epochs")


@once
def figure(learning: pd.DataFrame) -> go.Figure:
    """Draw both by epoch."""
    drawing = theme.blank("Epochs", "", height=theme.HEIGHT + 90)
    upper, lower = theme.rows(drawing, [1, 1], gap=0.09)
    if learning.empty:
        return theme.empty(drawing, "No value yet: the first epoch is not finished.")
    axes.by_epoch(drawing, learning["epochs"])
    top = float(learning["left_out_f1"].max())
    ends = [0, min(1.12 * top, theme.WHOLE) if top > 0 else 1]
    axes.title_row(drawing, upper, "Loss per text (nats)", rangemode="tozero", nticks=6)
    axes.title_row(drawing, lower, "F1 of words,<br>held-out texts", tickformat=".0%", nticks=6, range=ends)
    mode = "lines+markers" if len(learning) <= _FEW else "lines"
    for column, row, mark, text in _LINES:
        look: dict[str, Any] = {"yaxis": row, "showlegend": False}
        hover = f"epoch %{{x}}: {text}<extra></extra>"
        traces.series(drawing, learning["epochs"], learning[column], mark, mode=mode, hovertemplate=hover, **look)
    return drawing.figure()


@once
def sentence(learning: pd.DataFrame) -> str:
    """Read the first and last value of both aloud, and the epoch of the best F1."""
    if learning.empty:
        return "No epoch is finished yet."
    rows = records(learning.sort_values("epochs"))
    first, last = rows[0], rows[-1]
    loss, f1 = number(last.loss), percent(last.left_out_f1)
    if len(rows) == 1:
        after = counted(int(last.epochs), "epoch")
        return f"After {after} the loss is {loss} nats per text, and F1 on held-out texts {f1}."
    text = (
        f"In {counted(int(last.epochs), 'epoch')} the loss goes from {number(first.loss)} to {loss} nats per text, and "
        f"F1 on held-out texts from {percent(first.left_out_f1)} to {f1}."
    )
    best = max(rows, key=lambda row: row.left_out_f1)
    if best.left_out_f1 > last.left_out_f1:
        text += f" F1 was best after epoch {best.epochs}, with {percent(best.left_out_f1)}."
    return text


@once
def weighed(weights: pd.DataFrame, local: str, attacked: str) -> str:
    """Say what each way of reading few pairs is worth on pairs left out, and how the adversary weighs the two.

    Args:
        weights: F1 by the weight of the adversary's own encoder.
        local: The source of that encoder.
        attacked: The source of the encoder that made the vectors, which the adversary does not know.
    """
    worth = dict(zip(weights["weight"].tolist(), weights["left_out_f1"].tolist(), strict=True))
    weight = max(worth, key=worth.__getitem__)
    same = ", which happens to be the unknown one" if local == attacked else ""
    text = (
        f"The adversary’s own encoder is {encoders.name({'source': local})}{same}. On leaked pairs left out, F1 is "
        f"{percent(worth[1.0])} through it and {percent(worth[0.0])} from the pairs alone."
    )
    if weight in (0.0, 1.0):
        return f"{text} The adversary takes {'its own encoder' if weight else 'the pairs'} alone."
    return (
        f"{text} The adversary weighs the log odds of the former by {percent(weight)}, and reaches "
        f"{percent(worth[weight])}."
    )
