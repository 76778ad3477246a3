"""Decisions at a threshold: the rate of true and of false positives, each with its interval."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from core.statistics.decisions import Decisions, Statistic, false_positive_rate, recall


@dataclass(frozen=True)
class DecisionRates(Decisions):
    """Decisions whose true- and false-positive rates, at the threshold of their guesses, are the figures."""

    statistics: ClassVar[Mapping[str, Statistic]] = {
        "true_positive_rate": recall,
        "false_positive_rate": false_positive_rate,
    }
