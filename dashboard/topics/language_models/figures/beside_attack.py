"""Which training hides members from every stored adversary, and who is shown to beat chance where the attack is not."""

import math
from collections.abc import Sequence
from typing import Any

from core.result import Result
from core.statistics.wording import area
from core.statistics.wording.naming import adversary_name, lowered
from dashboard.kit.figures.wording import joined
from dashboard.kit.membership.figures import above_chance
from dashboard.kit.shared import once

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
    attack = str(result.experiment["attack"]["part"])
    found = [(_OWN, above_chance.highest(result, size, (attack,)))]
    found += [(_NAIVE, above_chance.highest(naive, size))] if naive is not None else []
    above = [(who, row) for who, row in found if row is not None]
    if not above:
        return {"beside": "", **dict.fromkeys(VALUES, math.nan)}
    who, row = max(above, key=lambda each: each[1].auc)
    name = f"{who}, by {lowered(adversary_name(row.variant))}"
    return {"beside": name, **dict(zip(VALUES, (row.auc, row.auc_low, row.auc_high), strict=True))}


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
