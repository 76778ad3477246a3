"""The utility of a setting beside that without a defense, in words."""

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd

from core.statistics.wording import measured_in, percent, rounded
from dashboard.kit.figures.wording import apart, points
from dashboard.kit.shared import once

NAMES = {"utility": "downstream accuracy", "neighbours_test": "accuracy in finding the next sentence"}
"""What the utility is, by the estimate that measures it."""
RETRIEVAL = "retrieval_recall_at_10"
"""Estimate of the share of nearest neighbours that a search in the released embeddings still finds."""
USEFUL = (*NAMES, RETRIEVAL)
"""Estimates for which higher is better."""


@once
def cheapest_first(known: pd.DataFrame) -> pd.DataFrame:
    """Return settings, the one with most utility first; of equals, the one where the adversary does worse."""
    return known.sort_values(["utility", "success"], ascending=[False, True], kind="stable")


def overlap(first: Any, second: Any, measure: str) -> bool:
    """Tell whether the intervals of a measure overlap in two rows; an unknown end overlaps everything."""
    ends = ((getattr(row, f"{measure}_low"), getattr(row, f"{measure}_high")) for row in (first, second))
    (low, high), (other_low, other_high) = ends
    return not (high < other_low or other_high < low)


def of(row: Any, before: Any | None) -> str:
    """Return what happens to the utility as a verb phrase, with both values; intervals that overlap show no change."""
    if not math.isfinite(row.utility):
        return "has a utility that was not measured"
    if before is None or not math.isfinite(before.utility):
        return f"keeps a utility of {percent(row.utility)}"
    lost, noun = before.utility - row.utility, NAMES.get(row.service, "utility")
    shares = percent(row.utility), percent(before.utility)
    if overlap(row, before, "utility"):
        return f"is not shown to change the {noun} ({shares[0]}, {shares[1]} without a defense)"
    if shares[0] == shares[1]:  # whole percents would hide what is shown
        shares = f"{rounded(row.utility, 1)}%", f"{rounded(before.utility, 1)}%"
    values = f"{shares[0]}, {shares[1]} without a defense"
    return f"{'costs' if lost > 0 else 'adds'} {apart(*shares)} of {noun} ({values})"


def of_search(row: Any, before: Any | None) -> str:
    """Return how many of the nearest neighbours a search still finds, and whether fewer than without a defense."""
    text = f"A search among these embeddings {_search(row)}"
    if before is None or overlap(row, before, "recall"):
        return text
    more = "fewer" if before.recall > row.recall else "more"
    return f"{text}, {_difference(row, before, 'recall')} {more} than without a defense"


def change(first: Any, last: Any) -> str:
    """Return how the utility changes between two settings as a verb phrase; intervals that overlap show no change."""
    shares = percent(first.utility), percent(last.utility)
    if overlap(first, last, "utility"):
        return f"is not shown to change ({shares[0]} and {shares[1]})"
    return f"goes from {shares[0]} to {shares[1]}"


def between(inner: Sequence[Any], ends: tuple[Any, Any], measure: str) -> str:
    """Return the lowest and highest value of a measure between two ends, where intervals set it apart from both.

    Args:
        inner: The settings between both ends of a curve.
        ends: The first setting and the last.
        measure: Column of the compared measure.
    """
    known = [row for row in inner if math.isfinite(getattr(row, measure))]
    if not known:
        return ""
    lowest = min(known, key=lambda row: float(getattr(row, measure)))
    highest = max(known, key=lambda row: float(getattr(row, measure)))
    lows = all(getattr(lowest, f"{measure}_high") < getattr(end, f"{measure}_low") for end in ends)
    highs = all(getattr(highest, f"{measure}_low") > getattr(end, f"{measure}_high") for end in ends)
    candidates = [(lows, "lowest", lowest), (highs, "highest", highest)]
    return "".join(
        f", {extreme} between them at {row.setting}, {percent(getattr(row, measure))}"
        for applies, extreme, row in candidates
        if applies
    )


def beside(row: Any, before: Any | None) -> str:
    """Return the utility of a setting beside that without a defense, and whether it is above chance.

    Intervals that overlap show no loss; where they are apart, the difference is that of the values. Where it was
    measured, also how many of the nearest neighbours a search still finds.
    """
    text = f"its utility is {measured_in(row, 'utility')}"
    if before is not None and math.isfinite(before.utility):
        if overlap(row, before, "utility"):
            side = "not shown to be lower than"
        else:
            side = f"{_difference(row, before, 'utility')} {'below' if row.utility < before.utility else 'above'}"
        text += f", {side} the {measured_in(before, 'utility')} without a defense"
    return f"{text}{_further(row)}"


def _difference(row: Any, before: Any, measure: str) -> str:
    """Return how far a measure is from that without a defense, as rounded in texts; finer where both round alike."""
    shares = measured_in(row, measure), measured_in(before, measure)
    alike = len({share.partition(" ")[0] for share in shares}) == 1
    return points(abs(getattr(before, measure) - getattr(row, measure))) if alike else apart(*shares)


def _further(row: Any) -> str:
    text = f", and its interval {at}" if (at := at_chance(row)) else ""
    if math.isfinite(row.recall):
        text += f", and a search {_search(row)}"
    return text


def _search(row: Any) -> str:
    text = f"finds {measured_in(row, 'recall')} of the ten nearest"
    if row.recall_low <= row.recall_chance:
        return f"{text}, which is not shown to be more than chance, {percent(row.recall_chance)}"
    return f"still {text}"


def at_chance(row: Any) -> str:
    """Return whether the interval of a utility includes chance or lies below it; empty where it lies above."""
    if not row.utility_low <= row.utility_chance:
        return ""
    return (
        f"{'lies below' if row.utility_high < row.utility_chance else 'includes'} chance, {percent(row.utility_chance)}"
    )
