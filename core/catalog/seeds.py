"""Promised results that differ in their seed only, and the means of their figures."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from core.catalog.entry import Entry
from core.result import Estimate
from core.statistics.intervals import mean_over_models

_FEWEST = 3
"""Fewest seeds whose mean has an interval worth a row."""
_FIGURE = re.compile(r"(accuracy|auc|tpr_at_1pct_fpr)(_[a-z_]*[a-z])?")
"""Names of the figures that are averaged, of every adversary; those of one size of targets end in a number."""


def repeated(entries: Iterable[Entry]) -> list[tuple[Entry, ...]]:
    """Return the groups of entries that differ in their seed only, of three seeds or more, by their first."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(json.dumps({**entry.values, "seed": None}, sort_keys=True), []).append(entry)
    return [tuple(group) for group in groups.values() if len(group) >= _FEWEST]


def means(results: Sequence[Mapping[str, Estimate]]) -> dict[str, Estimate]:
    """Return the mean over seeds of each figure that all results have, with Student's 95 % interval.

    Args:
        results: The estimates of each seed.
    """
    averaged = {}
    for name, first in results[0].items():
        if _FIGURE.fullmatch(name) and all(name in estimates for estimates in results):
            mean = mean_over_models(np.array([estimates[name].value for estimates in results]), share=True)
            averaged[name] = first.model_copy(update=mean._asdict())
    return averaged
