"""A classifier's decision boundary among the texts it learnt from and among the victims (Pan et al. 2020, Figure 4)."""

from collections.abc import Mapping
from typing import Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from dashboard.kit.figures import foreign, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, percent

Panel = Literal["known", "victims"]

TITLES: dict[Panel, str] = {"known": "The adversary’s own texts", "victims": "The victims"}
_HEIGHT = theme.HEIGHT + 10
_APART = 0.15


def of(points: pd.DataFrame, keyword: str, panel: Panel) -> pd.DataFrame:
    """Return the texts of one panel of one keyword."""
    return points[(points["keyword"] == keyword) & (points["panel"] == panel)].reset_index(drop=True)


def figure(
    points: pd.DataFrame, grid: pd.DataFrame, keyword: str, panel: Panel, texts: Mapping[int, str] | None = None
) -> go.Figure:
    """Draw one panel; both have the same axes.

    Args:
        points: As the attack declares it.
        grid: As the attack declares it.
        keyword: What is asked.
        panel: Which texts.
        texts: What the victims wrote, by row, where it may be shown.
    """
    drawing = theme.blank("First principal component", "Second principal component", height=_HEIGHT, legend=True)
    own, plane = of(points, keyword, panel), grid[grid["keyword"] == keyword]
    if own.empty or plane.empty:
        return theme.empty(drawing, "No decision boundary was drawn for this word.")
    x, y, probability = _surface(plane)
    drawing.traces.append(
        {
            "type": "contour",
            "x": x.tolist(),
            "y": y.tolist(),
            "z": probability.tolist(),
            "zmin": 0,
            "zmax": 1,
            "colorscale": [
                [0, theme.veil(theme.NONMEMBER, 0x4A)],
                [0.5, theme.veil(theme.BACKGROUND, 0x00)],
                [1, theme.veil(theme.MEMBER, 0x4A)],
            ],
            "contours": {"start": 0.5, "end": 0.5, "size": 1, "coloring": "heatmap"},
            "line": {"color": theme.INK, "width": 2.5, "dash": "dash"},
            "showscale": False,
            "hoverinfo": "skip",
        }
    )
    for present, name, colour, symbol in (
        (True, "has the word", theme.MEMBER, "circle"),
        (False, "has it not", theme.NONMEMBER, "square-open"),
    ):
        part = own[own["present"] == present]
        drawing.add_scatter(
            x=part["x"],
            y=part["y"],
            mode="markers",
            name=name,
            marker={"color": colour, "symbol": symbol, "size": 8, "line": {"color": colour, "width": 1.5}},
            text=[_hover(int(row.row), name, texts) for row in records(part)],
        )
    drawing.add_scatter(
        x=[None],
        y=[None],
        mode="lines",
        name="undecided (50%)",
        line={"color": theme.INK, "width": 2.5, "dash": "dash"},
    )
    drawing.update_xaxes(range=[float(x[0]), float(x[-1])], nticks=5, showgrid=False)
    drawing.update_yaxes(range=[float(y[0]), float(y[-1])], nticks=5, showgrid=False)
    return drawing.figure()


def sentence(points: pd.DataFrame, grid: pd.DataFrame, keyword: str) -> str:
    """Read both panels aloud: how many texts lie on their side of the line."""
    known, victims = (right(points, grid, keyword, panel) for panel in TITLES)
    if not np.isfinite(known) or not np.isfinite(victims):
        return "No decision boundary was drawn for this word."
    shown = of(points, keyword, "victims")
    level = "half would by chance" if shown["present"].any() else "none of these has the word"
    text = (
        f"In this plane {percent(known)} of the adversary’s texts lie on their side of the line, and "
        f"{percent(victims)} of {counted(len(shown), 'victim')}; {level}."
    )
    if known - victims > _APART:
        text += (
            " The line was learnt where the texts are others, and misses the victims: the paper calls it domain "
            "misalignment."
        )
    else:
        text += " The line that was learnt holds for the victims too."
    return (
        f"{text} The other directions of the hidden layer are held at their mean, so this is not the attack’s accuracy."
    )


def right(points: pd.DataFrame, grid: pd.DataFrame, keyword: str, panel: Panel) -> float:
    """Return the share of a panel's texts that lie on their side of the line, by the nearest place of the grid."""
    own, plane = of(points, keyword, panel), grid[grid["keyword"] == keyword]
    if own.empty or plane.empty:
        return float("nan")
    x, y, probability = _surface(plane)
    column, row = (_nearest(axis, own[name].to_numpy(dtype=float)) for axis, name in ((x, "x"), (y, "y")))
    return float(np.mean((probability[row, column] > 0.5) == own["present"].to_numpy(dtype=bool)))


def keywords(points: pd.DataFrame) -> list[str]:
    """Return the keywords that have a boundary, in their order."""
    return list(dict.fromkeys(points["keyword"]))


def _surface(plane: pd.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the axes, (columns,) and (rows,), and the probabilities, (rows, columns)."""
    table = plane.pivot_table(index="y", columns="x", values="probability")
    return table.columns.to_numpy(dtype=float), table.index.to_numpy(dtype=float), table.to_numpy(dtype=float)


def _nearest(axis: NDArray[np.float64], at: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.asarray(np.abs(axis[None, :] - at[:, None]).argmin(axis=1), dtype=np.int64)


def _hover(row: int, name: str, texts: Mapping[int, str] | None) -> str:
    if row < 0:
        return f"a text the adversary made: {name}"
    said = foreign.shown(texts[row]) if texts and row in texts else "text not on this machine"
    return f"<b>Text {row + 1}</b>: {name}<br>{said}"
