"""The score of recitation: what is recited by copies and prefix, by how many draws, and word by word."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.games.recitation.contract import Answer
from core.games.recitation.passages import Passages
from core.games.recitation.tables import SCHEMAS
from core.result import Estimate, Tables, table
from core.runtime.seeding import generator
from core.statistics.intervals import UNKNOWN, Interval, mean_share

DRAWS = (1, 10, 100, 1000, 10_000)
"""Numbers of draws n of (n, p)-discoverable extraction."""
CERTAINTIES = (0.1, 0.5, 0.9)
"""Probabilities p of (n, p)-discoverable extraction."""


@dataclass(frozen=True)
class Recited:
    """What one model recited.

    Attributes:
        copies: (passages,) how often it was shown each passage.
        answer: The adversary's answer.
        log_rates: (passages,) log of the share of draws that give the passage after its longest prefix, in nats.
        before: What it said of each passage before it was trained here; None where it was trained from scratch.
    """

    copies: NDArray[np.int64]
    answer: Answer
    log_rates: NDArray[np.float64]
    before: Sequence[Sequence[str]] | None = None


@dataclass(frozen=True)
class Scorer:
    """Compares what models recited with the passages.

    Attributes:
        passages: The passages.
        longest: Length of the longest prefix, with which the passages begin.
        recited: What each model recited.
        seed: Source of the resampling.
        keep_wrong_words: Whether wrong words may be kept: they may be texts of other documents.
    """

    passages: Passages
    longest: int
    recited: Sequence[Recited]
    seed: int
    keep_wrong_words: bool

    @cached_property
    def copies(self) -> NDArray[np.int64]:
        """How often each model was shown each passage, (models, passages)."""
        return np.stack([recital.copies for recital in self.recited])

    @cached_property
    def right(self) -> dict[int, NDArray[np.bool_]]:
        """By length of the prefix, which words are right, (models, passages, words)."""
        return {
            length: np.stack([self._right(recital.answer.likeliest[length]) for recital in self.recited])
            for length in sorted(self.recited[0].answer.likeliest)
        }

    @cached_property
    def log_rates(self) -> NDArray[np.float64]:
        """Log of the share of draws that give each passage, in nats, (models, passages)."""
        return np.stack([recital.log_rates for recital in self.recited])

    @cached_property
    def hits(self) -> NDArray[np.int64]:
        """How many of the adversary's draws are right, (models, passages)."""
        return np.stack(
            [
                np.array(
                    [self._right(draws, number).all(axis=1).sum() for number, draws in enumerate(recital.answer.drawn)]
                )
                for recital in self.recited
            ]
        )

    def estimates(self) -> dict[str, Estimate]:
        """Return the share recited of all trained passages, by copies, and of the control; and what draws find."""
        complete = {length: np.asarray(right.all(axis=2)) for length, right in self.right.items()}
        trained, control = self._counted & (self.copies > 0), self._counted & (self.copies == 0)
        longest = complete[self.longest]
        chance = self._share(longest, control).value
        text = "Passages of the training text that the model recites word for word"
        estimates = {"accuracy": self._estimate(longest, trained, chance, f"{text}, over all numbers of copies.")}
        for copies in np.unique(self.copies[self.copies > 0]).tolist():
            times = "once" if copies == 1 else f"{copies} times"
            estimates[f"accuracy_{copies}_copies"] = self._estimate(
                longest, self._counted & (self.copies == copies), chance, f"{text}, where they stand in it {times}."
            )
        estimates["control"] = self._estimate(
            longest, control, None, "The same of passages that the model was never shown: chance."
        )
        known = [recital.before for recital in self.recited if recital.before is not None]
        if known:
            before = np.stack([self._right(continuations).all(axis=1) for continuations in known])
            estimates["untrained"] = self._estimate(
                before, trained, None, "The same passages, by the model as it was before it was trained on them."
            )
        for draws in DRAWS:
            likely = given(self.log_rates, draws) >= CERTAINTIES[1]
            estimates[f"discoverable_{draws}"] = self._estimate(
                likely,
                trained,
                self._share(likely, control).value,
                f"Passages that {draws:,} draws give at least once with a probability of {CERTAINTIES[1]:.0%} or more.",
            )
        common = self.passages.common
        estimates["common_phrases"] = Estimate.counted(
            float(common.mean()),
            "share of passages",
            "Passages of which the words to be recited stand in another document, too; counted apart.",
            of=len(common),
        )
        return estimates

    def tables(self) -> Tables:
        """Return all tables."""
        rows: dict[str, Iterator[dict[str, Any]]] = {
            "curve": self._curve(),
            "discoverable": self._discoverable(),
            "draws": self._draws(),
            "passages": self._passages(),
        }
        return {name: table(schema, list(rows[name])) for name, schema in SCHEMAS.items()}

    @property
    def _counted(self) -> NDArray[np.bool_]:
        """Which passages count, (models, passages): all but common phrases."""
        return np.broadcast_to(~self.passages.common, self.copies.shape)

    def _groups(self) -> Iterator[tuple[int, NDArray[np.bool_]]]:
        """Yield each number of copies, and which passages count there, (models, passages)."""
        for copies in np.unique(self.copies).tolist():
            yield copies, self._counted & (self.copies == copies)

    def _curve(self) -> Iterator[dict[str, Any]]:
        for length, right in self.right.items():
            complete, before = np.asarray(right.all(axis=2)), np.cumprod(right, axis=2).mean(axis=2)
            chance = self._share(complete, self._counted & (self.copies == 0)).value
            for copies, group in self._groups():
                common = (self.copies == copies) & ~self._counted
                yield {
                    "copies": copies,
                    "prefix": length,
                    "passages": group.sum(),
                    **self._share(complete, group).columns("recited", bare=True),
                    "chance": chance,
                    "words": before[group].mean() if group.any() else np.nan,
                    "common": common.sum(),
                    "common_recited": complete[common].mean() if common.any() else np.nan,
                }

    def _discoverable(self) -> Iterator[dict[str, Any]]:
        for copies, group in self._groups():
            for draws in DRAWS:
                for certainty in CERTAINTIES:
                    share = self._share(given(self.log_rates, draws) >= certainty, group)
                    yield {
                        "copies": copies,
                        "draws": draws,
                        "certainty": certainty,
                        "passages": group.sum(),
                        **share.columns("share", bare=True),
                    }

    def _draws(self) -> Iterator[dict[str, Any]]:
        total = len(self.recited[0].answer.drawn[0])
        steps = [draws for draws in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if draws < total]
        for copies, group in self._groups():
            for draws in [*steps, total]:
                yield {
                    "copies": copies,
                    "draws": draws,
                    "passages": group.sum(),
                    **self._share(1 - _missed(self.hits, total, draws), group).columns("found", bare=True),
                    "expected": given(self.log_rates, draws)[group].mean() if group.any() else np.nan,
                }

    def _passages(self) -> Iterator[dict[str, Any]]:
        drawn, before = self.passages, self.passages.words_before(self.longest)
        for model, recital in enumerate(self.recited):
            for number in range(len(drawn.rows)):
                for length, right in self.right.items():
                    words = recital.answer.likeliest[length][number]
                    yield {
                        "model": model,
                        "passage": number,
                        "row": drawn.rows[number],
                        "start": drawn.starts[number],
                        "truth": drawn.starts[number] + before[number],
                        "copies": recital.copies[number],
                        "common": drawn.common[number],
                        "prefix": length,
                        "right": "".join("1" if word else "0" for word in right[model, number]),
                        "recited": right[model, number].all(),
                        "log10_rate": recital.log_rates[number] / np.log(10),
                        "continuation": _but_right(words, right[model, number]) if self.keep_wrong_words else "",
                    }

    def _right(self, continuations: Sequence[Sequence[str]], passage: int | None = None) -> NDArray[np.bool_]:
        """Return which words of continuations are right, (continuations, words): of each passage, or all of one."""
        truths = self.passages.truths(self.longest)
        against = truths if passage is None else [truths[passage]] * len(continuations)
        pairs = zip(continuations, against, strict=True)
        return np.array([[one == other for one, other in zip(words, truth, strict=True)] for words, truth in pairs])

    def _share(self, hits: NDArray[Any], group: NDArray[np.bool_]) -> Interval:
        """Return the mean of (models, passages) within a group, with its interval over passages."""
        models = group.any(axis=1)
        if not models.any():
            return UNKNOWN
        weights = group[models].astype(np.float64)
        return mean_share(hits[models] * weights, weights, generator(self.seed, "intervals"))

    def _estimate(self, hits: NDArray[Any], group: NDArray[np.bool_], chance: float | None, text: str) -> Estimate:
        share = self._share(hits, group)._asdict()
        return Estimate(**share, chance=chance, unit="share of passages", decisions=int(group.sum()), help=text)


def given(log_rates: NDArray[np.float64], draws: int) -> NDArray[np.float64]:
    """Return the probability that as many draws give each passage at least once, shaped as ``log_rates`` (in nats).

    >>> given(np.log([0.5, 1.0]), draws=2).round(3).tolist()
    [0.75, 1.0]
    """
    return np.asarray(-np.expm1(draws * np.log1p(-np.exp(log_rates).clip(0, 1 - 1e-15))))


def _but_right(words: Sequence[str], right: NDArray[np.bool_]) -> str:
    """Return a continuation with ``=`` for each right word: a result keeps no word of the passage in its position.

    Wrong words stay; they may be those of another passage.
    """
    return " ".join("=" if true else word for word, true in zip(words, right, strict=True))


def _missed(hits: NDArray[np.int64], total: int, draws: int) -> NDArray[np.float64]:
    """Return the probability that some of all draws, chosen at random, miss a passage, shaped as ``hits``.

    >>> _missed(np.array([0, 1, 2]), total=4, draws=2).round(3).tolist()
    [1.0, 0.5, 0.167]
    """
    drawn = np.arange(draws)
    left = (total - hits[..., None] - drawn).clip(min=0) / (total - drawn)
    return np.asarray(left.prod(axis=-1))
