"""What the attack says of each user and each target model, against the truth."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import foreign, theme
from dashboard.kit.figures.tables import records, values
from dashboard.kit.figures.wording import counted, percent

_ROW, _HEAD = 24, 48
_WIDTH = 22
_LOOKS = (
    (True, True, "member, found", theme.MEMBER, "square", theme.MEMBER),
    (True, False, "member, missed", theme.AGAINST, "square-x", theme.BACKGROUND),
    (False, True, "non-member, left alone", theme.NONMEMBER, "square-open", theme.NONMEMBER),
    (False, False, "non-member, accused", theme.AGAINST, "square-x-open", theme.AGAINST),
)
"""Whether it is a member, whether the attack is right, what that is called, its colour, its mark, the mark's lines."""


def of(verdicts: pd.DataFrame, targets: pd.DataFrame) -> pd.DataFrame:
    """Return the verdicts with the users' names; users with the fewest mistakes first."""
    own = verdicts.merge(targets[["target", "label"]], on="target")
    own["called"] = own["completed"] > 0
    own["right"] = own["called"] == own["member"]
    own["mistakes"] = (~own["right"]).groupby(own["target"]).transform("sum")
    order = own.sort_values(["mistakes", "target", "play"], kind="stable").drop(columns="mistakes")
    return order.reset_index(drop=True)


def figure(rows: pd.DataFrame) -> go.Figure:
    """Draw a row for each user and a column for each target model: filled is a member, crossed out is a mistake.

    Args:
        rows: What `of` returns.
    """
    users = list(dict.fromkeys(rows["target"]))
    plays = sorted({int(play) for play in rows["play"]})
    inner = _ROW * max(len(users), 5)
    drawing = theme.blank("Target model", "", height=theme.TOP + _HEAD + 38 + inner, legend=True)
    if rows.empty:
        return theme.empty(drawing, "Nothing was decided.")
    place = {user: number for number, user in enumerate(users)}
    for member, right, name, colour, symbol, lines in _LOOKS:
        own = rows[(rows["member"] == member) & (rows["right"] == right)]
        drawing.add_scatter(
            x=values(own["play"]),
            y=[place[user] for user in own["target"]],
            mode="markers",
            name=name,
            marker={
                "color": colour,
                "symbol": symbol,
                "size": 17 if lines == colour else 20,
                "line": {"color": lines, "width": 2},
            },
            text=[_hover(row, name) for row in records(own)],
        )
    names = rows.drop_duplicates("target").set_index("target")["label"]
    drawing.update_yaxes(
        range=[len(users) - 0.4, -0.6],
        tickmode="array",
        tickvals=list(range(len(users))),
        showgrid=False,
        ticktext=[foreign.shown(foreign.cut(names[user], _WIDTH)) for user in users],
    )
    drawing.update_xaxes(
        side="top",
        range=[plays[0] - 0.6, plays[-1] + 0.6],
        tickmode="array",
        showgrid=False,
        tickvals=plays,
        ticktext=[str(play + 1) for play in plays],
    )
    drawing.update_layout(legend={"y": 1 + _HEAD / inner})
    return drawing.figure()


def sentence(rows: pd.DataFrame) -> str:
    """Count misses and false alarms, say what an accusation is worth, and how often the model matters at all.

    Args:
        rows: What `of` returns.
    """
    if rows.empty:
        return "Nothing was decided."
    members, others = rows[rows["member"]], rows[~rows["member"]]
    missed, alarms = int((~members["called"]).sum()), int(others["called"].sum())
    text = (
        "Filled squares are members, and what is crossed out is wrong. "
        f"The attack misses {missed} of {counted(len(members), 'member')} and falsely accuses {alarms} of "
        f"{counted(len(others), 'non-member')}. "
    )
    if accused := int(rows["called"].sum()):
        text += (
            f"Of its {counted(accused, 'accusation')} {percent((len(members) - missed) / accused)} are right; accusing "
            f"at random, {percent(len(members) / len(rows))} would be. "
        )
    else:
        text += "It accuses nobody. "
    return text + _same(rows)


def _same(rows: pd.DataFrame) -> str:
    """Say for how many users the verdict does not depend on the model, among those who are in some models only."""
    by_user = rows.groupby("target")[["member", "called"]].nunique()
    mixed = by_user[by_user["member"] > 1]
    if mixed.empty:
        return "No user is in some models and not in others, so whether the model matters cannot be seen."
    same = int((mixed["called"] == 1).sum())
    if not same:
        return "No user who is in some models only gets the same verdict from every model."
    return (
        f"Of {counted(len(mixed), 'user')} who are in some models only, {same} get the same verdict from every model: "
        "there it is the user’s words that decide, not the membership."
    )


def _hover(row: Any, name: str) -> str:
    return (
        f"<b>{foreign.shown(row.label)}</b>, target model {row.play + 1}<br>{name}<br>"
        f"completes {row.completed:,} of {counted(row.asked, 'context')}"
    )
