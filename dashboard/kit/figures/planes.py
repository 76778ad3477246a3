"""Projections of points to a plane: their names, titles of their axes, and which of them a table has."""

import numpy as np
import pandas as pd

from dashboard.kit.drawing import Drawing
from dashboard.kit.shared import once

NAMES = {"pca": "PCA", "umap": "UMAP"}
AXES = {"pca": ("First principal component", "Second principal component"), "umap": ("UMAP 1", "UMAP 2")}


def hide_numbers(drawing: Drawing) -> None:
    """Hide the numbers of both axes: only distances in a projection mean something."""
    drawing.update_xaxes(showticklabels=False)
    drawing.update_yaxes(showticklabels=False)


@once
def alike(points: pd.DataFrame, column: str, chosen: str | None = None) -> float:
    """Return the share of points whose nearest neighbour has the same value in a column.

    Args:
        points: With ``x`` and ``y``; at least two.
        column: Name of the column.
        chosen: The value of the points that count; every point counts by default.
    """
    values = points[column].to_numpy()
    counted = np.flatnonzero(values == chosen) if chosen is not None else np.arange(len(points))
    positions = points[["x", "y"]].to_numpy(dtype=np.float64)
    distances = ((positions[counted][:, None] - positions[None]) ** 2).sum(axis=2)  # (counted, points)
    distances[np.arange(len(counted)), counted] = np.inf
    return float((values[distances.argmin(axis=1)] == values[counted]).mean())


@once
def methods(coordinates: pd.DataFrame) -> list[str]:
    """Return the projections that a table of points has, PCA first."""
    return [method for method in NAMES if method in set(coordinates["method"])]
