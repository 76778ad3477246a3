"""Keeps the score of a game of fingerprints: who was taken for whom, and maps of what was judged."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.games.fingerprint.contract import Answer
from core.result import Column, Estimate, Schema, table
from core.runtime.seeding import generator
from core.statistics import intervals
from core.statistics.projection import METHODS, project

if TYPE_CHECKING:
    import pandas as pd

_FEWEST_MAPPED = 4

SCHEMAS: dict[str, Schema] = {
    "encoders": {
        "encoder": Column("str", "The candidate."),
        "dimension": Column("int32", "Length of its embeddings; 0 when it made none."),
        "victims": Column("int32", "Embeddings that it made."),
        "accuracy": Column("float64", "Share of them that were taken for its own; NaN when it made none."),
        "low": Column("float64", "Lower end of the 95 % interval."),
        "high": Column("float64", "Upper end of the 95 % interval."),
    },
    "confusion": {
        "truth": Column("str", "The encoder that made the embeddings."),
        "guess": Column("str", "The encoder that they were taken for."),
        "victims": Column("int32", "How many they are."),
        "share": Column("float64", "Their share of the embeddings by that encoder; NaN when it made none."),
    },
    "map": {
        "layer": Column("str", "'embedding' for the embeddings, 'hidden' for the classifier's hidden layer."),
        "method": Column("str", "'pca' for principal components, 'umap' for a map of neighbourhoods."),
        "dimension": Column("int32", "Length of the embeddings, which are only laid out with those as long."),
        "victim": Column("int32", "Number of the victim."),
        "row": Column("int32", "Row of its text in the dataset."),
        "encoder": Column("str", "The encoder that made it."),
        "guess": Column("str", "The encoder that it was taken for."),
        "x": Column("float32", "Across."),
        "y": Column("float32", "Up."),
    },
}


@dataclass(frozen=True)
class Scorer:
    """What was released, and the truth.

    Attributes:
        encoders: Name of each candidate.
        vectors: One embedding a victim.
        drawn: (victims,) which candidate made it.
        rows: (victims,) row of its text in the dataset.
        seed: Source of the resampling and of the maps.
    """

    encoders: tuple[str, ...]
    vectors: tuple[NDArray[np.float32], ...]
    drawn: NDArray[np.int64]
    rows: NDArray[np.int64]
    seed: int

    def estimates(self, told: Answer) -> dict[str, Estimate]:
        """Return the accuracy, over all and for each length that several encoders have, and the length's own share."""
        hits, lengths = self._guesses(told) == self.drawn, self._lengths
        alone = np.array([1 / len(set(self.drawn[lengths == length])) for length in lengths])
        chance = 1 / len(self.encoders)
        found = {
            "accuracy": self._estimate(hits.astype(np.float64), chance, "Share of embeddings whose encoder was named."),
            "accuracy_by_dimension": self._estimate(
                alone, chance, "The same when one guesses among the encoders whose embeddings are as long."
            ),
        }
        for length in np.unique(lengths):
            among = lengths == length
            if alone[among][0] < 1:
                found[f"accuracy_{length}"] = self._estimate(
                    hits[among].astype(np.float64),
                    float(alone[among][0]),
                    f"The same among the embeddings of {length} numbers.",
                )
        return found

    def tables(self, told: Answer, mapped: int) -> "dict[str, pd.DataFrame]":
        """Return how well each encoder was told, who was taken for whom, and the maps.

        Args:
            told: What the adversary said.
            mapped: Most victims on the maps.
        """
        guesses = self._guesses(told)
        encoders, confusion = [], []
        for number, name in enumerate(self.encoders):
            own = self.drawn == number
            accuracy, low, high = self._mean((guesses == number)[own].astype(np.float64))
            dimension = self._lengths[own][0] if own.any() else 0
            encoders.append(
                {
                    "encoder": name,
                    "dimension": dimension,
                    "victims": own.sum(),
                    "accuracy": accuracy,
                    "low": low,
                    "high": high,
                }
            )
            for guess, other in enumerate(self.encoders):
                count = int((guesses[own] == guess).sum())
                share = count / own.sum() if own.any() else np.nan
                confusion.append({"truth": name, "guess": other, "victims": count, "share": share})
        return {
            "encoders": table(SCHEMAS["encoders"], encoders),
            "confusion": table(SCHEMAS["confusion"], confusion),
            "map": table(SCHEMAS["map"], [row for rows in self._maps(told, mapped) for row in rows]),
        }

    @property
    def _lengths(self) -> NDArray[np.int64]:
        return np.array([len(vector) for vector in self.vectors], dtype=np.int64)

    def _guesses(self, told: Answer) -> NDArray[np.int64]:
        return np.asarray(told.probabilities.argmax(axis=1), dtype=np.int64)

    def _mean(self, values: NDArray[np.float64]) -> tuple[float, float, float]:
        if not len(values):
            return np.nan, np.nan, np.nan
        return intervals.mean_share(values[None], np.ones((1, len(values))), generator(self.seed, "intervals"))

    def _estimate(self, values: NDArray[np.float64], chance: float, says: str) -> Estimate:
        value, low, high = self._mean(values)
        return Estimate(
            value=value, low=low, high=high, chance=chance, unit="share of victims", decisions=len(values), help=says
        )

    def _maps(self, told: Answer, mapped: int) -> Iterator[list[dict[str, Any]]]:
        guesses, lengths = self._guesses(told), self._lengths
        shown = np.zeros(len(lengths), dtype=np.bool_)
        shown[generator(self.seed, "map").permutation(len(lengths))[:mapped]] = True
        for length, hidden in sorted(told.hidden.items()):
            victims = np.flatnonzero(lengths == length)
            chosen = shown[victims]
            if chosen.sum() < _FEWEST_MAPPED:
                continue
            some = victims[chosen]
            layers = {"embedding": np.stack([self.vectors[victim] for victim in some]), "hidden": hidden[chosen]}
            for layer, points in layers.items():
                for method in METHODS:
                    places = project(points, method, self.seed)
                    yield [
                        {
                            "layer": layer,
                            "method": method,
                            "dimension": length,
                            "victim": victim,
                            "row": self.rows[victim],
                            "encoder": self.encoders[self.drawn[victim]],
                            "guess": self.encoders[guesses[victim]],
                            "x": x,
                            "y": y,
                        }
                        for victim, (x, y) in zip(some, places, strict=True)
                    ]
