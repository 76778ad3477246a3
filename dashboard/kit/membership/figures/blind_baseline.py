"""By how much each adversary exceeds the blind baseline, which reads the texts and asks no model."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from core.result import Estimate
from core.statistics.intervals import Interval, difference, of_many
from core.statistics.measures import LOW_RATES
from core.statistics.wording import area, measured_in, percent
from core.statistics.wording.naming import counted, documents
from core.statistics.wording.variants import BLIND
from dashboard.kit.figures.paired import ends
from dashboard.kit.figures.rows import interval_of
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined, points, variant
from dashboard.kit.membership.figures.headline import Measure, outcomes
from dashboard.kit.shared import once

LEVEL = "text alone"
"""Name of its level in a figure."""
_ENDS: Mapping[Measure, tuple[str, str]] = {"accuracy": ("low", "high"), "auc": ("auc_low", "auc_high")}
_WHAT: Mapping[Measure, str] = {"accuracy": "accuracy", "auc": "AUC"}


@once
def gains(curve: pd.DataFrame, attack: str, measure: Measure) -> pd.DataFrame:
    """Return what each adversary that asks the model has beyond the text alone, the highest first.

    Args:
        curve: Table of the game.
        attack: Name of the attack.
        measure: Which figure.

    Returns:
        Columns variant, value, gain, gain_low and gain_high, of the targets of the first size; no rows without the
        baseline. The interval is that of the difference of independent figures, and so too wide rather than too narrow
        where both are of the same targets; it is widened for the number of adversaries.
    """
    table = outcomes(curve, attack)
    table = table[(table["size"] == table["size"].min()) & table[measure].notna()]
    alone = records(table[table["variant"] == BLIND])
    rows, asking = [], records(table[table["variant"] != BLIND])
    for row in asking if alone else ():
        gain = difference(*(interval_of(each, measure, *_ENDS[measure]) for each in (row, alone[0])))
        gain = of_many(gain, len(asking))
        rows.append({"variant": row.variant, "value": getattr(row, measure), **gain.columns("gain")})
    columns = ["variant", "value", "gain", "gain_low", "gain_high"]
    return pd.DataFrame(rows, columns=columns).sort_values("gain", ascending=False, kind="stable", ignore_index=True)


@once
def level(curve: pd.DataFrame, attack: str, measure: Measure) -> float:
    """Return the figure of the text alone, for targets of the first size; NaN where it was not measured."""
    table = outcomes(curve, attack)
    alone = table[(table["variant"] == BLIND) & (table["size"] == table["size"].min())]
    return float(alone[measure].iloc[0]) if len(alone) else float("nan")


@once
def sentence(curve: pd.DataFrame, attack: str, measure: Measure) -> str:
    """Say what the text alone gives, which adversaries exceed it and by how much, and which it exceeds.

    Of targets of several sizes, those of the first are compared, which is said.
    """
    table, gained = outcomes(curve, attack), gains(curve, attack, measure)
    if gained.empty:
        return "What the text alone gives was not measured."
    alone = records(table[(table["variant"] == BLIND) & (table["size"] == table["size"].min())])[0]
    given = (
        f"is right in {measured_in(alone, 'accuracy', named=True)}"
        if measure == "accuracy"
        else f"ranks with an AUC of {area(alone.auc, alone.auc_low, alone.auc_high, named=True)}"
    )
    low, _ = (getattr(alone, end) for end in _ENDS[measure])
    split = "the split gives members away" if low > 0.5 else "no better than chance is shown"
    above, below = gained[gained["gain_low"] > 0], gained[gained["gain_high"] < 0]
    first, *others = [documents(int(size)) for size in sorted(table["size"].unique())]
    text = [f"The text alone, without a model, {given}{f' for {first}' if others else ''}: {split}."]
    widened = f" (intervals widened for all {len(gained)} adversaries)" if len(gained) > 1 else ""
    if len(above):
        text.append(f"Beyond that in {_WHAT[measure]}{widened}: {_apart(above, attack, measure)}.")
    else:
        best = _best(table, measure)
        text.append(
            f"None of {counted(len(gained), 'adversary', 'adversaries')} that ask the model is shown to exceed it; the "
            f"best is “{variant(best.variant, attack)}” with {_written(best, measure)}."
        )
    if len(below):
        text.append(f"Below it{'' if len(above) else widened}: {_apart(below, attack, measure)}.")
    if others:
        text.append(f"Of targets of {joined(others)} this says nothing.")
    return " ".join(text)


@once
def found(estimates: Mapping[str, Estimate], attack: str) -> str:
    """Say how many members the text alone and the attack find at few false alarms; empty where not measured.

    Args:
        estimates: Those of the result.
        attack: Name of the attack.
    """
    measured = [(rate, estimates.get(name), estimates.get(f"{name}_{BLIND}")) for name, rate in LOW_RATES.items()]
    known = [
        (rate, attacked, alone) for rate, attacked, alone in measured if attacked is not None and alone is not None
    ]
    return " ".join(_found(rate, attacked, alone, attack) for rate, attacked, alone in known)


def _found(rate: float, attacked: Estimate, alone: Estimate, attack: str) -> str:
    gain = difference(*(Interval(each.value, each.low, each.high) for each in (attacked, alone)))
    shown = "more" if gain.low > 0 else "fewer" if gain.high < 0 else "no difference is shown"
    return (
        f"At a false-positive rate of {percent(rate)}, the text alone finds {measured_in(alone)} of members and "
        f"“{variant(attack, attack)}” {measured_in(attacked)}: {shown}."
    )


def _best(table: pd.DataFrame, measure: Measure) -> Any:
    """Return the row of the best adversary that asks the model, of the first size."""
    asking = table[(table["variant"] != BLIND) & (table["size"] == table["size"].min())]
    return records(asking.sort_values(measure, ascending=False, kind="stable"))[0]


def _written(row: Any, measure: Measure) -> str:
    return measured_in(row, "accuracy") if measure == "accuracy" else area(row.auc, row.auc_low, row.auc_high)


def _apart(rows: pd.DataFrame, attack: str, measure: Measure) -> str:
    """Return how far adversaries are above or below the text alone: accuracies in points, each with its interval."""
    texts = []
    for row in records(rows):
        gain = interval_of(row, "gain")
        gap = gain if gain.value > 0 else Interval(-gain.value, -gain.high, -gain.low)
        size = f"{points(gap.value)} ({ends(gap).removesuffix(' points')})" if measure == "accuracy" else area(*gap)
        texts.append(f"“{variant(row.variant, attack)}” by {size}")
    return joined(texts)
