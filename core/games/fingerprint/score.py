"""The score of encoder identification: accuracy, confusion, and what maps of the embeddings show."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.games.fingerprint.contract import Answer
from core.result import Column, Estimate, Schema, Tables, table
from core.runtime.context import Arrays
from core.runtime.seeding import generator
from core.statistics.intervals import Interval, Values, mean_of, with_interval

_FEWEST_MAPPED = 4

SCHEMAS: dict[str, Schema] = {
    "encoders": {
        "encoder": Column("str", "The candidate."),
        "dimension": Column("int32", "Length of its embeddings; 0 when it made none."),
        "victims": Column("int32", "Embeddings that it made."),
        **with_interval(
            "accuracy", "Share of them that were taken for its own; NaN when it made none.", "the", bare=True
        ),
    },
    "confusion": {
        "truth": Column("str", "The encoder that made the embeddings."),
        "guess": Column("str", "The encoder that they were taken for."),
        "victims": Column("int32", "How many they are."),
        "share": Column("float64", "Their share of the embeddings by that encoder; NaN when it made none."),
    },
}


@dataclass(frozen=True)
class Scorer:
    """The released embeddings and the truth, against which an answer is scored.

    Attributes:
        encoders: Name of each candidate.
        vectors: One embedding a victim.
        drawn: (victims,) number of the candidate that made it.
        rows: (victims,) row of its text in the dataset.
        seed: Source of the resampling and of the maps.
    """

    encoders: tuple[str, ...]
    vectors: tuple[NDArray[np.float32], ...]
    drawn: NDArray[np.int64]
    rows: NDArray[np.int64]
    seed: int

    def estimates(self, answer: Answer) -> dict[str, Estimate]:
        """Return the accuracy overall, by dimension alone, and for each dimension that several encoders share."""
        hits, lengths = self._guesses(answer) == self.drawn, self._lengths
        by_length = np.array([1 / len(set(self.drawn[lengths == length])) for length in lengths])
        chance = 1 / len(self.encoders)
        estimates = {
            "accuracy": self._estimate(hits, chance, "Share of embeddings whose encoder was named."),
            "accuracy_by_dimension": self._estimate(
                by_length, chance, "The same when one guesses among the encoders whose embeddings are as long."
            ),
        }
        for length in np.unique(lengths):
            group = lengths == length
            if (level := float(by_length[group][0])) < 1:
                estimates[f"accuracy_{length}"] = self._estimate(
                    hits[group], level, f"The same among the embeddings of {length} numbers."
                )
        return estimates

    def tables(self, answer: Answer) -> Tables:
        """Return the accuracy of each encoder, and the confusion between encoders."""
        guesses = self._guesses(answer)
        encoders, confusion = [], []
        for number, name in enumerate(self.encoders):
            group = self.drawn == number
            accuracy = self._mean(guesses[group] == number).columns("accuracy", bare=True)
            size = {"victims": group.sum(), "dimension": self._lengths[group][0] if group.any() else 0}
            encoders.append({"encoder": name, **size, **accuracy})
            for guess, other in enumerate(self.encoders):
                count = int((guesses[group] == guess).sum())
                share = count / group.sum() if group.any() else np.nan
                confusion.append({"truth": name, "guess": other, "victims": count, "share": share})
        return {
            "encoders": table(SCHEMAS["encoders"], encoders),
            "confusion": table(SCHEMAS["confusion"], confusion),
        }

    def kept(self, answer: Answer, mapped: int) -> Arrays:
        """Return what `core.games.fingerprint.maps.draw` draws.

        Returns:
            ``dimensions`` with enough victims for a map; for each, such as 7, its ``victims 7``, their ``embedding 7``
            and their ``hidden 7``; for every victim ``rows``, ``encoders`` and ``guesses`` by name; and ``seed``.
        """
        names, maps = np.array(self.encoders, np.str_), list(self._mapped(answer, mapped))
        kept = {
            "dimensions": np.array([length for length, _, _ in maps], np.int64),
            "rows": self.rows,
            "encoders": names[self.drawn],
            "guesses": names[self._guesses(answer)],
            "seed": np.array(self.seed, np.int64),
        }
        for length, victims, hidden in maps:
            embeddings = np.stack([self.vectors[victim] for victim in victims])
            kept |= {f"victims {length}": victims, f"embedding {length}": embeddings, f"hidden {length}": hidden}
        return kept

    @property
    def _lengths(self) -> NDArray[np.int64]:
        return np.array([len(vector) for vector in self.vectors], dtype=np.int64)

    def _guesses(self, answer: Answer) -> NDArray[np.int64]:
        return np.asarray(answer.probabilities.argmax(axis=1), dtype=np.int64)

    def _mean(self, values: Values) -> Interval:
        return mean_of(values, generator(self.seed, "intervals"))

    def _estimate(self, values: Values, chance: float, text: str) -> Estimate:
        mean = self._mean(values)._asdict()
        return Estimate(**mean, chance=chance, unit="share of victims", decisions=len(values), help=text)

    def _mapped(self, answer: Answer, mapped: int) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.float32]]]:
        """Yield each dimension with enough victims for a map, those on it, and their hidden layer."""
        lengths = self._lengths
        drawn = np.zeros(len(lengths), dtype=np.bool_)
        drawn[generator(self.seed, "map").permutation(len(lengths))[:mapped]] = True
        for length, hidden in sorted(answer.hidden.items()):
            group = np.flatnonzero(lengths == length)
            if drawn[group].sum() >= _FEWEST_MAPPED:
                yield length, group[drawn[group]], hidden[drawn[group]]
