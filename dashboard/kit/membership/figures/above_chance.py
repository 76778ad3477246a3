"""Which adversary of a result is shown to beat chance by its AUC: the one with the highest, of those that query."""

from collections.abc import Collection
from typing import Any

from core.result import Result
from core.statistics.wording.variants import BLIND
from dashboard.kit.figures.tables import records
from dashboard.kit.membership.figures.leak import CHANCE
from dashboard.kit.shared import once


@once
def highest(result: Result, size: int, passed_over: Collection[str] = ()) -> Any:
    """Return the row of the curve with the highest AUC whose interval lies above chance; None where none does.

    The blind baseline is left out: it asks no model.

    Args:
        result: Of an attack on membership.
        size: Documents of a target; 0 for all sizes.
        passed_over: Further adversaries that are left out.
    """
    rows = records(result.tables["curve"]) if "curve" in result.tables else []
    above = (
        row
        for row in rows
        if row.size == size and row.auc_low > CHANCE and row.variant != BLIND and row.variant not in passed_over
    )
    return max(above, key=lambda row: row.auc, default=None)
