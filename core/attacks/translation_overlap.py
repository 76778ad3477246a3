"""Was this sentence pair used to train the translator? Its translation repeats the reference where it was."""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, cast

import numpy as np
from numpy.typing import NDArray

from core.access import Access, ScoringTranslator, Translator
from core.games.translation_membership.contract import (
    Answer,
    Briefing,
    Features,
    Method,
    Observed,
    Shadow,
    TranslationAdversary,
    TranslationAttack,
    Use,
    halves,
)
from core.result import Schema
from core.runtime.seeding import generator
from core.spec import parameter
from core.statistics.likelihood_ratio import best_threshold
from core.text.bitext import Bitext

OVERLAP = ("precision_1", "precision_2", "precision_3", "precision_4", "bleu")
"""Modified n-gram precisions and smoothed sentence BLEU, from 0 to 1."""
SCORE = "score"
REFERENCE = "reference"
PERTURBED = ("perturbed_mean", "perturbed_least")

CALIBRATED = "calibrated_reference"
CENTRED = "centred_reference"
FEATURES: Mapping[str, tuple[str, ...]] = {
    "overlap": OVERLAP,
    "overlap_and_score": (*OVERLAP, SCORE),
    "several_queries": (*OVERLAP, *PERTURBED),
}
"""What classifiers look at, by name."""
ALONE = ("bleu", PERTURBED[0], SCORE, REFERENCE)
"""Features that are compared with a threshold, each on its own."""

_Score = Callable[[Features], NDArray[np.float64]]
_LEAST = 1e-12
"""Of a variance, so that nothing is divided by 0."""


