"""Utility of a dual encoder: how often it identifies the sentence that follows another."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.networks.trained_encoder import TrainedEncoder
from core.runtime.seeding import generator
from core.statistics import intervals
from core.statistics.unit_length import scaled
from core.targets.trained_target import Utility

_CANDIDATES = 100
_MOST_PAIRS = 1000


def measure(
    encoder: TrainedEncoder,
    sentences: Sequence[NDArray[np.int64]],
    training_pairs: NDArray[np.int64],
    test_pairs: NDArray[np.int64],
    seed: int,
    number: int,
) -> dict[str, Utility]:
    """Return the accuracy on training pairs and on held-out pairs, by the cosine among about 100 candidates.

    It is NaN where there are no pairs.

    Args:
        encoder: The encoder.
        sentences: Tokens of each sentence.
        training_pairs: (pairs,) number of the first sentence of each pair; the next one follows it.
        test_pairs: The same for pairs of other documents.
        seed: Source of all randomness.
        number: Number of the encoder.
    """
    rng = generator(seed, "neighbours", number)
    utilities = {}
    for name, description, pairs in (
        ("train", "pairs it was trained on", training_pairs),
        ("test", "pairs of other documents", test_pairs),
    ):
        rows = rng.permutation(pairs)[:_MOST_PAIRS]
        groups = np.array_split(rows, max(len(rows) // _CANDIDATES, 1))
        value, low, high = intervals.UNKNOWN
        if len(rows):
            hits = np.concatenate([_hits(encoder, sentences, group) for group in groups])
            value, low, high = intervals.mean_of(hits, generator(seed, "neighbours", number, name))
        utilities[f"neighbours_{name}"] = Utility(
            value,
            "share of sentences",
            f"How often an encoder finds, among {len(groups[0])} sentences, the one that follows; {description}.",
            len(groups) / max(len(rows), 1),
            (low, high),
            len(rows),
        )
    return utilities


def _hits(
    encoder: TrainedEncoder, sentences: Sequence[NDArray[np.int64]], rows: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return for which sentences of a group the next one is the nearest of all next ones, (sentences,)."""
    first, second = (scaled(encoder.encode_tokens([sentences[row + offset] for row in rows])) for offset in (0, 1))
    return np.asarray(np.argmax(first @ second.T, axis=1) == np.arange(len(rows)))
