"""The score of reassembly: how many of a text's words stand at the top of its ranking."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.games.reassembly.contract import Answer
from core.result import Column, Estimate, Schema, Tables, table
from core.runtime.seeding import generator
from core.statistics.intervals import mean_of, with_interval
from core.statistics.wording.units import VICTIMS
from core.text.secrets import Keyword

TOP = 10
"""Words shown for each text."""

SCHEMAS: dict[str, Schema] = {
    "rankings": {
        "variant": Column(
            "str",
            "The attack, 'naive' for one that does not know the defenses, 'frequency' for the "
            "same ranking for all texts, or 'random'.",
        ),
        "measure": Column("str", "'recall_at_10', 'precision_at_10' or 'average_precision'."),
        **with_interval("value", "Mean over the victims.", bare=True),
    },
    "candidates": {
        "word": Column("str", "The candidate."),
        "share": Column("float64", "Share of the adversary's texts in which it stands."),
        "victims": Column("int32", "Victims whose text has it."),
        "auc": Column(
            "float64",
            "AUC of the word: texts that have it against texts that have not; NaN when all have it, or none.",
        ),
        "top": Column("float64", "Share of the victims that have it for whom it is among the top ten; NaN for none."),
    },
    "words": {
        "victim": Column("int32", "Number of the victim; the first 100 only."),
        "row": Column("int32", "Row of the victim's text in the dataset."),
        "sentence": Column("int32", "Which sentence of that text, from 0; -1 for the whole text."),
        "place": Column("int32", "1 for the likeliest word."),
        "word": Column("str", "The word."),
        "probability": Column("float32", "How likely the adversary thinks it."),
        "present": Column("bool", "Whether it stands in the text."),
        "findable": Column("int32", "How many of the candidates stand in the text."),
    },
}

_MOST_VICTIMS = 100
_HELP = {
    "recall_at_10": "Share of the candidates in a text that are among the ten ranked first, mean over the victims.",
    "precision_at_10": "Share of the ten words ranked first that are in the text, mean over the victims.",
    "average_precision": "Area under precision and recall of a text's ranking, mean over the victims.",
}


def recall(probabilities: NDArray[np.float32], present: NDArray[np.bool_]) -> float:
    """Return the mean recall among the ten ranked first, NaN without texts.

    Args:
        probabilities: (draws · texts, words) how likely each candidate stands in the text, draw below draw.
        present: (texts, words) whether it does; at least one in each text.
    """
    if not len(present):
        return float("nan")
    truth = np.tile(present, (len(probabilities) // len(present), 1))
    return float((_hits(probabilities, truth) / truth.sum(axis=1)).mean())


def _hits(probabilities: NDArray[np.float32], present: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return how many of the ten ranked first stand in each text; of equals, absent ones come first."""
    order = np.lexsort((present, -probabilities), axis=1)
    return np.asarray(np.take_along_axis(present, order, axis=1)[:, :TOP].sum(axis=1), np.int64)


