"""Membership of sentence pairs in a translator's training data, decided from its translations."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.adversaries.translation.features import ALONE, FEATURES, REFERENCE
from core.adversaries.translation.quantile_reference import QUANTILE, Difficulty, beyond_usual
from core.games.translation_membership.contract import (
    Answer,
    Briefing,
    Features,
    Method,
    Observed,
    Shadow,
    TranslationAdversary,
    Use,
    halves,
)
from core.runtime.seeding import generator
from core.statistics.likelihood_ratio import best_threshold

CLASSIFIERS = ("perceptron", "decision_tree", "naive_bayes", "nearest_neighbours", "mlp", "random_forest")
"""In the order of the paper's Table 2."""
CALIBRATED = "calibrated_reference"
"""Its threshold is from the adversary's own data."""
CENTRED = "centred_reference"
"""Its threshold is the median of each subcorpus in question: it knows the subcorpora, and that half of each is in."""

_Score = Callable[[Features], NDArray[np.float64]]
_LEAST = 1e-12
"""Least variance."""


class Adversary(TranslationAdversary):
    """The classifiers and thresholds, fitted on shadow models.

    Where the adversary has shadow models without the defenses as well, each classifier and threshold is fitted on the
    training splits of both kinds, and the one taken that is right more often on the validation split behind the
    defenses; of equals, that behind them. What is calibrated by models that never saw a pair is not tried there, as
    the models of other splits without the defenses all saw it: those scores are the mean of both kinds.
    """

    def __init__(self, briefing: Briefing) -> None:
        """Fit all methods, and choose the classifier with the highest validation accuracy."""
        self._briefing = briefing
        kinds = [kind for kind in (briefing.shadows, briefing.undefended) if kind]
        fitted = [self._fitted(kind) for kind in kinds]
        tried = {
            method: max(
                ((self._right_behind(of_kind[method]), of_kind[method]) for of_kind in fitted), key=itemgetter(0)
            )
            for method in fitted[0]
        }
        self._methods = {method: score for method, (_, score) in tried.items()}
        self.shadow_answers = tuple(
            {method: score(shadow.probed.features) for method, score in self._methods.items()}
            for shadow in briefing.shadows
        )
        self._ratios = [ratio for kind in kinds if (ratio := _LikelihoodRatio.of(kind)) is not None]
        self.middle = {method: self._halfway(method) for method in self._methods}
        if self._ratios:
            self.middle |= dict.fromkeys((*_LikelihoodRatio.methods, QUANTILE), 0.0)
        classifiers = (method for method in tried if method.rule in CLASSIFIERS)
        self.answer = max(classifiers, key=lambda method: tried[method][0])

    def judge(self, observed: Observed) -> Answer:
        """Score the pairs in question from the observed translations of a target model."""
        scores = {method: score(observed.features) for method, score in self._methods.items()}
        if self._ratios:
            asked = observed.features[REFERENCE], self._briefing.pairs.corpus
            by_kind = [ratio.scores(*asked) for ratio in self._ratios]
            scores |= {method: np.mean([of_kind[method] for of_kind in by_kind], axis=0) for method in by_kind[0]}
        if REFERENCE in observed.outside:
            briefing, difficulty = self._briefing, Difficulty.of(self._briefing.own)
            unseen, pairs = difficulty.describe(briefing.outside), difficulty.describe(briefing.pairs)
            scores[QUANTILE] = beyond_usual(observed.outside[REFERENCE], unseen, pairs, observed.features[REFERENCE])
        return scores

    def _fitted(self, shadows: Sequence[Shadow]) -> dict[Method, _Score]:
        """Return how each method scores features, fitted on the training splits of shadow models."""
        training = [shadow for shadow in shadows if shadow.use == "train"]
        member = np.concatenate([shadow.member for shadow in training])
        probed = [shadow.probed.features for shadow in training]
        pooled = {name: np.concatenate([features[name] for features in probed]) for name in probed[0]}
        methods: dict[Method, _Score] = {}
        for features, columns in FEATURES.items():
            if not pooled.keys() >= set(columns):
                continue
            for number, rule in enumerate(CLASSIFIERS):
                seed = int(generator(self._briefing.seed, "classifier", features, number).integers(2**31))
                methods[Method(features, rule)] = _classified(classifier(rule, seed), columns, pooled, member)
        for name in ALONE:
            if name in pooled:
                methods[Method(name, "one_threshold", "threshold")] = _compared(
                    name, best_threshold(pooled[name], member)
                )
        return methods

    def _right_behind(self, score: _Score) -> float:
        """Return how often scores are right about the validation split, behind the defenses."""
        validation = [shadow for shadow in self._briefing.shadows if shadow.use == "validation"]
        right = [(score(shadow.probed.features) > 0) == shadow.member for shadow in validation]
        return float(np.concatenate(right).mean())

    def _used(self, use: Use) -> Iterator[tuple[Shadow, Answer]]:
        pairs = zip(self._briefing.shadows, self.shadow_answers, strict=True)
        return ((shadow, scores) for shadow, scores in pairs if shadow.use == use)

    def _halfway(self, method: Method) -> float:
        """Return the score halfway between the means of members and of non-members on the validation split."""
        scores = np.concatenate([scores[method] for _, scores in self._used("validation")])
        member = np.concatenate([shadow.member for shadow, _ in self._used("validation")])
        return float(scores[member].mean() + scores[~member].mean()) / 2


