"""Extracted words and secrets, by method."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.intervals import difference, of_many
from core.statistics.wording import measured_in, percent
from dashboard.kit.figures import intervals, scatter, theme, traces
from dashboard.kit.figures.rows import interval_of
from dashboard.kit.figures.tables import records, where
from dashboard.kit.figures.wording import apart, joined
from dashboard.kit.shared import once
from dashboard.topics.canaries.figures import canaries
from dashboard.topics.canaries.figures.outcome import AXES, NO_SECRET, Measure, hover

TITLE = "By method"
_ENDS = ("value", "low", "high")
_SIGN: Mapping[Measure, int] = {"hamming": -1, "accuracy": 1}
"""Whether more of a measure is better for an adversary."""
_COUNTING = 9
"""Decimals of a difference that count; those after them are of its calculation."""
_HEAD = 27
_LANE = 13


@once
def figure(cells: pd.DataFrame, measure: Measure) -> go.Figure:
    """Draw a row for each method, with a point and its interval for each number of repetitions."""
    combined = canaries.of_measure(canaries.over_all(cells), measure)
    if combined.empty:
        return theme.empty(theme.blank(AXES[measure], ""), NO_SECRET)
    names = canaries.methods(combined["method"], canaries.own_method(cells))
    marks = theme.ordered(combined["repetitions"].tolist())
    band = _HEAD + _LANE * len(marks)
    drawing = theme.blank(AXES[measure], "", inner=19 + band * len(names), legend=True)
    drawing.update_xaxes(range=[-0.03, theme.WHOLE], tickformat=".0%", dtick=0.2)
    drawing.update_yaxes(range=[band * len(names), 0], showgrid=False, showticklabels=False)
    theme.level(drawing, x=float(combined["chance"].mean()), listed=True)
    for lane, (repetitions, mark) in enumerate(marks.items()):
        rows = combined[combined["repetitions"] == repetitions]
        heights = [band * names.index(name) + _HEAD + _LANE * (lane + 0.2) for name in rows["method"]]
        error = intervals.bars(rows["value"], rows["low"], rows["high"], mark.colour)
        texts = [hover(row, measure, canaries.method(row.method)) for row in records(rows)]
        name = canaries.shown_times(repetitions)
        scatter.points(drawing, rows["value"], heights, mark, name, texts, size=10, error_x=error)
    for row, name in enumerate(names):
        text = canaries.method(name, names[0])
        text = text if row else f"<b>{text}</b>"
        traces.left_label(drawing, text, band * row + _HEAD / 2, bgcolor=theme.veil(theme.BACKGROUND, 0xC0))
    return drawing.figure()


@once
def sentence(cells: pd.DataFrame, measure: Measure) -> str:
    """Read the comparison at the most repetitions aloud: attack, lowest loss of all, baseline and chance."""
    combined = canaries.of_measure(canaries.over_all(cells), measure)
    if combined.empty:
        return NO_SECRET
    most = int(combined["repetitions"].max())
    rows = {row.method: row for row in records(combined[combined["repetitions"] == most])}
    attack = rows[canaries.own_method(cells)]
    verb = "gets {} of the words wrong" if measure == "hamming" else "extracts {} of the secrets whole"
    text = f"{canaries.shown_times(most)}, the attack {verb.format(measured_in(attack, named=True))}"
    if "exhaustive" in rows and attack.method != "exhaustive":
        text += _exhaustive(attack, rows["exhaustive"], measure)
    else:
        text += "."
    text += _greedy(combined, attack.method, measure)
    if "continuous" in rows:
        baseline, chance = percent(rows["continuous"].value), percent(attack.chance)
        text += f" The continuous baseline gets {baseline} (chance: {chance})."
    return text


def _exhaustive(attack: Any, exhaustive: Any, measure: Measure) -> str:
    """Say what the lowest loss of all gives, and how far the search, which may stop short of it, lies from that."""
    gets = f"; the lowest loss of all secrets gets {percent(exhaustive.value)}"
    ahead = round(_SIGN[measure] * (attack.value - exhaustive.value), _COUNTING)
    if not ahead:
        return f"{gets}. So the search does as well as scoring all secrets."
    gap = apart(measured_in(attack), percent(exhaustive.value))
    gap = "less than 1 point" if gap == "0 points" else gap
    if ahead < 0:
        return f"{gets}. The search falls short of that by {gap}."
    return (
        f"{gets}. The lowest loss is not always the planted secret’s: the attack, which may stop short of it, is "
        f"better by {gap}."
    )


def _greedy(combined: pd.DataFrame, attack: str, measure: Measure) -> str:
    """Say where the likeliest word each time is nearer to the secret than the attack; empty where it never is.

    Where no interval shows it, the largest lead of those in the figure is explained.
    """
    if attack == "greedy":
        return ""
    attack_at = {row.repetitions: row for row in records(where(combined, "method", attack))}
    greedy = [row for row in records(where(combined, "method", "greedy").sort_values("repetitions")) if row.repetitions]
    ahead = [row for row in greedy if _SIGN[measure] * (row.value - attack_at[row.repetitions].value) > 0]
    if not ahead:
        return ""
    what = "words wrong" if measure == "hamming" else "secrets"
    compared = []
    for row in ahead:
        attacked = attack_at[row.repetitions]
        gain = of_many(difference(interval_of(row, *_ENDS), interval_of(attacked, *_ENDS)), len(greedy))
        if not gain.low <= 0 <= gain.high:
            times = canaries.shown_times(row.repetitions).lower()
            compared.append(f"{times}, {measured_in(row)} against {measured_in(attacked)} of the {what}")
    reason = "The planted secret need not have the lowest loss: a search that misses the lowest may come nearer to it."
    if compared:
        return f" The likeliest word each time does better in places: {joined(compared)}. {reason}"
    most = max(ahead, key=lambda row: abs(row.value - attack_at[row.repetitions].value))
    return (
        f" Choosing the likeliest word each time gave {percent(most.value)} of the {what} instead of "
        f"{percent(attack_at[most.repetitions].value)} of those {canaries.shown_times(most.repetitions).lower()}, "
        f"which is not shown to be better. {reason}"
    )
