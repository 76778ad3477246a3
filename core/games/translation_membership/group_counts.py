"""Estimates about groups of sentence pairs: each group is one decision, but the stored n counts its pairs."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from core.result import Estimate
from core.statistics.wording.units import DECISIONS

if TYPE_CHECKING:
    import pandas as pd

SIZE = 30
"""Pairs in a group of the estimates."""
UNIT = "share of groups"
"""Unit of shares whose decisions are about groups."""


def counted(estimates: Mapping[str, Estimate], groups: "pd.DataFrame") -> dict[str, Estimate]:
    """Return estimates; those about groups have the number of groups as n.

    Args:
        estimates: Of translation membership, by name.
        groups: Its table of groups; without groups of `SIZE` pairs nothing changes.
    """
    of_size = groups[groups["size"] == SIZE].head(1)
    if of_size.empty:
        return dict(estimates)
    counts = {"members": int(of_size["members"].iloc[0]), "nonmembers": int(of_size["others"].iloc[0])}
    return {
        name: _with_counts(estimate, counts) if name.startswith("group_") else estimate
        for name, estimate in estimates.items()
    }


def _with_counts(estimate: Estimate, counts: Mapping[str, int]) -> Estimate:
    unit = UNIT if estimate.unit == DECISIONS else estimate.unit
    return estimate.model_copy(update={**counts, "unit": unit})
