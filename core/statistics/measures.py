"""Measures of decisions about membership: chance, unit and help text of each, and their columns."""

from dataclasses import dataclass

import numpy as np

from core.result import Column, Schema
from core.statistics.intervals import with_interval
from core.statistics.wording.units import AREA, DECISIONS, DIFFERENCE


@dataclass(frozen=True)
class Measure:
    """What a figure means.

    Attributes:
        chance: The value of guesses that are independent of membership.
        unit: What the figure is a share or probability of.
        help: One sentence for the page.
    """

    chance: float
    unit: str
    help: str


LOW_RATES = {"tpr_at_1pct_fpr": 0.01, "tpr_at_0.1pct_fpr": 0.001}
"""False-positive rates at which the true-positive rate is reported."""


def unmeasurable(rate: float, nonmembers: int) -> str:
    """Say that too few decisions about non-members are behind a true-positive rate; empty where there are enough.

    >>> unmeasurable(0.01, 60), unmeasurable(0.01, 100)
    ('not measurable with 60 decisions about non-members; 100 are needed', '')

    Args:
        rate: The false-positive rate, a fraction.
        nonmembers: The decisions.
    """
    if rate * nonmembers >= 1:
        return ""
    return f"not measurable with {nonmembers:,} decisions about non-members; {round(1 / rate):,} are needed"


# Stored results hold these units and sentences: another wording would give other bytes.
MEASURES = {
    "accuracy": Measure(0.5, DECISIONS, "Share of right guesses."),
    "auc": Measure(0.5, AREA, "Chance that a random member scores above a random non-member."),
    "advantage": Measure(
        0.0,
        DIFFERENCE,
        "Largest difference of true- and false-positive rate; slightly above 0 even for guesses, being a maximum.",
    ),
    **{
        name: Measure(
            rate, "share of members", f"Members found when at most {100 * rate:g} % of non-members are accused."
        )
        for name, rate in LOW_RATES.items()
    },
    "precision": Measure(0.5, "share of accusations", "Members among those called members."),
    "recall": Measure(0.5, "share of members", "Members called members; a coin finds half of them."),
}

AUC: Schema = with_interval("auc", "Area under the ROC curve; chance is 0.5.")

ROC: Schema = {
    "false_positive_rate": Column("float64", "Share of non-members taken for members."),
    "true_positive_rate": Column("float64", "Share of members taken for members."),
    "low": Column("float64", "Lower end of the 95% band."),
    "high": Column("float64", "Upper end of the 95% band."),
}
"""One row a false-positive rate; `Decisions.roc` yields them."""

ROC_RATES = np.unique(np.concatenate([[0.0], np.geomspace(1e-3, 1, 61)]))
"""False-positive rates of a stored curve."""
LOWEST_ROC_RATES = np.unique(np.concatenate([[0.0], np.geomspace(1e-4, 1, 61)]))
"""The same where there are thousands of decisions about non-members."""
ROC_RESAMPLES = 200
"""Resamples of the band where there are many curves."""
