"""The score of inversion on words that may identify somebody: how many of the names, numbers and addresses are read."""

from collections.abc import Sequence

import numpy as np

from core.games.inversion.contract import Answer
from core.result import Estimate
from core.runtime.seeding import generator
from core.statistics.intervals import mean_share
from core.text.sensitive import KINDS, sensitive_words


def estimates(victims: Sequence[str], answer: Answer, frequent: Sequence[str], seed: int) -> dict[str, Estimate]:
    """Return the recall of each kind that the victims have; chance names the same words for every text.

    Args:
        victims: The victims' texts.
        answer: What the adversary names for each.
        frequent: The words of the frequency baseline.
        seed: Source of the resampling.
    """
    usual = set(frequent)
    counted = {kind: np.zeros((3, len(victims))) for kind in KINDS}  # there, named, named by the baseline
    for victim, text in enumerate(victims):
        read = {answer.words[column] for column in np.flatnonzero(answer.predicted[victim])}
        for kind, items in sensitive_words(text).items():
            shares = (sum(words <= known for words in items) for known in (read, usual))
            counted[kind][:, victim] = len(items), *shares
    recalls: dict[str, Estimate] = {}
    for kind, (present, predicted, guessed) in counted.items():
        has = present > 0
        if not has.any():
            continue
        recall = mean_share(predicted[None, has], present[None, has], generator(seed, "sensitive", kind))
        recalls[f"recall_{kind}"] = Estimate(
            **recall._asdict(),
            chance=float(guessed.sum() / present.sum()),
            unit=f"share of the {kind}",
            decisions=int(present.sum()),
            help=f"Share of the {kind} of the victims' texts that are named: {KINDS[kind]}. Chance names the most "
            "frequent words for every text.",
        )
    return recalls
