"""Training of a word classifier by epoch: loss above, F1 on held-out texts below."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, percent
from dashboard.kit.words import number

TITLE = "Loss, and F1 on held-out texts"
_COLUMNS = ("epochs", "loss", "left_out_f1")
_LOSS = theme.Mark(theme.MEMBER, "circle", "solid")
_F1 = theme.Mark(theme.NONMEMBER, "square", "dash")
_FEW = 25


def growing(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return the epochs of a run in progress as a table, each once; absent values become NaN."""
    frame = pd.DataFrame(list(rows), columns=list(_COLUMNS))
    numbers = frame.assign(**{name: pd.to_numeric(frame[name], errors="coerce") for name in _COLUMNS})
    return numbers.drop_duplicates("epochs", keep="last").sort_values("epochs")


def figure(learning: pd.DataFrame) -> go.Figure:
    """Draw both by epoch."""
    drawing = theme.blank("Epochs", "", height=theme.HEIGHT + 90)
    upper, lower = theme.rows(drawing, [1, 1], gap=0.09)
    if learning.empty:
        return theme.empty(drawing, "No value yet: the first epoch is not finished.")
    first, last = int(learning["epochs"].min()), int(learning["epochs"].max())
    drawing.update_xaxes(range=[first - 0.4, last + 0.4], nticks=min(len(learning), 10) + 1, tickformat="d")
    top = float(learning["left_out_f1"].max())
    ends = [0, 1.12 * top if top > 0 else 1]
    mode = "lines+markers" if len(learning) <= _FEW else "lines"
    drawing.update_layout(
        **{
            theme.axis(upper): {"title": {"text": "Loss per text (nats)"}, "rangemode": "tozero", "nticks": 6},
            theme.axis(lower): {
                "title": {"text": "F1, held-out texts"},
                "tickformat": ".0%",
                "nticks": 6,
                "range": ends,
            },
        }
    )
    for column, row, mark, text in (
        ("loss", upper, _LOSS, "loss %{y:.2f} nats per text"),
        ("left_out_f1", lower, _F1, "F1 on held-out texts %{y:.1%}"),
    ):
        look: dict[str, Any] = {"mode": mode, "yaxis": row, "showlegend": False}
        hover = f"epoch %{{x}}: {text}<extra></extra>"
        traces.series(drawing, learning["epochs"], learning[column], mark, hovertemplate=hover, **look)
    return drawing.figure()


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
