"""What a language model recites by how often it was shown it, for each length of the prefix."""

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, joined, measured, percent
from dashboard.kit.shared import once

TITLE = "Recited word for word, by copies in the training text"


@once
def figure(curve: pd.DataFrame) -> go.Figure:
    """Draw a line with its band for each length of the prefix; passages never shown are chance."""
    drawing = theme.blank("Copies of the passage in the training text", "Passages recited", legend=True)
    drawing.update_yaxes(range=[-0.04, theme.WHOLE], tickformat=".0%", dtick=0.25)
    if curve.empty:
        return theme.empty(drawing, "No passage was asked for.")
    copies = sorted(int(number) for number in curve["copies"].unique())
    places = {number: place for place, number in enumerate(copies)}
    drawing.update_xaxes(**theme.categories([f"{number:,}" if number else "never" for number in copies]))
    prefixes = sorted(int(length) for length in curve["prefix"].unique())
    longest = curve[curve["prefix"] == prefixes[-1]]
    theme.level(drawing, y=float(longest["chance"].iloc[0]), text="chance: never shown")
    for prefix, mark in theme.ordered(prefixes).items():
        rows = curve[curve["prefix"] == prefix].sort_values("copies").reset_index(drop=True)
        hover = [
            f"<b>{times(row.copies)}, after {counted(row.prefix, 'word')}</b><br>"
            f"{measured(row.recited, row.low, row.high, named=True)} of {counted(row.passages, 'passage')}"
            for row in records(rows)
        ]
        shown = rows.assign(x=rows["copies"].map(places))
        name = f"after {counted(prefix, 'word')}"
        traces.interval_line(drawing, shown, ("x", "recited", "low", "high"), mark, name, hover)
    return drawing.figure()


@once
def sentence(curve: pd.DataFrame) -> str:
    """Read the longest prefix aloud: most and fewest copies, the control, and whether shorter prefixes do as well."""
    if curve.empty:
        return "No passage was asked for."
    prefix = int(curve["prefix"].max())
    rows = records(curve[curve["prefix"] == prefix].sort_values("copies"))
    shown = [row for row in rows if row.copies]
    said = [
        f"{measured(row.recited, row.low, row.high, named=row is shown[-1])} of those shown {times(row.copies).lower()}"
        for row in (shown[-1], *([shown[0]] if len(shown) > 1 else []))
    ]
    text = f"After {counted(prefix, 'word')} of a passage, the model recites {joined(said)}"
    never = next((row for row in rows if not row.copies), None)
    if never is not None:
        text += f", and {measured(never.recited, never.low, never.high)} of those never shown, which is chance"
    # Chance is what was recited of the few passages never shown, and as uncertain as that.
    chance = shown[0].chance if never is None else never.high
    above = [row for row in shown if row.low > chance]
    if above:
        text += f". From {times(above[0].copies).lower()} on, that is more than chance."
        if any(row.low <= chance for row in shown if row.copies > above[0].copies):
            text = text.replace("From ", "Shown ").replace(" on, that", ", that")
    else:
        text += ". That is not shown to be more than chance."
    return text + _common(curve[curve["prefix"] == prefix])


@once
def scale(curve: pd.DataFrame, words: int) -> str:
    """Say how far the lengths are from those of the papers."""
    prefixes = joined([f"{length:,}" for length in sorted(int(length) for length in curve["prefix"].unique())])
    return (
        f"The papers ask for 50 subwords after 50 or more, of models of billions of weights. These texts and models "
        f"are small: {counted(words, 'word')} after {prefixes}."
    )


def times(copies: int) -> str:
    """Return a number of copies as the beginning of a sentence.

    >>> times(0), times(1), times(100)
    ('Never', 'Once', '100 times')
    """
    return {0: "Never", 1: "Once"}.get(copies, f"{copies:,} times")


def _common(rows: pd.DataFrame) -> str:
    """Say how many common phrases are counted apart; nothing without any."""
    count = int(rows["common"].sum())
    if not count:
        return ""
    recited = float((rows["common"] * rows["common_recited"].fillna(0)).sum() / count)
    stand = "stands" if count == 1 else "stand"
    return (
        f" {counted(count, 'passage')} whose continuation also {stand} in another document are counted apart: "
        f"{percent(recited)} of these common phrases are recited."
    )
