"""Distance of one word pair in shadow models with and without the target, and in the target models."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import theme
from dashboard.kit.figures.drawing import Drawing
from dashboard.kit.figures.wording import counted, percent
from dashboard.kit.words import number

_MOST_BINS = 32
_KINDS = ((True, "with the target", theme.MEMBER, "circle"), (False, "without", theme.NONMEMBER, "circle-open"))


def of(distances: pd.DataFrame, target: int, rank: int) -> pd.DataFrame:
    """Return the known distances of one pair of one target."""
    own = (distances["target"] == target) & (distances["rank"] == rank) & distances["distance"].notna()
    return distances[own]


def figure(distances: pd.DataFrame, target: int, rank: int, unit: str = "l2") -> go.Figure:
    """Draw both distributions over shadow models and, below, each target model by its membership."""
    shown = of(distances, target, rank)
    drawing = _frame(unit)
    if shown.empty:
        return theme.empty(drawing, "Distances are kept for the heaviest pairs only.")
    shadows, models = (shown[shown["source"] == source] for source in ("shadow", "target"))
    edges = _edges(shown["distance"].to_numpy(), len(shadows))
    for member, label, colour, symbol in _KINDS:
        values = shadows.loc[shadows["member"] == member, "distance"].to_numpy()
        if len(values):
            share = np.histogram(values, edges)[0] / len(values)
            drawing.add_scatter(
                **_steps(edges, share),
                mode="lines",
                fill="tozeroy",
                line={"color": colour, "width": 2.5, "dash": "solid" if member else "dash"},
                fillcolor=theme.veil(colour, 0x38),
                name=label if member else f"{label} it",
                hovertemplate=f"{counted(len(values), 'shadow model')} {label}<br>"
                f"mean {number(values.mean())}<extra></extra>",
            )
        played = models.loc[models["member"] == member, "distance"].to_numpy()
        drawing.add_scatter(
            x=played,
            y=_spread(len(played), 1.0 if member else 0.0),
            mode="markers",
            marker={"color": colour, "symbol": symbol, "size": 8, "line": {"width": 1.5, "color": colour}},
            name=label,
            showlegend=False,
            hovertemplate=f"target model {label}<br>distance %{{x:.3f}}<extra></extra>",
            yaxis="y2",
        )
    return drawing.figure()


def sentence(distances: pd.DataFrame, target: int, rank: int, first: str, second: str) -> str:
    """Read one pair aloud."""
    shown = of(distances, target, rank)
    shadows = shown[shown["source"] == "shadow"]
    inside, outside = (shadows.loc[shadows["member"] == member, "distance"] for member in (True, False))
    if inside.empty or outside.empty:
        return f"The distances of “{first}” and “{second}” are not kept; only those of the heaviest pairs are."
    order = _above(outside.to_numpy(), inside.to_numpy())
    closer = order >= 0.5
    means = f"{number(inside.mean())} apart with the target and {number(outside.mean())} without"
    said = (
        f"In shadow models “{first}” and “{second}” lie {means}; "
        f"in {percent(max(order, 1 - order))} of comparisons the model with it has them "
        f"{'closer' if closer else 'farther apart'} (chance is 50%)."
    )
    models = shown[shown["source"] == "target"]
    members, others = (models.loc[models["member"] == member, "distance"] for member in (True, False))
    if len(members) and len(others):
        truth = _above(others.to_numpy(), members.to_numpy())
        said += f" In the target models it is {percent(truth if closer else 1 - truth)}."
    return said


def _frame(unit: str) -> Drawing:
    drawing = theme.blank(f"Distance of the two words ({unit})", "", height=430, legend=True)
    theme.rows(drawing, [0.68, 0.32])
    drawing.update_layout(
        yaxis={"title": {"text": "Share of shadow models"}, "tickformat": ".0%", "rangemode": "tozero"},
        yaxis2={
            "title": {"text": "Target models"},
            "tickvals": [0, 1],
            "ticktext": ["without", "with"],
            "range": [-0.5, 1.5],
            "showgrid": False,
        },
    )
    return drawing


def _edges(values: np.ndarray, count: int) -> np.ndarray:
    low, high = float(values.min()), float(values.max())
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, int(np.clip(1.2 * np.sqrt(count), 6, _MOST_BINS)) + 1)


def _steps(edges: np.ndarray, share: np.ndarray) -> dict[str, np.ndarray]:
    """Return the outline of a histogram between its first and its last filled bin."""
    filled = np.flatnonzero(share)
    first, last = int(filled[0]), int(filled[-1]) + 1
    heights = np.concatenate([[0], np.repeat(share[first:last], 2), [0]])
    return {"x": np.repeat(edges[first : last + 1], 2), "y": heights}


def _spread(count: int, centre: float) -> np.ndarray:
    golden = (np.arange(count) * 0.618034) % 1
    return centre + (golden - 0.5) * 0.6


def _above(left: np.ndarray, right: np.ndarray) -> float:
    """Return how often a value on the left exceeds one on the right, ties counting half."""
    difference = np.sign(left[:, None] - right[None, :])
    return float((difference.mean() + 1) / 2)
