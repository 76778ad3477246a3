"""Keeps the score of a game of reassembly: how many of a text's words stand at the top of a ranking."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.result import Column, Estimate, Schema, table
from core.runtime.seeding import generator
from core.statistics import intervals
from core.text.secrets import Keyword

if TYPE_CHECKING:
    import pandas as pd

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
        "value": Column("float64", "Mean over the victims."),
        "low": Column("float64", "Lower end of its 95 % interval."),
        "high": Column("float64", "Upper end of its 95 % interval."),
    },
    "candidates": {
        "word": Column("str", "The candidate."),
        "share": Column("float64", "Share of the adversary's texts in which it stands."),
        "victims": Column("int32", "Victims whose text has it."),
        "auc": Column(
            "float64",
            "Probability that it is thought likelier in a text that has it than in one that has "
            "not; NaN when all have it, or none.",
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

_SHOWN = 100
_HELP = {
    "recall_at_10": "Share of the candidates in a text that are among the ten ranked first, mean over the victims.",
    "precision_at_10": "Share of the ten words ranked first that are in the text, mean over the victims.",
    "average_precision": "Area under precision and recall of a text's ranking, mean over the victims.",
}


@dataclass(frozen=True)
class Scorer:
    """What is ranked for whom, and the truth.

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

    def estimates(self, told: NDArray[np.float32]) -> dict[str, Estimate]:
        """Return the figures of a ranking; chance is the ranking by frequency, the same for all texts.

        Args:
            told: (victims, words) how likely each word is.
        """
        chance = {name: float(values.mean()) for name, values in self._measures(self._frequency()).items()}
        found = {}
        for name, values in self._measures(told).items():
            value, low, high = self._mean(values)
            found[name] = Estimate(
                value=value,
                low=low,
                high=high,
                chance=chance[name],
                unit="mean over victims",
                decisions=len(values),
                help=f"{_HELP[name]} Chance ranks by frequency.",
            )
        return found

    def tables(self, told: Mapping[str, NDArray[np.float32]]) -> "dict[str, pd.DataFrame]":
        """Return how well each ranking does, how well each candidate is read, and the top ten of each victim.

        Args:
            told: By variant, the attack's own first, (victims, words) how likely each word is.
        """
        own = next(iter(told.values()))
        shuffled = generator(self.seed, "random").random(self.present.shape).astype(np.float32)
        rankings: list[dict[str, Any]] = []
        for name, ranking in {**told, "frequency": self._frequency(), "random": shuffled}.items():
            for measure, values in self._measures(ranking).items():
                value, low, high = self._mean(values)
                rankings.append({"variant": name, "measure": measure, "value": value, "low": low, "high": high})
        return {
            "rankings": table(SCHEMAS["rankings"], rankings),
            "candidates": table(SCHEMAS["candidates"], self._candidates(own)),
            "words": table(SCHEMAS["words"], self._words(own)),
        }

    def _frequency(self) -> NDArray[np.float32]:
        """Return a ranking by frequency, (victims, words); of equally frequent words the first candidate is first."""
        ranks = np.argsort(np.argsort(-self.shares, kind="stable"), kind="stable")
        return np.broadcast_to(-ranks.astype(np.float32), self.present.shape)

    def _measures(self, told: NDArray[np.float32]) -> dict[str, NDArray[np.float64]]:
        """Return each measure, (victims,)."""
        from sklearn.metrics import average_precision_score

        hits = np.take_along_axis(self.present, self._order(told), axis=1)[:, :TOP].sum(axis=1)
        areas = [average_precision_score(truth, row) for truth, row in zip(self.present, told, strict=True)]
        return {
            "recall_at_10": hits / self.present.sum(axis=1),
            "precision_at_10": hits / min(TOP, len(self.words)),
            "average_precision": np.array(areas, dtype=np.float64),
        }

    def _order(self, told: NDArray[np.float32]) -> NDArray[np.int64]:
        """Return the candidates of each victim, likeliest first; of equals, those that are not there come first."""
        return np.lexsort((self.present, -told), axis=1)

    def _mean(self, values: NDArray[np.float64]) -> tuple[float, float, float]:
        return intervals.mean_share(values[None], np.ones((1, len(values))), generator(self.seed, "intervals"))

    def _candidates(self, told: NDArray[np.float32]) -> list[dict[str, Any]]:
        from sklearn.metrics import roc_auc_score

        top = np.zeros(self.present.shape, dtype=np.bool_)
        np.put_along_axis(top, self._order(told)[:, :TOP], True, axis=1)
        rows = []
        for number, word in enumerate(self.words):
            there = self.present[:, number]
            told_apart = roc_auc_score(there, told[:, number]) if 0 < there.sum() < len(there) else np.nan
            rows.append(
                {
                    "word": word,
                    "share": self.shares[number],
                    "victims": there.sum(),
                    "auc": told_apart,
                    "top": top[there, number].mean() if there.any() else np.nan,
                }
            )
        return rows

    def _words(self, told: NDArray[np.float32]) -> list[dict[str, Any]]:
        return [
            {
                "victim": victim,
                "row": self.rows[victim],
                "sentence": self.sentences[victim],
                "place": place,
                "word": self.words[word],
                "probability": told[victim, word],
                "present": self.present[victim, word],
                "findable": self.present[victim].sum(),
            }
            for victim, order in enumerate(self._order(told)[:_SHOWN])
            for place, word in enumerate(order[:TOP], start=1)
        ]


def presence(texts: Sequence[str], words: Sequence[str]) -> NDArray[np.bool_]:
    """Return whether each word stands in each text on its own, (texts, words)."""
    keywords = {word.casefold(): Keyword(word) for word in words}
    rows = np.zeros((len(texts), len(words)), dtype=np.bool_)
    for row, text in zip(rows, texts, strict=True):
        folded = text.casefold()
        # Most words are not there at all, which is seen at once.
        row[:] = [word in folded and bool(keyword.read(text)) for word, keyword in keywords.items()]
    return rows
