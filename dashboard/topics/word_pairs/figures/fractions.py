"""Results behind subsampling: accuracy by the part of the documents that is used, and which adversary is ahead."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.intervals import low_of_many
from core.statistics.naming import documents
from core.statistics.wording import area, measured_in, percent
from dashboard.kit.figures import intervals, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once
from dashboard.topics.word_pairs.figures import comparison
from dashboard.topics.word_pairs.figures.comparison import Labelled

_MEASURES = ("accuracy", "low", "high", "auc", "auc_low", "auc_high")
_APART = 0.008
_MOSTLY = 0.75
"""Share of the pairs in which one adversary is right more often, from which on it is said to be the stronger one."""


@once
def figure(results: Labelled, size: int) -> go.Figure:
    """Draw accuracy against the fraction of a target's documents used, adaptive against not, for one target size."""
    drawing = theme.blank("Part of the target’s documents used", theme.ACCURACY, legend=True, height=comparison.HEIGHT)
    table = points(results, size)
    theme.accuracies(drawing, table["low"])
    drawing.update_xaxes(range=[0, theme.WHOLE], tickformat=".0%", tickvals=[0, *sorted(set(table["fraction"]))])
    if table.empty:
        return theme.empty(drawing, "No result for this size.")
    for (adaptive, text), mark in zip(((True, "adaptive"), (False, "not adaptive")), theme.distinct(2), strict=True):
        part = table[table["adaptive"] == adaptive]
        if part.empty:
            continue
        x, y = part["fraction"] + (-_APART if adaptive else _APART), part["accuracy"]
        error = intervals.bars(y, part["low"], part["high"], mark.colour)
        hover = [
            f"<b>{text}</b><br>{percent(row.fraction)} used: {measured_in(row, 'accuracy')}" for row in records(part)
        ]
        traces.series(drawing, x, y, mark, size=11, error_y=error, name=text, text=hover)
    return drawing.figure()


@once
def points(results: Labelled, size: int) -> pd.DataFrame:
    """Return accuracy by fraction used and adversary; with everything used, both adversaries are the same."""
    rows: list[dict[str, Any]] = []
    for _, result in results:
        last = comparison.of_size(result, size).tail(1)
        if last.empty:
            continue
        share = comparison.fraction(result.experiment)
        adaptive = bool(result.experiment.get("attack", {}).get("adaptive", True))
        figures = {name: last[name].tolist()[0] for name in _MEASURES}
        rows.extend(
            {"fraction": share, "adaptive": knows, **figures}
            for knows in ((True, False) if share == 1 else (adaptive,))
        )
    columns = ["fraction", "adaptive", *_MEASURES]
    frame = pd.DataFrame(rows, columns=columns).astype({"adaptive": bool})
    return frame.drop_duplicates(["fraction", "adaptive"]).sort_values(["adaptive", "fraction"]).reset_index(drop=True)


@once
def sentence(results: Labelled, size: int) -> str:
    """Read the fractions aloud."""
    table = points(results, size)
    if table.empty:
        return "No result for this size."
    smallest = table[table["fraction"] == table["fraction"].min()]
    all_used = table[table["fraction"] == 1].head(1)
    accuracies = [
        f"{measured_in(row, 'accuracy')} {'when adaptive' if row.adaptive else 'when not'}"
        for row in records(smallest.sort_values("adaptive", ascending=False))
    ]
    share = float(smallest["fraction"].iloc[0])
    whole = max(1, round(share * size)) == size  # at least one document is used
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
    return text + _knowing(results, size) + _more_often(results)


def _knowing(results: Labelled, size: int) -> str:
    """Compare the adversary who knows the smallest fraction with one who does not, where both were measured."""
    rows = _smallest(results, size)
    if len(rows) < 2:
        return ""
    knows, unaware = rows[True], rows[False]
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
        if len(pair) > 1 and _beyond(pair[True], pair[False], "auc_low", "auc_high") != ranks
    ]
    text += f"; that is not shown for {joined(unlike)}" if unlike else ""
    decides = _beyond(knows, unaware, "low", "high")
    text += "" if decides == ranks else f". That it decides {'better' if ranks > 0 else 'worse'} is not shown"
    return f"{text}."


def _more_often(results: Labelled) -> str:
    """Count the fractions and sizes at which the adversary who knows the fraction is right more, or less, often."""
    gaps = []
    for size in comparison.sizes(results):
        table = points(results, size)
        both = table[table["fraction"] < 1].pivot(index="fraction", columns="adaptive", values="accuracy")
        if both.columns.size == 2:
            gaps += (both[True] - both[False]).dropna().tolist()
    more, less = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
    if len(gaps) < 2:
        return ""
    text = f" Of {len(gaps)} pairs of a fraction and a size, knowing the fraction makes the adversary right more often "
    text += f"in {more} and less often in {less}"
    for count, stronger in ((more, "the one who knows it"), (less, "the one who does not")):
        if count >= _MOSTLY * len(gaps):
            return f"{text}: the one to plan for is mostly {stronger}."
    return f"{text}."


def _smallest(results: Labelled, size: int) -> dict[bool, Any]:
    """Return the adversaries at the smallest fraction, by whether they are adaptive."""
    table = points(results, size)
    return {bool(row.adaptive): row for row in records(table[table["fraction"] == table["fraction"].min()])}


def _beyond(first: Any, second: Any, low: str, high: str) -> int:
    """Return 1 where the first interval lies above the second, −1 where it lies below, 0 where they overlap."""
    above = getattr(first, low) > getattr(second, high)
    return int(above) - int(getattr(first, high) < getattr(second, low))
