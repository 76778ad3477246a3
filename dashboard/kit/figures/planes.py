"""Projections of points to a plane: their names, titles of their axes, and which of them a table has."""

import pandas as pd

NAMES = {"pca": "PCA", "umap": "UMAP"}
AXES = {"pca": ("First principal component", "Second principal component"), "umap": ("UMAP 1", "UMAP 2")}


def methods(places: pd.DataFrame) -> list[str]:
    """Return the projections that a table of points has, PCA first."""
    return [method for method in NAMES if method in set(places["method"])]
