"""Members found against non-members accused, a curve for each target size."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import roc as curves
from dashboard.kit.figures import theme
from dashboard.kit.figures.wording import counted, decimal, documents, joined, measured, percent, short

MARK = 0.01
_SAID = (MARK, 0.05, 0.1, 0.25, 0.5)


def sizes(roc: pd.DataFrame) -> list[int]:
    """Return the target sizes to draw, all sizes together only where no other is."""
    found = sorted(int(size) for size in roc["size"].unique())
    return [size for size in found if size] or found


def counts(scores: pd.DataFrame, size: int) -> tuple[int, int]:
    """Return how many decisions about members and about non-members there are."""
    part = scores if size == 0 else scores[scores["size"] == size]
    members = int(part["member"].sum())
    return members, len(part) - members


def figure(roc: pd.DataFrame, scores: pd.DataFrame, auc: Mapping[int, float]) -> go.Figure:
    """Draw one curve with its band for each target size, down to one accused non-member and not below.

    Args:
        roc: As the game declares it.
        scores: As the game declares it; gives the counts.
        auc: Target size to area under the curve.
    """
    shown = sizes(roc)
    smallest = [counts(scores, size) for size in shown]
    floor = min([1 / others for _, others in smallest if others], default=0.01)
    bottom = min([floor, *(1 / members for members, _ in smallest if members)])
    drawing = curves.blank(floor, bottom, legend=len(shown) > 0)
    drawing.update_layout(
        margin={"t": theme.TOP},
        legend={"orientation": "v", "x": 0.99, "xanchor": "right", "y": 0.02, "yanchor": "bottom"},
    )
    marks = theme.ordered(shown or [0])
    for size, (members, others) in zip(shown, smallest, strict=True):
        if not members or not others:
            continue
        mark = marks[size]
        area = f", AUC {decimal(auc[size])}" if np.isfinite(auc.get(size, np.nan)) else ""
        own = roc[roc["size"] == size]
        curves.add(drawing, own, 1 / others, mark, f"{short(size)}{area}", hover_name=documents(size), up=bottom)
        if MARK * others >= 1 and (point := at(roc, size, MARK)) is not None and point[0] > 0:
            drawing.add_scatter(
                x=[MARK],
                y=[point[0]],
                mode="markers",
                showlegend=False,
                marker={
                    "color": mark.colour,
                    "symbol": mark.symbol,
                    "size": 12,
                    "line": {"color": theme.BACKGROUND, "width": 2},
                },
                hovertemplate=f"{short(size)}: {measured(*point)} found at {percent(MARK)}<extra></extra>",
            )
    return drawing.figure()


def sentence(roc: pd.DataFrame, scores: pd.DataFrame) -> str:
    """Read the curves aloud at 1 % of non-members accused, or at the lowest rate that the counts allow."""
    said: list[str] = []
    shown = [(size, *counts(scores, size)) for size in sizes(roc)]
    shown = [(size, members, others) for size, members, others in shown if members and others]
    if not shown:
        return curves.EMPTY
    least = min(others for _, _, others in shown)
    rate = next((rate for rate in _SAID if rate * least >= 1), _SAID[-1])
    for size, _, _ in shown:
        if (point := at(roc, size, rate)) is not None:
            said.append(f"{measured(*point, named=not said)} of members for {documents(size)}")
    text = f"Accusing at most {percent(rate)} of non-members, the attack finds {joined(said)}; "
    text += f"guessing finds {percent(rate)}."
    if rate > MARK:
        text += (
            f" With {counted(least, 'decision')} about non-members, one wrong accusation is already "
            f"{percent(1 / least)}: more target models are needed to speak of lower rates."
        )
    return text


def at(roc: pd.DataFrame, size: int, rate: float) -> tuple[float, float, float] | None:
    """Return the true-positive rate at no more than a false-positive rate, with its interval, or None."""
    row = curves.at(roc[roc["size"] == size], rate)
    return None if row is None else (row.true_positive_rate, row.low, row.high)
