"""Keeps the score of a game of inversion: how many of a text's words were named, and how many named words are there."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.games.inversion.contract import TEXTS, Answer
from core.result import Column, Estimate, Schema, table
from core.runtime.seeding import generator
from core.statistics import intervals
from core.text import word_sets

if TYPE_CHECKING:
    import pandas as pd

FREQUENCY = "frequency"
"""The baseline that names the same words for every text."""

_SHOWN_WORDS = {
    "place": Column("int32", "1 for the likeliest word."),
    "word": Column("str", "The word."),
    "score": Column("float32", "How likely the adversary thinks it, from 0 to 1."),
    "named": Column("bool", "Whether the adversary names it."),
    "present": Column("bool", "Whether it stands in the text."),
}

SCHEMAS: dict[str, Schema] = {
    "readings": {
        "variant": Column(
            "str",
            "The attack, 'naive' for one that does not know the defenses, or 'frequency' for the "
            "same most frequent words for all texts.",
        ),
        "words": Column("str", "'all' words, or 'content' words alone."),
        "measure": Column("str", "'precision', 'recall' or 'f1'."),
        "value": Column("float64", "Precision and recall: mean over the victims; F1: their harmonic mean."),
        "low": Column("float64", "Lower end of its 95 % interval."),
        "high": Column("float64", "Upper end of its 95 % interval."),
    },
    "rarity": {
        "fewest": Column("int32", "Fewest of the adversary's texts that have the word; 0 for words it never saw."),
        "most": Column("int32", "Most of the adversary's texts that have the word; -1 for no bound."),
        "occurrences": Column("int32", "Words of victims of that rarity."),
        "named": Column("int32", "Words of that rarity that were named, right or wrong."),
        "recall": Column("float64", "Share of the occurrences that were named."),
        "low": Column("float64", "Lower end of its 95 % interval."),
        "high": Column("float64", "Upper end of its 95 % interval."),
        "frequency": Column("float64", "Share of them that naming the same words for every text finds."),
    },
    "words": {
        "victim": Column("int32", "Number of the victim; the first 60 only."),
        "row": Column("int32", "Row of the victim's text in the dataset."),
        "sentence": Column("int32", "Which sentence of that text, from 0; -1 for the whole text."),
        **_SHOWN_WORDS,
        "there": Column("int32", "How many different words stand in the text."),
    },
    "yours": _SHOWN_WORDS,
}

MEASURES = ("precision", "recall", "f1")
_KINDS: Mapping[str, Callable[[str], bool]] = {"all": bool, "content": word_sets.is_content}
"""Which words count, by what that is called."""
_HELP = {
    "precision": "Share of the words named for a text that stand there, mean over the victims.",
    "recall": "Share of the words of a text that are named, mean over the victims.",
    "f1": "Harmonic mean of precision and recall.",
}
_SHOWN = 60
_LEAST_SHOWN = 12
_RESAMPLES = 1000
_RARITIES = (0, 1, 5, 20, 100, 500)
_MOST_NAMED = 100


@dataclass(frozen=True)
class _Scored:
    """What was read from texts, and what stands there.

    Attributes:
        reading: What was read.
        present: (texts, words) which words stand there.
    """

    reading: Answer
    present: NDArray[np.bool_]


class Scorer:
    """Holds the victims' words, takes down what is read, and keeps the score."""

    def __init__(
        self,
        bags_of: Sequence[frozenset[str]],
        rows: NDArray[np.int64],
        sentences: NDArray[np.int64],
        known: Sequence[frozenset[str]],
        answer: str,
        seed: int,
    ) -> None:
        """Hold the truth, and read every victim by frequency alone.

        Args:
            bags_of: The words of each victim.
            rows: (victims,) row of its text in the dataset.
            sentences: (victims,) which sentence of it, -1 for the whole text.
            known: The words of each of the adversary's texts, from which frequencies are counted.
            answer: Which reading is the attack's.
            seed: Source of the resampling.
        """
        self._bags = tuple(bags_of)
        self._rows, self._sentences, self._answer, self._seed = rows, sentences, answer, seed
        self._readings: dict[str, _Scored] = {}
        self._figures: dict[tuple[str, str], dict[str, tuple[float, float, float]]] = {}
        victims = len(self._bags)
        self._draws = generator(seed, "intervals").multinomial(victims, np.full(victims, 1 / victims), _RESAMPLES)
        self._counts = word_sets.frequencies(known)
        self._frequent = {kind: self._by_frequency(known, kind) for kind in _KINDS}
        for kind, words in self._frequent.items():
            present = _present(self._bags, words)
            self._figures[FREQUENCY, kind] = self._measured(np.ones_like(present), present, kind)

    def add(self, variant: str, reading: Answer) -> None:
        """Take down what was read from the victims.

        Args:
            variant: By whom.
            reading: What.
        """
        scored = _Scored(reading, _present(self._bags, reading.words))
        self._readings[variant] = scored
        for kind, counts in _KINDS.items():
            kept = np.array([counts(word) for word in reading.words], np.bool_)
            self._figures[variant, kind] = self._measured(reading.named[:, kept], scored.present[:, kept], kind)

    def estimates(self) -> dict[str, Estimate]:
        """Return the figures of the attack, of the naive one with that suffix; chance is naming by frequency."""
        found: dict[str, Estimate] = {}
        for kind in _KINDS:
            chance = self._figures[FREQUENCY, kind]
            suffix, only = ("", "") if kind == "all" else (f"_{kind}", " Content words only.")
            for variant in self._readings:
                end = suffix + ("" if variant == self._answer else f"_{variant}")
                for measure, (value, low, high) in self._figures[variant, kind].items():
                    found[f"{measure}{end}"] = Estimate(
                        value=value,
                        low=low,
                        high=high,
                        chance=chance[measure][0],
                        unit="mean over victims",
                        decisions=len(self._bags),
                        help=f"{_HELP[measure]}{only} Chance names the most frequent words for every text.",
                    )
        return found

    def tables(self) -> "dict[str, pd.DataFrame]":
        """Return how well each reading does, how well rare words are read, and what was read from the first victims."""
        readings = [
            {"variant": variant, "words": kind, "measure": measure, "value": value, "low": low, "high": high}
            for variant in (*self._readings, FREQUENCY)
            for kind in _KINDS
            for measure, (value, low, high) in self._figures[variant, kind].items()
        ]
        return {
            "readings": table(SCHEMAS["readings"], readings),
            "rarity": table(SCHEMAS["rarity"], self._rarity()),
            "words": table(SCHEMAS["words"], self._words()),
        }

    def sentence(self, text: str, reading: Answer) -> "pd.DataFrame":
        """Return what was read from one text that is no victim's."""
        own = word_sets.word_set(text)
        return table(SCHEMAS["yours"], _shown(_Scored(reading, _present([own], reading.words)), 0, len(own)))

    def texts(self, victims: Answer, yours: Answer) -> "pd.DataFrame":
        """Return the whole texts that the first victims, and one text that is no victim's, are taken for."""
        rows = [*enumerate(victims.texts[:_SHOWN]), *((-1, text) for text in yours.texts)]
        return table(TEXTS, [{"victim": victim, "words": text} for victim, text in rows])

    def _by_frequency(self, known: Sequence[frozenset[str]], kind: str) -> tuple[str, ...]:
        """Return the words of a kind that should be named for every text, as the adversary's own texts tell."""
        frequent = tuple(filter(_KINDS[kind], self._counts))[:_MOST_NAMED]
        own = [frozenset(filter(_KINDS[kind], words)) for words in known]
        return frequent[: _best_number(_present(own, frequent), word_sets.sizes(own))]

    def _measured(
        self, named: NDArray[np.bool_], present: NDArray[np.bool_], kind: str
    ) -> dict[str, tuple[float, float, float]]:
        """Return value and interval of each measure, over the victims that have any word of a kind."""
        sizes = word_sets.sizes(frozenset(filter(_KINDS[kind], own)) for own in self._bags)
        asked = sizes > 0
        if not asked.any():
            return dict.fromkeys(MEASURES, (float("nan"),) * 3)
        each = np.stack([measured[asked] for measured in word_sets.overlap(named, present, sizes)], axis=1)
        drawn = self._draws[:, asked]
        sampled = drawn[drawn.any(axis=1)]
        # Not by a matrix product, whose last bits depend on how many threads there are.
        means = np.einsum("rv,vm->rm", sampled, each) / sampled.sum(axis=1, keepdims=True)
        samples = [(*pair, word_sets.f1(*pair)) for pair in means.tolist()]
        low, high = np.quantile(samples, [(1 - intervals.LEVEL) / 2, (1 + intervals.LEVEL) / 2], axis=0).tolist()
        precision, recall = each.mean(axis=0).tolist()
        values = (precision, recall, word_sets.f1(precision, recall))
        return dict(zip(MEASURES, zip(values, low, high, strict=True), strict=True))

    def _rarity(self) -> list[dict[str, Any]]:
        """Return the recall of words by how many of the adversary's texts have them."""
        reading = self._readings[self._answer].reading
        place = {word: number for number, word in enumerate(reading.words)}
        asked = np.zeros((len(self._bags), len(_RARITIES)))
        right, same, named = np.zeros_like(asked), np.zeros_like(asked), np.zeros(len(_RARITIES), np.int64)
        for victim, own in enumerate(self._bags):
            for word in own:
                band = self._band(word)
                asked[victim, band] += 1
                right[victim, band] += word in place and reading.named[victim, place[word]]
                same[victim, band] += word in self._frequent["all"]
        for word, often in zip(reading.words, reading.named.sum(axis=0).tolist(), strict=True):
            named[self._band(word)] += often
        found = []
        for number, fewest in enumerate(_RARITIES):
            has = asked[:, number] > 0
            hits, of = right[None, has, number], asked[None, has, number]
            rng = generator(self._seed, "rarity", number)
            value, low, high = intervals.mean_share(hits, of, rng) if has.any() else (float("nan"),) * 3
            found.append(
                {
                    "fewest": fewest,
                    "most": _RARITIES[number + 1] - 1 if number + 1 < len(_RARITIES) else -1,
                    "occurrences": of.sum(),
                    "named": named[number],
                    "recall": value,
                    "low": low,
                    "high": high,
                    "frequency": same[:, number].sum() / of.sum() if has.any() else float("nan"),
                }
            )
        return found

    def _band(self, word: str) -> int:
        """Return the number of a word's rarity."""
        return bisect_right(_RARITIES, self._counts.get(word, 0)) - 1

    def _words(self) -> list[dict[str, Any]]:
        scored = self._readings[self._answer]
        return [
            {
                "victim": victim,
                "row": self._rows[victim],
                "sentence": self._sentences[victim],
                **word,
                "there": len(self._bags[victim]),
            }
            for victim in range(min(_SHOWN, len(self._bags)))
            for word in _shown(scored, victim, len(self._bags[victim]))
        ]


