"""The score of ranking: where a vector's own text stands among the candidates, and which candidates are stored."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.games.ranking.contract import Answer
from core.result import Column, Estimate, Schema, Tables, table
from core.runtime.seeding import generator
from core.statistics.decisions import Decisions
from core.statistics.intervals import Interval, mean_of, settled, uncertain, with_interval
from core.statistics.measures import LOWEST_ROC_RATES, MEASURES, ROC
from core.statistics.one_model import REMARKED, random_marks, under_marks

_LISTS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
"""Lengths of a list of candidates at which the ranking is scored, besides the whole list."""
_MEMBERSHIP = ("auc", "tpr_at_1pct_fpr")

_VARIANT = Column("str", "The attack, or 'naive' for one that does not know the defenses.")
SCHEMAS: dict[str, Schema] = {
    "rankings": {
        "variant": _VARIANT,
        "candidates": Column("int32", "Length of the list: the vector's own text, and decoys drawn at random."),
        "measure": Column("str", "'accuracy', the own text ranked first, or 'reciprocal_rank', 1 over its place."),
        **with_interval("value", "Mean over the victims, expected over the draws of decoys.", bare=True),
        "chance": Column("float64", "What a random order gives."),
    },
    "places": {
        "victim": Column("int32", "Number of the victim."),
        "row": Column("int32", "Row of the victim's text in the dataset."),
        "sentence": Column("int32", "Which sentence of that text, from 0; -1 for the whole text."),
        "place": Column("int32", "Place of the own text among all candidates, from 1."),
        "similarity": Column("float64", "Similarity to the own text."),
        "best_decoy": Column("float64", "Similarity to the most similar decoy."),
    },
    "stored": {
        "variant": _VARIANT,
        "candidate": Column("int32", "Number of the candidate."),
        "member": Column("bool", "Whether its vector is in the store."),
        "score": Column("float64", "Similarity to the most similar vector, less the threshold; above 0: stored."),
    },
    "roc": {"variant": _VARIANT, **ROC},
}


@dataclass(frozen=True)
class OneStore(Decisions):
    """Decisions about the texts of one store: intervals are over texts.

    An end lies beyond chance only if random marks on the same scores hardly reach the figure.
    """

    def figures(self, names: Iterable[str], rng: np.random.Generator) -> dict[str, Interval]:
        """Return figures with their 95% intervals; those not measurable are NaN."""
        figures = super().figures(names, rng)
        marks = random_marks(self.member[0], np.arange(self.member.size), rng)
        return {
            name: settled(figure, MEASURES[name].chance, partial(under_marks, self, marks, name))
            for name, figure in figures.items()
        }

    def _ends(self, low: float, high: float) -> tuple[float, float]:
        members = int(self.member.sum())
        return uncertain(low, high, min(members, self.member.size - members))


def ranks(
    similarity: NDArray[np.float64], true_candidates: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return the rank of each vector's own text, (vectors,), from 1; ties are broken at random.

    Args:
        similarity: (vectors, candidates) what is ranked.
        true_candidates: (vectors,) number of the vector's own text.
        rng: Source of the order of equals.
    """
    reached = similarity[np.arange(len(true_candidates)), true_candidates][:, None]
    above, equal = (similarity > reached).sum(axis=1), (similarity == reached).sum(axis=1)
    return np.asarray(1 + above + rng.integers(equal), np.int64)


def expected(ranks: NDArray[np.int64], decoys: int, length: int) -> dict[str, NDArray[np.float64]]:
    """Return what a shorter list would give, in expectation over the decoys drawn, (victims,) a measure.

    With ``b`` of ``D`` decoys above the own text, it is first in a list of ``n`` with probability
    C(D-b, n-1) / C(D, n-1), and 1 over its place is (1 - C(D-b, n) / C(D+1, n)) (D+1) / (n (b+1)) on average.

    Args:
        ranks: (victims,) rank of the own text among all candidates.
        decoys: All candidates but one.
        length: Candidates of the shorter list, the own text included.

    >>> expected(np.array([1, 2, 3]), 2, 2)
    {'accuracy': array([1. , 0.5, 0. ]), 'reciprocal_rank': array([1.  , 0.75, 0.5 ])}
    """
    above = ranks - 1.0
    # Quotients of binomials as products, one factor for each decoy above.
    steps = np.arange(decoys)
    first = np.cumprod(np.append(1.0, np.clip((decoys - length + 1 - steps) / (decoys - steps), 0, None)))
    none = np.cumprod(np.append(1.0, np.clip((decoys + 1 - length - steps) / (decoys + 1 - steps), 0, None)))
    reciprocal = 1 - none[ranks - 1] * (decoys + 1 - length - above) / (decoys + 1 - above)
    return {
        "accuracy": first[ranks - 1].round(12),
        "reciprocal_rank": (reciprocal * (decoys + 1) / (length * (above + 1))).round(12),
    }


def chance(length: int) -> dict[str, float]:
    """Return what a random order of a list gives."""
    return {"accuracy": 1 / length, "reciprocal_rank": float((1 / np.arange(1, length + 1)).sum()) / length}


