"""Figures of a result that lie above their chance, corrected for how many figures it has."""

import math
from typing import Any

from core.report.sentences import labelled
from core.result import Estimate, Result
from core.statistics.intervals import low_of_many

_OF_THE_MODEL = ("utility", "retrieval_recall_at_10", "neighbours_kept", "classifier_test", "classifier_train")
"""Estimates of how well a model serves its purpose: above chance, they are no leak."""


def above_chance(result: Result, *, with_names: bool) -> dict[str, Any]:
    """Return how many figures of a result lie above chance, of how many, and which exceeds it most.

    Bonferroni's correction: each interval is widened to the level ``1 - 0.05 / figures``, in the ratio of the normal
    quantiles. A bound without width is left as it is, which errs towards too many.

    Args:
        result: The result.
        with_names: Whether names of figures may be shown; some come from the user's own words.
    """
    figures = {name: estimate for name, estimate in result.estimates.items() if _compares(name, estimate)}
    widened = {
        name: low_of_many(estimate.value, estimate.low, len(figures)) - (estimate.chance or 0.0)
        for name, estimate in figures.items()
    }
    above = [name for name, lead in widened.items() if lead > 0]
    most = max(above, key=lambda name: figures[name].value - (figures[name].chance or 0.0), default=None)
    return {"count": len(above), "of": len(figures), "most": labelled(most) if most and with_names else None}


def _compares(name: str, estimate: Estimate) -> bool:
    ends = (estimate.value, estimate.low)
    return name not in _OF_THE_MODEL and estimate.chance is not None and all(map(math.isfinite, ends))
