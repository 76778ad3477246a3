"""Keeps the score of a game of extraction: how many words of the secrets were read, and how exposed they are."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.games.extraction.exposure import CanaryResult, unlearnt
from core.result import Column, Estimate, Schema, table
from core.runtime.seeding import generator
from core.statistics import intervals

if TYPE_CHECKING:
    import pandas as pd

SCHEMAS: dict[str, Schema] = {
    "cells": {
        "pattern": Column("str", "What the canaries look like; 'all' for the mean over the patterns."),
        "repetitions": Column("int32", "How often each was put among the data."),
        "method": Column("str", "How they were read."),
        "own": Column("bool", "Whether this is the attack's own method."),
        "canaries": Column("int32", "Number of canaries."),
        "accuracy": Column("float64", "Share of canaries that were read without a mistake."),
        "accuracy_low": Column("float64", "Lower end of its 95 % interval."),
        "accuracy_high": Column("float64", "Upper end of its 95 % interval."),
        "accuracy_chance": Column("float64", "The same by guessing at random."),
        "hamming": Column("float64", "Share of unknown words that were read wrongly (HDT)."),
        "hamming_low": Column("float64", "Lower end of its 95 % interval."),
        "hamming_high": Column("float64", "Upper end of its 95 % interval."),
        "hamming_chance": Column("float64", "The same by guessing at random."),
    },
    "exposures": {
        "pattern": Column("str", "What the canaries look like; 'all' for the mean over the patterns."),
        "repetitions": Column("int32", "How often each was put among the data."),
        "canaries": Column("int32", "Number of canaries."),
        "secrets": Column("float64", "How many secrets are possible; NaN for several patterns."),
        "ceiling": Column("float64", "Bits of exposure when the truth ranks first."),
        "chance": Column("float64", "Bits of exposure of a secret that was never learnt, on average."),
        "rank": Column("float64", "Median rank of the true secret among all, by the network's loss; 1 is best."),
        "exposure": Column("float64", "Mean exposure, bits: log2 of the number of secrets less log2 of the rank."),
        "low": Column("float64", "Lower end of its 95 % interval."),
        "high": Column("float64", "Upper end of its 95 % interval."),
        "control_rank": Column("float64", "Median rank of a secret that was drawn alike and never learnt."),
        "control": Column("float64", "Mean exposure of such secrets, bits."),
        "control_low": Column("float64", "Lower end of its 95 % interval."),
        "control_high": Column("float64", "Upper end of its 95 % interval."),
    },
    "canaries": {
        "model": Column("int32", "Number of the network."),
        "trial": Column("int32", "Number of the trial, each with canaries of its own."),
        "pattern": Column("str", "What the canary looks like."),
        "repetitions": Column("int32", "How often it was put among the data."),
        "beginning": Column("str", "The words that the adversary knows."),
        "truth": Column("str", "The words that it does not."),
        "rank": Column("float64", "Rank of the truth among all secrets, by the network's loss; 1 is best."),
        "exact": Column("bool", "Whether all secrets were ranked, or a sample of them."),
        "exposure": Column("float64", "Exposure of the truth, bits."),
        "loss": Column("float64", "The network's loss with the truth."),
        "control_rank": Column("float64", "Rank of a secret that was never learnt."),
    },
    "guesses": {
        "model": Column("int32", "Number of the network."),
        "pattern": Column("str", "What the canary looks like."),
        "method": Column("str", "How it was read."),
        "guess": Column("str", "The unknown words, as they were read."),
        "wrong": Column("int32", "How many of them are wrong."),
        "loss": Column("float64", "The network's loss with the guess."),
    },
    "mixtures": {
        "model": Column("int32", "Number of the network."),
        "pattern": Column("str", "What the canary looks like."),
        "step": Column("int32", "Steps of the attack by then."),
        "position": Column("int32", "Number of the unknown word, from 1."),
        "candidate": Column("str", "What it may be."),
        "probability": Column("float32", "Its share in the mixture of the run that the attack trusts."),
    },
    "runs": {
        "model": Column("int32", "Number of the network."),
        "pattern": Column("str", "What the canary looks like."),
        "run": Column("int32", "Number of the random beginning."),
        "guess": Column("str", "The unknown words, where it ended."),
        "loss": Column("float64", "The network's loss there; the smallest counts."),
    },
    "training": {
        "model": Column("int32", "Number of the network."),
        "pass": Column("int32", "Passes over the data by then."),
        "train_loss": Column("float64", "Mean loss of a request in that pass, while it was learnt."),
        "validation_loss": Column(
            "float64", "Mean loss of a request for validation, a tenth of the canaries included."
        ),
        "intent_accuracy": Column("float64", "Share of requests for validation of which the intent is named."),
        "slot_f1": Column("float64", "F1 of the slots in requests for validation."),
    },
}


class Scorer:
    """Everything that was read, and what it comes to."""

    def __init__(self, readings: Sequence[CanaryResult], own: str, shown: int, seed: int) -> None:
        """Hold what was read.

        Args:
            readings: One for each canary of each network.
            own: The attack's own method.
            shown: Of how many trials the course of the attack is kept.
            seed: Source of the resampling.
        """
        self._readings = readings
        self._own = own
        self._shown = shown
        self._seed = seed
        self._methods = [own, *sorted({name for reading in readings for name in reading.answer.guesses} - {own})]

    def estimates(self) -> dict[str, Estimate]:
        """Return the figures over all canaries that were learnt, those of each pattern and number, and the rivals'."""
        learnt = [reading for reading in self._readings if reading.repetitions] or list(self._readings)
        found: dict[str, Estimate] = {}
        for method in self._methods[1:]:
            if all(method in reading.answer.guesses for reading in learnt):
                found |= self._read(learnt, method, f"_{method}")
        found |= self._read(learnt, self._own, "") | self._exposed(learnt, "")
        cells = list(self._groups())
        for name, repetitions, readings in cells if len(cells) > 1 else ():
            suffix = f"_{repetitions}" if name == "all" else f"_{name}_{repetitions}"
            found |= self._read(readings, self._own, suffix) | self._exposed(readings, suffix)
        return found

    def tables(self, training: Sequence[dict[str, Any]]) -> "dict[str, pd.DataFrame]":
        """Return all tables.

        Args:
            training: A row for each pass of each network.
        """
        cells: list[dict[str, Any]] = []
        exposures: list[dict[str, Any]] = []
        for name, repetitions, readings in self._groups():
            place = {"pattern": name, "repetitions": repetitions}
            exposures.append({**place, **self._exposure_row(readings)})
            cells += [
                {**place, "method": method, "own": method == self._own, **self._row(readings, method)}
                for method in self._methods
                if all(method in reading.answer.guesses for reading in readings)
            ]
        shown = [reading for reading in self._readings if reading.trial < self._shown]
        return {
            "cells": table(SCHEMAS["cells"], cells),
            "exposures": table(SCHEMAS["exposures"], exposures),
            "canaries": table(SCHEMAS["canaries"], [_canary(reading) for reading in self._readings]),
            "guesses": table(SCHEMAS["guesses"], [row for reading in self._readings for row in _guesses(reading)]),
            "mixtures": table(SCHEMAS["mixtures"], [row for reading in shown for row in _mixtures(reading)]),
            "runs": table(SCHEMAS["runs"], [row for reading in shown for row in _runs(reading)]),
            "training": table(SCHEMAS["training"], list(training)),
        }

    def _groups(self) -> Iterator[tuple[str, int, list[CanaryResult]]]:
        """Yield readings by repetitions, all patterns together where there are several, then one at a time."""
        patterns = list(dict.fromkeys(reading.question.pattern.name for reading in self._readings))
        for repetitions in sorted({reading.repetitions for reading in self._readings}):
            own = [reading for reading in self._readings if reading.repetitions == repetitions]
            if len(patterns) > 1:
                yield "all", repetitions, own
            for name in patterns:
                yield name, repetitions, [reading for reading in own if reading.question.pattern.name == name]

    def _row(self, readings: Sequence[CanaryResult], method: str) -> dict[str, Any]:
        accuracy, hamming = (self._share(_wrong(readings, method), whole=whole) for whole in (True, False))
        chances = [1 / len(reading.question.pattern.candidates) for reading in readings]
        spaces = [1 / reading.question.space for reading in readings]
        return {
            "canaries": len(readings),
            "accuracy": accuracy[0],
            "accuracy_low": accuracy[1],
            "accuracy_high": accuracy[2],
            "accuracy_chance": float(np.mean(spaces)),
            "hamming": hamming[0],
            "hamming_low": hamming[1],
            "hamming_high": hamming[2],
            "hamming_chance": 1 - float(np.mean(chances)),
        }

    def _share(self, wrong: NDArray[np.float64], *, whole: bool) -> tuple[float, float, float]:
        """Return the share of canaries without a mistake, or of wrong words, and its interval over trials.

        Args:
            wrong: (trials, canaries, unknown) 1 where a word is wrong; canaries of one trial share networks or words.
            whole: Whether whole canaries count.
        """
        counted = 1 - wrong.max(axis=2) if whole else wrong.mean(axis=2)  # (trials, canaries)
        rng = generator(self._seed, "intervals")
        value, low, high = intervals.mean_share(counted.T, np.ones_like(counted.T), rng)
        return value, low, high

    def _read(self, readings: Sequence[CanaryResult], method: str, suffix: str) -> dict[str, Estimate]:
        row = self._row(readings, method)
        unit = {"accuracy": "share of canaries", "hamming": "share of words"}
        says = {
            "accuracy": "Canaries of which every unknown word was read.",
            "hamming": "Unknown words that were read wrongly; less is a stronger attack.",
        }
        return {
            f"{name}{suffix}": Estimate(
                value=row[key],
                low=row[f"{key}_low"],
                high=row[f"{key}_high"],
                chance=row[f"{key}_chance"],
                unit=unit[key],
                decisions=len(readings),
                help=says[key],
            )
            for name, key in (("accuracy", "accuracy"), ("hamming_distance_per_token", "hamming"))
        }

    def _exposure_row(self, readings: Sequence[CanaryResult]) -> dict[str, Any]:
        spaces = {reading.question.space for reading in readings}
        told, control = (
            self._mean_bits(
                [reading.exposure(secret, loss) for reading, secret, loss in _secrets(readings, which)], readings
            )
            for which in (0, 1)
        )
        ranks = [
            float(np.median([reading.rank(secret, loss) for reading, secret, loss in _secrets(readings, which)]))
            for which in (0, 1)
        ]
        return {
            "canaries": len(readings),
            "secrets": float(spaces.pop()) if len(spaces) == 1 else float("nan"),
            "ceiling": float(np.mean([reading.ceiling for reading in readings])),
            "chance": float(np.mean([unlearnt(reading.question.space) for reading in readings])),
            "rank": ranks[0],
            "exposure": told[0],
            "low": told[1],
            "high": told[2],
            "control_rank": ranks[1],
            "control": control[0],
            "control_low": control[1],
            "control_high": control[2],
        }

    def _mean_bits(self, bits: Sequence[float], readings: Sequence[CanaryResult]) -> tuple[float, float, float]:
        """Return the mean, and its interval when trials are drawn again."""
        trials = np.array([reading.trial for reading in readings])
        several = np.unique(trials)
        means = np.array([np.mean(np.array(bits)[trials == trial]) for trial in several])
        drawn = generator(self._seed, "intervals").choice(means, (2000, len(means))).mean(axis=1)
        low, high = np.quantile(drawn, [0.025, 0.975])
        return float(np.mean(bits)), float(low), float(high)

    def _exposed(self, readings: Sequence[CanaryResult], suffix: str) -> dict[str, Estimate]:
        row = self._exposure_row(readings)
        return {
            f"exposure{suffix}": Estimate(
                value=row["exposure"],
                low=row["low"],
                high=row["high"],
                chance=row["chance"],
                unit="bits",
                decisions=len(readings),
                help="How far the truth stands out by the network’s loss: log2 of all secrets less log2 of its rank.",
            ),
            f"exposure_control{suffix}": Estimate(
                value=row["control"],
                low=row["control_low"],
                high=row["control_high"],
                chance=row["chance"],
                unit="bits",
                decisions=len(readings),
                help="The same for secrets that were never learnt.",
            ),
        }


