"""How a classifier of words learns: its loss above, and below the F1 on texts that do not teach, pass by pass."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import theme
from dashboard.kit.figures.tables import records, values
from dashboard.kit.figures.wording import counted, percent
from dashboard.kit.words import number

TITLE = "Loss, and F1 on texts left out"
_COLUMNS = ("epochs", "loss", "left_out_f1")
_LOSS = theme.Mark(theme.MEMBER, "circle", "solid")
_F1 = theme.Mark(theme.NONMEMBER, "square", "dash")
_FEW = 25


def growing(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return the passes of a run that is still going on as a table, each once; absent figures become NaN."""
    frame = pd.DataFrame(list(rows), columns=list(_COLUMNS))
    numbers = frame.assign(**{name: pd.to_numeric(frame[name], errors="coerce") for name in _COLUMNS})
    return numbers.drop_duplicates("epochs", keep="last").sort_values("epochs")


def figure(learning: pd.DataFrame) -> go.Figure:
    """Draw both against the passes of training."""
    drawing = theme.blank("Passes over the adversary’s own texts", "", height=theme.HEIGHT + 90)
    upper, lower = theme.rows(drawing, [1, 1], gap=0.09)
    if learning.empty:
        return theme.empty(drawing, "No point yet: the first pass is still going on.")
    first, last = int(learning["epochs"].min()), int(learning["epochs"].max())
    drawing.update_xaxes(range=[first - 0.4, last + 0.4], nticks=min(len(learning), 10) + 1, tickformat="d")
    top = float(learning["left_out_f1"].max())
    drawing.update_layout(
        **{
            theme.axis(upper): {"title": {"text": "Loss a text (nats)"}, "rangemode": "tozero", "nticks": 6},
            theme.axis(lower): {
                "title": {"text": "F1, texts left out"},
                "tickformat": ".0%",
                "nticks": 6,
                "range": [0, 1.12 * top if top > 0 else 1],
            },
        }
    )
    for column, row, mark, said in (
        ("loss", upper, _LOSS, "loss %{y:.2f} nats a text"),
        ("left_out_f1", lower, _F1, "F1 on texts left out %{y:.1%}"),
    ):
        drawing.add_scatter(
            x=values(learning["epochs"]),
            y=values(learning[column]),
            yaxis=row,
            showlegend=False,
            mode="lines+markers" if len(learning) <= _FEW else "lines",
            line={"color": mark.colour, "width": 3, "dash": mark.dash},
            marker={"color": mark.colour, "symbol": mark.symbol, "size": 8},
            hovertemplate=f"pass %{{x}}: {said}<extra></extra>",
        )
    return drawing.figure()


def sentence(learning: pd.DataFrame) -> str:
    """Read both lines aloud: where they begin and end, and when F1 was best."""
    if learning.empty:
        return "Nothing was learnt yet."
    rows = records(learning.sort_values("epochs"))
    first, last = rows[0], rows[-1]
    if len(rows) == 1:
        return (
            f"After {counted(int(last.epochs), 'pass', 'passes')} the loss is {number(last.loss)} nats a text, and F1 "
            f"on texts that do not teach {percent(last.left_out_f1)}."
        )
    text = (
        f"In {counted(int(last.epochs), 'pass', 'passes')} the loss goes from {number(first.loss)} to "
        f"{number(last.loss)} nats a text, and F1 on texts that do not teach from {percent(first.left_out_f1)} to "
        f"{percent(last.left_out_f1)}."
    )
    best = max(rows, key=lambda row: row.left_out_f1)
    if best.left_out_f1 > last.left_out_f1:
        text += f" It was best after pass {best.epochs}, with {percent(best.left_out_f1)}."
    return text
