"""Figures of a result that lie above their chance, corrected for how many figures it has."""

import math
import re
from typing import Any

from core.report import audited
from core.result import Estimate, Result
from core.statistics.intervals import low_of_many

_OF_THE_MODEL = ("utility", "retrieval_recall_at_10", "neighbours_kept", "classifier_test", "classifier_train")
"""Estimates of how well a model serves its purpose: above chance, they are no leak."""
_OF_TEXTS = re.compile(r".*_model_free(_[0-9]+)?")
"""Estimates of the texts alone, about which no model is asked: above chance, they are no leak of the model."""


def above_chance(result: Result, *, with_names: bool) -> dict[str, Any]:
    """Return how many figures of a result lie above chance, of how many, and those beside the main ones.

    Bonferroni's correction: each interval is widened to the level ``1 - 0.05 / figures``, in the ratio of the normal
    quantiles. A bound without width is left as it is, which errs towards too many.

    Args:
        result: The result.
        with_names: Whether names of figures may be shown; some come from the user's own words, in audits none.
    """
    with_names, main = with_names or audited.is_audit(result), audited.main_figures(result).values()
    figures = {name: estimate for name, estimate in result.estimates.items() if _compares(name, estimate)}
    widened = {
        name: low_of_many(estimate.value, estimate.low, len(figures)) - (estimate.chance or 0.0)
        for name, estimate in figures.items()
    }
    above = [name for name, lead in widened.items() if lead > 0]
    above.sort(key=lambda name: (figures[name].chance or 0.0) - figures[name].value)
    others = [name for name in above if name not in main]
    return {
        "count": len(above),
        "of": len(figures),
        "most": audited.labelled(above[0], result) if above and with_names else None,
        "others": [
            {"label": audited.labelled(name, result) if with_names else None, **figures[name].model_dump()}
            for name in others
        ],
    }


def _compares(name: str, estimate: Estimate) -> bool:
    ends = (estimate.value, estimate.low)
    passed_over = name in _OF_THE_MODEL or _OF_TEXTS.fullmatch(name)
    return not passed_over and estimate.chance is not None and all(map(math.isfinite, ends))
