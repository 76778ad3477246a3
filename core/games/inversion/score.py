"""The score of inversion: precision, recall and F1 of the predicted words, beside a frequency baseline."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from core.games.inversion.contract import TEXTS, Answer
from core.games.inversion.permutation import Occurrences, held_to_dealt, orders
from core.games.inversion.tables import SCHEMAS, ScoredAnswer, likeliest_words
from core.result import Estimate, Tables, table
from core.runtime.seeding import generator
from core.statistics import resampling
from core.statistics.intervals import LEVEL, UNKNOWN, Interval, mean_share
from core.statistics.wording.units import VICTIMS
from core.text import word_sets

if TYPE_CHECKING:
    import pandas as pd

FREQUENCY = "frequency"
"""The baseline that predicts the same most frequent words for every text."""

MEASURES = ("precision", "recall", "f1")
_KINDS: Mapping[str, Callable[[str], bool]] = {"all": bool, "content": word_sets.is_content}
"""Whether a word counts, by kind of words."""
_HELP = {
    "precision": "Share of the words named for a text that stand there, mean over the victims.",
    "recall": "Share of the words of a text that are named, mean over the victims.",
    "f1": "Harmonic mean of precision and recall.",
}
MOST_EXAMPLES = 60
"""Most victims whose words are kept in a result."""
_RESAMPLES = 1000
_RARITIES = (0, 1, 5, 20, 100, 500)
_MOST_PREDICTED = 100


@dataclass(frozen=True)
class _Victims:
    """The victims that have a word of one kind, and how they are resampled.

    Attributes:
        sizes: (victims,) number of different words of that kind of each victim.
        counted: (victims,) whether it has any.
        draws: (resamples, counted) how often each is drawn; resamples without any are left out.
        drawn: (resamples, 1) how many that are.
    """

    sizes: NDArray[np.int64]
    counted: NDArray[np.bool_]
    draws: NDArray[np.float64]
    drawn: NDArray[np.float64]

    @classmethod
    def resampled(cls, sizes: NDArray[np.int64], draws: NDArray[np.int64]) -> Self:
        """Return the victims with draws of all, (resamples, victims)."""
        counted = sizes > 0
        # Not whole numbers, as whatever is averaged would have them converted each time.
        some = draws[:, counted].astype(np.float64)
        some = some[some.any(axis=1)]
        return cls(sizes, counted, some, some.sum(axis=1, keepdims=True))

    def measured(self, predicted: NDArray[np.bool_], present: NDArray[np.bool_]) -> Mapping[str, Interval]:
        """Return value and interval of each measure."""
        if not self.counted.any():
            return dict.fromkeys(MEASURES, UNKNOWN)
        overlaps = word_sets.overlap(predicted, present, self.sizes)
        by_victim = np.stack([measured[self.counted] for measured in overlaps], axis=1)
        # Not by a matrix product, whose last bits depend on the number of threads.
        means = np.einsum("rv,vm->rm", self.draws, by_victim) / self.drawn
        samples = [(*pair, word_sets.f1(*pair)) for pair in means.tolist()]
        low, high = np.quantile(samples, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0).tolist()
        precision, recall = by_victim.mean(axis=0).tolist()
        values = (precision, recall, word_sets.f1(precision, recall))
        return dict(zip(MEASURES, map(Interval, values, low, high), strict=True))

    def dealt(
        self, predicted: NDArray[np.bool_], present: NDArray[np.bool_], rng: np.random.Generator
    ) -> Mapping[str, NDArray[np.float64]]:
        """Return each measure of answers that are dealt to other victims, (draws,) each."""
        there, named = Occurrences(*np.nonzero(present)), np.maximum(predicted.sum(axis=1), 1)
        draws = []
        for order in orders(len(predicted), rng):
            hits = np.bincount(there.victims, there.named(predicted, order), len(predicted))[self.counted]
            shares = (hits / named[order][self.counted]).mean(), (hits / self.sizes[self.counted]).mean()
            draws.append((*shares, word_sets.f1(*map(float, shares))))
        return dict(zip(MEASURES, np.array(draws).T, strict=True))


class Scorer:
    """Holds the victims' words, and turns answers into estimates and tables."""

    def __init__(
        self,
        victims: Sequence[frozenset[str]],
        rows: NDArray[np.int64],
        sentences: NDArray[np.int64],
        auxiliary: Sequence[frozenset[str]],
        answer: str,
        seed: int,
        examples: int = MOST_EXAMPLES,
    ) -> None:
        """Hold the truth, and score the frequency baseline.

        Args:
            victims: The words of each victim.
            rows: (victims,) row of its text in the dataset.
            sentences: (victims,) which sentence of it, -1 for the whole text.
            auxiliary: The words of each of the adversary's texts, from which frequencies are counted.
            answer: The variant that is the attack itself.
            seed: Source of the resampling.
            examples: Victims whose words the tables show.
        """
        self._victims, self._examples = tuple(victims), examples
        self._rows, self._sentences, self._answer, self._seed = rows, sentences, answer, seed
        self._answers: dict[str, ScoredAnswer] = {}
        self._counts, self._frequent = _by_frequency(tuple(auxiliary))
        self._baseline = _baseline(self._victims, tuple(auxiliary), seed)
        self._figures = {(FREQUENCY, kind): figures for kind, (_, figures) in self._baseline.items()}

    def add(self, variant: str, answer: Answer) -> None:
        """Score the answer of a variant about the victims."""
        self._answers[variant] = scored = ScoredAnswer(answer, _present(self._victims, answer.words))
        for kind, counts in _KINDS.items():
            columns = np.array([counts(word) for word in answer.words], np.bool_)
            predicted, present = answer.predicted[:, columns], scored.present[:, columns]
            victims, chance = self._baseline[kind]
            figures = victims.measured(predicted, present)
            if any(figure.low > chance[measure].value for measure, figure in figures.items()):
                dealt = victims.dealt(predicted, present, generator(self._seed, "dealt", variant, kind))
                figures = {
                    measure: held_to_dealt(figure, chance[measure].value, dealt[measure])
                    for measure, figure in figures.items()
                }
            self._figures[variant, kind] = figures

    def estimates(self) -> dict[str, Estimate]:
        """Return the figures of each variant; chance is the frequency baseline."""
        estimates: dict[str, Estimate] = {}
        for kind in _KINDS:
            chance = self._figures[FREQUENCY, kind]
            suffix, only = ("", "") if kind == "all" else (f"_{kind}", " Content words only.")
            for variant in self._answers:
                end = suffix + ("" if variant == self._answer else f"_{variant}")
                for measure, figure in self._figures[variant, kind].items():
                    estimates[f"{measure}{end}"] = Estimate(
                        **figure._asdict(),
                        chance=chance[measure].value,
                        unit=VICTIMS,
                        decisions=len(self._victims),
                        help=f"{_HELP[measure]}{only} Chance names the most frequent words for every text.",
                    )
        return estimates

    @property
    def frequent(self) -> tuple[str, ...]:
        """The words that the frequency baseline names for every text."""
        return self._frequent["all"]

    def tables(self) -> Tables:
        """Return the figures of each variant, the recall by rarity, and the likeliest words for the first victims."""
        readings = [
            {"variant": variant, "words": kind, "measure": measure, **figure._asdict()}
            for variant in (*self._answers, FREQUENCY)
            for kind in _KINDS
            for measure, figure in self._figures[variant, kind].items()
        ]
        return {
            "readings": table(SCHEMAS["readings"], readings),
            "rarity": table(SCHEMAS["rarity"], self._rarity()),
            "words": table(SCHEMAS["words"], self._words()),
        }

    def sentence(self, text: str, answer: Answer) -> "pd.DataFrame":
        """Return the likeliest words for one text that is no victim's; none where it could not be embedded."""
        words = word_sets.word_set(text)
        if not len(answer.predicted):
            return table(SCHEMAS["yours"], [])
        return table(
            SCHEMAS["yours"], likeliest_words(ScoredAnswer(answer, _present([words], answer.words)), 0, len(words))
        )

    def texts(self, victims: Answer, yours: Answer) -> "pd.DataFrame":
        """Return the texts predicted for the first victims, and for one text that is no victim's."""
        rows = [*enumerate(victims.texts[: self._examples]), *((-1, text) for text in yours.texts)]
        return table(TEXTS, [{"victim": victim, "words": text} for victim, text in rows])

    def _rarity(self) -> list[dict[str, Any]]:
        """Return the recall of words by the number of the adversary's texts that have them."""
        scored, bands = self._answers[self._answer], range(len(_RARITIES))
        named = scored.answer.predicted
        of_words = np.array([self._band(word) for word in scored.answer.words], np.int64)
        in_band = [of_words == band for band in bands]
        hits = np.stack([(named & scored.present)[:, some].sum(axis=1, dtype=np.float64) for some in in_band], axis=1)
        present = [Counter(map(self._band, words)) for words in self._victims]
        occurrences = np.array([[counts[band] for band in bands] for counts in present], np.float64)
        usual = frozenset(self._frequent["all"])
        guessed = Counter(self._band(word) for words in self._victims for word in words & usual)
        rows = []
        for band, (fewest, above) in enumerate(zip(_RARITIES, (*_RARITIES[1:], 0), strict=True)):
            has = occurrences[:, band] > 0
            total = occurrences[has, band].sum()
            rng = generator(self._seed, "rarity", band)
            share = (hits[None, has, band], occurrences[None, has, band])
            recall = mean_share(*share, rng) if has.any() else UNKNOWN
            rows.append(
                {
                    "fewest": fewest,
                    "most": above - 1,
                    "occurrences": total,
                    "named": named[:, in_band[band]].sum(),
                    **recall.columns("recall", bare=True),
                    "frequency": guessed[band] / total if has.any() else np.nan,
                }
            )
        return rows

    def _band(self, word: str) -> int:
        """Return the number of a word's rarity band."""
        return bisect_right(_RARITIES, self._counts.get(word, 0)) - 1

    def _words(self) -> list[dict[str, Any]]:
        scored = self._answers[self._answer]
        victims = islice(zip(self._rows, self._sentences, self._victims, strict=True), self._examples)
        return [
            {"victim": victim, "row": row, "sentence": sentence, **word, "there": len(words)}
            for victim, (row, sentence, words) in enumerate(victims)
            for word in likeliest_words(scored, victim, len(words))
        ]


