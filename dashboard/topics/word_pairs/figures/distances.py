"""Distance of one word pair in shadow models with and without the target, and in the target models."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import percent
from core.statistics.wording.naming import counted
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import axes, scatter, theme
from dashboard.kit.shared import once
from dashboard.kit.words import number

_MOST_BINS = 32
_KINDS = (
    (True, "with the target", theme.Mark(theme.MEMBER, "circle")),
    (False, "without", theme.Mark(theme.NONMEMBER, "circle-open")),
)


@once
def of(distances: pd.DataFrame, target: int, rank: int) -> pd.DataFrame:
    """Return the known distances of one pair of one target."""
    of_pair = (distances["target"] == target) & (distances["rank"] == rank)
    return distances[of_pair & distances["distance"].notna()]


@once
def figure(distances: pd.DataFrame, target: int, rank: int, unit: str = "L2") -> go.Figure:
    """Draw both distributions over shadow models and, below, each target model by its membership."""
    pair_distances = of(distances, target, rank)
    drawing = _frame(unit)
    if pair_distances.empty:
        return theme.empty(drawing, "Distances are kept for the heaviest pairs only.")
    shadows, models = (pair_distances[pair_distances["source"] == source] for source in ("shadow", "target"))
    edges = _edges(pair_distances["distance"].to_numpy(), len(shadows))
    for member, label, mark in _KINDS:
        values = shadows.loc[shadows["member"] == member, "distance"].to_numpy()
        if len(values):
            share = np.histogram(values, edges)[0] / len(values)
            first, last = np.flatnonzero(share)[[0, -1]]
            bins = edges[first : last + 2], share[first : last + 1]
            hover = f"{counted(len(values), 'shadow model')} {label}<br>mean {number(values.mean())}<extra></extra>"
            name = label if member else f"{label} it"
            scatter.outline(drawing, *bins, mark.colour, dashed=not member, name=name, hovertemplate=hover)
        played = models.loc[models["member"] == member, "distance"].to_numpy()
        scatter.points(
            drawing,
            played,
            _spread(len(played), 1.0 if member else 0.0),
            mark,
            label,
            size=8,
            edge={"width": 1.5, "color": mark.colour},
            showlegend=False,
            hovertemplate=f"target model {label}<br>distance %{{x:.3f}}<extra></extra>",
            yaxis="y2",
        )
    return drawing.figure()


@once
def sentence(distances: pd.DataFrame, target: int, rank: int, first: str, second: str) -> str:
    """Read one pair aloud."""
    pair_distances = of(distances, target, rank)
    shadows = pair_distances[pair_distances["source"] == "shadow"]
    inside, outside = (shadows.loc[shadows["member"] == member, "distance"] for member in (True, False))
    if inside.empty or outside.empty:
        return f"The distances of “{first}” and “{second}” are not kept; only those of the heaviest pairs are."
    order = _above(outside.to_numpy(), inside.to_numpy())
    closer = order >= 0.5
    means = f"{number(inside.mean())} apart with the target and {number(outside.mean())} without"
    text = (
        f"In shadow models “{first}” and “{second}” lie {means}; "
        f"in {percent(max(order, 1 - order))} of comparisons the model with it has them "
        f"{'closer' if closer else 'farther apart'} (chance is 50%)."
    )
    models = pair_distances[pair_distances["source"] == "target"]
    members, nonmembers = (models.loc[models["member"] == member, "distance"] for member in (True, False))
    if len(members) and len(nonmembers):
        truth = _above(nonmembers.to_numpy(), members.to_numpy())
        text += f" In the target models it is {percent(truth if closer else 1 - truth)}."
    return text


def _frame(unit: str) -> Drawing:
    drawing = theme.blank(f"Distance of the two words ({unit})", "", height=430, legend=True)
    shares, models = theme.rows(drawing, [0.68, 0.32])
    axes.title_row(drawing, shares, "Share of shadow models", tickformat=".0%", rangemode="tozero")
    axes.with_and_without(drawing, models, "Target models", 0.5)
    return drawing


def _edges(values: np.ndarray, count: int) -> np.ndarray:
    low, high = float(values.min()), float(values.max())
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, int(np.clip(1.2 * np.sqrt(count), 6, _MOST_BINS)) + 1)


def _spread(count: int, centre: float) -> np.ndarray:
    golden = (np.arange(count) * 0.618034) % 1
    return centre + (golden - 0.5) * 0.6


def _above(left: np.ndarray, right: np.ndarray) -> float:
    """Return how often a value on the left exceeds one on the right, ties counting half."""
    difference = np.sign(left[:, None] - right[None, :])
    return float((difference.mean() + 1) / 2)
