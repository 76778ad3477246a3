"""Results behind subsampling: accuracy by the part of the documents that is used, and which adversary is ahead."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.intervals import low_of_many
from core.statistics.wording import area, measured_in, percent
from core.statistics.wording.naming import counted, documents
from dashboard.kit.figures import intervals, theme, traces
from dashboard.kit.figures.tables import records, where
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once
from dashboard.topics.word_pairs.figures import comparison
from dashboard.topics.word_pairs.figures.comparison import Labelled

_ADAPTIVE, _NAIVE, _ALONE = "adaptive", "not adaptive", "prepared behind the defense alone"
"""The adversaries: one knows the defense and takes the mean of two preparations, one not, and one takes the first."""
_VARIANT = "behind_defense"
"""Name of the one that prepares behind the defense alone, in the table of an adaptive attack."""
_OFFSETS = {_ADAPTIVE: -0.008, _NAIVE: 0.008, _ALONE: 0.024}
"""Where each is drawn beside the fraction, so that intervals do not lie on each other."""
_WHEN = {_ADAPTIVE: "when adaptive", _NAIVE: "when not", _ALONE: "by shadow models behind the defense alone"}
_MEASURES = ("accuracy", "low", "high", "auc", "auc_low", "auc_high")


@once
def figure(results: Labelled, size: int) -> go.Figure:
    """Draw accuracy against the fraction of a target's documents used, one series an adversary, for one target size."""
    drawing = theme.blank("Part of the target’s documents used", theme.ACCURACY, legend=True, height=comparison.HEIGHT)
    table = points(results, size)
    theme.accuracies(drawing, table["low"])
    drawing.update_xaxes(range=[0, theme.WHOLE], tickformat=".0%", tickvals=[0, *sorted(set(table["fraction"]))])
    if table.empty:
        return theme.empty(drawing, "No result for this size.")
    for adversary, mark in zip(_OFFSETS, theme.distinct(len(_OFFSETS)), strict=True):
        part = table[table["adversary"] == adversary]
        if part.empty:
            continue
        x, y = part["fraction"] + _OFFSETS[adversary], part["accuracy"]
        error = intervals.bars(y, part["low"], part["high"], mark.colour)
        hover = [
            f"<b>{adversary}</b><br>{percent(row.fraction)} used: {measured_in(row, 'accuracy')}"
            for row in records(part)
        ]
        traces.series(drawing, x, y, mark, size=11, error_y=error, name=adversary, text=hover)
    return drawing.figure()


@once
def points(results: Labelled, size: int) -> pd.DataFrame:
    """Return accuracy by fraction used and adversary; with everything used, adaptive and naive are the same."""
    parts = []
    for _, result in results:
        share = comparison.fraction(result.experiment)
        adaptive = _ADAPTIVE if result.experiment.get("attack", {}).get("adaptive", True) else _NAIVE
        adversaries = dict.fromkeys((_ADAPTIVE, _NAIVE), "") if share == 1 else {adaptive: "", _ALONE: _VARIANT}
        for adversary, variant in adversaries.items():
            most = comparison.of_size(result, size, variant).tail(1)
            parts.append(most[list(_MEASURES)].assign(fraction=share, adversary=adversary))
    measured = [part for part in parts if len(part)]
    columns = ["fraction", "adversary", *_MEASURES]
    frame = pd.concat(measured)[columns] if measured else pd.DataFrame(columns=columns)
    distinct = frame.drop_duplicates(["fraction", "adversary"])
    return distinct.sort_values(["adversary", "fraction"]).reset_index(drop=True)


@once
def sentence(results: Labelled, size: int) -> str:
    """Read the fractions aloud."""
    table = points(results, size)
    if table.empty:
        return "No result for this size."
    smallest = table[table["fraction"] == table["fraction"].min()]
    all_used = table[table["fraction"] == 1].head(1)
    accuracies = [
        f"{measured_in(row, 'accuracy')} {_WHEN[row.adversary]}"
        for row in records(smallest.sort_values("adversary", key=lambda names: names.map(list(_WHEN).index)))
    ]
    share = float(smallest["fraction"].iloc[0])
    whole = _is_whole(share, size)
    used = f"With {percent(share)} of {documents(size)} used,"
    if whole and share < 1:
        used = f"A target of {documents(size)} is used whole, whatever the share:"
    text = f"{used} the attack is right in {joined(accuracies)}"
    if share < 1 and len(all_used):
        text += f", against {percent(float(all_used['accuracy'].iloc[0]))} when all are used"
    text += "; chance is 50%."
    lows = [low_of_many(row.accuracy, row.low, len(smallest)) for row in records(smallest)]
    if any(low > 0.5 for low in lows) and share < 1 and not whole:
        text += " Using a fraction does not stop the attack."
    return text + _knowing(results, size) + _more_often(results) + _twice(results)


