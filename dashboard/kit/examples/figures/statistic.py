"""Distribution of a statistic over members and over non-members."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.games.example_membership import named_groups
from core.games.example_membership.contract import Wording
from core.statistics.wording import percent
from dashboard.kit.examples.figures import rules
from dashboard.kit.figures import scatter, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.kit.words import number

TITLE = "Members and non-members"
ALL = "all"


@once
def groups(densities: pd.DataFrame) -> list[str]:
    """Return the groups of a table, all groups together last."""
    return sorted(dict.fromkeys(densities["group"]), key=lambda group: group == ALL)


@once
def figure(densities: pd.DataFrame, statistic: str, group: str, about: Wording) -> go.Figure:
    """Draw both distributions over decisions as outlines."""
    drawing = theme.blank(rules.axis(statistic), "Share of decisions", legend=True)
    table = _of(densities, statistic, group)
    if table.empty:
        return theme.empty(drawing, _nothing(about))
    drawing.update_yaxes(tickformat=".0%", rangemode="tozero", nticks=6)
    sides = (True, f"trained on the {about.one}", theme.MEMBER), (False, "not trained on it", theme.NONMEMBER)
    for member, name, colour in sides:
        bins = table[table["member"] == member].sort_values("left")
        if len(bins):
            hover = [
                f"{percent(row.share)} of models {name}<br>between {number(row.left)} and {number(row.right)}"
                for row in records(bins)
            ]
            edges, text = [*bins["left"], bins["right"].iloc[-1]], ["", *np.repeat(hover, 2), ""]
            scatter.outline(drawing, edges, bins["share"], colour, dashed=not member, name=name, text=text)
    return drawing.figure()


@once
def sentence(densities: pd.DataFrame, statistic: str, group: str, about: Wording) -> str:
    """Read the two distributions aloud: their means, and how often a member lies above a non-member."""
    table = _of(densities, statistic, group)
    inside, outside = (table[table["member"] == member].sort_values("left") for member in (True, False))
    if inside.empty or outside.empty:
        return _nothing(about)
    which = f"{about.many} of all groups" if group == ALL else named_groups.phrase(group, about)
    return (
        f"For {which}, the mean is {number(_mean(inside))} in models trained on the {about.one} and "
        f"{number(_mean(outside))} in others. A member lies above a non-member in "
        f"{percent(_above(inside, outside))} of comparisons; chance, or two equal curves, is 50%."
    )


def _nothing(about: Wording) -> str:
    return f"There is no statistic of these {about.many}."


def _of(densities: pd.DataFrame, statistic: str, group: str) -> pd.DataFrame:
    return densities[(densities["statistic"] == statistic) & (densities["group"] == group)]


def _mean(bins: pd.DataFrame) -> float:
    return float((bins["share"] * (bins["left"] + bins["right"]) / 2).sum() / max(bins["share"].sum(), 1e-12))


def _above(inside: pd.DataFrame, outside: pd.DataFrame) -> float:
    """Return how often a value of the first exceeds one of the second, up to the width of bins."""
    more, less = inside["share"].to_numpy(), outside["share"].to_numpy()
    return float((more * (np.cumsum(less) - less / 2)).sum())