def _shown(scored: _Scored, text: int, there: int) -> list[dict[str, Any]]:
    """Return the likeliest words for one text: all that are named, and as many as stand there, but a dozen at least."""
    reading, present = scored.reading, scored.present[text]
    scores, named = reading.scores[text], reading.named[text]
    order = np.lexsort((-scores, ~named))[: max(_LEAST_SHOWN, there, int(named.sum()))]
    return [
        {
            "place": place,
            "word": reading.words[word],
            "score": scores[word],
            "named": named[word],
            "present": present[word],
        }
        for place, word in enumerate(order, start=1)
    ]


def _present(own: Sequence[frozenset[str]], words: Sequence[str]) -> NDArray[np.bool_]:
    """Return which words stand in which texts, (texts, words)."""
    return np.asarray(word_sets.presence(own, words).toarray() > 0)


def _best_number(present: NDArray[np.bool_], sizes: NDArray[np.int64]) -> int:
    """Return how many of the first words should be named for every text for the best F1.

    Args:
        present: (texts, words) whether each stands there, the most frequent first.
        sizes: (texts,) how many different words stand there.
    """
    if not present.any():
        return 0
    right = np.cumsum(present[sizes > 0], axis=1)
    precision = right.mean(axis=0) / np.arange(1, right.shape[1] + 1)
    recall = (right / sizes[sizes > 0, None]).mean(axis=0)
    return int(np.argmax([word_sets.f1(*pair) for pair in zip(precision.tolist(), recall.tolist(), strict=True)])) + 1
