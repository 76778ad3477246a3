"""Confusion matrix of authors: true by inferred author, with shares of each author's texts."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.statistics.wording import percent
from core.statistics.wording.naming import counted
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import foreign, heat, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once
from dashboard.topics.authors.figures import authors

TITLE = "Confusion matrix"
_CELL = 22
_LARGE_CELL = 34
_FEW = 12
"""Up to this number of authors, the cells show their shares."""
_COLOURS = "Orange is correct, blue wrong; a stronger colour is a larger share of the row’s texts."
_BELOW = 96
_MOST_NAMED = 3
_LONGEST = 18
_WRONG = [[step / 4, colour] for step, colour in enumerate(reversed(theme.DIVERGING[:5]))]
"""The blue half of the diverging colours, from the middle outwards."""


@once
def figure(confusion: pd.DataFrame) -> go.Figure:
    """Draw a row for each true and a column for each inferred author, in the same order, the highest accuracy first.

    Correct answers, on the diagonal, have another colour than mistakes, on the same scale.
    """
    order, counts = _counts(confusion)
    cell = _LARGE_CELL if len(order) <= _FEW else _CELL
    drawing = theme.blank("Inferred author", "True author", inner=_BELOW + cell * max(len(order), 3))
    if not order:
        return theme.empty(drawing, "No author has been inferred yet.")
    totals = counts.sum(axis=1, keepdims=True)
    shares = np.divide(counts, totals, out=np.zeros(counts.shape), where=totals > 0)
    names = [foreign.shown(name) for name in authors.names(order, _LONGEST).values()]
    hover = [
        [
            f"{counted(int(counts[row, column]), 'text')} by <b>{author}</b> ({percent(shares[row, column])}) "
            + ("assigned correctly" if row == column else f"assigned to <b>{guess}</b>")
            for column, guess in enumerate(names)
        ]
        for row, author in enumerate(names)
    ]
    diagonal = np.eye(len(order), dtype=bool)
    most = max(float(shares.max()), 0.01)
    for right, scale in ((True, heat.COLOURS), (False, _WRONG)):
        cell_shares = np.where((diagonal == right) & (counts > 0), shares, np.nan)
        look = {"zmax": most, "colorscale": scale, "showscale": False, "hoverongaps": False}
        text = {"customdata": hover, "hovertemplate": "%{customdata}<extra></extra>"}
        heat.cells(
            drawing, cell_shares, _texts(cell_shares, few=len(order) <= _FEW), gap=1, x=names, y=names, **look, **text
        )
    _frame(drawing)
    rows = {
        name: f"{name}  {percent(float(share))}" if total else name
        for name, total, share in zip(names, totals[:, 0], shares.diagonal(), strict=True)
    }
    # Categories, not numbers: plotly drops names of categories that do not fit a narrow screen.
    drawing.update_xaxes(type="category", showgrid=False, tickangle=-90, range=[-0.5, len(order) - 0.5])
    ticks = {"tickmode": "array", "tickvals": list(rows), "ticktext": list(rows.values())}
    drawing.update_yaxes(type="category", showgrid=False, range=[len(order) - 0.5, -0.5], **ticks)
    return drawing.figure()


@once
def table(confusion: pd.DataFrame) -> pd.DataFrame:
    """Return each cell with the share of the author's texts."""
    total = confusion.groupby("author")["victims"].transform("sum")
    return confusion.assign(share=(confusion["victims"] / total.where(total > 0)).round(4))


@once
def sentence(confusion: pd.DataFrame) -> str:
    """Read the highest and lowest accuracy aloud, and the most frequent confusions."""
    accuracies = records(authors.recognised(confusion))
    if not accuracies:
        return "No author has been inferred yet."
    names = authors.names([*confusion["author"], *confusion["guess"]])
    highest, lowest = accuracies[0].share, accuracies[-1].share
    if highest == lowest and len(accuracies) > 1:
        text = f"Accuracy is {percent(highest)} for each of {counted(len(accuracies), 'author')}"
    else:
        text = f"Accuracy is highest for {_at(accuracies, highest, names)}"
        text += f" and lowest for {_at(accuracies, lowest, names)}" if len(accuracies) > 1 else ""
    wrong = authors.mistakes(confusion)
    if wrong.empty:
        return f"{text}. No text was assigned to a wrong author."
    totals = {row.author: row.texts for row in accuracies}
    confusions = [
        f"{names[row.author]} as {names[row.guess]} ({row.victims:,} of {totals[row.author]:,})"
        for row in records(wrong.head(_MOST_NAMED))
    ]
    return f"{text}. Most frequent confusions: {joined(confusions)}. {_COLOURS}"


def _at(accuracies: Sequence[Any], share: float, names: Mapping[str, str]) -> str:
    """Name the authors with an accuracy, or how many they are and the first."""
    rows = [row for row in accuracies if row.share == share]
    if len(rows) == 1:
        return f"{names[rows[0].author]} ({percent(share)} of {counted(int(rows[0].texts), 'text')})"
    tied = [names[row.author] for row in rows]
    named = joined(tied) if len(tied) <= _MOST_NAMED else f"{len(tied)} authors, such as {tied[0]}"
    return f"{named} ({percent(share)} each)"


def _counts(confusion: pd.DataFrame) -> tuple[list[str], NDArray[np.float64]]:
    """Return the authors, the highest accuracy first, and the counts by true and inferred author."""
    ranked = list(authors.recognised(confusion)["author"])
    order = [*ranked, *sorted(set(confusion["guess"]) - set(ranked))]
    index = {author: number for number, author in enumerate(order)}
    counts = np.zeros((len(order), len(order)))
    for row in records(confusion):
        if row.author in index:
            counts[index[row.author], index[row.guess]] += row.victims
    return order, counts


def _texts(cell_shares: NDArray[np.float64], *, few: bool) -> list[list[str]]:
    """Return the shares of the cells as text where cells are large enough."""
    return [
        [percent(share) if few and np.isfinite(share) and share >= 0.005 else "" for share in row]
        for row in cell_shares.tolist()
    ]


def _frame(drawing: Drawing) -> None:
    look = {"line": {"color": theme.veil(theme.INK, 0x50), "width": 1}, "fillcolor": theme.veil(theme.INK, 0x06)}
    position = {"xref": "x domain", "yref": "y domain", "layer": "below", "name": "field"}
    traces.rectangle(drawing, 0.5, 0.5, 1, 1, **position, **look)