@dataclass(frozen=True)
class Scorer:
    """The candidates and the truth, against which answers are scored.

    Attributes:
        words: The candidates.
        shares: (words,) share of the adversary's texts in which each stands.
        present: (victims, words) whether the candidate stands in the victim's text; at least one does.
        rows: (victims,) row of the text in the dataset.
        sentences: (victims,) which sentence of it, -1 for the whole text.
        seed: Source of the resampling.
    """

    words: tuple[str, ...]
    shares: NDArray[np.float64]
    present: NDArray[np.bool_]
    rows: NDArray[np.int64]
    sentences: NDArray[np.int64]
    seed: int

    def estimates(self, answer: Answer) -> dict[str, Estimate]:
        """Return the figures of an answer; chance is the ranking by frequency, the same for all texts."""
        chance = self._by_frequency
        return {
            name: Estimate(
                **self._mean(values),
                chance=float(chance[name].mean()),
                unit=VICTIMS,
                decisions=len(values),
                help=f"{_HELP[name]} Chance ranks by frequency.",
            )
            for name, values in self._measures(answer.probabilities).items()
        }

    def tables(self, answers: Mapping[str, Answer]) -> Tables:
        """Return the figures of each ranking, those of each candidate, and the top ten of each victim.

        Args:
            answers: By variant, the attack's own first.
        """
        shuffled = generator(self.seed, "random").random(self.present.shape).astype(np.float32)
        rankings = {name: answer.probabilities for name, answer in answers.items()}
        probabilities = next(iter(rankings.values()))
        measured = {name: self._measures(ranking) for name, ranking in rankings.items()}
        measured |= {"frequency": self._by_frequency, "random": self._measures(shuffled)}
        rows = [
            {"variant": name, "measure": measure, **self._mean(values)}
            for name, measures in measured.items()
            for measure, values in measures.items()
        ]
        return {
            "rankings": table(SCHEMAS["rankings"], rows),
            "candidates": table(SCHEMAS["candidates"], self._candidates(probabilities)),
            "words": table(SCHEMAS["words"], self._words(probabilities)),
        }

    @cached_property
    def _by_frequency(self) -> dict[str, NDArray[np.float64]]:
        """Measures of the ranking by frequency; of equally frequent words the first candidate is first."""
        ranks = np.argsort(np.argsort(-self.shares, kind="stable"), kind="stable")
        return self._measures(np.broadcast_to(-ranks.astype(np.float32), self.present.shape))

    def _measures(self, probabilities: NDArray[np.float32]) -> dict[str, NDArray[np.float64]]:
        """Return each measure, (victims,)."""
        from sklearn.metrics import average_precision_score

        hits = _hits(probabilities, self.present)
        areas = np.atleast_1d(average_precision_score(self.present.T, probabilities.T, average=None))
        return {
            "recall_at_10": hits / self.present.sum(axis=1),
            "precision_at_10": hits / min(TOP, len(self.words)),
            "average_precision": areas.astype(np.float64),
        }

    def _order(self, probabilities: NDArray[np.float32]) -> NDArray[np.int64]:
        """Return the candidates of each victim, likeliest first; of equals, absent ones come first."""
        return np.lexsort((self.present, -probabilities), axis=1)

    def _mean(self, values: NDArray[np.float64]) -> dict[str, Any]:
        return mean_of(values, generator(self.seed, "intervals"))._asdict()

    def _candidates(self, probabilities: NDArray[np.float32]) -> list[dict[str, Any]]:
        from sklearn.metrics import roc_auc_score

        top = np.zeros(self.present.shape, dtype=np.bool_)
        np.put_along_axis(top, self._order(probabilities)[:, :TOP], True, axis=1)
        rows = []
        for number, word in enumerate(self.words):
            present = self.present[:, number]
            separable = 0 < present.sum() < len(present)
            rows.append(
                {
                    "word": word,
                    "share": self.shares[number],
                    "victims": present.sum(),
                    "auc": roc_auc_score(present, probabilities[:, number]) if separable else np.nan,
                    "top": top[present, number].mean() if present.any() else np.nan,
                }
            )
        return rows

    def _words(self, probabilities: NDArray[np.float32]) -> list[dict[str, Any]]:
        return [
            {
                "victim": victim,
                "row": self.rows[victim],
                "sentence": self.sentences[victim],
                "place": rank,
                "word": self.words[word],
                "probability": probabilities[victim, word],
                "present": self.present[victim, word],
                "findable": self.present[victim].sum(),
            }
            for victim, order in enumerate(self._order(probabilities)[:_MOST_VICTIMS])
            for rank, word in enumerate(order[:TOP], start=1)
        ]


def presence(texts: Sequence[str], words: Sequence[str]) -> NDArray[np.bool_]:
    """Return whether each word stands in each text as a word of its own, (texts, words)."""
    keywords = {word.casefold(): Keyword(word) for word in words}
    rows = np.zeros((len(texts), len(words)), dtype=np.bool_)
    for row, text in zip(rows, texts, strict=True):
        folded = text.casefold()
        # Most words are absent, which the cheap test shows.
        row[:] = [word in folded and bool(keyword.read(text)) for word, keyword in keywords.items()]
    return rows
