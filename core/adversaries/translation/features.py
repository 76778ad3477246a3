"""What an adversary measures of translations: their overlap with the reference, and how likely that is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.access.own_networks import OwnTranslations
from core.adversaries.own_sets import Text

OVERLAP = ("precision_1", "precision_2", "precision_3", "precision_4", "bleu")
"""Modified n-gram precisions and smoothed sentence BLEU, from 0 to 1."""
SCORE = "score"
REFERENCE = "reference"
PERTURBED = ("perturbed_mean", "perturbed_least")
FEATURES: Mapping[str, tuple[str, ...]] = {
    "overlap": OVERLAP,
    "overlap_and_score": (*OVERLAP, SCORE),
    "several_queries": (*OVERLAP, *PERTURBED),
}
"""Sets of features for classifiers, by name."""
ALONE = ("bleu", PERTURBED[0], SCORE, REFERENCE)
"""Features that are compared with a threshold, each alone."""


def overlaps(translations: Sequence[str], references: Sequence[str]) -> dict[str, NDArray[np.float64]]:
    """Return the modified n-gram precisions and the sentence BLEU of translations, from 0 to 1, (translations,) each.

    >>> overlaps(["the the the cat"], ["the cat sleeps"])["precision_1"].tolist()
    [0.5]
    """
    from sacrebleu.metrics.bleu import BLEU

    measure = BLEU(smooth_method="none", effective_order=True)
    pairs = zip(translations, references, strict=True)
    scores = [measure.sentence_score(text, [reference]) for text, reference in pairs]
    counts = np.array([score.counts for score in scores], np.float64).reshape(-1, 4)
    totals = np.array([score.totals for score in scores], np.float64).reshape(-1, 4)
    precisions = counts / np.maximum(totals, 1)
    smoothed = [
        BLEU.compute_bleu(
            list(score.counts), list(score.totals), score.sys_len, score.ref_len, "add-k", 1, effective_order=True
        ).score
        for score in scores
    ]
    bleu = np.array(smoothed, np.float64) / 100
    return dict(zip(OVERLAP, (*precisions.T, bleu), strict=True))


def without_a_word(text: str, rng: np.random.Generator) -> str:
    """Return a text without one random word; unchanged where it has only one."""
    words = text.split()
    position = int(rng.integers(len(words)))
    return " ".join(words[:position] + words[position + 1 :]) if len(words) > 1 else text


@dataclass(frozen=True)
class Likelihood:
    """Mean log-probability of a token of the reference (Hisamoto et al. 2020, section 6.1)."""

    def __call__(self, access: Access, documents: Text) -> NDArray[np.float64]:
        """Return the statistic of each pair of a text and its translation, (documents,)."""
        losses = cast(OwnTranslations, access).losses(documents)
        return np.array([-nats.mean() if len(nats) else np.nan for nats in losses])


@dataclass(frozen=True)
class Overlap:
    """Sentence BLEU of the translation against the reference (Hisamoto et al. 2020, section 5)."""

    def __call__(self, access: Access, documents: Text) -> NDArray[np.float64]:
        """Return the statistic of each pair of a text and its translation, (documents,)."""
        translations = cast(OwnTranslations, access).translate([source for source, _ in documents])
        return overlaps(translations, [target for _, target in documents])["bleu"]
