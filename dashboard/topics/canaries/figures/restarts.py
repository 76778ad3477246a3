"""Results of the random restarts of the attack on one canary; the lowest loss wins."""

import math
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording.naming import counted
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import axes, foreign, scatter, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.kit.words import number

TITLE = "Random restarts"
MOST_SHOWN = 10
_ROW = 44
_WIDTH = 28
_LOG = 20
"""Ratio of losses from which the axis is logarithmic."""
_LOOKS = {
    True: ("the true secret", theme.Mark(theme.MEMBER, "circle")),
    False: ("wrong words", theme.Mark(theme.NONMEMBER, "x")),
}
_COLUMNS = {"guess": "str", "runs": "int64", "loss": "float64", "right": "int64", "words": "int64", "trusted": "bool"}


@once
def ends(runs: pd.DataFrame, canary: Any) -> pd.DataFrame:
    """Return the different results of the restarts for a row of the table ``canaries``, the lowest loss first."""
    canary_runs = runs[(runs["model"] == canary.model) & (runs["pattern"] == canary.pattern)]
    truth = canary.truth.split()
    rows = [
        {
            "trusted": False,
            "guess": guess,
            "runs": len(same),
            "loss": float(same["loss"].min()),
            "words": len(truth),
            "right": sum(word == true for word, true in zip(str(guess).split(), truth, strict=True)),
        }
        for guess, same in canary_runs.groupby("guess", sort=False)
    ]
    table = pd.DataFrame(rows, columns=list(_COLUMNS)).astype(_COLUMNS)
    table = table.sort_values("loss", kind="stable").reset_index(drop=True)
    return table.assign(trusted=table.index == 0)


@once
def figure(table: pd.DataFrame, truth: float, random: float) -> go.Figure:
    """Draw the losses of `ends`, of the true secret and of a random guess."""
    rows = table.head(MOST_SHOWN)
    inner = 36 + _ROW * max(len(rows), 2)
    drawing = theme.blank("Loss of the network (lower: better fit)", "", inner=inner, legend=True)
    if rows.empty:
        return theme.empty(drawing, "The restarts of this canary were not kept.")
    low, high = _axis(drawing, [*rows["loss"].tolist(), truth, random])
    drawing.update_yaxes(range=[len(rows) - 0.4, -0.6], showgrid=False, showticklabels=False)
    theme.level(drawing, x=random, text="random guess", listed=True)
    drawing.add_scatter(
        x=[truth, truth],
        y=[-0.6, len(rows) - 0.4],
        mode="lines",
        name="loss of the true secret",
        line={"color": theme.THIRD, "width": 2.5},
        hovertemplate=f"the true secret: {number(truth)}<extra></extra>",
    )
    for is_true, (name, mark) in _LOOKS.items():
        part = rows[(rows["right"] == rows["words"]) == is_true]
        hover = [f"<b>{row.guess}</b><br>loss {row.loss:.4g}, {_reached(row)}" for row in records(part)]
        sizes = part["trusted"].map({True: 17, False: 11})
        scatter.points(drawing, part["loss"], part.index, mark, name, hover, size=sizes, opaque=True)
    for index, row in enumerate(records(rows)):
        guess = foreign.cut(row.guess, _WIDTH)
        text = f"{f'<b>{guess}, the answer</b>' if row.trusted else guess}<br>{_reached(row)}"
        x = math.log10(row.loss) if drawing.layout["xaxis"].get("type") == "log" else row.loss
        side, shift = ("left", 12) if x < (low + high) / 2 else ("right", -12)
        where: dict[str, Any] = {"x": x, "xanchor": side, "xshift": shift, "y": index, "yanchor": "middle"}
        theme.note(drawing, text, align=side, bgcolor=theme.veil(theme.BACKGROUND, 0xC0), **where)
    return drawing.figure()


@once
def sentence(table: pd.DataFrame, truth: float) -> str:
    """Read the results aloud: how many reach the true secret, the lowest loss, and whether a better search helps."""
    if table.empty:
        return "The restarts of this canary were not kept."
    best = records(table)[0]
    reached = int(table.loc[table["right"] == table["words"], "runs"].sum())
    runs = int(table["runs"].sum())
    text = f"{reached} of {counted(runs, 'random restart')} ended at the true secret."
    text += f" The lowest loss, {number(best.loss)}, has {best.right} of {best.words} words correct."
    if best.right == best.words:
        return text
    if best.loss > truth:
        return (
            f"{text} The true secret has a lower loss, {number(truth)}: the network reveals more than the attack "
            "found. A better search may extract it."
        )
    return (
        f"{text} The true secret has no lower loss, {number(truth)}: the network fits another secret better, so no "
        "search by its loss would extract it."
    )


def _axis(drawing: Drawing, losses: list[float]) -> tuple[float, float]:
    """Set the axis of losses, and return its ends in the units of annotations."""
    low, high = min(losses), max(losses)
    if low > 0 and high / low >= _LOG:
        drawing.update_xaxes(**axes.logarithmic(low, high))
    else:
        room = 0.06 * (high - low or abs(high) or 1.0)
        drawing.update_xaxes(range=[low - room, high + room], nticks=6)
    first, last = drawing.layout["xaxis"]["range"]
    return first, last


def _reached(row: Any) -> str:
    return f"{counted(row.runs, 'restart')}, {row.right} of {row.words} words correct"
