"""Figures of a result that lie above their chance, corrected for how many figures it has."""

import math
import re
from collections.abc import Mapping

from core.result import Estimate, distinct
from core.statistics.intervals import low_of_many

OF_THE_MODEL = re.compile(r"utility|(retrieval|neighbours|classifier|perplexity)_.*")
"""Estimates of how well a model serves its purpose: above chance, they are no leak."""
_OF_TEXTS = re.compile(r".*_model_free(_[0-9]+)?")
"""Estimates of the blind baseline, which asks no model: above chance, they are no leak of the model."""


def compared(estimates: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """Return the estimates that are compared with chance to say what leaks, each once."""
    return {name: estimate for name, estimate in distinct(estimates).items() if _compares(name, estimate)}


def above_chance(estimates: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """Return those of `compared` that lie above chance after Bonferroni's correction, the farthest first.

    Each interval is widened to the level ``1 - 0.05 / figures``, in the ratio of the normal quantiles. A bound without
    width is left as it is, which errs towards too many.
    """
    figures = compared(estimates)
    above = [
        name
        for name, estimate in figures.items()
        if low_of_many(estimate.value, estimate.low, len(figures)) > (estimate.chance or 0.0)
    ]
    above.sort(key=lambda name: (figures[name].chance or 0.0) - figures[name].value)
    return {name: figures[name] for name in above}


def _compares(name: str, estimate: Estimate) -> bool:
    ends = (estimate.value, estimate.low)
    passed_over = OF_THE_MODEL.fullmatch(name) or _OF_TEXTS.fullmatch(name)
    return not passed_over and estimate.chance is not None and all(map(math.isfinite, ends))
