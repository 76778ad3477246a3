"""Membership advantage by group."""

from itertools import pairwise
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.games.example_membership import named_groups
from core.games.example_membership.contract import Wording
from core.statistics.wording import area, percent, rounded
from core.statistics.wording.naming import counted
from dashboard.kit.examples.figures import rules
from dashboard.kit.figures import axes, foreign, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once
from dashboard.kit.words import minus

_TICK = 8
"""Letters in a line of a tick: five of them stand side by side on a phone."""


@once
def figure(groups: pd.DataFrame, about: Wording) -> go.Figure:
    """Draw the advantage at the chosen threshold against the group, a line for each statistic and rule."""
    series = rules.drawn(groups)
    drawing = theme.blank(about.grouping, "Advantage (TPR − FPR)", height=460, legend=True)
    known = groups[groups["advantage"].notna()]
    if known.empty or not series:
        return theme.empty(drawing, _nothing(about))
    positions = {group: position for position, group in enumerate(named_groups.ordered(known))}
    ticks = theme.categories([foreign.shown(group.removesuffix(f" {about.unit}s"), _TICK) for group in positions])
    drawing.update_xaxes(range=[-0.3, len(positions) - 0.7], **ticks)
    drawn = pd.concat([line.of(known) for line in series])
    low, high = float(drawn[["advantage", "low"]].min().min()), float(drawn[["advantage", "high"]].max().max())
    drawing.update_yaxes(
        range=[min(low, 0.0) - 0.06, min(max(high, 0.1) + 0.06, theme.WHOLE)], tickformat=".0%", nticks=8
    )
    axes.list_series(drawing, 19 * len(series))
    theme.level(drawing, y=0.0, left=True)
    for number, line in enumerate(series):
        rows = line.of(known).sort_values("place")
        # A little apart, so that intervals of one group do not overlap.
        rows = rows.assign(x=rows["group"].map(positions) + 0.04 * (number - (len(series) - 1) / 2))
        hover = [
            f"<b>{line.name}</b><br>{about.group.format(row.group)}: {counted(int(row.examples), about.one)}<br>"
            f"advantage {_signed(row)}, AUC {area(row.auc, row.auc_low, row.auc_high)}"
            for row in records(rows)
        ]
        traces.interval_line(drawing, rows, ("x", "advantage", "low", "high"), line.mark, line.name, hover, size=9)
    return drawing.figure()


@once
def sentence(groups: pd.DataFrame, about: Wording) -> str:
    """Read the lines aloud: that of the answer from the first group to the last, then the others' first points."""
    known = groups[groups["advantage"].notna()]
    series = rules.drawn(known)
    if not series:
        return _nothing(about)
    ordered = records(series[0].of(known).sort_values("place"))
    text = f"By “{series[0].name}”, {_read_line(ordered, about)} Chance is 0%."
    other_lines = [(line.name, records(line.of(known).sort_values("place"))[0]) for line in series[1:]]
    if other_lines:
        advantages = joined([f"{_signed(row)} by “{name}”" for name, row in other_lines])
        text += f" For {named_groups.phrase(ordered[0].group, about)}, the others reach {advantages}."
    return text


def _read_line(rows: list[Any], about: Wording) -> str:
    first, last = rows[0], rows[-1]
    text = f"the advantage is {_signed(first, named=True)} for {named_groups.phrase(first.group, about)}"
    if len(rows) > 1:
        text += f" and {_signed(last)} for those {about.which.format(last.group)}"
        for verb, falling in (("falls", rows), ("rises", rows[::-1])):
            falls = all(later.advantage <= earlier.advantage for earlier, later in pairwise(falling))
            if falls and falling[0].low > falling[-1].high:
                text += f"; it {verb} with every step"
    return text + ("." if last.low > 0 else ", which is not shown to exceed chance.")


@once
def coverage(groups: pd.DataFrame, about: Wording, why: str) -> str:
    """Say how many examples of each group were drawn, how many could not be drawn, and, after the colon, why."""
    ordered = groups.drop_duplicates("group").sort_values("place")
    if ordered.empty:
        return ""
    pool, usable = int(ordered["pool"].sum()), int(ordered["usable"].sum())
    reason = f": {cause.removesuffix('.')}" if (cause := why.rpartition(": ")[2]) else ""
    drawn = [f"{about.group.format(row.group)}: {row.examples:,} of {row.usable:,}" for row in records(ordered)]
    return (
        "The advantage is taken at a threshold chosen on shadow models. "
        f"{about.many.capitalize()} drawn, of the usable ones: {'; '.join(drawn)}. "
        f"{percent(1 - usable / max(pool, 1))} of all {counted(pool, about.one)} could not be drawn{reason}."
    )


def _nothing(about: Wording) -> str:
    return f"No {about.one} was tested."


def _signed(row: Any, *, named: bool = False) -> str:
    """Return an advantage with its interval, labelled as such if ``named``.

    Where the lower end is negative, "to" stands between the ends: a dash would read as a minus sign.
    """
    value, low, high = (minus(rounded(end)) for end in (row.advantage, row.low, row.high))
    return f"{value}% ({'95% interval ' if named else ''}{low}{' to ' if low.startswith('−') else '–'}{high}%)"
