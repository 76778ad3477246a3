"""F1 of the words read from vectors, by the length of the texts or by the number of leaked pairs."""

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from core.catalog.vector_reading import LONGEST, TOKENS
from core.result import Estimate
from core.statistics.naming import counted
from core.statistics.wording import measured_in, percent
from dashboard.kit.figures import intervals, scatter, theme
from dashboard.kit.figures.tables import from_on, records
from dashboard.kit.figures.wording import joined, points
from dashboard.kit.shared import once

LENGTHS, PAIRS = "Short and long texts", "A few leaked pairs"
_COLUMNS = ["series", "at", "f1", "f1_low", "f1_high", "f1_chance", "vectors"]
_CHANCE = "chance (the most frequent words)"
_AXES = {LENGTHS: "Words of each text", PAIRS: "Leaked pairs of a text and its vector"}

ByNumber = Mapping[str, Mapping[int, Estimate]]


@once
def table(f1_by_series: ByNumber) -> pd.DataFrame:
    """Return one row for each series and number, in order.

    Args:
        f1_by_series: For each series, F1 by number of words or pairs.
    """
    rows = [
        (series, number, estimate.value, estimate.low, estimate.high, estimate.chance, estimate.n)
        for series, estimates in f1_by_series.items()
        for number, estimate in sorted(estimates.items())
    ]
    return pd.DataFrame(rows, columns=_COLUMNS)


@once
def figure(scores: pd.DataFrame, title: str) -> go.Figure:
    """Draw a line with its intervals for each series, and chance.

    Args:
        scores: See `table`.
        title: `LENGTHS` or `PAIRS`.
    """
    drawing = theme.blank(_AXES[title], "F1 of words<br>(95% intervals)", legend=True)
    if scores.empty:
        return theme.empty(drawing, "None of these results is on this machine.")
    ticks = sorted(set(scores["at"]))
    drawing.update_xaxes(**theme.categories([f"{number:,}" for number in ticks]), range=(-0.3, len(ticks) - 0.7))
    drawing.update_yaxes(range=(0, max(scores["f1_high"].max() + 0.05, 0.5)), tickformat=".0%")
    names = list(dict.fromkeys(scores["series"]))
    for name, mark in zip(names, theme.distinct(len(names)), strict=True):
        rows = scores[scores["series"] == name]
        x = rows["at"].map(ticks.index)
        hover = [
            f"<b>{row.at:,}</b>: F1 {measured_in(row, 'f1')}, chance {percent(row.f1_chance)}; {row.vectors:,} vectors"
            for row in records(rows)
        ]
        intervals.band(drawing, x, rows["f1_low"], rows["f1_high"], mark.colour)
        scatter.points(drawing, x, rows["f1"], mark, name, hover, size=9, line={"color": mark.colour, "width": 2})
    chance = scores.groupby("at", sort=True)["f1_chance"].first()
    drawing.add_scatter(
        x=list(range(len(ticks))), y=chance, mode="lines", line=theme.CHANCE_LINE, name=_CHANCE, hoverinfo="skip"
    )
    return drawing.figure()


@once
def of_lengths(scores: pd.DataFrame) -> str:
    """Read the figure of lengths aloud: F1 and its lead over chance at both ends."""
    if len(scores) < 2:
        return "Too few of these results are on this machine."
    first, last = (list(records(scores))[index] for index in (0, -1))
    above = int((scores["f1_low"] > scores["f1_chance"]).sum())
    ends = [
        f"{measured_in(row, 'f1')} from {row.at} words (about {TOKENS[row.at]} tokens), "
        f"{points(row.f1 - row.f1_chance)} above chance"
        for row in (first, last)
    ]
    return (
        f"Messages of Enron of at least {LONGEST} words, cut: F1 is {joined(ends)}. It is above chance (the most "
        f"frequent words) at {above} of {counted(len(scores), 'length')}. Unit-length vectors of MiniLM, "
        f"{first.vectors:,} each; the adversary knows the encoder and has 1,200 other texts of the same length, at "
        "most. Tokens are those that the encoder reads, 256 at most."
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
        above = from_on(rows, lambda row: row.f1_low > row.f1_chance)
        start = "at no number of pairs" if above is None else f"from {above.at:,} pairs on"
        texts.append(f"{series}: above chance {start}, {measured_in(rows[-1], 'f1')} with {rows[-1].at:,}")
    chance, count = scores["f1_chance"].iloc[0], scores["vectors"].iloc[0]
    return (
        f"Sentences of restaurant reviews as vectors of {target}, {count:,} read: {'; '.join(texts)}. "
        f"Chance (the most frequent words) is {percent(chance)}."
    )
