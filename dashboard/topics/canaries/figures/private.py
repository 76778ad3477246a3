"""Exposure of planted secrets by copies, under private training of several strengths and without."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Result
from dashboard.kit.figures import theme, traces
from dashboard.kit.figures.tables import records, where
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once
from dashboard.kit.words import number
from dashboard.topics.canaries.figures import canaries

TITLE = "Exposure under private training"
_EMPTY = "No private training of planted secrets is computed yet."
_COLUMNS = ("epsilon", "repetitions", "exposure", "low", "high", "chance", "perplexity", "words")


@once
def points(results: Mapping[float, Result]) -> pd.DataFrame:
    """Return the mean exposure by epsilon and copies, with its interval, and the perplexity in new documents.

    Args:
        results: By epsilon; infinite without private training.
    """
    rows: list[dict[str, Any]] = [
        {
            **{name: getattr(row, name) for name in _COLUMNS[1:-2]},
            "epsilon": epsilon,
            "perplexity": result.estimates["perplexity_test"].value,
            "words": result.estimates["perplexity_test"].chance,
        }
        for epsilon, result in sorted(results.items(), reverse=True)
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
            f"<b>{_named(epsilon)}</b><br>{canaries.shown_times(row.repetitions).lower()}: "
            f"{row.exposure:.1f} bits (95% interval {row.low:.1f}–{row.high:.1f})"
            for row in records(rows)
        ]
        drawn = rows.assign(x=rows["repetitions"].map(positions))
        traces.interval_line(drawing, drawn, ("x", "exposure", "low", "high"), mark, _named(epsilon), hover)
    return drawing.figure()


@once
def sentence(points: pd.DataFrame) -> str:
    """Say for each number of copies under which epsilon secrets are shown to be less or more exposed, and the costs."""
    plain = where(points, "epsilon", float("inf"))
    private = points[points["epsilon"] < float("inf")]
    if plain.empty or private.empty:
        return _EMPTY
    text = []
    for without in records(plain[plain["repetitions"] > 0]):
        alike = where(private, "repetitions", without.repetitions)
        hidden = alike[alike["high"] < without.low]["epsilon"].tolist()
        exposed = records(alike[alike["low"] > without.high])
        shown = f"{canaries.shown_times(without.repetitions)}, a secret has {_bits(without)} without private training"
        if hidden:
            least = min(records(alike), key=lambda row: row.epsilon)
            text.append(
                f"{shown}; it has fewer at epsilon {joined([number(e) for e in hidden])} ({_bits(least)} at "
                f"{number(least.epsilon)})."
            )
        else:
            text.append(f"{shown}, and is not shown to have fewer at any epsilon.")
        if exposed:
            more = joined([f"{number(row.epsilon)} ({_bits(row)})" for row in exposed])
            text.append(f"It has more at epsilon {more}.")
    costs = private.drop_duplicates("epsilon")
    prices = joined([f"{number(row.perplexity)} at {number(row.epsilon)}" for row in records(costs)])
    before, words = (number(float(plain[name].iloc[0])) for name in ("perplexity", "words"))
    return (
        f"{' '.join(text)} The perplexity of new documents is {before} without, and {prices}; a blind guess among the "
        f"whole vocabulary has {words}."
    )


def _bits(row: Any) -> str:
    return f"{row.exposure:.1f} bits"


def _named(epsilon: float) -> str:
    return "without" if epsilon == float("inf") else f"epsilon {number(epsilon)}"