class TranslationOverlap(TranslationAttack):
    """Tell members by how well the translation repeats the reference (Hisamoto et al. 2020, section 5).

    Features of a pair are the modified n-gram precisions for n = 1 to 4 of the translation against the reference and
    its sentence BLEU, smoothed after Lin and Och 2004; with ``queries`` above one also the BLEU of translations of the
    sentence with a word left out, which a model that only recalls the pair does not change. Where the service gives
    scores, that of its own translation is one more (Table 3).

    Classifiers learn on splits 1 to 3 of the adversary's own, the one that is right most often on split 4 is its
    answer, and split 5 tells how good it may hope to be. They are the paper's: a perceptron, a decision tree of depth
    5, Gaussian naive Bayes, 5 nearest neighbours, a multi-layer perceptron of 100 ReLU units with a penalty of 1e-4,
    and a random forest, which the paper names and gives no figures of.

    Beside them stand rules that need one number: sentence BLEU alone; and of a service that gives probabilities, the
    mean log-probability of the reference, the same less its mean over the shadows, none of which saw the pair, and the
    likelihood ratio of two Gaussians (LiRA's offline setting, Carlini et al. 2022, with the distance of the two means
    taken from pairs that one of two shadows saw). All these thresholds come from the shadows.

    One more is ours. What a shadow finds unlikely is no measure of a subcorpus that it never saw; so that difference is
    counted from its median over the pairs in question of each subcorpus, and in units of the pair's spread. The
    adversary knows which subcorpus a pair is from. It needs no label for that, but has to presume that half of them are
    in: of foreign pairs, which are all out, it calls half members.

    On German and English (`python -m core precompute --only "translations_*"`), one pass over 113,000 pairs leaves the
    paper's attack at 0.499 right guesses (0.487 to 0.508), as in the paper (0.499 to 0.504), and the BLEU of new
    captions is 20.6. Three passes over 44,000 pairs: 0.514 (0.508 to 0.521), and 22.7. Twenty passes over 10,500 pairs:
    0.649 (0.639 to 0.659), and 20.8; asked about 30 pairs at once, it then has an AUC of 0.88. So it is passes over the
    same pairs that open the leak, and not how good translations are. The likelihood ratio has an AUC of 0.54, 0.59 and
    0.87. After twenty passes that is 0.96 to 0.995 within a shared subcorpus; in the private one, which no shadow has
    seen, it is 0.75, since what a shadow finds unlikely is no measure there, and of all members only 4 % are found
    where 1 % of the others are accused. Measured within each subcorpus, 38 % are, and the AUC is 0.55, 0.62 and 0.94
    after one, three and twenty passes; for 30 pairs at once 0.73, 0.92 and above 0.99. (That this is counted in units
    of a pair's spread was settled when its figures after twenty passes had been seen: without, 29 % are found.)

    After twenty passes the paper's attack calls foreign pairs outsiders in 85 to 95 % of the cases, for being
    translated badly; of a subcorpus that is as hard and was trained on (news), 63 % of guesses are right.

    Four more queries, each with another word left out, add nothing to the paper's features (after twenty passes, AUC
    0.705 by the multi-layer perceptron, and 0.701 with one). BLEU over those alone is right less often than over the
    translation itself, but finds 6 % of the members where 1 % of the others are accused, and the latter none.

    Trained on a random half of the pairs (``subsampling``), translators give away less and are worth less: 0.618 right
    guesses, an AUC of 0.74 within each subcorpus, and 14.7 BLEU. What is left in is learnt by heart all the better.

    Shadows have fewer pairs than their target and over-fit sooner. In ``over_trained`` they are stopped after five
    passes, when the perplexity of the adversary's own validation pairs hardly falls any more, whatever Alice does.
    """

    title: ClassVar[str] = "Translation membership"
    question: ClassVar[str] = "Was this sentence pair used to train the translator?"
    threat: ClassVar[str] = (
        "The adversary has a sentence and its translation by a human, and asks the service to translate the sentence. "
        "It has other pairs of the same kind, and trains translators of its own on them."
    )
    tables: ClassVar[dict[str, Schema]] = {}
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "toy_translations", "pairs": 400},
            "model": {
                "part": "seq2seq",
                "layers": 1,
                "dimension": 64,
                "feed_forward": 256,
                "pieces": 800,
                "epochs": 12,
                "batch_tokens": 512,
                "learning_rate": 4e-3,
                "warm_up": 50,
            },
            "game": {"splits": 3, "probes": 50, "shadow_probes": 40, "validation": 60, "course": [0, 2, 5]},
        },
        "paper": {
            "dataset": {"part": "german_english", "pairs": 60_000},
            "model": {"part": "seq2seq", "layers": 3, "epochs": 1},
            "attack": {"shadow_model": {"part": "seq2seq", "tying": "none", "epochs": 1}},
        },
        "over_trained": {
            "dataset": {"part": "german_english", "pairs": 3000},
            "model": {"part": "seq2seq", "layers": 3, "epochs": 20},
            "game": {"probes": 300, "watermarks": 25},
            "attack": {"shadow_model": {"part": "seq2seq", "tying": "none", "epochs": 5}},
        },
    }

    service: Literal["translations", "scores"] = parameter(
        "scores", "Whether the service gives translations only, or probabilities too.", label="The service gives"
    )
    queries: int = parameter(
        1,
        "Translations for each pair: of the sentence, and of it with one word left out.",
        label="Queries for each pair",
        unit="queries",
        ge=1,
        le=20,
    )

    def access(self) -> type[Access]:
        """Return a service that gives scores, where it is said to."""
        return ScoringTranslator if self.service == "scores" else Translator

    def prepare(self, brief: Briefing) -> "Adversary":
        """Learn what tells the probes of shadows."""
        return Adversary(brief)

    def compare(self, pairs: Bitext, access: Access) -> Features:
        """Return how likely a shadow finds the references, where the service tells."""
        if not isinstance(access, ScoringTranslator):
            return {}
        return {REFERENCE: access.log_probabilities(pairs.sources, pairs.targets)}

    def observe(self, pairs: Bitext, access: Access, rng: np.random.Generator) -> Observed:
        """Return the translations of pairs, and what is measured of them."""
        service = cast(Translator, access)
        found: dict[str, NDArray[np.float64]] = {}
        if isinstance(service, ScoringTranslator):
            translations, found[SCORE] = service.scored(pairs.sources)
            found[REFERENCE] = service.log_probabilities(pairs.sources, pairs.targets)
        else:
            translations = service.translate(pairs.sources)
        found |= overlaps(translations, pairs.targets)
        if self.queries > 1:
            changed = [
                overlaps(service.translate([without_a_word(text, rng) for text in pairs.sources]), pairs.targets)
                for _ in range(self.queries - 1)
            ]
            bleu = np.stack([one["bleu"] for one in changed])
            found |= dict(zip(PERTURBED, (bleu.mean(axis=0), bleu.min(axis=0)), strict=True))
        return Observed(tuple(translations), found)


