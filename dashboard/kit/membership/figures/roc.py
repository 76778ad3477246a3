"""Members found against non-members accused, both axes logarithmic so that few accusations can be seen."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, decimal, documents, joined, measured, percent, short

MARK = 0.01
_SAID = (MARK, 0.05, 0.1, 0.25, 0.5)
_TICKS = (0.0001, 0.001, 0.01, 0.1, 1.0)


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
    drawing = theme.blank(
        "Non-members accused (FPR)",
        "Members found (TPR)",
        height=460,
        legend=len(shown) > 0,
    )
    smallest = [counts(scores, size) for size in shown]
    floor = min([1 / others for _, others in smallest if others], default=0.01)
    bottom = min([floor, *(1 / members for members, _ in smallest if members)])
    for axes, low in ((drawing.update_xaxes, floor), (drawing.update_yaxes, bottom)):
        ticks = [tick for tick in _TICKS if tick >= low * 1.5]
        ticks = [low, *ticks]
        axes(
            type="log",
            range=[np.log10(low * 0.9), np.log10(1.1)],
            tickvals=ticks,
            ticktext=[percent(tick) for tick in ticks],
        )
    drawing.update_layout(
        margin={"t": theme.TOP},
        legend={"orientation": "v", "x": 0.99, "xanchor": "right", "y": 0.02, "yanchor": "bottom"},
    )
    line = {"color": theme.CHANCE, "width": 2, "dash": "dash"}
    drawing.add_scatter(x=[floor, 1], y=[floor, 1], mode="lines", line=line, name="guessing", hoverinfo="skip")
    marks = theme.ordered(shown or [0])
    for size, (members, others) in zip(shown, smallest, strict=True):
        if not members or not others:
            continue
        mark = marks[size]
        part = _drawable(roc, size, 1 / others)
        bounds = part[part["low"].notna() & part["high"].notna()]
        drawing.add_scatter(
            x=[*bounds["false_positive_rate"], *bounds["false_positive_rate"][::-1]],
            y=[*bounds["high"].clip(lower=bottom / 2), *bounds["low"].clip(lower=bottom / 2)[::-1]],
            fill="toself",
            fillcolor=theme.veil(mark.colour, 0x26),
            mode="none",
            hoverinfo="skip",
            showlegend=False,
        )
        hover = [
            f"<b>{documents(size)}</b><br>{percent(row.true_positive_rate)} of members found "
            f"({percent(row.low)} to {percent(row.high)})<br>"
            f"when {percent(row.false_positive_rate)} of non-members are accused"
            for row in records(part)
        ]
        area = f", AUC {decimal(auc[size])}" if np.isfinite(auc.get(size, np.nan)) else ""
        drawing.add_scatter(
            x=part["false_positive_rate"],
            y=part["true_positive_rate"].where(part["true_positive_rate"] > 0),
            mode="lines",
            line={"color": mark.colour, "width": 3, "dash": mark.dash, "shape": "hv"},
            text=hover,
            hovertemplate="%{text}<extra></extra>",
            name=f"{short(size)}{area}",
        )
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
        return "There is no curve: it takes both members and non-members."
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
    part = roc[(roc["size"] == size) & (roc["false_positive_rate"] <= rate * (1 + 1e-9))]
    if part.empty:
        return None
    row = records(part.sort_values("false_positive_rate"))[-1]
    return row.true_positive_rate, row.low, row.high


def _drawable(roc: pd.DataFrame, size: int, floor: float) -> pd.DataFrame:
    """Return a curve from its floor on, beginning exactly there: it is a step function."""
    part = roc[roc["size"] == size].sort_values("false_positive_rate")
    below = part[part["false_positive_rate"] <= floor * (1 + 1e-9)].tail(1).assign(false_positive_rate=floor)
    return pd.concat([below, part[part["false_positive_rate"] > floor * (1 + 1e-9)]], ignore_index=True)