def _wrong(readings: Sequence[CanaryResult], method: str) -> NDArray[np.float64]:
    """Return which words are wrong, (trials, canaries of each, unknown)."""
    trials = sorted({reading.trial for reading in readings})
    return np.array(
        [
            [reading.answer.guesses[method] != reading.truth for reading in readings if reading.trial == trial]
            for trial in trials
        ],
        dtype=np.float64,
    )


def _secrets(readings: Sequence[CanaryResult], which: int) -> list[tuple[CanaryResult, NDArray[np.int64], float]]:
    """Return each reading with the truth, or with the decoy, and the network's loss with it."""
    return [(reading, (reading.truth, reading.decoy)[which], reading.losses[which]) for reading in readings]


def _canary(reading: CanaryResult) -> dict[str, Any]:
    return {
        "model": reading.model,
        "trial": reading.trial,
        "pattern": reading.question.pattern.name,
        "repetitions": reading.repetitions,
        "beginning": " ".join(reading.question.beginning),
        "truth": reading.spelt(reading.truth),
        "rank": reading.rank(reading.truth, reading.losses[0]),
        "exact": reading.exact,
        "exposure": reading.exposure(reading.truth, reading.losses[0]),
        "loss": reading.losses[0],
        "control_rank": reading.rank(reading.decoy, reading.losses[1]),
    }


