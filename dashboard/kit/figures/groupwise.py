"""Estimates about groups of sentence pairs: each group is one decision, but the stored n counts its pairs."""

from collections.abc import Mapping

import pandas as pd

from core.result import Estimate
from dashboard.kit.shared import once

SIZE = 30
"""Pairs in a group of the headline estimates."""
UNIT = "share of groups"
"""Unit of estimates whose decisions are about groups."""


@once
def counted(estimates: Mapping[str, Estimate], groups: pd.DataFrame) -> dict[str, Estimate]:
    """Return estimates; those about groups have the number of groups as n.

    Args:
        estimates: Of translation membership, by name.
        groups: Its table of groups; without groups of `SIZE` pairs nothing changes.
    """
    headline = groups[groups["size"] == SIZE].head(1)
    if headline.empty:
        return dict(estimates)
    counts = {"members": int(headline["members"].iloc[0]), "nonmembers": int(headline["others"].iloc[0])}
    return {
        name: estimate.model_copy(update={**counts, "unit": UNIT}) if name.startswith("group_") else estimate
        for name, estimate in estimates.items()
    }
