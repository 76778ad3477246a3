"""ROC curves, one for each target size."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate
from core.statistics.wording import decimal, measured_in, percent
from core.statistics.wording.naming import counted, documents
from dashboard.kit.figures import roc as curves
from dashboard.kit.figures import scatter, theme
from dashboard.kit.figures.wording import joined, short
from dashboard.kit.shared import once

MARK = 0.01
_FOUND = "true_positive_rate"
_RATES = (MARK, 0.05, 0.1, 0.25, 0.5)
"""False-positive rates at which the curves are read aloud; the lowest that the counts allow."""


@once
def sizes(roc: pd.DataFrame) -> list[int]:
    """Return the target sizes to draw; 0, all sizes together, only if there is no other."""
    every = sorted(int(size) for size in roc["size"].unique())
    return [size for size in every if size] or every


@once
def counts(scores: pd.DataFrame, size: int) -> tuple[int, int]:
    """Return the numbers of decisions about members and about non-members."""
    part = scores if size == 0 else scores[scores["size"] == size]
    members = int(part["member"].sum())
    return members, len(part) - members


@once
def figure(roc: pd.DataFrame, scores: pd.DataFrame, auc: Mapping[int, float]) -> go.Figure:
    """Draw one curve with its band for each target size, down to one false positive.

    Args:
        roc: Table of the game.
        scores: Table of the game; gives the counts.
        auc: Target size to area under the curve.
    """
    known = sizes(roc)
    smallest = [counts(scores, size) for size in known]
    floor = min([1 / nonmembers for _, nonmembers in smallest if nonmembers], default=0.01)
    bottom = min([floor, *(1 / members for members, _ in smallest if members)])
    drawing = curves.blank(floor, bottom, legend=len(known) > 0)
    drawing.update_layout(
        margin={"t": theme.TOP},
        legend={"orientation": "v", "x": 0.99, "xanchor": "right", "y": 0.02, **theme.ON_PLOT},
    )
    marks = theme.ordered(known or [0])
    for size, (members, nonmembers) in zip(known, smallest, strict=True):
        if not members or not nonmembers:
            continue
        mark = marks[size]
        area = f", AUC {decimal(auc[size])}" if np.isfinite(auc.get(size, np.nan)) else ""
        rates = roc[roc["size"] == size]
        curves.add(drawing, rates, 1 / nonmembers, mark, f"{short(size)}{area}", hover_name=documents(size), band=True)
        point = curves.at(rates, MARK) if MARK * nonmembers >= 1 else None
        if point is not None and point.true_positive_rate > 0:
            hover = f"{short(size)}: TPR {measured_in(point, _FOUND)} at FPR {percent(MARK)}<extra></extra>"
            edge = {**scatter.RIM, "width": 2}
            at_mark = [MARK], [point.true_positive_rate]
            scatter.points(drawing, *at_mark, mark, size=12, edge=edge, showlegend=False, hovertemplate=hover)
    return drawing.figure()


@once
def sentence(roc: pd.DataFrame, scores: pd.DataFrame) -> str:
    """Read the curves aloud at a false-positive rate of 1%, or at the lowest that the counts allow."""
    known = {size: counts(scores, size)[1] for size in sizes(roc) if all(counts(scores, size))}
    if not known:
        return curves.EMPTY
    least = min(known.values())
    rate = next((rate for rate in _RATES if rate * least >= 1), _RATES[-1])
    read = {size: curves.at(roc[roc["size"] == size], rate) for size in known}
    points = {size: point for size, point in read.items() if point is not None}
    figures = [
        f"{measured_in(point, _FOUND, named=not number)} of members for {documents(size)}"
        for number, (size, point) in enumerate(points.items())
    ]
    text = f"At a false-positive rate of {percent(rate)} the attack finds {joined(figures)}; chance is {percent(rate)}."
    if rate > MARK:
        text += (
            f" With {counted(least, 'decision')} about non-members, one false positive is already "
            f"{percent(1 / least)}: lower rates need more target models."
        )
    never = [f"targets of {documents(size)}" for size in known if curves.finds_none(roc[roc["size"] == size])]
    return " ".join(filter(None, (text, curves.none_found(never))))


@once
def settled(roc: pd.DataFrame, scores: pd.DataFrame, estimates: Mapping[str, Estimate], variant: str) -> pd.DataFrame:
    """Return the curves of all sizes with the intervals that the estimates have.

    Args:
        roc: Table of the game, or rates of a baseline with the size of their targets.
        scores: Table of the game; gives how many target models and targets there are.
        estimates: Those of the result.
        variant: The baseline; empty for the attack.
    """
    settled_curves = []
    for size in roc["size"].unique().tolist():
        part = scores if size == 0 else scores[scores["size"] == size]
        ending = "".join(f"_{name}" for name in (variant, size) if name)
        independent = min(part["play"].nunique(), part["target"].nunique())
        settled_curves.append(curves.settled(roc[roc["size"] == size], estimates, ending, independent))
    return pd.concat(settled_curves) if settled_curves else roc
