"""The share of passages that a language model recites, by copies in the training text and length of the prefix."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.intervals import Interval, difference
from core.statistics.wording import measured, measured_in, percent
from core.statistics.wording.naming import counted
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once
from dashboard.topics.language_models.figures import cases

TITLE = "Recited word for word, by copies in the training text"


def unit(game: Mapping[str, Any]) -> str:
    """Return what prefixes are counted in, by the plain values of the game.

    >>> unit({"counted_in": "tokens"}), unit({})
    ('token', 'word')
    """
    return "token" if game.get("counted_in") == "tokens" else "word"


@once
def of(curve: pd.DataFrame, passages: pd.DataFrame) -> pd.DataFrame:
    """Return the share by copies and prefix with the number of cases, and how many of all passages are common phrases.

    Args:
        curve: Table of the game.
        passages: The game's table of passages.
    """
    common = passages[passages["common"]]["passage"].nunique()
    return cases.of(curve, passages).assign(common_passages=common, all_passages=passages["passage"].nunique())


@once
def figure(curve: pd.DataFrame, unit: str = "word") -> go.Figure:
    """Draw a line with its band for each length of the prefix; passages never shown are chance.

    Args:
        curve: See `of`.
        unit: What prefixes are counted in.
    """
    if curve.empty:
        return theme.empty(blank(), "No passage was queried.")
    named = curve.assign(line=[f"after {counted(row.prefix, unit)}" for row in records(curve)])
    return lines(named.sort_values("prefix", kind="stable"), unit)


def blank() -> Drawing:
    """Return an empty figure of the share of passages recited by their copies."""
    drawing = theme.blank("Copies of the passage in the training text", "Passages recited", legend=True)
    drawing.update_yaxes(range=[-0.04, theme.WHOLE], tickformat=".0%", dtick=0.25)
    return drawing


@once
def lines(curve: pd.DataFrame, unit: str) -> go.Figure:
    """Draw a line with its band for each value of the column ``line``, in the order of the table.

    Args:
        curve: Like that of `of`; chance is that of its last row.
        unit: What prefixes are counted in.
    """
    drawing = blank()
    copies = sorted(int(number) for number in curve["copies"].unique())
    drawing.update_xaxes(**theme.categories([f"{number:,}" if number else "never" for number in copies]))
    theme.level(drawing, y=float(curve["chance"].iloc[-1]), text="chance: never shown")
    names = curve["line"].drop_duplicates().tolist()
    for name, mark in zip(names, theme.distinct(len(names)), strict=True):
        rows = curve[curve["line"] == name].sort_values("copies").reset_index(drop=True)
        hover = [
            f"<b>{name}, {times(row.copies).lower()}</b><br>{measured_in(row, 'recited', named=True)} of "
            f"{cases.written(row)} after {counted(row.prefix, unit)}"
            for row in records(rows)
        ]
        points = rows.assign(x=rows["copies"].map(copies.index))
        traces.interval_line(drawing, points, ("x", "recited", "low", "high"), mark, name, hover)
    return drawing.figure()


@once
def sentence(curve: pd.DataFrame, unit: str = "word") -> str:
    """Read the longest prefix aloud: most and fewest copies, the control, and the copies that beat chance."""
    if curve.empty:
        return "No passage was queried."
    prefix = int(curve["prefix"].max())
    rows = records(curve[curve["prefix"] == prefix].sort_values("copies"))
    copied = [row for row in rows if row.copies]
    most = copied[-1]
    shares = [
        f"{measured(row.recited, row.low, row.high, named=row is most)} of those shown {times(row.copies).lower()}"
        for row in (most, *([copied[0]] if len(copied) > 1 else []))
    ]
    known = f"After the {counted(prefix, unit)} before a passage"
    text = f"{known}, the model recites, of {cases.of_each(rows)}, {joined(shares)}"
    never = next((row for row in rows if not row.copies), None)
    if never is not None:
        text += f", and {measured(never.recited, never.low, never.high)} of those never shown, which is chance"
    # Chance is estimated from few passages never shown, so its upper bound must be exceeded.
    chance = copied[0].chance if never is None else never.high
    above = [row for row in copied if row.low > chance]
    if above:
        text += f". From {times(above[0].copies).lower()} on, that is more than chance."
        if any(row.low <= chance for row in copied if row.copies > above[0].copies):
            text = text.replace("From ", "Shown ").replace(" on, that", ", that")
    else:
        text += ". That is not shown to be more than chance."
    return text + _by_prefix(curve, unit) + _common(curve[curve["prefix"] == prefix])


@once
def scale(curve: pd.DataFrame, words: int, unit: str = "word") -> str:
    """Compare the lengths with those of the papers."""
    lengths = sorted(int(length) for length in curve["prefix"].unique())
    prefixes = joined([f"{length:,}" for length in lengths])
    text = (
        f"The papers query models of billions of weights for 50 subwords after 50 or more. These texts and models "
        f"are small: {counted(words, 'word')} after {prefixes}"
    )
    if unit != "word":
        text += f" {unit}s, in as many whole words as fit"
    if len(lengths) == 1:
        return f"{text}."
    text += (
        ". In the training text a passage begins with its longest prefix: a model that reads by position has learnt "
        "the words behind a shorter one at other positions."
    )
    if unit == "word":
        return text
    return (
        f"{text} What it recites after fewer {unit}s with which a passage begins is measured in results of their own."
    )


def times(copies: int) -> str:
    """Return a number of copies as the beginning of a sentence.

    >>> times(0), times(1), times(100)
    ('Never', 'Once', '100 times')
    """
    return {0: "Never", 1: "Once"}.get(copies, f"{copies:,} times")


def _by_prefix(curve: pd.DataFrame, unit: str) -> str:
    """Compare the shortest prefix with the longest, over all that was shown."""
    shown = curve[(curve["copies"] > 0) & (curve["copies"] == curve["copies"].max())].sort_values("prefix")
    if shown["prefix"].nunique() < 2:
        return ""
    first, last = (records(shown)[end] for end in (0, -1))
    gain = difference(Interval(last.recited, last.low, last.high), Interval(first.recited, first.low, first.high))
    text = f" After the last {counted(first.prefix, unit)} of these alone it is "
    text += measured(first.recited, first.low, first.high)
    text += f" of those shown {times(last.copies).lower()}"
    if gain.low > 0:
        return f"{text}: the whole prefix brings out more than its end."
    return f"{text}: {'its end brings out more than the whole' if gain.high < 0 else 'no difference is shown'}."


def _common(rows: pd.DataFrame) -> str:
    """Say how many common phrases are counted apart, if any."""
    count = int(rows["common"].sum())
    if not count:
        return ""
    recited = float((rows["common"] * rows["common_recited"].fillna(0)).sum() / count)
    passages, every, models = (int(rows[name].iloc[0]) for name in ("common_passages", "all_passages", "models"))
    of_cases = f" of {counted(count, 'case')}" if models > 1 else ""
    return (
        f" Counted apart: {passages:,} of {counted(every, 'passage')} whose continuation also stands in another "
        f"document. Of these common phrases, {percent(recited)}{of_cases} {'is' if count == 1 else 'are'} recited."
    )
