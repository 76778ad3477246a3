"""The score of games about canaries: accuracy and error rate of the extracted words, and exposure of the secrets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.games.canaries.exposure import CanaryResult, unlearnt
from core.games.canaries.tables import SCHEMAS, canary_row, guess_rows, mixture_rows, restart_rows
from core.result import Estimate, Tables, table
from core.statistics.intervals import Interval, mean_of_few
from core.statistics.wording.units import BITS, CANARIES


@dataclass(frozen=True)
class Scorer:
    """Turns the results of all canaries into estimates and tables.

    Attributes:
        results: One for each canary of each network.
        method: The attack's main method.
        recorded_trials: Trials of which the course of the attack is kept.
    """

    results: Sequence[CanaryResult]
    method: str
    recorded_trials: int

    @property
    def _methods(self) -> list[str]:
        """The attack's main method, and the baselines."""
        names = {name for result in self.results for name in result.answer.guesses}
        return [self.method, *sorted(names - {self.method})]

    def estimates(self) -> dict[str, Estimate]:
        """Return the figures of all learned canaries, those of each pattern and repetitions, and the baselines'."""
        learned = [result for result in self.results if result.repetitions] or list(self.results)
        estimates: dict[str, Estimate] = {}
        for method in self._methods[1:]:
            if _complete(learned, method):
                estimates |= self._extraction(learned, method, f"_{method}")
        estimates |= self._extraction(learned, self.method, "") | self._exposure(learned, "")
        cells = list(self._cells())
        for name, repetitions, results in cells if len(cells) > 1 else ():
            suffix = f"_{repetitions}" if name == "all" else f"_{name}_{repetitions}"
            estimates |= self._extraction(results, self.method, suffix) | self._exposure(results, suffix)
        return estimates

    def tables(self, training: Sequence[dict[str, Any]]) -> Tables:
        """Return all tables, with a row of training for each epoch of each network."""
        cells: list[dict[str, Any]] = []
        exposures: list[dict[str, Any]] = []
        for name, repetitions, results in self._cells():
            cell = {"pattern": name, "repetitions": repetitions}
            exposures.append({**cell, **self._exposure_row(results)})
            cells += [
                {**cell, "method": method, "own": method == self.method, **self._extraction_row(results, method)}
                for method in self._methods
                if _complete(results, method)
            ]
        recorded = [result for result in self.results if result.trial < self.recorded_trials]
        rows: dict[str, list[dict[str, Any]]] = {
            "cells": cells,
            "exposures": exposures,
            "canaries": [canary_row(result) for result in self.results],
            "guesses": [row for result in self.results for row in guess_rows(result)],
            "mixtures": [row for result in recorded for row in mixture_rows(result)],
            "runs": [row for result in recorded for row in restart_rows(result)],
            "training": list(training),
        }
        return {name: table(schema, rows[name]) for name, schema in SCHEMAS.items()}

    def _cells(self) -> Iterator[tuple[str, int, list[CanaryResult]]]:
        """Yield results by repetitions: of all patterns, where there are several, then of each."""
        patterns = list(dict.fromkeys(result.canary.pattern.name for result in self.results))
        for repetitions in sorted({result.repetitions for result in self.results}):
            cell = [result for result in self.results if result.repetitions == repetitions]
            if len(patterns) > 1:
                yield "all", repetitions, cell
            for name in patterns:
                yield name, repetitions, [result for result in cell if result.canary.pattern.name == name]

    def _extraction_row(self, results: Sequence[CanaryResult], method: str) -> dict[str, Any]:
        wrong = _wrong(results, method)
        return {
            "canaries": len(results),
            **_mean_over_trials(1 - wrong.max(axis=2)).columns("accuracy"),
            "accuracy_chance": float(np.mean([1 / result.canary.space for result in results])),
            **_mean_over_trials(wrong.mean(axis=2)).columns("hamming"),
            "hamming_chance": 1 - float(np.mean([1 / len(result.canary.pattern.candidates) for result in results])),
        }

    def _extraction(self, results: Sequence[CanaryResult], method: str, suffix: str) -> dict[str, Estimate]:
        row, count = self._extraction_row(results, method), len(results)
        accuracy = "Canaries of which every unknown word was read."
        hamming = "Unknown words that were read wrongly; less is a stronger attack."
        return {
            f"accuracy{suffix}": _estimate(row, "accuracy", "accuracy_chance", CANARIES, count, accuracy),
            f"hamming_distance_per_token{suffix}": _estimate(
                row, "hamming", "hamming_chance", "share of words", count, hamming
            ),
        }

    def _exposure_row(self, results: Sequence[CanaryResult]) -> dict[str, Any]:
        spaces = {result.canary.space for result in results}
        truths = [(result, result.truth, result.losses[0]) for result in results]
        decoys = [(result, result.decoy, result.losses[1]) for result in results]
        (rank, bits), (control_rank, control_bits) = (
            (
                float(np.median([result.rank(secret, loss) for result, secret, loss in secrets])),
                _mean_bits([result.exposure(secret, loss) for result, secret, loss in secrets], results),
            )
            for secrets in (truths, decoys)
        )
        return {
            "canaries": len(results),
            "secrets": float(spaces.pop()) if len(spaces) == 1 else float("nan"),
            "ceiling": float(np.mean([result.ceiling for result in results])),
            "chance": float(np.mean([unlearnt(result.canary.space) for result in results])),
            "rank": rank,
            **bits.columns("exposure", bare=True),
            "control_rank": control_rank,
            **control_bits.columns("control"),
        }

    def _exposure(self, results: Sequence[CanaryResult], suffix: str) -> dict[str, Estimate]:
        row = self._exposure_row(results)
        row |= {"exposure_low": row["low"], "exposure_high": row["high"]}
        truth = "How far the truth stands out by the network’s loss: log2 of all secrets less log2 of its rank."
        decoy = "The same for secrets that were never learnt."
        return {
            f"exposure{suffix}": _estimate(row, "exposure", "chance", BITS, len(results), truth),
            f"exposure_control{suffix}": _estimate(row, "control", "chance", BITS, len(results), decoy),
        }


