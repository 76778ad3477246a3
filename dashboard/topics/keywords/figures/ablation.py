"""Accuracy of keyword inference by one quantity (Pan et al. 2020, Figure 6 c, d, g and h)."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate
from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import capitalised
from dashboard.kit.figures import axes, scatter, theme, traces
from dashboard.kit.figures.tables import from_on, records
from dashboard.kit.figures.wording import UNDECIDED, joined
from dashboard.kit.shared import once

Topic = Literal["held", "external", "dimension", "aligned"]

FIELDS: dict[Topic, str] = {"held": "texts", "external": "texts", "dimension": "dimension", "aligned": "aligned"}
"""Field of the attack for each topic."""
OF_DANN: tuple[Topic, ...] = ("dimension", "aligned")
"""Topics about the DANN only."""
TITLES: dict[Topic, str] = {
    "held": "Auxiliary texts of the victims’ kind",
    "external": "External auxiliary texts",
    "dimension": "Units of the DANN’s hidden layer",
    "aligned": "Victims’ embeddings in the training of the DANN",
}
PAPER: dict[Topic, str] = {
    "held": "The paper’s text on its Figure 6(c), a perceptron on its medical records, three sizes of GPT-2: over 90% "
    "with more than 100 texts; with 10, 59.4% for GPT-2, 61.0% for Medium and 68.5% for Large. It prints no other "
    "numbers.",
    "external": "The paper’s text on its Figure 6(d), from 2,000 texts down to 100: “a larger external corpus helps "
    "our attack achieve higher accuracy”. It prints no number.",
    "dimension": "The paper’s text on its Figure 6(g) and (h): the accuracy “remains high with different "
    "hyperparameter choices”. It prints no number.",
    "aligned": "The paper’s text on its Figure 6(g) and (h), of which (h) varies the victims: the accuracy “remains "
    "high with different hyperparameter choices”. It prints no number.",
}
"""Text of Pan et al. 2020, section VI-D, on the same comparison."""

_NOUNS: dict[Topic, str] = {"held": "texts", "external": "texts", "dimension": "units", "aligned": "victims"}
_HEIGHT = theme.HEIGHT - 40
_CLOSE = 1.6
_MOVES = "The intervals cover the sampling of victims, not the variation of the DANN between epochs."
_NUMBERS = ("number", "accuracy", "low", "high", "chance")
_COLUMNS = {**dict.fromkeys(_NUMBERS, "float64"), "label": "str", "here": "bool"}


def points(results: Iterable[tuple[int, float, Estimate, bool]]) -> pd.DataFrame:
    """Return one row for each number, the smallest first; of two experiments at one number the first counts.

    Args:
        results: The allowed number, the available number (infinity without a limit, NaN if unknown), the accuracy,
            and whether the experiment is the one on the page.
    """
    rows = []
    for allowed, available, accuracy, here in results:
        number = min(float(allowed), available) if math.isfinite(available) else float(allowed)
        chance = math.nan if accuracy.chance is None else accuracy.chance
        values = (number, accuracy.value, accuracy.low, accuracy.high, chance, _label(allowed, available), here)
        rows.append(dict(zip(_COLUMNS, values, strict=True)))
    frame = pd.DataFrame(rows, columns=list(_COLUMNS)).astype(_COLUMNS)
    return frame.drop_duplicates("number").sort_values("number", ignore_index=True)


@once
def figure(table: pd.DataFrame, topic: Topic) -> go.Figure:
    """Draw the accuracy with its band by number, on a logarithmic axis; a ring marks the experiment on the page."""
    noun = _NOUNS[topic]
    drawing = theme.blank(f"{noun.capitalize()} (logarithmic)", theme.ACCURACY, height=_HEIGHT, legend=True)
    if table.empty:
        return theme.empty(drawing, "No number was tried.")
    ends = float(table["number"].min()) / 1.25, float(table["number"].max()) * 1.25
    ticks = axes.log_ticks([math.log10(end) for end in ends], table["number"].tolist(), _ticks(table))
    drawing.update_xaxes(tickangle=0, **ticks)
    top = float(table[["high", "chance"]].max().max())
    drawing.update_yaxes(
        range=[theme.floor(table["low"], table["chance"], least=1.0) - 0.03, min(top + 0.05, theme.WHOLE)],
        tickformat=".0%",
        nticks=7,
    )
    if table["chance"].notna().any():
        theme.level(drawing, y=float(table["chance"].mean()))
    hover = [f"<b>{row.label} {noun}</b><br>accuracy: {measured_in(row, 'accuracy')}" for row in records(table)]
    traces.interval_line(drawing, table, _NUMBERS[:4], theme.distinct(1)[0], "mean over words", hover)
    here = table[table["here"]]
    ring, edge = theme.Mark(theme.INK, "circle-open"), {"color": theme.INK, "width": 2.5}
    x, y = here["number"], here["accuracy"]
    scatter.points(drawing, x, y, ring, "this experiment", size=20, edge=edge, hoverinfo="skip")
    return drawing.figure()


@once
def sentence(table: pd.DataFrame, topic: Topic) -> str:
    """Read the line aloud: both ends, whether it rises beyond the intervals, and which number is enough."""
    if table.empty:
        return "No number was tried."
    noun, rows = _NOUNS[topic], records(table)
    first, last = rows[0], rows[-1]
    who, caution = ("the DANN", _MOVES) if topic in OF_DANN else ("the attack", "")
    text = f"With {first.label} {noun} the accuracy of {who} is {measured_in(first, 'accuracy', named=True)}"
    if len(rows) == 1:
        chance = "" if math.isnan(first.chance) else f"; chance is {percent(first.chance)}"
        return f"{text}{chance}. No other number was tried."
    text += f", with {last.label} {measured_in(last, 'accuracy')}"
    if not math.isnan(first.chance):
        text += f"; chance is {percent(first.chance)}"
    return " ".join(filter(None, (f"{text}.", _trend(rows, noun), _leak(rows), caution)))


def _trend(rows: Sequence[Any], noun: str) -> str:
    """Say whether the number makes a difference beyond the intervals, and which number is enough."""
    best, worst = max(rows, key=lambda row: row.accuracy), min(rows, key=lambda row: row.accuracy)
    first, last = rows[0], rows[-1]
    if best.low <= worst.high:
        return f"{capitalised(UNDECIDED)}: more {noun} than {first.label} are not shown to help."
    if last.high < first.low:
        return f"More {noun} weaken the attack."
    if last.low <= first.high:
        return (
            f"{best.label} {noun} are best and {worst.label} worst, beyond both intervals, but there is no steady rise."
        )
    enough = from_on(rows, lambda row: not row.high < best.low) or last
    tail = "the last step still helps" if enough is last else f"from {enough.label} on, more are not shown to help"
    return f"More {noun} strengthen the attack; {tail}."


def _leak(rows: Sequence[Any]) -> str:
    """Say where no leak is shown."""
    unproven = [row.label for row in rows if not row.low > row.chance]
    if len(unproven) == len(rows):
        return "No interval lies above chance: no leak is shown."
    return f"With {joined(unproven)} the interval does not lie above chance." if unproven else ""


def _label(allowed: int, available: float) -> str:
    if math.isnan(available):
        return f"at most {allowed:,}"
    return f"all {available:,.0f}" if available < allowed else f"{allowed:,}"


def _ticks(table: pd.DataFrame) -> list[str]:
    """Return the labels of the axis; one that would overlap the label before it is a line lower."""
    ticks: list[str] = []
    before = 0.0
    for row in records(table):
        covered = row.number < before * _CLOSE and not ticks[-1].startswith("<br>")
        ticks.append(f"<br>{row.label}" if covered else row.label)
        before = row.number
    return ticks
