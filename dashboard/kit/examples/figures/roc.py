"""ROC curves, one for each statistic and rule."""

from collections.abc import Mapping, Sequence

import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate
from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import capitalised
from dashboard.kit.examples.figures import rules
from dashboard.kit.examples.figures.rules import Key, Series
from dashboard.kit.figures import axes, theme
from dashboard.kit.figures import roc as curves
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once

MARKS = (0.001, 0.01, 0.1)
"""False-positive rates at which the curves are read aloud; the lowest with ten false positives."""


@once
def settled(
    roc: pd.DataFrame,
    estimates: Mapping[str, Estimate],
    couples: int,
    documents: int,
    endings: Mapping[Key, str],
) -> pd.DataFrame:
    """Return the curves, each with the intervals that the estimates about it have.

    Args:
        roc: Table of the game.
        estimates: Those of the result.
        couples: Couples of models, of which one is trained on what the other is not.
        documents: Documents that the examples come from.
        endings: By statistic and rule of a curve, what the names of the estimates about it end with.
    """
    independent = documents if couples == 1 else min(couples, documents)
    parts = []
    for (statistic, rule), curve in roc.groupby(["statistic", "rule"], sort=False):
        ending = endings.get((str(statistic), str(rule)))
        known = {} if ending is None else estimates
        parts.append(curves.settled(curve, known, ending or "", independent))
    return pd.concat(parts) if parts else roc


@once
def figure(roc: pd.DataFrame, nonmembers: int, series: Sequence[Series] | None = None) -> go.Figure:
    """Draw the curves, that of the answer with its band, down to one false positive.

    Args:
        roc: Table of the game.
        nonmembers: Number of decisions about non-members.
        series: The curves, the answer first; by default `rules.drawn`.
    """
    series = rules.drawn(roc) if series is None else series
    if not series or not nonmembers:
        return theme.empty(curves.blank(0.01, 0.01, legend=False), curves.EMPTY)
    floor = 1 / nonmembers
    drawing = curves.blank(floor, floor, legend=True)
    for number, curve in enumerate(series):
        band = "" if number else "95% interval of the first curve"
        curves.add(drawing, curve.of(roc), floor, curve.mark, curve.name, band=not number, band_name=band)
    axes.list_series(drawing, 19 * sum(trace.get("showlegend", True) for trace in drawing.traces))
    return drawing.figure()


@once
def sentence(roc: pd.DataFrame, nonmembers: int, of: str = "") -> str:
    """Read the curves aloud at the lowest of `MARKS` with ten false positives, or at the highest.

    Args:
        roc: Table of the game.
        nonmembers: Number of decisions about non-members.
        of: Which members the curves are about, where not all.
    """
    series = rules.drawn(roc)
    if not series or not nonmembers:
        return curves.EMPTY
    rate = next((rate for rate in MARKS if rate * nonmembers >= 10), MARKS[-1])
    parts: list[str] = []
    for curve in series:
        if (row := curves.at(curve.of(roc), rate)) is not None:
            share = measured_in(row, "true_positive_rate", named=not parts)
            parts.append(f"{share} by “{curve.name}”")
    members = f"members {of}" if of else "members"
    return (
        f"{capitalised(members)} found at a false-positive rate of {percent(rate)}: {joined(parts)}. "
        f"Chance is {percent(rate)}."
    )
