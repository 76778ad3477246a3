"""Decisions about each user and target model, against the truth."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate
from core.statistics.intervals import Interval, difference
from core.statistics.wording import percent
from core.statistics.wording.naming import counted
from dashboard.kit.figures import foreign, intervals, scatter, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once

TITLE = "Decisions by user"
_ROW, _HEAD = 24, 48
_WIDTH = 22
_LOOKS = (
    (True, True, "member, found", theme.Mark(theme.MEMBER, "square"), theme.MEMBER),
    (True, False, "member, missed", theme.Mark(theme.AGAINST, "square-x"), theme.BACKGROUND),
    (False, True, "non-member, not taken for one", theme.Mark(theme.NONMEMBER, "square-open"), theme.NONMEMBER),
    (False, False, "non-member, taken for a member", theme.Mark(theme.AGAINST, "square-x-open"), theme.AGAINST),
)
"""Member, correct, name, colour and symbol, colour of the symbol's lines."""


@once
def of(verdicts: pd.DataFrame, targets: pd.DataFrame) -> pd.DataFrame:
    """Return the decisions with the users' names, the fewest mistakes first."""
    decisions = verdicts.merge(targets[["target", "label"]], on="target")
    decisions["called"] = decisions["completed"] > 0
    decisions["right"] = decisions["called"] == decisions["member"]
    decisions["mistakes"] = (~decisions["right"]).groupby(decisions["target"]).transform("sum")
    order = decisions.sort_values(["mistakes", "target", "play"], kind="stable").drop(columns="mistakes")
    return order.reset_index(drop=True)


@once
def figure(rows: pd.DataFrame) -> go.Figure:
    """Draw a row for each user and a column for each target model: filled for members, crossed out for mistakes."""
    users = list(dict.fromkeys(rows["target"]))
    plays = sorted({int(play) for play in rows["play"]})
    inner = _ROW * max(len(users), 5)
    drawing = theme.blank("Target model", "", height=theme.TOP + _HEAD + 38 + inner, legend=True)
    if rows.empty:
        return theme.empty(drawing, "The result has no decision.")
    positions = {user: number for number, user in enumerate(users)}
    for member, right, name, mark, lines in _LOOKS:
        size, edge = 17 if lines == mark.colour else 20, {"color": lines, "width": 2}
        cases = rows[(rows["member"] == member) & (rows["right"] == right)]
        heights, hover = cases["target"].map(positions), [_hover(row, name) for row in records(cases)]
        scatter.points(drawing, cases["play"], heights, mark, name, hover, size=size, edge=edge)
    names = rows.drop_duplicates("target").set_index("target")["label"]
    traces.name_rows(drawing, [foreign.shown(foreign.cut(names[user], _WIDTH)) for user in users])
    ticks = {"tickmode": "array", "tickvals": plays, "ticktext": [str(play + 1) for play in plays]}
    drawing.update_xaxes(side="top", range=[plays[0] - 0.6, plays[-1] + 0.6], showgrid=False, **ticks)
    return drawing.figure()


@once
def sentence(rows: pd.DataFrame) -> str:
    """Read misses, false alarms and precision aloud, and for how many users the model makes a difference."""
    if rows.empty:
        return "The result has no decision."
    members, nonmembers = rows[rows["member"]], rows[~rows["member"]]
    missed, alarms = int((~members["called"]).sum()), int(nonmembers["called"].sum())
    text = (
        "Filled squares are members, crossed-out squares are wrong. The attack misses "
        f"{missed} of {counted(len(members), 'member')} and takes {alarms} of "
        f"{counted(len(nonmembers), 'non-member')} for members. "
    )
    if positives := int(rows["called"].sum()):
        text += (
            f"Of its {counted(positives, 'decision')} for “member” {percent((len(members) - missed) / positives)} are "
            f"correct (chance: {percent(len(members) / len(rows))}). "
        )
    else:
        text += "It takes nobody for a member. "
    return text + _same(rows)


@once
def silence(rows: pd.DataFrame, accuracy: Estimate | None) -> str:
    """Say why decisions are not shown to be better than chance; an empty text where they are better."""
    if rows.empty or accuracy is None or accuracy.above_chance():
        return ""
    (completed, hits), (completed_without, alarms) = (
        (side["completed"].sum() / max(side["asked"].sum(), 1), side["called"].mean())
        for side in (rows[rows["member"]], rows[~rows["member"]])
    )
    return (
        "Why the decisions are not shown to be better than chance here: a single completed pair is enough to decide "
        f"for “member”. Models that were trained on a user’s documents complete {percent(completed)} of the queried "
        f"pairs, models that were not {percent(completed_without)}. So {percent(hits)} of members and "
        f"{percent(alarms)} of non-members are taken for members."
    )


def _same(rows: pd.DataFrame) -> str:
    """Say for how many users the decision does not depend on the model, among those in some models only."""
    by_user = rows.groupby("target")[["member", "called"]].nunique()
    mixed = by_user[by_user["member"] > 1]
    if mixed.empty:
        return "No user is in some models and not in others, so an effect of membership cannot be seen."
    alike = mixed.index[mixed["called"] == 1]
    if alike.empty:
        return "No user who is in some models only gets the same decision from every model."
    users = counted(len(mixed), "user")
    text = f"Of {users} who are in some models only, {len(alike)} get the same decision from every model"
    if rows.loc[rows["target"].isin(alike), "called"].nunique() == 1:
        return f"{text}."
    cases = rows[rows["target"].isin(mixed.index)]
    inside, outside = (_positive(cases[cases["member"] == member]) for member in (True, False))
    _, low, high = difference(inside, outside)
    if not low <= 0 <= high:
        return f"{text}."
    return (
        f"{text}: it depends on the user’s words. They are taken for members with {percent(inside.value)} of the "
        f"models that they are in and with {percent(outside.value)} of the others, which is not shown to differ."
    )


def _positive(cases: pd.DataFrame) -> Interval:
    """Return the share of decisions for “member”, with its interval."""
    return Interval(cases["called"].mean(), *intervals.of_count(int(cases["called"].sum()), len(cases)))


def _hover(row: Any, name: str) -> str:
    return (
        f"<b>{foreign.shown(row.label)}</b>, target model {row.play + 1}<br>{name}<br>completes {row.completed:,} of "
        f"{counted(row.asked, 'context')}"
    )
