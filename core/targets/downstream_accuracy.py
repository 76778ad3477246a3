"""Downstream accuracy: how well a classifier works on embeddings after defenses."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.result import Estimate
from core.statistics import intervals

_TEST_SHARE = 0.25
_LEAST_CLASS_SIZE = 4


def measure(embeddings: NDArray[np.float32], labels: Sequence[str], rng: np.random.Generator) -> Estimate | None:
    """Return the accuracy of a linear classifier on held-out texts, or None with fewer than two classes.

    Pan et al. 2020 put a linear layer on the encoder (section VI-A, appendix A). Texts without a label, or of a class
    with fewer than four texts, are left out. A quarter is held out, stratified by class. Chance is the share of the
    majority class.

    Args:
        embeddings: (texts, dimension) embeddings as released.
        labels: The class of each text; empty where it has none.
        rng: Source of the split and of the resampling.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    counts = Counter(labels)
    usable = np.array([bool(label) and counts[label] >= _LEAST_CLASS_SIZE for label in labels], dtype=np.bool_)
    classes, classes_of_texts = np.unique(np.array(labels)[usable], return_inverse=True)
    if len(classes) < 2:
        return None
    train_inputs, test_inputs, train_classes, test_classes = train_test_split(
        embeddings[usable].astype(np.float64),
        classes_of_texts,
        test_size=_TEST_SHARE,
        random_state=int(rng.integers(2**31)),
        stratify=classes_of_texts,
    )
    classifier = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000, C=0.1))
    hits = classifier.fit(train_inputs, train_classes).predict(test_inputs) == test_classes
    return Estimate(
        **intervals.mean_of(hits, rng)._asdict(),
        chance=float(np.bincount(test_classes).max() / len(test_classes)),
        unit="share of texts",
        decisions=len(hits),
        help=f"Share of texts whose class, of {len(classes)}, the service names from the released embedding.",
    )
