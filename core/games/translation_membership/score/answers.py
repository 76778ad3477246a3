"""An adversary's answers about all target models beside the secret, and the decisions they make."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.games.translation_membership.contract import Answer, Briefing, Method, Observed, TranslationAdversary
from core.games.translation_membership.split import Split
from core.result import Column
from core.runtime.seeding import generator
from core.statistics.clustered import Clustered
from core.statistics.grouped import Grouped, decide
from core.statistics.intervals import Interval, with_interval
from core.statistics.measures import MEASURES

METHOD = {
    "features": Column("str", "What is looked at."),
    "rule": Column("str", "A classifier, 'one_threshold' or 'likelihood_ratio'."),
    "answer": Column("bool", "Whether the adversary trusts it: of the classifiers, the best on its validation split."),
}
ACCURACY = with_interval("accuracy", "Share of right guesses.")

OF_PAIRS = {
    "accuracy": replace(MEASURES["accuracy"], help="Share of right guesses about single pairs."),
    "auc": MEASURES["auc"],
    "tpr_at_1pct_fpr": MEASURES["tpr_at_1pct_fpr"],
}
"""What is reported of single pairs."""


@dataclass(frozen=True)
class Answers:
    """What an adversary answers about each target model at one point of its training.

    Attributes:
        split: The secret.
        seed: Source of the resampling.
        adversary: Prepared on its shadow models.
        observed: What each target model gives for the pairs in question.
        briefing: What the adversary was given.
    """

    split: Split
    seed: int
    adversary: TranslationAdversary
    observed: Sequence[Observed]
    briefing: Briefing

    @cached_property
    def by_model(self) -> list[Answer]:
        """Answer about each target model."""
        return [self.adversary.judge(observed) for observed in self.observed]

    @cached_property
    def methods(self) -> list[Method]:
        """The adversary's own method, and those that are no classifiers."""
        answer = self.adversary.answer
        return [method for method in self.by_model[0] if method == answer or method.kind != "classifier"]

    @cached_property
    def figures(self) -> dict[Method, dict[str, Interval]]:
        """The figures `OF_PAIRS` of those methods, over all pairs that count."""
        return {method: self.measured(method) for method in self.methods}

    def measured(self, method: Method) -> dict[str, Interval]:
        """Return the figures `OF_PAIRS` of a method, over all pairs that count."""
        return self.decisions(method).figures(OF_PAIRS, self.rng())

    def scores(self, method: Method) -> NDArray[np.float64]:
        """Return the scores of a method, (models, pairs)."""
        return np.stack([answer[method] for answer in self.by_model])

    def decisions(self, method: Method, pairs: NDArray[np.bool_] | None = None) -> Clustered:
        """Return the decisions of a method about the marked pairs, (pairs,), or about all that count."""
        split = self.split
        rows = np.flatnonzero(split.judged if pairs is None else pairs)
        return Clustered(split.member[:, rows], self.scores(method)[:, rows], split.couple, rows)

    def grouped(self, size: int, scores: NDArray[np.float64], threshold: float, resamples: int = 0) -> Grouped:
        """Decide about groups of probes of one subcorpus and one model, by their scores, (models, pairs)."""
        split = self.split
        strata = [
            (member, of_model[(split.corpus == number) & (members == member)])
            for of_model, members in zip(scores, split.member, strict=True)
            for number in np.unique(split.corpus[split.judged])
            for member in (True, False)
        ]
        return decide(strata, size, threshold, generator(self.seed, "groups", size), resamples)

    def columns(self, method: Method) -> dict[str, Any]:
        """Return the columns `METHOD` of a method."""
        return {"features": method.features, "rule": method.rule, "answer": method == self.adversary.answer}

    def rng(self) -> np.random.Generator:
        """Return the same draws each time, so that one figure has one interval wherever it is shown."""
        return generator(self.seed, "intervals")
