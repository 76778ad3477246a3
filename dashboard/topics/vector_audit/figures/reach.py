"""What is read from vectors, by the length of the texts or by the number of leaked pairs."""

from collections.abc import Mapping
from typing import Any, Literal, get_args

import pandas as pd
import plotly.graph_objects as go

from core.catalog.vector_reading import LONGEST, TOKENS
from core.result import Estimate
from core.statistics.naming import counted
from core.statistics.wording import area, decimal, measured_in, percent
from dashboard.kit.figures import intervals, scatter, theme
from dashboard.kit.figures.tables import from_on, records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once

LENGTHS, PAIRS = "Short and long texts", "A few leaked pairs"
_AXES = {LENGTHS: "Words of each text", PAIRS: "Leaked pairs of a text and its vector"}

Measure = Literal["f1", "recall_names", "recall_numbers", "exact_match", "bleu", "rouge_l", "cosine"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
_CALLED: dict[Measure, str] = {
    "f1": "F1 of words",
    "recall_names": "Names read",
    "recall_numbers": "Numbers read",
    "exact_match": "Whole texts",
    "bleu": "BLEU",
    "rouge_l": "ROUGE-L",
    "cosine": "Cosine",
}
_COUNTED: dict[Measure, str] = {"recall_names": "names", "recall_numbers": "numbers"}
"""What the decisions of a measure are; of the others, they are vectors."""
_CHANCES: dict[Measure, str] = {
    "f1": "the most frequent words",
    "recall_names": "the most frequent words, or what is read from another vector",
    "recall_numbers": "the most frequent words, or what is read from another vector",
}
_DEALT = "what is read from another vector"
_NUMBERS = ("bleu", "rouge_l", "cosine")
"""Measures that are no shares of anything."""

ByNumber = Mapping[str, Mapping[int, Estimate]]


def measure_name(measure: Measure) -> str:
    """Return what a figure measures, in words."""
    return _CALLED[measure]


@once
def table(by_series: ByNumber) -> pd.DataFrame:
    """Return one row for each series and number, in order: a measure with its interval, its chance, and n.

    Args:
        by_series: For each series, a measure by number of words or pairs.
    """
    rows = [
        (series, number, estimate.value, estimate.low, estimate.high, estimate.chance, estimate.n)
        for series, estimates in by_series.items()
        for number, estimate in sorted(estimates.items())
    ]
    return pd.DataFrame(rows, columns=["series", "at", "value", "low", "high", "chance", "n"])


@once
def figure(scores: pd.DataFrame, title: str, measure: Measure = "f1") -> go.Figure:
    """Draw a line with its intervals for each series, and chance: that of F1 once, others in their series' colour.

    Args:
        scores: See `table`.
        title: `LENGTHS` or `PAIRS`.
        measure: What is drawn.
    """
    drawing = theme.blank(_AXES[title], f"{_CALLED[measure]}<br>(95% intervals)", legend=True)
    if scores.empty:
        return theme.empty(drawing, "None of these results is on this machine.")
    ticks = sorted(set(scores["at"]))
    drawing.update_xaxes(**theme.categories([f"{number:,}" for number in ticks]), range=(-0.3, len(ticks) - 0.7))
    bottom, top = min(scores["low"].min(), scores["chance"].min(), 0), max(scores["high"].max() + 0.05, 0.5)
    drawing.update_yaxes(range=(bottom, top), tickformat=".1f" if measure in _NUMBERS else ".0%")
    names = list(dict.fromkeys(scores["series"]))
    for name, mark in zip(names, theme.distinct(len(names)), strict=True):
        rows = scores[scores["series"] == name]
        x = rows["at"].map(ticks.index)
        hover = [
            f"<b>{row.at:,}</b>: {_CALLED[measure]} {_measured(row, measure)}, chance "
            f"{_plain(row.chance, measure)}; n = {row.n:,}"
            for row in records(rows)
        ]
        intervals.band(drawing, x, rows["low"], rows["high"], mark.colour)
        scatter.points(drawing, x, rows["value"], mark, name, hover, size=9, line={"color": mark.colour, "width": 2})
        if measure != "f1":
            line = {**theme.CHANCE_LINE, "color": mark.colour}
            drawing.add_scatter(x=x, y=rows["chance"], mode="lines", line=line, showlegend=False, hoverinfo="skip")
    chances = scores.groupby("at", sort=True)["chance"].first() if measure == "f1" else [None] * len(ticks)
    drawing.add_scatter(
        x=list(range(len(ticks))),
        y=chances,
        mode="lines",
        line=theme.CHANCE_LINE,
        name=f"chance ({_CHANCES[measure]})" if measure == "f1" else "chance, of each",
        hoverinfo="skip",
    )
    return drawing.figure()


@once
def of_lengths(scores: pd.DataFrame, measure: Measure = "f1") -> str:
    """Read the figure of lengths aloud: each series at its shortest and longest texts, and where it beats chance."""
    if scores["at"].nunique() < 2:
        return "Too few of these results are on this machine."
    texts = []
    for series in dict.fromkeys(scores["series"]):
        rows = list(records(scores[scores["series"] == series]))
        above = sum(row.low > row.chance for row in rows)
        ends = [
            f"{_measured(row, measure)} from {row.at} words (chance {_plain(row.chance, measure)})"
            for row in (rows[0], rows[-1])
        ]
        texts.append(f"{series}, {joined(ends)}, above chance at {above} of {counted(len(rows), 'length')}")
    return f"Messages of Enron, cut: {_CALLED[measure]} {'; '.join(texts)}. Chance is {_CHANCES.get(measure, _DEALT)}."


@once
def setting(scores: pd.DataFrame, measure: Measure) -> str:
    """Say what the figure of lengths was measured on, and what each way of reading is bounded by."""
    shortest, longest = scores["at"].min(), scores["at"].max()
    fewest, most = scores["n"].min(), scores["n"].max()
    n = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
    return (
        f"Beginnings of messages of at least {LONGEST} words, as unit-length vectors of MiniLM; n = {n} "
        f"{_COUNTED.get(measure, 'vectors')} at each length. The adversary knows the encoder and has at most 1,200 "
        "other texts of the same length: few for what generates texts, which learns to write from them alone. It "
        f"writes at most 64 subwords, fewer than 48 words take. {shortest} words are about {TOKENS[shortest]} tokens "
        f"as the encoder reads them, {longest} about {TOKENS[longest]}; it reads 256 at most."
    )


@once
def of_pairs(scores: pd.DataFrame, target: str) -> str:
    """Read the figure of pairs aloud: for each series, from how many pairs on it beats chance, and F1 with the most.

    Args:
        scores: See `table`.
        target: Title of the unknown encoder.
    """
    if scores.empty:
        return "None of these results is on this machine."
    texts = []
    for series in dict.fromkeys(scores["series"]):
        rows = list(records(scores[scores["series"] == series]))
        above = from_on(rows, lambda row: row.low > row.chance)
        start = "at no number of pairs" if above is None else f"from {above.at:,} pairs on"
        texts.append(f"{series}: above chance {start}, {measured_in(rows[-1])} with {rows[-1].at:,}")
    chance, count = scores["chance"].iloc[0], scores["n"].iloc[0]
    return (
        f"Sentences of restaurant reviews as vectors of {target}, {count:,} read: {'; '.join(texts)}. "
        f"Chance (the most frequent words) is {percent(chance)}."
    )


def _measured(row: Any, measure: Measure) -> str:
    return area(row.value, row.low, row.high) if measure in _NUMBERS else measured_in(row)


def _plain(value: float, measure: Measure) -> str:
    return decimal(value) if measure in _NUMBERS else percent(value)
