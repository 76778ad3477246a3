"""Maps of the victims' embeddings, and of the classifier's hidden layer for them, in a plane."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from core.kernels.projection import METHODS, prepare_layouts, project
from core.result import Column, Schema, table
from core.runtime.context import Arrays
from core.runtime.progress import Progress

if TYPE_CHECKING:
    import pandas as pd

SCHEMA: Schema = {
    "layer": Column("str", "'embedding' for the embeddings, 'hidden' for the classifier's hidden layer."),
    "method": Column("str", "'pca' for principal components, 'umap' for a map of neighbourhoods."),
    "dimension": Column("int32", "Length of the embeddings, which are only laid out with those as long."),
    "victim": Column("int32", "Number of the victim."),
    "row": Column("int32", "Row of its text in the dataset."),
    "encoder": Column("str", "The encoder that made it."),
    "guess": Column("str", "The encoder that it was taken for."),
    "x": Column("float32", "Across."),
    "y": Column("float32", "Up."),
}
_LAYERS = ("embedding", "hidden")


def draw(kept: Arrays, progress: Progress) -> "pd.DataFrame":
    """Draw the maps of both layers by both methods, for each length of embeddings, from what `Scorer.kept` returned."""
    maps = len(_LAYERS) * len(METHODS) * len(kept["dimensions"])
    if maps:
        prepare_layouts(progress)
        progress.stage("Laying out maps of the embeddings", total=maps)
    return table(SCHEMA, list(_points(kept, progress)))


def _points(kept: Arrays, progress: Progress) -> Iterator[dict[str, Any]]:
    """Yield the point of each mapped victim, by dimension, layer and method."""
    for length in kept["dimensions"].tolist():
        for layer in _LAYERS:
            for method in METHODS:
                points = project(kept[f"{layer} {length}"], method, int(kept["seed"]))
                progress.advance()
                for victim, (x, y) in zip(kept[f"victims {length}"], points, strict=True):
                    yield {
                        "layer": layer,
                        "method": method,
                        "dimension": length,
                        "victim": victim,
                        "row": kept["rows"][victim],
                        "encoder": str(kept["encoders"][victim]),
                        "guess": str(kept["guesses"][victim]),
                        "x": x,
                        "y": y,
                    }
