"""The words of the selected pairs in one shadow model, projected to a plane shared with another."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import percent
from core.statistics.wording.naming import counted
from dashboard.kit.figures import labels, planes, scatter, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.topics.word_pairs.figures import pairs as pair_chart

_PAIRS = 20
_LABELLED = 4
_WIDTH = 360
"""Width of the plot that its height is made for, in pixels."""
_FLAT, _TALL = 0.6, 1.2
"""Least and greatest height of the plane, as a share of its width."""
_WIDTHS = (250, 290, 370, 430, 800)
"""Widths of the plot on phones, beside another in a wide window, and alone in a narrow one, in pixels."""

Coordinates = dict[str, tuple[float, float]]
"""Where each word lies."""


@once
def coordinates(word_map: pd.DataFrame, target: int, method: str, member: bool) -> Coordinates:
    """Return where the words lie that one of the two models knows."""
    model = (word_map["target"] == target) & (word_map["method"] == method) & (word_map["member"] == member)
    return {row.word: (row.x, row.y) for row in records(word_map[model]) if np.isfinite(row.x) and np.isfinite(row.y)}


@once
def figure(word_map: pd.DataFrame, pairs: pd.DataFrame, target: int, method: str, member: bool) -> go.Figure:
    """Draw one of the two maps of a target, for the shadow model with it or without.

    Both have the same square axes, and name the same words: those that both have room for.
    """
    points, others = (coordinates(word_map, target, method, side) for side in (member, not member))
    both = [*points.values(), *others.values()]
    x, y = _edges([x for x, _ in both]), _edges([y for _, y in both])
    x, y = _widened(x, (y[1] - y[0]) / _TALL), _widened(y, (x[1] - x[0]) * _FLAT)
    height = round(_WIDTH * (y[1] - y[0]) / (x[1] - x[0]))
    drawing = theme.blank(*planes.AXES[method], inner=height)
    if not points:
        return theme.empty(drawing, "This model’s vocabulary has no word of the selected pairs.")
    # Where the scale of both would widen a range, plotly keeps it wide in whichever window comes next.
    drawing.update_xaxes(range=x, nticks=6, constrain="domain", constraintoward="left")
    drawing.update_yaxes(range=y, nticks=6, constrain="domain", constraintoward="top", scaleanchor="x")
    linked = _linked(pairs, target, points)
    heaviest = max((abs(row.weight) for row in linked), default=1.0)
    drawing.update_layout(shapes=[_line(points, row, heaviest) for row in reversed(linked)])
    drawing.add_scatter(
        x=[right for right, _ in points.values()],
        y=[up for _, up in points.values()],
        mode="markers",
        text=[_partners(word, linked) for word in points],
        marker={"color": theme.MEMBER if member else theme.NONMEMBER, "size": 8, "line": scatter.RIM},
    )
    names = _names(points, linked[:_LABELLED], (x, y), height)
    shared = _names(others, _linked(pairs, target, others)[:_LABELLED], (x, y), height) if others else names
    for word in [word for word in names if word in shared]:
        labels.write(drawing, names[word], *points[word])
    return drawing.figure()


@once
def sentence(word_map: pd.DataFrame, pairs: pd.DataFrame, target: int, method: str) -> str:
    """Read both maps aloud."""
    without, within = (coordinates(word_map, target, method, member) for member in (False, True))
    linked = _linked(pairs, target, {word: point for word, point in without.items() if word in within})
    if not linked:
        return "No pair has both words in the vocabulary of both models."
    before = np.array([_length(without, row) for row in linked])
    after = np.array([_length(within, row) for row in linked])
    closer = int((after < before).sum())
    text = (
        f"In the plane of {planes.NAMES[method]}, {closer} of {counted(len(linked), 'pair')} "
        f"{'lies' if closer == 1 else 'lie'} closer in the model with the target"
    )
    if before.mean() > 0:
        change = float(after.mean() / before.mean() - 1)
        text += f", lines being {percent(abs(change))} {'shorter' if change < 0 else 'longer'} on average"
    return f"{text}. These are two single models, and a plane shows only part of each distance: the bars above count."


def _linked(pairs: pd.DataFrame, target: int, known: Coordinates) -> list[Any]:
    """Return the heaviest pairs whose words are both known, heaviest first."""
    heaviest = records(pair_chart.of(pairs, target).head(_PAIRS))
    return [row for row in heaviest if row.first in known and row.second in known]


def _length(at: Coordinates, row: Any) -> float:
    return float(np.hypot(at[row.first][0] - at[row.second][0], at[row.first][1] - at[row.second][1]))


def _line(at: Coordinates, row: Any, heaviest: float) -> dict[str, Any]:
    """Return the line of a pair, the stronger the heavier the pair."""
    share = abs(row.weight) / heaviest
    colour = theme.veil(theme.MEMBER if row.weight < 0 else theme.AGAINST, int(0x70 + 0x8F * share))
    (x0, y0), (x1, y1) = at[row.first], at[row.second]
    line = {"color": colour, "width": 1 + 6 * share}
    return {"type": "line", "layer": "below", "line": line, "x0": x0, "y0": y0, "x1": x1, "y1": y1}


def _partners(word: str, linked: list[Any]) -> str:
    partners = [row.second if row.first == word else row.first for row in linked if word in (row.first, row.second)]
    return f"<b>{word}</b>" + (f"<br>paired with {', '.join(partners[:8])}" if partners else "")


def _names(
    at: Coordinates, linked: list[Any], ends: tuple[tuple[float, float], tuple[float, float]], height: int
) -> dict[str, labels.Label]:
    """Return where words of pairs are written: in the plot, beside their points, off these and the pairs’ lines."""
    words = list(dict.fromkeys(word for row in linked for word in (row.first, row.second)))
    (left, right), (low, high) = ends
    shares = {word: ((x - left) / (right - left), (y - low) / (high - low)) for word, (x, y) in at.items()}
    along = [np.linspace(shares[row.first], shares[row.second], 5)[1:-1] for row in linked]
    lines = [(float(x), float(y)) for line in along for x, y in line]
    scales = {min(width / (right - left), height / (high - low)) for width in _WIDTHS}
    screens = [(scale * (right - left), scale * (high - low)) for scale in sorted(scales)]
    placed = labels.place(words, [shares[word] for word in words], list(shares.values()), screens, lines)
    return {label.text: label for label in placed if label.is_clear and label.is_inside}


def _edges(values: list[float]) -> tuple[float, float]:
    low, high = min(values, default=0.0), max(values, default=1.0)
    room = 0.12 * (high - low) or 0.5
    return low - room, high + room


def _widened(edges: tuple[float, float], least: float) -> tuple[float, float]:
    """Return edges with the same middle that are at least so far apart."""
    room = max(0.0, (least - (edges[1] - edges[0])) / 2)
    return edges[0] - room, edges[1] + room
