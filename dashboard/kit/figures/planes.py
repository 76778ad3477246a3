"""Layouts of points in a plane: what they and their axes are called, and which of them a table has."""

import pandas as pd

NAMES = {"pca": "PCA", "umap": "UMAP"}
AXES = {"pca": ("First principal component", "Second principal component"), "umap": ("UMAP 1", "UMAP 2")}


def methods(places: pd.DataFrame) -> list[str]:
    """Return the layouts that a table of points has, PCA first."""
    found = set(places["method"])
    return [method for method in NAMES if method in found]
