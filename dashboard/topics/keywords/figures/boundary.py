"""A classifier's decision boundary among its training texts and among the victims (Pan et al. 2020, Figure 4)."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.statistics.wording import measured, percent
from core.statistics.wording.naming import counted, lowered
from dashboard.kit.figures import foreign, intervals, scatter, theme
from dashboard.kit.figures.adversaries import classifier_name
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once

Panel = Literal["known", "victims"]

TITLES: dict[Panel, str] = {"known": "The adversary’s texts", "victims": "The victims"}
_HEIGHT = theme.HEIGHT + 10
_APART = 0.15
_CHANCE = 0.5
ORDER = "Ordered by how well the plane divides the adversary’s own texts. Those of the victims have no say in it."
"""In which order keywords are offered."""
_EMPTY = "There is no decision boundary for this keyword."


@once
def of(points: pd.DataFrame, keyword: str, panel: Panel) -> pd.DataFrame:
    """Return the texts of one panel of one keyword."""
    texts = _by_keyword(points).get(keyword, points.iloc[:0])
    return texts[texts["panel"] == panel].reset_index(drop=True)


@once
def _by_keyword(table: pd.DataFrame) -> Mapping[str, pd.DataFrame]:
    return {str(keyword): rows for keyword, rows in table.groupby("keyword", sort=False)}


@once
def listed(points: pd.DataFrame, keyword: str, panel: Panel, texts: Mapping[int, str]) -> pd.DataFrame:
    """Return the same with what each point shows to a pointer: its text, where that is on this machine."""
    panel_points = of(points, keyword, panel)
    if not texts or not panel_points["row"].isin(list(texts)).any():
        return panel_points
    return panel_points.assign(text=[texts.get(int(row), "") for row in panel_points["row"]])


@once
def clearest_first(points: pd.DataFrame, grid: pd.DataFrame, keywords: tuple[str, ...]) -> list[str]:
    """Return keywords by the share of the adversary's own texts on the correct side, those without a boundary last."""
    shares = {keyword: right(points, grid, keyword, "known") for keyword in keywords}
    return sorted(keywords, key=lambda keyword: -np.nan_to_num(shares[keyword], nan=-1.0))


@once
def figure(
    points: pd.DataFrame, grid: pd.DataFrame, keyword: str, panel: Panel, texts: Mapping[int, str] | None = None
) -> go.Figure:
    """Draw one panel; both have the same axes.

    Args:
        points: The attack's table of texts in the plane.
        grid: The attack's table of probabilities in the plane.
        keyword: The keyword.
        panel: Training texts or victims.
        texts: The victims' texts by row, where they are available.
    """
    drawing = theme.blank("First principal component", "Second principal component", height=_HEIGHT, legend=True)
    panel_points, plane = of(points, keyword, panel), _by_keyword(grid).get(keyword, grid.iloc[:0])
    if panel_points.empty or plane.empty:
        return theme.empty(drawing, _EMPTY)
    x, y, probability = _surface(plane)
    line = {"color": theme.INK, "width": 2.5, "dash": "dash"}
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
            "line": line,
            "showscale": False,
            "hoverinfo": "skip",
        }
    )
    for present, name, mark in (
        (True, "with the keyword", theme.Mark(theme.MEMBER, "circle")),
        (False, "without it", theme.Mark(theme.NONMEMBER, "square-open")),
    ):
        group = panel_points[panel_points["present"] == present]
        edge = {"color": mark.colour, "width": 1.5}
        hover = [_hover(int(row.row), name, texts) for row in records(group)]
        scatter.points(drawing, group["x"], group["y"], mark, name, hover, size=8, edge=edge)
    drawing.add_scatter(x=[None], y=[None], mode="lines", name="boundary (50%)", line=line)
    drawing.update_xaxes(range=[float(x[0]), float(x[-1])], nticks=5, showgrid=False)
    drawing.update_yaxes(range=[float(y[0]), float(y[-1])], nticks=5, showgrid=False)
    return drawing.figure()


def origin(classifier: str) -> str:
    """Say which classifier the boundary belongs to, and which other one gives the answer, if any.

    Args:
        classifier: The classifier of the attack: ``svm``, ``mlp``, ``dann``, ``lda`` or ``best``.
    """
    if classifier == "mlp":
        return "This boundary is that of the perceptron, as is the answer above. "
    answering = lowered(classifier_name(classifier))
    return f"This boundary is that of a perceptron; the answer above is that of the {answering}. "


