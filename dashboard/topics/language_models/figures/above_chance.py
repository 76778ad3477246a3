"""Which training hides members from every stored adversary, and who is shown to beat chance where the attack is not."""

import math
from collections.abc import Sequence
from typing import Any

from core.result import Result
from core.statistics.wording import area
from core.statistics.wording.naming import adversary_name, lowered
from core.statistics.wording.variants import BLIND
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once

CHANCE = 0.5
VALUES = ("beside_auc", "beside_low", "beside_high")
COLUMNS = ("beside", *VALUES)
"""Columns of the highest AUC beside the attack’s own whose interval lies above chance: whose it is, and the AUC."""
_OWN, _NAIVE = "its adversary", "the naive adversary"


@once
def beside(result: Result, naive: Result | None, size: int) -> dict[str, Any]:
    """Return the highest AUC above chance beside that of an attack, for `COLUMNS`; empty and NaN where none is.

    Args:
        result: Of the attack, with its other statistics.
        naive: The same of an adversary that does not know the defense; None where none is stored.
        size: Documents of a target.
    """
    above = [
        (row, f"{who}, by {lowered(adversary_name(row.variant))}")
        for who, of in ((_OWN, result), (_NAIVE, naive))
        if of is not None and "curve" in of.tables
        for row in records(of.tables["curve"])
        if row.size == size and row.auc_low > CHANCE and row.variant not in _passed_over(of, who)
    ]
    row, name = max(above, key=lambda each: each[0].auc, default=(None, ""))
    ends = (math.nan,) * len(VALUES) if row is None else (row.auc, row.auc_low, row.auc_high)
    return {"beside": name, **dict(zip(VALUES, ends, strict=True))}


def _passed_over(result: Result, who: str) -> tuple[str, ...]:
    """Return the blind baseline, which asks no model, and of the attack itself what its own point shows."""
    return (BLIND, str(result.experiment["attack"]["part"])) if who == _OWN else (BLIND,)


@once
def unshown(rows: Sequence[Any]) -> list[str]:
    """Say with which settings no stored adversary is shown to beat chance, and which does where the attack does not.

    Args:
        rows: Settings with which the attack itself is not shown to beat chance, with `COLUMNS`.
    """
    hidden = [row.name for row in rows if not row.beside]
    said = [f"No adversary here is shown to beat chance with {joined(hidden)}."] if hidden else []
    beaten = [(row, area(*(getattr(row, name) for name in VALUES))) for row in rows if row.beside]
    if beaten:
        (first, auc), *others = beaten
        text = f"With {first.name} the attack itself is not shown to beat chance, but {first.beside}, is: AUC {auc}"
        further = "".join(f"; nor with {row.name}, but {row.beside}, is: AUC {auc}" for row, auc in others)
        said.append(f"{text}{further}.")
    return said