def overlaps(translations: Sequence[str], references: Sequence[str]) -> dict[str, NDArray[np.float64]]:
    """Return the modified n-gram precisions and the sentence BLEU of translations, from 0 to 1, (translations,) each.

    >>> overlaps(["the the the cat"], ["the cat sleeps"])["precision_1"].tolist()
    [0.5]
    """
    from sacrebleu.metrics.bleu import BLEU

    measure = BLEU(smooth_method="none", effective_order=True)
    found = [measure.sentence_score(said, [true]) for said, true in zip(translations, references, strict=True)]
    counts = np.array([one.counts for one in found], np.float64).reshape(-1, 4)
    totals = np.array([one.totals for one in found], np.float64).reshape(-1, 4)
    precisions = counts / np.maximum(totals, 1)
    smoothed = [
        BLEU.compute_bleu(
            list(one.counts),
            list(one.totals),
            one.sys_len,
            one.ref_len,
            smooth_method="add-k",
            smooth_value=1,
            effective_order=True,
        )
        for one in found
    ]
    bleu = np.array([one.score for one in smoothed], np.float64) / 100
    return dict(zip(OVERLAP, (*precisions.T, bleu), strict=True))


def without_a_word(text: str, rng: np.random.Generator) -> str:
    """Return a text without one of its words; as it is where it has one only."""
    words = text.split()
    place = int(rng.integers(len(words)))
    return " ".join(words[:place] + words[place + 1 :]) if len(words) > 1 else text


class Adversary(TranslationAdversary):
    """Methods that were learnt from shadows."""

    def __init__(self, brief: Briefing) -> None:
        """Learn."""
        self._brief = brief
        self._methods = self._learnt()
        self.own = tuple(
            {method: score(shadow.probed.features) for method, score in self._methods.items()}
            for shadow in brief.shadows
        )
        self._calibration = self._calibrated()
        self.middle = {method: self._halfway(method) for method in self._methods}
        if self._calibration is not None:
            self.middle |= dict.fromkeys(self._calibration.methods, 0.0)
        self.answer = max((method for method in self._methods if method.rule in CLASSIFIERS), key=self._validated)

    def judge(self, observed: Observed) -> Answer:
        """Decide about the pairs in question from what a target model makes of them."""
        scores = {method: score(observed.features) for method, score in self._methods.items()}
        if self._calibration is not None:
            scores |= self._calibration.scores(observed.features[REFERENCE], self._brief.asked.corpus)
        return scores

    def _learnt(self) -> dict[Method, _Score]:
        """Return how each method scores features, learnt on the splits for training."""
        taught = [shadow for shadow in self._brief.shadows if shadow.use == "train"]
        member = np.concatenate([shadow.member for shadow in taught])
        seen = [shadow.probed.features for shadow in taught]
        pooled = {name: np.concatenate([one[name] for one in seen]) for name in seen[0]}
        found: dict[Method, _Score] = {}
        for features, columns in FEATURES.items():
            if not pooled.keys() >= set(columns):
                continue
            for place, (rule, build) in enumerate(CLASSIFIERS.items()):
                classifier = build(int(generator(self._brief.seed, "classifier", features, place).integers(2**31)))
                found[Method(features, rule)] = _classified(classifier, columns, pooled, member)
        for name in ALONE:
            if name in pooled:
                found[Method(name, "one_threshold")] = _compared(name, best_threshold(pooled[name], member))
        return found

    def _calibrated(self) -> "_Calibration | None":
        """Return what the shadows tell of the pairs in question, where they give probabilities."""
        shadows = self._brief.shadows
        if not all(REFERENCE in shadow.asked for shadow in shadows):
            return None
        apart = [
            np.where(first.member, 1, -1) * (first.probed.features[REFERENCE] - second.probed.features[REFERENCE])
            for first, second in halves(shadows)
        ]
        outside = np.stack([shadow.asked[REFERENCE] for shadow in shadows])
        return _Calibration(outside, float(np.concatenate(apart).mean()))

    def _used(self, use: Use) -> Iterator[tuple[Shadow, Answer]]:
        return ((shadow, own) for shadow, own in zip(self._brief.shadows, self.own, strict=True) if shadow.use == use)

    def _validated(self, method: Method) -> float:
        """Return how often a method is right on the split to choose by."""
        right = [(own[method] > 0) == shadow.member for shadow, own in self._used("validation")]
        return float(np.concatenate(right).mean())

    def _halfway(self, method: Method) -> float:
        """Return the score halfway between the means of members and of others, on the split to choose by."""
        scores = np.concatenate([own[method] for _, own in self._used("validation")])
        member = np.concatenate([shadow.member for shadow, _ in self._used("validation")])
        return float(scores[member].mean() + scores[~member].mean()) / 2


