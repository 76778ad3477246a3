"""How much further than guessing membership is told, group by group: rarer words leak more."""

from itertools import pairwise
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.charts import example_rules, intervals, theme
from dashboard.charts.tables import records
from dashboard.charts.wording import counted, decimal, percent

TITLE = "By how often the middle word occurs"
_EMPTY = "No window was asked about."


def figure(groups: pd.DataFrame) -> go.Figure:
    """Draw the advantage at the chosen threshold against the group, a line for each statistic and rule."""
    series = example_rules.drawn(groups)
    drawing = theme.blank(
        "How often the middle word occurs in all documents",
        "Advantage (TPR − FPR)",
        height=460,
        legend=True,
    )
    known = groups[groups["advantage"].notna()]
    if known.empty or not series:
        return theme.empty(drawing, _EMPTY)
    places = _places(known)
    drawing.update_xaxes(
        tickmode="array", tickvals=list(places.values()), ticktext=list(places), range=[-0.3, len(places) - 0.7],
        showgrid=False,
    )  # fmt: skip
    shown = pd.concat([one.of(known) for one in series])
    low, high = float(shown[["advantage", "low"]].min().min()), float(shown[["advantage", "high"]].max().max())
    drawing.update_yaxes(range=[min(low, 0.0) - 0.06, min(max(high, 0.1) + 0.06, 1.06)], tickformat=".0%", nticks=8)
    drawing.update_layout(
        margin={"t": theme.TOP + 19 * len(series)}, legend={"orientation": "v", "y": 1.01, "yref": "paper"}
    )
    theme.level(drawing, y=0.0, left=True)
    for number, one in enumerate(series):
        own = one.of(known).sort_values("place")
        # A little apart, so that intervals of one group do not lie upon each other.
        at = pd.Series([places[row.group] + 0.04 * (number - (len(series) - 1) / 2) for row in records(own)])
        said = [
            f"<b>{one.name}</b><br>middle word {row.group} times: {counted(int(row.examples), 'window')}<br>"
            f"advantage {_signed(row)}, "
            f"AUC {decimal(row.auc)} ({decimal(row.auc_low)}–{decimal(row.auc_high)})"
            for row in records(own)
        ]
        intervals.line(
            drawing, at.set_axis(own.index), own["advantage"], own["low"], own["high"], one.mark, name=one.name,
            said=said,
        )  # fmt: skip
    return drawing.figure()


def sentence(groups: pd.DataFrame) -> str:
    """Read the lines aloud: the answer's from the rarest words to the most frequent, then where the others begin."""
    known = groups[groups["advantage"].notna()]
    series = example_rules.drawn(known)
    if not series:
        return _EMPTY
    text = _read(records(series[0].of(known).sort_values("place")))
    text = f"{series[0].name}: {text} Guessing gives 0%."
    begun = [(one.name, records(one.of(known).sort_values("place"))[0]) for one in series[1:]]
    if begun:
        said = "; ".join(f"{name}, {_signed(row)}" for name, row in begun)
        text += f" With the rarest middle words the others reach: {said}."
    return text


def _read(rows: list[Any]) -> str:
    first, last = rows[0], rows[-1]
    text = f"an advantage of {_signed(first, named=True)}"
    if len(rows) == 1:
        text += f" where the middle word occurs {first.group} times"
    else:
        text += f" where the middle word occurs {first.group} times, and {_signed(last)} where it occurs {last.group}"
        if all(later.advantage <= earlier.advantage for earlier, later in pairwise(rows)) and first.low > last.high:
            text += "; it falls with every step"
    return text + ("." if last.low > 0 else ", which is not shown to be more than guessing.")


def coverage(groups: pd.DataFrame) -> str:
    """Say how many windows there were of each group, and how many could be asked about."""
    own = groups.drop_duplicates("group").sort_values("place")
    if own.empty:
        return ""
    pool, usable = int(own["pool"].sum()), int(own["usable"].sum())
    said = "; ".join(f"{row.group} times: {row.examples:,} of {row.usable:,}" for row in records(own))
    return (
        "The advantage is taken at the threshold that was chosen on shadow models. "
        f"Windows drawn, of those that could be: {said}. {percent(1 - usable / max(pool, 1))} of all "
        f"{counted(pool, 'window')} could not be drawn: they have a word that some model does not know, or stand in "
        "two documents."
    )


def _signed(row: Any, *, named: bool = False) -> str:
    """Return an advantage with its interval, which is named where it comes first; either may lie below 0."""
    value, low, high = (f"{round(100 * end)}".replace("-", "−") for end in (row.advantage, row.low, row.high))
    return f"{value}% ({'95% interval ' if named else ''}{low} to {high}%)"


def _places(groups: pd.DataFrame) -> dict[str, int]:
    """Return where each group lies, in their order."""
    return {
        row.group: number for number, row in enumerate(records(groups.drop_duplicates("group").sort_values("place")))
    }
