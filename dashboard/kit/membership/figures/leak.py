"""Which intervals above chance show a leak, of several that are looked at, and why the others do not."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from core.statistics.intervals import low_of_many
from core.statistics.wording import area, percent
from dashboard.kit.shared import once

CHANCE = 0.5


@once
def constant(scores: pd.DataFrame) -> Mapping[int, float]:
    """Return how often one and the same answer each time is right, for targets of each size; 0 stands for all sizes.

    Coins seldom fall evenly: who always says “in” is right as often as they say so.

    Args:
        scores: Table of the membership game, with the secret bits.
    """
    means = scores.groupby("size")["member"].mean()
    shares = {0: scores["member"].mean(), **dict(zip(means.index.tolist(), means.tolist(), strict=True))}
    return {size: max(share, 1 - share) for size, share in shares.items()}


def doubt(row: Any, constants: Mapping[int, float], intervals: int, *, ranks: bool = False) -> str:
    """Return why an interval of accuracy above chance shows no leak; empty where it shows one.

    Args:
        row: An adversary's row of the table ``curve``, whose lower end is above chance.
        constants: See `constant`; chance where a size has none.
        intervals: How many intervals were looked at, for which this one is widened.
        ranks: Whether the adversary must rank better than chance, too.
    """
    level = constants.get(row.size, CHANCE)
    if not row.low > level:
        return f"one and the same answer each time would be right in {percent(level)}"
    if ranks and not row.auc_low > CHANCE:
        return f"its AUC, {area(row.auc, row.auc_low, row.auc_high)}, is not shown to be better than chance"
    if not low_of_many(row.accuracy, row.low, intervals) > level:
        end = f"the {percent(level)} of one and the same answer each time" if level > CHANCE else "chance"
        return f"widened for all {intervals} intervals, it includes {end}"
    return ""
