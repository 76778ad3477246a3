"""The baseline that never queries a model: it predicts membership of a target from the target's texts alone."""

from itertools import chain
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.games.blind import Known, Marked, blind_scores
from core.games.membership.contract import Briefing

Reads = Literal["lengths", "words"]
"""What the baseline reads of texts: lengths and the frequency of their words, or the words themselves."""


def model_free_scores(briefing: Briefing, members: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the log odds of membership by a logistic regression on features of the texts, (plays, targets).

    The regression is given the true bits of all *other* targets, far more than any adversary has. Only a split that
    gives itself away lifts it above chance.

    Args:
        briefing: Holds the targets' texts.
        members: (plays, targets) the secret bits.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    features = _text_features(briefing)
    plays, targets = members.shape
    scores = np.zeros((plays, targets))
    for target in range(targets):
        other_targets = np.delete(np.arange(targets), target)
        bits = members[:, other_targets].ravel()
        if bits.all() or not bits.any():
            continue
        classifier = make_pipeline(StandardScaler(), LogisticRegression(C=1.0))
        classifier.fit(np.tile(features[other_targets], (plays, 1)), bits)
        scores[:, target] = classifier.decision_function(features[[target]])[0]
    return scores


def scores_by_words(briefing: Briefing, members: NDArray[np.bool_], seed: int) -> NDArray[np.float64]:
    """Return the scores of the audit's blind baseline, which weighs single words, (plays, targets).

    In each play it is given the true bits of four fifths of the targets.

    Args:
        briefing: Holds the targets' texts.
        members: (plays, targets) the secret bits.
        seed: Source of the folds.
    """
    sizes = np.array([target.size for target in briefing.targets])
    rows = list(chain.from_iterable(target.documents for target in briefing.targets))
    texts = [" ".join(words) for words in briefing.corpus.select(rows).texts()]
    known, alone = Known(texts, (), np.repeat(sizes, sizes)), np.arange(len(sizes))
    of_text = np.repeat(alone, sizes)
    return np.stack([blind_scores(known, Marked(of_text, bits, alone, len(sizes)), seed).score for bits in members])


def _text_features(briefing: Briefing) -> NDArray[np.float64]:
    """Return size, length, variety, and mean and spread of the words' log frequencies of each target, (targets, 5)."""
    corpus = briefing.corpus
    frequency = np.log(corpus.counts() + 1.0)
    features = []
    for target in briefing.targets:
        tokens = np.concatenate([corpus.document(row) for row in target.documents] or [np.empty(0, np.int32)])
        logs = frequency[tokens]
        features.append(
            [
                target.size,
                len(tokens) / target.size,
                len(np.unique(tokens)) / max(len(tokens), 1),
                logs.mean() if len(logs) else 0.0,
                logs.std() if len(logs) else 0.0,
            ]
        )
    return np.array(features, dtype=np.float64)