def _guesses(reading: CanaryResult) -> Iterator[dict[str, Any]]:
    for method, guess in reading.answer.guesses.items():
        yield {
            "model": reading.model,
            "pattern": reading.question.pattern.name,
            "method": method,
            "guess": reading.spelt(guess),
            "wrong": int((guess != reading.truth).sum()),
            "loss": reading.answer.losses[method],
        }


def _mixtures(reading: CanaryResult) -> Iterator[dict[str, Any]]:
    for step, mixture in zip(reading.answer.steps.tolist(), reading.answer.mixture.tolist(), strict=True):
        for position, shares in enumerate(mixture, 1):
            for candidate, share in zip(reading.question.pattern.candidates, shares, strict=False):
                yield {
                    "model": reading.model,
                    "pattern": reading.question.pattern.name,
                    "step": step,
                    "position": position,
                    "candidate": candidate,
                    "probability": share,
                }


def _runs(reading: CanaryResult) -> Iterator[dict[str, Any]]:
    for number, (words, loss) in enumerate(zip(reading.answer.runs, reading.answer.run_losses.tolist(), strict=True)):
        yield {
            "model": reading.model,
            "pattern": reading.question.pattern.name,
            "run": number,
            "guess": reading.spelt(words),
            "loss": loss,
        }
