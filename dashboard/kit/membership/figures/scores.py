"""Scores that the attack gave members and non-members, with the line at 0 where it decides."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import theme
from dashboard.kit.figures.tables import by_size
from dashboard.kit.figures.wording import documents, percent, short

_BINS = 40
_JUST_ABOVE = 1e-9
"""A score of exactly 0 is no accusation, so its bar lies on that side of the line."""


def figure(scores: pd.DataFrame) -> go.Figure:
    """Draw members upwards and non-members downwards, one row for each target size."""
    known = scores[np.isfinite(scores["score"])]
    sizes = [size for size, _ in by_size(known)]
    count = max(len(sizes), 1)
    height = theme.TOP + theme.BOTTOM + 40 + max(count * 145, 230)
    drawing = theme.blank("Score of the attack", "", height=height, legend=True)
    axes = theme.rows(drawing, [1] * count)
    middle = theme.axis(axes[(count - 1) // 2])
    drawing.update_layout(bargap=0, barmode="overlay", **{middle: {"title": {"text": "Share of decisions"}}})
    if known.empty:
        return theme.empty(drawing, "No score.")
    edges = _edges(known["score"].to_numpy())
    centres = (edges[1:] + edges[:-1]) / 2
    for axis, size in zip(axes, sizes, strict=True):
        part = known[known["size"] == size]
        top = 0.0
        for member, label, colour, sign in (
            (True, "members", theme.MEMBER, 1),
            (False, "non-members", theme.NONMEMBER, -1),
        ):
            values = part.loc[part["member"] == member, "score"].to_numpy()
            share = np.histogram(values, edges + _JUST_ABOVE)[0] / max(len(values), 1)
            top = max(top, float(share.max()))
            drawing.add_bar(
                x=centres,
                y=sign * share,
                name=label,
                legendgroup=label,
                showlegend=axis == "y",
                marker={"color": colour},
                customdata=share,
                hovertemplate=f"{documents(size)}, {label}<br>"
                "%{customdata:.1%} score about %{x:.2f}<extra></extra>",
                yaxis=axis,
            )
        tick = _round(top)
        reach = max(top, tick)
        ticks = {"tickvals": [-tick, 0, tick], "ticktext": [f"{tick:.0%}", "0", f"{tick:.0%}"]}
        drawing.update_layout(**{theme.axis(axis): {"range": [-1.15 * reach, 1.45 * reach], **ticks}})
        x, side = (0.995, "right") if -edges[0] < edges[-1] / 2 else (0.005, "left")
        place: dict[str, Any] = {"xref": "paper", "x": x, "xanchor": side, "yref": f"{axis} domain", "y": 1}
        theme.note(drawing, f"<b>{short(size)}</b>", yanchor="top", **place)
        drawing.add_shape(
            type="line",
            yref=f"{axis} domain",
            y0=0,
            y1=1,
            x0=0,
            x1=0,
            name="decision",
            line={"color": theme.PAPER, "width": 2.5, "dash": "dash"},
        )
    theme.note(
        drawing,
        "guessed in →",
        xref="x",
        x=0,
        yref="y domain",
        y=1,
        xanchor="left",
        yanchor="top",
        xshift=5,
        colour=theme.PAPER,
    )
    return drawing.figure()


def sentence(scores: pd.DataFrame) -> str:
    """Read the scores aloud, and say how well another line would have done."""
    known = scores[np.isfinite(scores["score"])]
    if known.empty:
        return "There are no scores."
    said = []
    for size, part in by_size(known):
        members, others = part[part["member"]], part[~part["member"]]
        finds = f"{percent(float((members['score'] > 0).mean()))} of members score above 0" if len(members) else ""
        spares = f"{percent(float((others['score'] <= 0).mean()))} of non-members do not" if len(others) else ""
        text = " and ".join(words for words in (finds, spares) if words)
        said.append(f"For {documents(size)}, {text}.")
    text = " ".join(said)
    line, best, ours = _best_line(known)
    if best - ours > 0.03:
        text += (
            f" A line at {line:+.2f} would have been right in {percent(best)} instead of {percent(ours)} overall: "
            "the scores rank better than 0 decides, but an attacker with one model cannot see where the line belongs."
        )
    else:
        text += f" No other line would do notably better than 0, which is right in {percent(ours)} overall."
    return text


def _best_line(known: pd.DataFrame) -> tuple[float, float, float]:
    """Return the line that is right most often in hindsight, how often, and how often 0 is."""
    score = known["score"].to_numpy(dtype=float)
    member = known["member"].to_numpy(dtype=bool)
    order = np.argsort(score, kind="stable")
    score, member = score[order], member[order]
    right = np.concatenate([[0], np.cumsum(~member)]) + np.concatenate([np.cumsum(member[::-1])[::-1], [0]])
    possible = np.concatenate([[True], score[1:] > score[:-1], [True]])
    place = int(np.argmax(np.where(possible, right, -1)))
    line = (
        score[0] - 1e-6 if place == 0 else score[-1] if place == len(score) else (score[place - 1] + score[place]) / 2
    )
    return float(line), float(right[place] / len(score)), float(np.mean((score > 0) == member))


def _edges(values: np.ndarray) -> np.ndarray:
    """Return equal bins, one of whose edges is 0 so that no bar straddles the decision."""
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    width = (high - low) / _BINS
    if width < 1e-9:
        width = 0.05
    below, above = int(np.ceil(-low / width)) + 1, int(np.ceil(high / width)) + 1
    return np.arange(-below, above + 1) * width


def _round(value: float) -> float:
    for tick in (0.02, 0.05, 0.1, 0.2, 0.5):
        if value < 2 * tick:
            return tick
    return 1.0
