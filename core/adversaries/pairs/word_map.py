"""Two embeddings of the same words, laid out in one plane for comparison."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.adversaries.pairs.adversaries import PairAdversary
from core.kernels.projection import METHODS, Method, prepare_layouts, project
from core.result import Column, Schema, table
from core.runtime.context import Arrays
from core.runtime.progress import Progress

if TYPE_CHECKING:
    import pandas as pd

SCHEMA: Schema = {
    "target": Column("int32", "Number of the target."),
    "member": Column("bool", "Whether the shadow model was trained on the target."),
    "method": Column("str", "'pca' or 'umap'."),
    "word": Column("str", "Word of a selected pair."),
    "x": Column("float32", "First coordinate."),
    "y": Column("float32", "Second coordinate."),
}
_MAPPED = 20


def kept(
    answer: PairAdversary, models: Sequence[tuple[int, int]], vectors: dict[int, NDArray[np.float32]], seed: int
) -> Arrays:
    """Return what the maps of every target are drawn from: its heaviest pairs' words in two shadow models.

    Where the attack divides by the lengths of vectors, the maps show their directions only.

    Args:
        answer: The adversary with the pairs.
        models: For each target, the numbers of a shadow model without it and of one with it.
        vectors: For each of these models, (words of the plan, d) its vectors.
        seed: Fixes the layouts.

    Returns:
        ``words`` of all targets, each target's from one of ``starts`` on; their vectors ``without`` and ``within``,
        (words, d); ``anchors``, (models, anchors, d), vectors of frequent words in every model; ``models``,
        (targets, 2), which two of them are a target's; and ``seed``.
    """
    plan = answer.plan
    if answer.distance == "scaled":
        vectors = {model: _directions(rows) for model, rows in vectors.items()}
    heaviest = [answer.pairs(target)[:_MAPPED] for target in range(len(models))]
    chosen = [np.unique(np.concatenate([plan.left[pairs], plan.right[pairs]])) for pairs in heaviest]
    numbers = sorted(vectors)
    return {
        "words": np.array([plan.words[word] for words in chosen for word in words], dtype=np.str_),
        "starts": np.cumsum([0, *map(len, chosen)], dtype=np.int64),
        "without": np.concatenate([vectors[model][words] for (model, _), words in zip(models, chosen, strict=True)]),
        "within": np.concatenate([vectors[model][words] for (_, model), words in zip(models, chosen, strict=True)]),
        "models": np.searchsorted(numbers, np.array(models, dtype=np.int64)),
        "anchors": np.stack([vectors[model][plan.anchors] for model in numbers]),
        "seed": np.array(seed, dtype=np.int64),
    }


def draw(kept: Arrays, progress: Progress) -> "pd.DataFrame":
    """Draw the maps of every target from what `kept` returned."""
    import pandas as pd

    prepare_layouts(progress)
    targets, parts = len(kept["models"]), []
    progress.stage("Drawing the word maps", total=targets)
    for target in range(targets):
        mapped = slice(*kept["starts"][target : target + 2])
        words, without, within = kept["words"][mapped].tolist(), kept["without"][mapped], kept["within"][mapped]
        anchors, anchors_within = (kept["anchors"][model] for model in kept["models"][target])
        for method in METHODS:
            maps = word_map(without, within, anchors, anchors_within, method, int(kept["seed"]))
            for member, points in enumerate(maps):
                columns = {
                    "target": np.full(len(words), target),
                    "member": np.full(len(words), bool(member)),
                    "method": [method] * len(words),
                    "word": words,
                    "x": points[:, 0],
                    "y": points[:, 1],
                }
                parts.append(table(SCHEMA, columns))
        progress.advance()
    return pd.concat(parts, ignore_index=True)


def word_map(
    without: NDArray[np.float32],
    within: NDArray[np.float32],
    anchors: NDArray[np.float32],
    anchors_within: NDArray[np.float32],
    method: Method,
    seed: int,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Lay out the words of two models.

    Embeddings are only determined up to rotation, so the second is first rotated onto the first (orthogonal
    Procrustes on the anchors); then both are projected together.

    Args:
        without: (words, d) vectors in a model without the target.
        within: (words, d) vectors of the same words in a model with it.
        anchors: (anchors, d) vectors of frequent words in the first model.
        anchors_within: (anchors, d) vectors of the same words in the second.
        method: Linear projection (PCA) or neighbourhood-preserving layout (UMAP).
        seed: Fixes UMAP's layout.

    Returns:
        Two arrays (words, 2); rows of words that a model does not know are NaN.
    """
    from scipy.linalg import orthogonal_procrustes

    shared = np.isfinite(anchors).all(axis=1) & np.isfinite(anchors_within).all(axis=1)
    rotation, _ = orthogonal_procrustes(anchors_within[shared], anchors[shared])
    both = np.concatenate([without, within @ rotation])
    known = np.isfinite(both).all(axis=1)
    points = np.full((len(both), 2), np.nan, dtype=np.float32)
    if known.sum() >= 4:
        points[known] = project(both[known], method, seed)
    return points[: len(without)], points[len(without) :]


def _directions(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)