@dataclass(frozen=True)
class _LikelihoodRatio:
    """Scores of the pairs in question by translators that never saw them.

    Attributes:
        outside: (shadows, pairs) mean log-probability of a token of each reference.
        gain: How much higher it is in a translator that was trained on a pair, on average.
    """

    outside: NDArray[np.float64]
    gain: float
    methods: ClassVar[tuple[Method, ...]] = (
        Method(CALIBRATED, "one_threshold", "threshold"),
        Method(CALIBRATED, "likelihood_ratio", "ratio"),
        Method(CENTRED, "one_threshold", "threshold"),
    )

    @classmethod
    def of(cls, shadows: Sequence[Shadow]) -> "_LikelihoodRatio | None":
        """Return what shadow models give of the pairs in question, where they give probabilities."""
        if not all(REFERENCE in shadow.pair_features for shadow in shadows):
            return None
        gains = [
            np.where(first.member, 1, -1) * (first.probed.features[REFERENCE] - second.probed.features[REFERENCE])
            for first, second in halves(shadows)
        ]
        outside = np.stack([shadow.pair_features[REFERENCE] for shadow in shadows])
        return cls(outside, float(np.concatenate(gains).mean()))

    def scores(self, reference: NDArray[np.float64], corpus: NDArray[np.int64]) -> dict[Method, NDArray[np.float64]]:
        """Return the excess over halfway, the log likelihood ratio, and the centred excess, (pairs,) each.

        The variance of a pair is the mean of its own over the shadows and that of all pairs, since shadows are few.
        The centred excess is counted from the median of the subcorpus, in standard deviations of the pair. It presumes
        that half of the pairs of each subcorpus are in.

        Args:
            reference: The target's log-probabilities of the references.
            corpus: Number of the subcorpus of each.
        """
        variance = self.outside.var(axis=0, ddof=1)
        variance = np.maximum((variance + variance.mean()) / 2, _LEAST)
        above = reference - self.outside.mean(axis=0) - self.gain / 2
        medians = np.zeros_like(above)
        for number in np.unique(corpus):
            medians[corpus == number] = np.median(above[corpus == number])
        centred = (above - medians) / np.sqrt(variance)
        return dict(zip(self.methods, (above, self.gain / variance * above, centred), strict=True))


def classifier(rule: str, seed: int) -> Any:
    """Return one of `CLASSIFIERS` of scikit-learn, not fitted yet."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import Perceptron
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.neural_network import MLPClassifier
    from sklearn.tree import DecisionTreeClassifier

    unfitted = (
        Perceptron(random_state=seed),
        DecisionTreeClassifier(max_depth=5, random_state=seed),
        GaussianNB(),
        KNeighborsClassifier(5),
        MLPClassifier((100,), alpha=1e-4, random_state=seed),
        RandomForestClassifier(max_depth=8, random_state=seed),
    )
    return unfitted[CLASSIFIERS.index(rule)]


def _classified(unfitted: Any, columns: Sequence[str], pooled: Features, member: NDArray[np.bool_]) -> _Score:
    """Fit a classifier on standardised features; return how it scores others, above 0 for members."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    inputs = _matrix(pooled, columns)
    if not np.ptp(inputs, axis=0).any():
        return lambda features: np.zeros(len(features[columns[0]]))  # all pairs are alike
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
        fitted = make_pipeline(StandardScaler(), unfitted).fit(inputs, member)

    def score(features: Features) -> NDArray[np.float64]:
        inputs = _matrix(features, columns)
        if hasattr(fitted, "predict_proba"):
            return np.asarray(fitted.predict_proba(inputs)[:, 1] - 0.5)
        return np.asarray(fitted.decision_function(inputs))

    return score


def _compared(name: str, threshold: float) -> _Score:
    return lambda features: features[name] - threshold


def _matrix(features: Features, columns: Sequence[str]) -> NDArray[np.float64]:
    return np.stack([features[name] for name in columns], axis=1)
