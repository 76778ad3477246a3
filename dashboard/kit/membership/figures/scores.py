"""Scores of members and non-members, with the decision threshold at 0."""

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.statistics import ties
from core.statistics.wording import percent
from core.statistics.wording.naming import documents
from dashboard.kit.figures import theme
from dashboard.kit.figures.tables import by_size
from dashboard.kit.figures.wording import joined, short
from dashboard.kit.shared import once
from dashboard.kit.words import minus

TITLE = "Scores"
_SIDES = ((True, "members", theme.MEMBER, 1), (False, "non-members", theme.NONMEMBER, -1))
_AXIS = "Share of decisions:<br>members up, non-members down"
_BINS = 40
_NOTABLE = 0.03
"""Accuracy that another threshold must gain to be named."""


@once
def figure(scores: pd.DataFrame) -> go.Figure:
    """Draw members upwards and non-members downwards, one row for each target size."""
    known = scores[np.isfinite(scores["score"])]
    sizes = [size for size, _ in by_size(known)]
    count = max(len(sizes), 1)
    drawing = theme.blank("Score of the attack", "", inner=40 + max(count * 145, 230), legend=True)
    axes = theme.rows(drawing, [1] * count)
    middle = theme.axis(axes[(count - 1) // 2])
    drawing.update_layout(bargap=0, barmode="overlay", **{middle: {"title": {"text": _AXIS}}})
    if known.empty:
        return theme.empty(drawing, "No score.")
    edges = _edges(known["score"].to_numpy())
    centres = (edges[1:] + edges[:-1]) / 2
    bounds = np.nextafter(edges, np.inf)  # a score of exactly 0 means non-member, the least one above it member
    for axis, size in zip(axes, sizes, strict=True):
        part = known[known["size"] == size]
        top = 0.0
        for member, label, colour, sign in _SIDES:
            values = part.loc[part["member"] == member, "score"].to_numpy()
            share = np.histogram(values, bounds)[0] / max(len(values), 1)
            top = max(top, float(share.max()))
            drawing.add_bar(
                x=centres,
                y=sign * share,
                name=label,
                legendgroup=label,
                showlegend=axis == "y",
                marker={"color": colour},
                customdata=share,
                hovertemplate=f"{documents(size)}, {label}<br>%{{customdata:.1%}} score %{{x:.2f}}<extra></extra>",
                yaxis=axis,
            )
        tick = _round(top)
        reach = max(top, tick)
        ticks = {"tickvals": [-tick, 0, tick], "ticktext": ["", "0", f"{tick:.0%}"]}
        drawing.update_layout(
            **{theme.axis(axis): {"range": [-min(1.15 * reach, theme.WHOLE), min(1.45 * reach, theme.WHOLE)], **ticks}}
        )
        x, side = (0.995, "right") if -edges[0] < edges[-1] / 2 else (0.005, "left")
        corner: dict[str, Any] = {"xref": "paper", "x": x, "xanchor": side, "yref": f"{axis} domain", "y": 1}
        theme.note(drawing, f"<b>{short(size)}</b>", yanchor="top", **corner)
        line = {"color": theme.PAPER, "width": 2.5, "dash": "dash"}
        ends = {"x0": 0, "x1": 0, "y0": 0, "y1": 1, "yref": f"{axis} domain"}
        drawing.add_shape(type="line", name="decision", line=line, **ends)
    beside: dict[str, Any] = {"xref": "x", "x": 0, "xanchor": "left", "xshift": 5, "yref": "y domain", "y": 1}
    theme.note(drawing, "decision: member →", yanchor="top", colour=theme.PAPER, **beside)
    return drawing.figure()


@once
def sentence(scores: pd.DataFrame, *, ranking: Collection[int]) -> str:
    """Read the scores aloud, with the best threshold in hindsight for each size whose scores rank at all.

    Args:
        scores: Table of the game.
        ranking: Sizes of targets whose AUC exceeds chance beyond its interval.
    """
    known = scores[np.isfinite(scores["score"])]
    if known.empty:
        return "There are no scores."
    tied = ties.sizes(scores)
    if len(tied) == scores["size"].nunique():
        return ties.sentence(scores)
    parts = []
    for size, part in by_size(known):
        members, nonmembers = part[part["member"]], part[~part["member"]]
        hits = f"{percent(float((members['score'] > 0).mean()))} of members score above 0" if len(members) else ""
        spared = f"{percent(float((nonmembers['score'] <= 0).mean()))} of non-members do not" if len(nonmembers) else ""
        parts.append(f"For {documents(size)}, {' and '.join(filter(None, (hits, spared)))}.")
    text = " ".join(parts)
    ranked = known[known["size"].isin(list(ranking))]
    if ranked.empty:
        overall = percent(_right_at_zero(known))
        return f"{text} The threshold 0 is right in {overall} overall; no ranking better than chance is shown."
    unranked = [documents(size) for size, _ in by_size(known) if size not in ranking]
    unshown = f" For {joined(unranked)} no ranking better than chance is shown." if unranked else ""
    if better := list(_better_thresholds(ranked)):
        return (
            f"{text} A threshold of {joined(better)}: the scores rank better than 0 decides, but an adversary with one "
            f"target model cannot know the best threshold.{unshown}"
        )
    right = [f"{percent(_right_at_zero(part))} for {documents(size)}" for size, part in by_size(ranked)]
    return f"{text} No other threshold is notably better than 0, which is right in {joined(right)}.{unshown}"


def _better_thresholds(known: pd.DataFrame) -> Iterator[str]:
    """Name, for each target size, the best threshold in hindsight where it is notably better than 0."""
    for size, part in by_size(known):
        (threshold, best), actual = _best_threshold(part), _right_at_zero(part)
        if best - actual > _NOTABLE:
            gain = f"would have been right in {percent(best)} instead of {percent(actual)}"
            yield f"{minus(f'{threshold:+.2f}')} {gain} for {documents(size)}"


def _right_at_zero(known: pd.DataFrame) -> float:
    """Return the accuracy of the threshold 0."""
    return float(np.mean((known["score"] > 0) == known["member"]))


def _best_threshold(known: pd.DataFrame) -> tuple[float, float]:
    """Return the threshold with the best accuracy in hindsight, and that accuracy."""
    score = known["score"].to_numpy(dtype=float)
    member = known["member"].to_numpy(dtype=bool)
    order = np.argsort(score, kind="stable")
    score, member = score[order], member[order]
    right = np.concatenate([[0], np.cumsum(~member)]) + np.concatenate([np.cumsum(member[::-1])[::-1], [0]])
    possible = np.concatenate([[True], score[1:] > score[:-1], [True]])
    cut = int(np.argmax(np.where(possible, right, -1)))
    threshold = score[0] - 1e-6 if cut == 0 else score[-1] if cut == len(score) else (score[cut - 1] + score[cut]) / 2
    return float(threshold), float(right[cut] / len(score))


def _edges(values: np.ndarray) -> np.ndarray:
    """Return equal bins with an edge at 0, so that no bar straddles the threshold."""
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