@dataclass(frozen=True)
class _Calibration:
    """What translators that never saw the pairs in question make of them.

    Attributes:
        outside: (shadows, pairs) mean log-probability of a token of each reference.
        apart: How much higher it is by a translator that was trained on a pair, on average.
    """

    outside: NDArray[np.float64]
    apart: float
    methods: ClassVar[tuple[Method, ...]] = (
        Method(CALIBRATED, "one_threshold"),
        Method(CALIBRATED, "likelihood_ratio"),
        Method(CENTRED, "one_threshold"),
    )

    def scores(self, reference: NDArray[np.float64], corpus: NDArray[np.int64]) -> dict[Method, NDArray[np.float64]]:
        """Return by how much the target exceeds halfway, the log likelihood ratio, and the first centred.

        The variance of a pair is the mean of its own over the shadows and that of all pairs, since shadows are few.
        What is centred is counted from the median of the subcorpus, in units of the pair's spread. (pairs,) each.

        Args:
            reference: What the target makes of the references.
            corpus: Number of the subcorpus of each.
        """
        variance = self.outside.var(axis=0, ddof=1)
        variance = np.maximum((variance + variance.mean()) / 2, _LEAST)
        above = reference - self.outside.mean(axis=0) - self.apart / 2
        usual = np.zeros_like(above)
        for place in np.unique(corpus):
            usual[corpus == place] = np.median(above[corpus == place])
        centred = (above - usual) / np.sqrt(variance)
        return dict(zip(self.methods, (above, self.apart / variance * above, centred), strict=True))


def _classified(classifier: Any, columns: Sequence[str], seen: Features, member: NDArray[np.bool_]) -> _Score:
    """Fit a classifier on standardised features; return how it scores others, above 0 for members."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    taught = _matrix(seen, columns)
    if not np.ptp(taught, axis=0).any():
        return lambda features: np.zeros(len(features[columns[0]]))  # nothing tells one pair from another
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
        fitted = make_pipeline(StandardScaler(), classifier).fit(taught, member)

    def score(features: Features) -> NDArray[np.float64]:
        table = _matrix(features, columns)
        if hasattr(fitted, "predict_proba"):
            return np.asarray(fitted.predict_proba(table)[:, 1] - 0.5)
        return np.asarray(fitted.decision_function(table))

    return score


def _compared(name: str, threshold: float) -> _Score:
    return lambda features: features[name] - threshold


def _matrix(features: Features, columns: Sequence[str]) -> NDArray[np.float64]:
    return np.stack([features[name] for name in columns], axis=1)


def _perceptron(seed: int) -> Any:
    from sklearn.linear_model import Perceptron

    return Perceptron(random_state=seed)


def _decision_tree(seed: int) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(max_depth=5, random_state=seed)


def _naive_bayes(_: int) -> Any:
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB()


def _nearest_neighbours(_: int) -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(5)


def _mlp(seed: int) -> Any:
    from sklearn.neural_network import MLPClassifier

    return MLPClassifier((100,), alpha=1e-4, random_state=seed)


def _random_forest(seed: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(max_depth=8, random_state=seed)


CLASSIFIERS: Mapping[str, Callable[[int], Any]] = {
    "perceptron": _perceptron,
    "decision_tree": _decision_tree,
    "naive_bayes": _naive_bayes,
    "nearest_neighbours": _nearest_neighbours,
    "mlp": _mlp,
    "random_forest": _random_forest,
}
"""By name, in the order of the paper's Table 2."""
