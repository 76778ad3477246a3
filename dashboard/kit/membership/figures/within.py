"""How well scores rank models about one target at a time, beside the scores of all targets together."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.statistics.intervals import UNKNOWN
from core.statistics.within_target import FEWEST_TARGETS, less_levels, within_targets
from core.statistics.wording import area, decimal
from core.statistics.wording.naming import capitalised, counted, documents
from dashboard.kit.figures import lanes, theme
from dashboard.kit.figures.lanes import Look
from dashboard.kit.figures.rows import interval
from dashboard.kit.figures.tables import by_size, records
from dashboard.kit.figures.wording import joined
from dashboard.kit.membership.figures import curve
from dashboard.kit.shared import once

TITLE = "One target at a time"
CHANCE = 0.5
_ALONE, _TOGETHER, _COMPARABLE, _BESIDE, _LEVELLED = "alone", "together", "comparable", "beside", "levelled"
_NAMES = {
    _ALONE: "within one target, averaged",
    _TOGETHER: "all targets together",
    _COMPARABLE: "all together, calibrated for each target",
    _BESIDE: "all together, beside sets known to be out",
    _LEVELLED: "all together, less the level of each model",
}
_VARIANTS = {_COMPARABLE: "target_ratio", _BESIDE: "known_outs"}
"""Variants of an attack whose scores of all targets are corrected."""
_MARKS = dict(zip(_NAMES, theme.distinct(len(_NAMES)), strict=True))
_CORRECTIONS = {
    _COMPARABLE: "calibrated for each target on shadow models",
    _BESIDE: "ranked among sets known to be out of the same model (after RMIA)",
    _LEVELLED: "less the level that the targets out of each model show",
}


@once
def points(scores: pd.DataFrame, accuracies: pd.DataFrame, attack: str) -> pd.DataFrame:
    """Return the areas under the curve for each target size.

    Args:
        scores: Table of the game.
        accuracies: Table ``curve`` of the game, which has the areas of all targets together, too.
        attack: Name of the attack.
    """
    pooled = {series: curve.final(accuracies, variant) for series, variant in {_TOGETHER: attack, **_VARIANTS}.items()}
    together = {(series, row.size): row for series, last in pooled.items() for row in records(last)}
    rows = []
    for size, part in by_size(scores[np.isfinite(scores["score"])]):
        wide = part.pivot(index="play", columns="target").dropna()
        decisions = wide["member"].to_numpy(bool), wide["score"].to_numpy(float)
        ranking = within_targets(*decisions)
        drawn = {_ALONE: interval(ranking.auc)}
        for series in pooled:
            if row := together.get((series, size)):
                drawn[series] = interval(row, "auc", "auc_low", "auc_high")
        if ranking.gain.low > 0:
            drawn[_LEVELLED] = interval(less_levels(*decisions))
        counts = {"models": len(wide), "targets": ranking.targets, **ranking.gain.columns("gain")}
        rows += [{"row": documents(size), "series": series, **ends, **counts} for series, ends in drawn.items()]
    areas = pd.DataFrame(rows, columns=[*lanes.COLUMNS, "models", "targets", *UNKNOWN.columns("gain")])
    return areas.dropna(subset="value").reset_index(drop=True)


@once
def figure(areas: pd.DataFrame) -> go.Figure:
    """Draw the areas for each target size."""
    present = set(areas["series"])
    drawn = [series for series in _NAMES if series in present]
    return lanes.by_chance(
        areas,
        {series: Look(_NAMES[series], _MARKS[series], lane) for lane, series in enumerate(drawn)},
        "Area under the ROC curve",
        lambda row: f"<b>{row.row}</b>, {_NAMES[row.series]}<br>AUC {_area(row)}",
        ticks=(".1f", 0.1),
        empty="No score.",
        highest=1.02,
    )


@once
def sentence(areas: pd.DataFrame) -> str:
    """Read the areas for one target at a time aloud, and say where those of all targets together differ."""
    alone = {row.row: row for row in records(areas[areas["series"] == _ALONE])}
    together = {row.row: row for row in records(areas[areas["series"] == _TOGETHER])}
    if not alone:
        return "No target is in the training data of some models and out of that of others."
    figures = [f"{_area(row, named=not number)} for {size}" for number, (size, row) in enumerate(alone.items())]
    targets = [row.targets for row in alone.values()]
    least, most = min(targets), max(targets)
    over = counted(most, "target") if least == most else f"{least:,} to {counted(most, 'target')}"
    models = counted(max(row.models for row in alone.values()), "model")
    text = [
        f"For one target, the attack ranks {models} with an AUC of {joined(figures)}, averaged over {over}; "
        "chance is 0.5."
    ]
    if below := [size for size, row in alone.items() if row.high < CHANCE]:
        text.append(f"For {joined(below)} that is below chance.")
    if unclear := [size for size, row in alone.items() if row.low <= CHANCE <= row.high]:
        text.append(f"The interval includes chance for {joined(unclear)}.")
    if least < FEWEST_TARGETS:
        text.append("With so few targets the AUC describes these targets only, and has no interval.")
    elif not all(np.isfinite(row.low) for row in alone.values()):
        text.append("With so few models the AUC describes these models only, and has no interval.")
    compared = {size: row for size, row in alone.items() if size in together}
    if worse := [size for size, row in compared.items() if row.gain_low > 0]:
        pooled = joined([f"{_area(together[size])} for {size}" for size in worse])
        text.append(
            f"Scores of all targets together rank worse: {pooled}. Scores differ in level or spread between targets, "
            "and one threshold for all cannot follow."
        )
    if better := [size for size, row in compared.items() if row.gain_high < 0]:
        text.append(f"Scores of all targets together rank better for {joined(better)}.")
    if compared and not worse and not better and least >= FEWEST_TARGETS:
        text.append("A difference from the scores of all targets together is not shown.")
    changes: dict[str, list[str]] = {}
    for series, correction in _CORRECTIONS.items():
        corrected = {row.row: row for row in records(areas[areas["series"] == series])}
        if pairs := [(size, row, together[size]) for size, row in corrected.items() if size in together]:
            changes.setdefault(_changed(pairs), []).append(correction)
    text += [f"{capitalised(joined(how, 'or'))}, all targets together {change}." for change, how in changes.items()]
    return " ".join(text)


def _changed(pairs: Iterable[tuple[str, Any, Any]]) -> str:
    """Say for which sizes corrected scores rank better or worse than those before, beyond both intervals."""
    changes: dict[str, list[str]] = {"better": [], "worse": []}
    for size, after, before in pairs:
        if after.low > before.high:
            changes["better"].append(size)
        elif after.high < before.low:
            changes["worse"].append(size)
    clauses = [f"{change} for {joined(sizes)}" for change, sizes in changes.items() if sizes]
    return f"rank {joined(clauses)}, beyond both intervals" if clauses else "are not shown to rank better"


def _area(row: Any, *, named: bool = False) -> str:
    return area(row.value, row.low, row.high, named=named) if np.isfinite(row.low) else decimal(row.value)