@lru_cache(maxsize=2)
def _by_frequency(auxiliary: tuple[frozenset[str], ...]) -> tuple[Mapping[str, int], Mapping[str, tuple[str, ...]]]:
    """Return how many texts have each word, and by kind the words to predict for every text.

    These have the best F1 on the adversary's texts, which the games of an audit have in common.
    """
    counts = word_sets.frequencies(auxiliary)
    named = {}
    for kind, counted in _KINDS.items():
        frequent = tuple(filter(counted, counts))[:_MOST_PREDICTED]
        texts = [frozenset(filter(counted, words)) for words in auxiliary]
        named[kind] = frequent[: _best_number(_present(texts, frequent), word_sets.sizes(texts))]
    return MappingProxyType(counts), MappingProxyType(named)


@lru_cache(maxsize=2)
def _baseline(
    victims: tuple[frozenset[str], ...], auxiliary: tuple[frozenset[str], ...], seed: int
) -> Mapping[str, tuple[_Victims, Mapping[str, Interval]]]:
    """Return by kind of words the victims, and the figures of the frequency baseline; those of an audit share both."""
    draws = resampling.drawn(len(victims), _RESAMPLES, generator(seed, "intervals"))
    figures = {}
    for kind, words in _by_frequency(auxiliary)[1].items():
        sizes = word_sets.sizes(frozenset(filter(_KINDS[kind], some)) for some in victims)
        resampled, present = _Victims.resampled(sizes, draws), _present(victims, words)
        figures[kind] = resampled, MappingProxyType(resampled.measured(np.ones_like(present), present))
    return MappingProxyType(figures)


def _present(texts: Sequence[frozenset[str]], words: Sequence[str]) -> NDArray[np.bool_]:
    """Return which words stand in which texts, (texts, words)."""
    return np.asarray(word_sets.presence(texts, words).toarray() > 0)


def _best_number(present: NDArray[np.bool_], sizes: NDArray[np.int64]) -> int:
    """Return how many of the first words to predict for every text for the best F1.

    Args:
        present: (texts, words) whether each word stands in each text, the most frequent first.
        sizes: (texts,) number of different words of each text.
    """
    if not present.any():
        return 0
    right = np.cumsum(present[sizes > 0], axis=1)
    precision = right.mean(axis=0) / np.arange(1, right.shape[1] + 1)
    recall = (right / sizes[sizes > 0, None]).mean(axis=0)
    return int(np.argmax([word_sets.f1(*pair) for pair in zip(precision.tolist(), recall.tolist(), strict=True)])) + 1
