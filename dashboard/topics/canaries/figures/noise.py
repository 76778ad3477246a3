"""Private training and the same training without noise, among the rows of defenses."""

import pandas as pd

from dashboard.kit.shared import once
from dashboard.topics.canaries.figures.defenses import PRIVATE, WITHOUT_NOISE


@once
def noise(rows: "pd.Series[str]") -> tuple[str, str]:
    """Return the names of the row of private training and of that of the same training without it, "" where none is.

    >>> noise(pd.Series(["No defense", "No defense, in batches of 512", "Private training, epsilon 8"]))
    ('Private training, epsilon 8', 'No defense, in batches of 512')
    """
    names = list(rows)
    private, without_noise = (
        next((name for name in names if name.startswith(beginning)), "") for beginning in (PRIVATE, WITHOUT_NOISE)
    )
    return private, without_noise