def bridge(keyword: str, right: float, over_all: float) -> str:
    """Say how the accuracies of the page go together.

    Args:
        keyword: The keyword.
        right: Share of its victims for which the attack is right.
        over_all: The same over all keywords, which is the answer of the page.
    """
    return (
        f"The attack is right for {percent(right)} of the victims asked about “{keyword}”, and for {percent(over_all)} "
        "over all keywords, which is the answer above. The shares of texts on the correct side are neither: they are "
        "of one plane through a perceptron, whose other directions are fixed at their mean."
    )


def decision(row: Any) -> str:
    """Say what the adversary answers about one victim, a row of the table of guesses, and whether it is right."""
    verdict = "right" if row.truth == row.guess else "wrong"
    return (
        f"“{row.secret}” is {row.truth}. From the embedding alone, the adversary calls it {row.guess} with a "
        f"probability of {percent(row.probability)}: {verdict}."
    )


@once
def decisions(drawn: pd.DataFrame, guesses: pd.DataFrame) -> str:
    """Say for how many of some victims of a keyword the attack is right, and for what share of all of them."""
    right, over_all = (table["truth"] == table["guess"] for table in (drawn, guesses))
    return (
        f"The attack is correct for {int(right.sum())} of these {counted(len(drawn), 'victim')}, drawn from "
        f"{len(guesses):,}; its accuracy over all is {percent(float(over_all.mean()))}."
    )


@once
def title(points: pd.DataFrame, keyword: str, panel: Panel) -> str:
    """Return the title of a panel, with the number of its texts."""
    return f"{TITLES[panel]}, n = {len(of(points, keyword, panel)):,}"


@once
def sentence(points: pd.DataFrame, grid: pd.DataFrame, keyword: str) -> str:
    """Read both panels aloud: the share of texts on the correct side of the boundary, with its interval."""
    training, victims = (_measured(points, grid, keyword, panel) for panel in TITLES)
    if training is None or victims is None:
        return _EMPTY
    victim_points = of(points, keyword, "victims")
    has_some = bool(victim_points["present"].any())
    text = (
        f"In this plane, {measured(*training, named=True)} of the adversary’s "
        f"{counted(len(of(points, keyword, 'known')), 'text')} are on the correct side of the boundary, and "
        f"{measured(*victims)} of {counted(len(victim_points), 'victim')}; "
        f"{'chance is 50%' if has_some else 'none of these has the keyword'}."
    )
    if training[0] - victims[0] > _APART:
        text += " The boundary fits the training texts but not the victims, which the paper calls domain misalignment."
    elif training[1] <= _CHANCE:
        text += " So this plane alone is not shown to divide the adversary’s own texts better than chance."
    elif has_some and victims[1] <= _CHANCE:
        text += " That it holds for the victims is not shown."
    elif has_some:
        text += " The boundary holds for the victims too."
    return text


def _measured(
    points: pd.DataFrame, grid: pd.DataFrame, keyword: str, panel: Panel
) -> tuple[float, float, float] | None:
    """Return the share of a panel's texts on the correct side, with its interval; None without a boundary."""
    share = right(points, grid, keyword, panel)
    if not np.isfinite(share):
        return None
    low, high = intervals.of_shares(pd.Series([share]), len(of(points, keyword, panel)))
    return share, float(low.iloc[0]), float(high.iloc[0])


@once
def right(points: pd.DataFrame, grid: pd.DataFrame, keyword: str, panel: Panel) -> float:
    """Return the share of a panel's texts on the correct side of the boundary, by the nearest point of the grid."""
    texts, plane = of(points, keyword, panel), _by_keyword(grid).get(keyword, grid.iloc[:0])
    if texts.empty or plane.empty:
        return float("nan")
    x, y, probability = _surface(plane)
    column, row = (_nearest(axis, texts[name].to_numpy(dtype=float)) for axis, name in ((x, "x"), (y, "y")))
    return float(np.mean((probability[row, column] > 0.5) == texts["present"].to_numpy(dtype=bool)))


def _surface(plane: pd.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the axes, (columns,) and (rows,), and the probabilities, (rows, columns)."""
    (x, column), (y, row) = (np.unique(plane[name].to_numpy(dtype=float), return_inverse=True) for name in "xy")
    probability = np.full((len(y), len(x)), np.nan)
    probability[row, column] = plane["probability"]
    return x, y, probability


def _nearest(axis: NDArray[np.float64], at: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.asarray(np.abs(axis[None, :] - at[:, None]).argmin(axis=1), dtype=np.int64)


def _hover(row: int, name: str, texts: Mapping[int, str] | None) -> str:
    if row < 0:
        return f"a text generated by the adversary: {name}"
    text = foreign.shown(texts[row]) if texts and row in texts else "text not on this machine"
    return f"<b>Text {row + 1}</b>: {name}<br>{text}"