@dataclass(frozen=True)
class Scorer:
    """The truth, against which answers are scored.

    Attributes:
        true_candidates: (victims,) number of the candidate behind each stored vector.
        member: (candidates,) whether the candidate is stored.
        rows: (victims,) row of the text in the dataset.
        sentences: (victims,) which sentence of it, -1 for the whole text.
        seed: Source of the resampling, and of the order of equals.
    """

    true_candidates: NDArray[np.int64]
    member: NDArray[np.bool_]
    rows: NDArray[np.int64]
    sentences: NDArray[np.int64]
    seed: int

    def estimates(self, answer: Answer) -> dict[str, Estimate]:
        """Return the figures of an answer among all candidates."""
        length, victims = len(self.member), len(self.true_candidates)
        among = f"among {length:,} candidates."
        helps = {
            "accuracy": ("share of victims", f"Vectors whose own text is ranked first {among}"),
            "reciprocal_rank": ("reciprocal rank", f"1 over the place of a vector's own text, on average, {among}"),
        }
        levels, intervals = chance(length), self._intervals(self._ranks(answer), length)
        ranked = {
            name: Estimate(**intervals[name]._asdict(), chance=levels[name], unit=unit, decisions=victims, help=text)
            for name, (unit, text) in helps.items()
        }
        decisions = self._decisions(answer)
        figures = decisions.figures(_MEMBERSHIP, generator(self.seed, "membership"))
        return {**ranked, **decisions.estimates(figures), **self._called(answer)}

    def tables(self, answers: Mapping[str, Answer]) -> Tables:
        """Return the figures by length of the list, the ranks, and the decisions about each candidate.

        Args:
            answers: By variant, the attack's own first.
        """
        rankings, stored, roc = [], [], []
        for variant, answer in answers.items():
            rankings += [{"variant": variant, **row} for row in self._rankings(answer)]
            stored += [
                {"variant": variant, "candidate": candidate, "member": member, "score": score}
                for candidate, (member, score) in enumerate(zip(self.member, answer.stored, strict=True))
            ]
            curve = self._decisions(answer).roc(LOWEST_ROC_RATES, generator(self.seed, "roc"))
            roc += [{"variant": variant, **row} for row in curve]
        return {
            "rankings": table(SCHEMAS["rankings"], rankings),
            "places": table(SCHEMAS["places"], self._victim_rows(next(iter(answers.values())))),
            "stored": table(SCHEMAS["stored"], stored),
            "roc": table(SCHEMAS["roc"], roc),
        }

    def _ranks(self, answer: Answer) -> NDArray[np.int64]:
        return ranks(answer.similarity, self.true_candidates, generator(self.seed, "ties"))

    def _decisions(self, answer: Answer) -> OneStore:
        return OneStore(self.member[None], answer.stored[None])

    def _mean(self, values: NDArray[np.float64] | NDArray[np.bool_]) -> Interval:
        return mean_of(values, generator(self.seed, "intervals"))

    def _called(self, answer: Answer) -> dict[str, Estimate]:
        """Return the shares of stored and of other candidates that the adversary takes for stored, at its threshold."""
        positive = answer.stored > 0
        texts = {
            "found": (True, "Stored candidates that are said to be stored, at the adversary's own threshold."),
            "false_alarms": (False, "Candidates that are not stored and said to be, at the adversary's own threshold."),
        }
        return {
            name: Estimate(
                **self._mean(positive[self.member == member])._asdict(),
                chance=None,
                unit="share of texts",
                decisions=int((self.member == member).sum()),
                help=text,
            )
            for name, (member, text) in texts.items()
        }

    def _rankings(self, answer: Answer) -> list[dict[str, Any]]:
        ranks, longest = self._ranks(answer), len(self.member)
        lengths = [*(length for length in _LISTS if length < longest), longest]
        return [
            {"candidates": length, "measure": name, **interval._asdict(), "chance": chance(length)[name]}
            for length in lengths
            for name, interval in self._intervals(ranks, length).items()
        ]

    def _intervals(self, ranks: NDArray[np.int64], length: int) -> dict[str, Interval]:
        """Return the mean of each measure over the victims among ``length`` candidates, with its interval.

        An end lies beyond chance only if places drawn at random hardly give such a mean.
        """
        decoys, levels = len(self.member) - 1, chance(length)

        def by_chance(name: str) -> NDArray[np.float64]:
            drawn = generator(self.seed, "places by chance").integers(1, decoys + 2, (REMARKED, len(ranks)))
            return np.asarray(expected(drawn, decoys, length)[name].mean(axis=1))

        return {
            name: settled(self._mean(values), levels[name], partial(by_chance, name))
            for name, values in expected(ranks, decoys, length).items()
        }

    def _victim_rows(self, answer: Answer) -> dict[str, Any]:
        numbers = np.arange(len(self.true_candidates))
        decoys = answer.similarity.copy()
        decoys[numbers, self.true_candidates] = -np.inf
        return {
            "victim": numbers,
            "row": self.rows,
            "sentence": self.sentences,
            "place": self._ranks(answer),
            "similarity": answer.similarity[numbers, self.true_candidates],
            "best_decoy": decoys.max(axis=1),
        }
