"""Exposure of planted secrets by copies, under private training of several strengths and without."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Result
from core.statistics.intervals import Interval
from dashboard.kit.figures import theme, traces
from dashboard.kit.figures.tables import records, where
from dashboard.kit.figures.wording import joined, number_in
from dashboard.kit.shared import once
from dashboard.kit.words import number
from dashboard.topics.canaries.figures import canaries

TITLE = "Exposure under private training"
_EMPTY = "No private training of planted secrets is computed yet."
_EXPOSURE = ("repetitions", "exposure", "low", "high", "chance")
_COLUMNS = ("epsilon", *_EXPOSURE, "perplexity", "perplexity_low", "perplexity_high", "words")


@once
def points(results: Mapping[float, Result]) -> pd.DataFrame:
    """Return the mean exposure by epsilon and copies and the perplexity in new documents, with their intervals.

    Args:
        results: By epsilon; infinite without private training.
    """
    rows: list[dict[str, Any]] = [
        {
            **{name: getattr(row, name) for name in _EXPOSURE},
            "epsilon": epsilon,
            **Interval(quality.value, quality.low, quality.high).columns("perplexity"),
            "words": quality.chance,
        }
        for epsilon, result in sorted(results.items(), reverse=True)
        for quality in [result.estimates["perplexity_test"]]
        for row in records(canaries.over_all(result.tables["exposures"]).sort_values("repetitions"))
    ]
    return pd.DataFrame(rows, columns=list(_COLUMNS))


@once
def figure(points: pd.DataFrame) -> go.Figure:
    """Draw a line with its interval for each epsilon, the numbers of copies at equal distances."""
    titles = "Copies of each secret in the data", "Mean exposure (bits)"
    drawing = theme.blank(*titles, height=theme.HEIGHT + 20, legend=True)
    if points.empty:
        return theme.empty(drawing, _EMPTY)
    positions, axis = canaries.positions(points["repetitions"].tolist())
    drawing.update_xaxes(**axis)
    drawing.update_yaxes(range=[0, 1.12 * float(points["high"].max())], nticks=8)
    theme.level(drawing, y=float(points["chance"].mean()), text="chance: not in the data", listed=True)
    epsilons = points["epsilon"].drop_duplicates().tolist()
    for epsilon, mark in zip(epsilons, theme.distinct(len(epsilons)), strict=True):
        rows = where(points, "epsilon", epsilon)
        hover = [
            f"<b>{_named(epsilon)}</b><br>{canaries.shown_times(row.repetitions).lower()}: {_bits(row, named=True)}"
            for row in records(rows)
        ]
        drawn = rows.assign(x=rows["repetitions"].map(positions))
        traces.interval_line(drawing, drawn, ("x", "exposure", "low", "high"), mark, _named(epsilon), hover)
    return drawing.figure()


@once
def sentence(points: pd.DataFrame) -> str:
    """Say for each number of copies under which epsilon secrets are less or more exposed, beside chance, and the costs.

    Secrets that are not shown to be more exposed than by chance have nothing to hide.
    """
    plain = where(points, "epsilon", float("inf"))
    private = points[points["epsilon"] < float("inf")]
    if plain.empty or private.empty:
        return _EMPTY
    text: list[str] = []
    for without in records(plain[plain["repetitions"] > 0]):
        alike = where(private, "repetitions", without.repetitions)
        exposed = records(alike[alike["low"] > without.high])
        shown = f"{canaries.shown_times(without.repetitions)}, a secret has {_bits(without, named=not text)} without"
        text.append(f"{shown} private training{_hidden(without, alike)}.")
        if exposed:
            text.append(
                f"It has more, {joined([f'{_bits(row)} at epsilon {number(row.epsilon)}' for row in exposed])}."
            )
    before, *costs = records(points.drop_duplicates("epsilon"))
    prices = joined([f"{number_in(row, 'perplexity')} at {number(row.epsilon)}" for row in costs])
    return (
        f"{' '.join(text)} Chance is {before.chance:.1f} bits. The perplexity of new documents is "
        f"{number_in(before, 'perplexity')} without, and {prices}; a blind guess among the whole vocabulary has "
        f"{number(before.words)}."
    )


def _hidden(without: Any, private: pd.DataFrame) -> str:
    """Say at which epsilons secrets have fewer bits than without private training, if those are more than chance."""
    if without.low <= without.chance:
        return ", not shown to be more than chance: there is nothing to hide"
    fewer = records(private[private["high"] < without.low])
    if not fewer:
        return ", and is not shown to have fewer at any epsilon"
    least = min(fewer, key=lambda row: row.epsilon)
    left = ", not shown to be more than chance" if least.low <= least.chance else ""
    named = joined([number(row.epsilon) for row in fewer])
    return (
        f"; it has fewer at epsilon {named}: {_bits(least)}{f' at {number(least.epsilon)}' if fewer[1:] else ''}{left}"
    )


def _bits(row: Any, *, named: bool = False) -> str:
    return f"{row.exposure:.1f} bits ({'95% interval ' if named else ''}{row.low:.1f}–{row.high:.1f})"


def _named(epsilon: float) -> str:
    return "without" if epsilon == float("inf") else f"epsilon {number(epsilon)}"
