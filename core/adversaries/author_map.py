"""Maps of victims' embeddings in a plane, with who wrote each text and who was named."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.kernels.projection import METHODS, prepare_layouts, project
from core.result import Column, Schema, table
from core.runtime.context import Arrays
from core.runtime.progress import Progress
from core.runtime.seeding import generator

if TYPE_CHECKING:
    import pandas as pd

SCHEMA: Schema = {
    "method": Column("str", "How embeddings were laid out: pca or umap."),
    "row": Column("int32", "Row of the victim's text in the dataset."),
    "author": Column("str", "Who wrote it."),
    "guess": Column("str", "Who was named."),
    "x": Column("float32", "First coordinate."),
    "y": Column("float32", "Second coordinate."),
}


def kept(
    victims: NDArray[np.float32],
    rows: NDArray[np.int64],
    names: Sequence[str],
    authors: NDArray[np.int64],
    guesses: NDArray[np.int64],
    most: int,
    seed: int,
) -> Arrays:
    """Return what the maps of some victims are drawn from.

    Args:
        victims: (victims, d) embeddings.
        rows: (victims,) row of each text in the dataset.
        names: Name of each author.
        authors: (victims,) number of who wrote each text.
        guesses: (victims,) number of who was named.
        most: Most victims on the maps.
        seed: Chooses them, and fixes the layouts.

    Returns:
        Of these victims ``vectors``, ``rows``, ``authors`` and ``guesses`` by name; and ``seed``.
    """
    drawn, named = np.sort(generator(seed, "map").permutation(len(victims))[:most]), np.array(names, np.str_)
    return {
        "vectors": victims[drawn],
        "rows": rows[drawn],
        "authors": named[authors[drawn]],
        "guesses": named[guesses[drawn]],
        "seed": np.array(seed % 2**32, np.int64),
    }


def draw(kept: Arrays, progress: Progress) -> "pd.DataFrame":
    """Draw the map by each method from what `kept` returned; none where no victim is on them."""
    if not len(kept["vectors"]):
        return table(SCHEMA, [])
    prepare_layouts(progress)
    progress.stage("Drawing the maps of the embeddings", total=len(METHODS))
    points = []
    for method in METHODS:
        points.append(project(kept["vectors"], method, int(kept["seed"])))
        progress.advance()
    x, y = np.concatenate(points).T
    methods = np.repeat(METHODS, len(kept["rows"])).tolist()
    rows, authors, guesses = (kept[name].tolist() * len(METHODS) for name in ("rows", "authors", "guesses"))
    return table(SCHEMA, {"method": methods, "row": rows, "author": authors, "guess": guesses, "x": x, "y": y})
