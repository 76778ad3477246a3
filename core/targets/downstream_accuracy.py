"""What embeddings are good for: the task they were released for, after whatever was done to them."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.result import Estimate
from core.statistics import intervals

_TESTED = 0.25
_FEWEST = 4


def measure(embeddings: NDArray[np.float32], labels: Sequence[str], rng: np.random.Generator) -> Estimate | None:
    """Return the accuracy of a linear classifier on texts it was not trained on, or None with fewer than two classes.

    Pan et al. 2020 put a linear layer on the encoder (section VI-A, appendix A). Texts without a label, or of a class
    with fewer than four texts, are left out; a quarter is held out, in the proportions of the classes. Chance is the
    share of the most frequent class.

    Args:
        embeddings: (texts, dimension) what the service receives.
        labels: The class of each text; empty where it has none.
        rng: Source of the split and of the resampling.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    counts = Counter(labels)
    named = np.array([bool(label) and counts[label] >= _FEWEST for label in labels], dtype=np.bool_)
    classes, answers = np.unique(np.array(labels)[named], return_inverse=True)
    if len(classes) < 2:
        return None
    seed = int(rng.integers(2**31))
    known, asked, known_answers, asked_answers = train_test_split(
        embeddings[named].astype(np.float64), answers, test_size=_TESTED, random_state=seed, stratify=answers
    )
    service = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000, C=0.1))
    service.fit(known, known_answers)
    hits = service.predict(asked) == asked_answers
    value, low, high = intervals.mean_share(hits[None].astype(np.float64), np.ones((1, len(hits))), rng)
    chance = float(np.bincount(asked_answers).max() / len(asked_answers))
    return Estimate(
        value=value,
        low=low,
        high=high,
        chance=chance,
        unit="share of texts",
        decisions=len(hits),
        help=f"Share of texts whose class, of {len(classes)}, the service names from the released embedding.",
    )