def _knowing(results: Labelled, size: int) -> str:
    """Compare the adversary who knows the smallest fraction with one who does not, where both were measured."""
    rows = _smallest(results, size)
    if not {_ADAPTIVE, _NAIVE} <= rows.keys():
        return ""
    knows, unaware = rows[_ADAPTIVE], rows[_NAIVE]
    areas = f"AUC {area(knows.auc, knows.auc_low, knows.auc_high)} against "
    areas += area(unaware.auc, unaware.auc_low, unaware.auc_high)
    ranks = _beyond(knows, unaware, "auc_low", "auc_high")
    if not ranks:
        return f" That the adaptive adversary ranks members better or worse is not shown ({areas})."
    text = f" The adaptive adversary ranks members {'better' if ranks > 0 else 'worse'} ({areas})"
    by_size = {other: _smallest(results, other) for other in comparison.sizes(results) if other != size}
    unlike = [
        documents(other)
        for other, pair in by_size.items()
        if {_ADAPTIVE, _NAIVE} <= pair.keys() and _beyond(pair[_ADAPTIVE], pair[_NAIVE], "auc_low", "auc_high") != ranks
    ]
    text += f"; that is not shown for {joined(unlike)}" if unlike else ""
    decides = _beyond(knows, unaware, "low", "high")
    text += "" if decides == ranks else f". That it decides {'better' if ranks > 0 else 'worse'} is not shown"
    return f"{text}."


def _more_often(results: Labelled) -> str:
    """Count the fractions and sizes at which the adaptive adversary is right more, or less, often, and shown to be."""
    pairs = [(rows[_ADAPTIVE], rows[_NAIVE]) for rows in _left_out(results) if {_ADAPTIVE, _NAIVE} <= rows.keys()]
    if len(pairs) < 2:
        return ""
    gaps = [adaptive.accuracy - naive.accuracy for adaptive, naive in pairs]
    more, less = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
    beyond = [_beyond(adaptive, naive, "low", "high") for adaptive, naive in pairs]
    shown = "none of them beyond both intervals: neither is shown to be the stronger one"
    if any(beyond):
        shown = f"{beyond.count(1):,} and in {beyond.count(-1):,} of these beyond both intervals"
    return (
        f" Of {len(pairs):,} pairs of a fraction and a size of which it leaves something out, the adaptive adversary "
        f"is right more often than the other in {more:,} and less often in {less:,}, in {shown}."
    )


def _twice(results: Labelled) -> str:
    """Count how often the mean of both preparations ranks and decides at least as well as the better of two others.

    These are the adversary that prepares behind the defense alone, and the one that does not know it.
    """
    pairs = [rows for rows in _left_out(results) if rows.keys() == _OFFSETS.keys()]
    if not pairs:
        return ""
    ranks, decides = (
        sum(
            getattr(rows[_ADAPTIVE], measure) >= max(getattr(rows[other], measure) for other in (_ALONE, _NAIVE))
            for rows in pairs
        )
        for measure in ("auc", "accuracy")
    )
    return (
        " The adaptive one trains twice as many shadow models, half of them without the defense, and scores by the "
        "mean of both: it ranks members at least as well as the better of those that prepare in one way in "
        f"{ranks} of {counted(len(pairs), 'pair')} (AUC), and is right at least as often in {decides}."
    )


def _left_out(results: Labelled) -> list[dict[str, Any]]:
    """Return the figures by adversary, for each fraction and each size of which it leaves something out."""
    pairs = []
    for size in comparison.sizes(results):
        measured = points(results, size).dropna(subset=["accuracy", "auc"])
        shares = [share for share in sorted(set(measured["fraction"])) if not _is_whole(share, size)]
        of_shares = (records(where(measured, "fraction", share)) for share in shares)
        pairs += [{row.adversary: row for row in rows} for rows in of_shares]
    return pairs


def _is_whole(share: float, size: int) -> bool:
    """Tell whether a target of a size is used whole, as at least one document is."""
    return max(1, round(share * size)) == size


def _smallest(results: Labelled, size: int) -> dict[str, Any]:
    """Return the figures at the smallest fraction, by adversary."""
    table = points(results, size)
    return {row.adversary: row for row in records(table[table["fraction"] == table["fraction"].min()])}


def _beyond(first: Any, second: Any, low: str, high: str) -> int:
    """Return 1 where the first interval lies above the second, −1 where it lies below, 0 where they overlap."""
    above = getattr(first, low) > getattr(second, high)
    return int(above) - int(getattr(first, high) < getattr(second, low))