def _complete(results: Sequence[CanaryResult], method: str) -> bool:
    return all(method in result.answer.guesses for result in results)


def _estimate(row: dict[str, Any], name: str, chance: str, unit: str, count: int, text: str) -> Estimate:
    return Estimate(
        value=row[name],
        low=row[f"{name}_low"],
        high=row[f"{name}_high"],
        chance=row[chance],
        unit=unit,
        decisions=count,
        help=text,
    )


def _mean_over_trials(shares: NDArray[np.float64]) -> Interval:
    """Return the mean of (trials, canaries), with its interval over trials: canaries of one share networks."""
    return mean_of_few(shares.mean(axis=1))._replace(value=float(np.mean(shares.mean(axis=0))))


def _mean_bits(bits: Sequence[float], results: Sequence[CanaryResult]) -> Interval:
    """Return the mean exposure, with its interval over trials; it is at most that of secrets that all rank first."""
    trials = np.array([result.trial for result in results])
    means = np.array([np.mean(np.array(bits)[trials == trial]) for trial in np.unique(trials)])
    ceiling = float(np.mean([result.ceiling for result in results]))
    return mean_of_few(means, ceiling, capped=True)._replace(value=float(np.mean(bits)))


def _wrong(results: Sequence[CanaryResult], method: str) -> NDArray[np.float64]:
    """Return which words are wrong, (trials, canaries of each, unknown)."""
    trials = sorted({result.trial for result in results})
    return np.array(
        [
            [result.answer.guesses[method] != result.truth for result in results if result.trial == trial]
            for trial in trials
        ],
        dtype=np.float64,
    )
