"""P-values of dataset inference: how many people in, and how many out, the test rejects at each level."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.adversaries.own_sets import LEVEL
from core.statistics.wording import measured, percent
from core.statistics.wording.naming import counted
from dashboard.kit.figures import axes, theme
from dashboard.kit.figures.tables import records, where
from dashboard.kit.membership.figures import thresholds
from dashboard.kit.shared import once

TITLE = "A p-value for each person"
VARIANT = "dataset_inference"
_EMPTY = "No p-value was computed."
_LEAST = 1e-6
"""Smallest p-value that is drawn where it stands."""
_LOOKS = {
    True: ("people in the training text", theme.Mark(theme.MEMBER, "circle")),
    False: ("people out of it", theme.Mark(theme.NONMEMBER, "square", "dash")),
}


@once
def points(scores: pd.DataFrame, baselines: pd.DataFrame, size: int) -> pd.DataFrame:
    """Return the p-value of each decision about targets of a size, the smallest of those in and of those out first.

    Args:
        scores: The table ``scores`` of the game.
        baselines: The table ``rivals`` of the game.
        size: Documents of a target.

    Returns:
        Columns target, play, member, p_value, and the share of decisions of its kind with no larger one.
    """
    tested = where(baselines, "variant", VARIANT)[["target", "play", "score"]]
    asked = where(scores, "size", size)[["target", "play", "member"]]
    table = asked.merge(tested, on=["target", "play"])
    table = table.assign(p_value=LEVEL * 10.0 ** -table["score"]).sort_values("p_value", kind="stable")
    share = table.groupby("member")["p_value"].rank(method="max", pct=True)
    return table.drop(columns="score").assign(share=share).reset_index(drop=True)


@once
def figure(points: pd.DataFrame) -> go.Figure:
    """Draw the share of p-values up to each level, of people in and of people out, beside that of a fair test."""
    titles = "Level: largest p-value that rejects (logarithmic)", "Share of people the test calls members"
    drawing = theme.blank(*titles, height=theme.HEIGHT + 20, legend=True)
    if points.empty:
        return theme.empty(drawing, _EMPTY)
    least = max(_LEAST, min(float(points["p_value"].min()), LEVEL / 5))
    drawing.update_xaxes(**axes.log_ticks([float(np.log10(least)), 0.0], [least, 0.001, LEVEL, 1.0]))
    drawing.update_yaxes(range=[-0.03, theme.WHOLE], tickformat=".0%", dtick=0.25)
    levels = np.geomspace(least, 1, 60)
    chance = {"mode": "lines", "line": theme.CHANCE_LINE, "hoverinfo": "skip"}
    drawing.add_scatter(x=levels, y=levels, name="chance", **chance)
    theme.rule(drawing, x=LEVEL)
    for member, (name, mark) in _LOOKS.items():
        rows = where(points, "member", member)
        shown = rows.assign(p_value=rows["p_value"].clip(lower=least))
        drawing.add_scatter(
            x=shown["p_value"],
            y=shown["share"],
            mode="lines",
            line={**mark.line(3), "shape": "hv"},
            name=name,
            text=[f"<b>{name}</b><br>{percent(row.share)} have p ≤ {row.p_value:.2g}" for row in records(rows)],
        )
    return drawing.figure()


@once
def sentence(points: pd.DataFrame) -> str:
    """Read aloud how many people in and out the test rejects at its level, and whether it keeps the level."""
    if points.empty:
        return _EMPTY
    rejected = points.assign(score=-points["p_value"], guess=points["p_value"] < LEVEL)
    decisions = rejected[["target", "play", "member", "score", "guess"]]
    shares = {member: thresholds.taken(decisions, member=member) for member in (True, False)}
    counts = {member: int((points["member"] == member).sum()) for member in shares}
    (recall, *found_ends), (alarms, *alarm_ends) = shares[True], shares[False]
    text = (
        f"At a level of {percent(LEVEL)} the test takes {measured(recall, *found_ends, named=True)} of "
        f"{counted(counts[True], 'decision')} about people in the training text for members, and "
        f"{measured(alarms, *alarm_ends)} of {counted(counts[False], 'decision')} about people out of it; a fair test "
        f"takes {percent(LEVEL)} of these. All decisions are about the same {points['target'].nunique():,} people, in "
        f"{counted(points['play'].nunique(), 'model')}."
    )
    if alarm_ends[0] > LEVEL:
        return (
            f"{text} So it takes more people who are out for members than its p-values promise: they are no evidence."
        )
    kept = " That it takes more than that for members is not shown." if alarms > LEVEL else ""
    if found_ends[0] <= LEVEL:
        return f"{text}{kept} That it tells people in from people out is not shown."
    half = float(where(points, "member", True)["p_value"].median())
    return f"{text}{kept} Half of the people in have a p-value of {half:.2g} or less."
