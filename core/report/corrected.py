"""Figures of a result that lie above their chance, corrected for how many figures it has."""

import math
import re
from typing import Any

from core.experiment import Experiment
from core.report import audited, private
from core.result import Estimate, Result, distinct
from core.statistics.intervals import low_of_many

_OF_THE_MODEL = re.compile(r"utility|(retrieval|neighbours|classifier|perplexity)_.*")
"""Estimates of how well a model serves its purpose: above chance, they are no leak."""
_OF_TEXTS = re.compile(r".*_model_free(_[0-9]+)?")
"""Estimates of the blind baseline, which asks no model: above chance, they are no leak of the model."""


def above_chance(experiment: Experiment, result: Result, *, with_names: bool) -> dict[str, Any]:
    """Return how many figures of a result lie above chance, of how many, and those beside the main ones.

    Bonferroni's correction: each interval is widened to the level ``1 - 0.05 / figures``, in the ratio of the normal
    quantiles. A bound without width is left as it is, which errs towards too many.
    """
    with_names |= audited.is_audit(result) or experiment.game.part_name() in private.NAMES_NOTHING
    figures = {name: estimate for name, estimate in distinct(result.estimates).items() if _compares(name, estimate)}
    widened = {
        name: low_of_many(estimate.value, estimate.low, len(figures)) - (estimate.chance or 0.0)
        for name, estimate in figures.items()
    }
    above = [name for name, lead in widened.items() if lead > 0]
    above.sort(key=lambda name: (figures[name].chance or 0.0) - figures[name].value)
    main = [name if name in figures else name.rpartition("_")[0] for name in audited.main_figures(result).values()]
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


def is_useful(name: str, result: Result) -> bool:
    """Tell whether a result has an estimate, and it says how well a model serves its purpose."""
    return name in result.estimates and _OF_THE_MODEL.fullmatch(name) is not None


def _compares(name: str, estimate: Estimate) -> bool:
    ends = (estimate.value, estimate.low)
    passed_over = _OF_THE_MODEL.fullmatch(name) or _OF_TEXTS.fullmatch(name)
    return not passed_over and estimate.chance is not None and all(map(math.isfinite, ends))
