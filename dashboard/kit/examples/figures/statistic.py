"""What models give for examples that they were trained on, and for those that they were not."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.games.example_membership.contract import Wording
from dashboard.kit.examples.figures import kinds, rules
from dashboard.kit.figures import theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import percent
from dashboard.kit.words import number

TITLE = "What the models give"
ALL = "all"


def groups(densities: pd.DataFrame) -> list[str]:
    """Return the groups that can be looked at, all together last."""
    found = list(dict.fromkeys(densities["group"]))
    return [group for group in found if group != ALL] + [group for group in found if group == ALL]


def figure(densities: pd.DataFrame, statistic: str, group: str, about: Wording) -> go.Figure:
    """Draw both distributions over decisions as outlines."""
    drawing = theme.blank(rules.axis(statistic), "Share of decisions", legend=True)
    shown = _of(densities, statistic, group)
    if shown.empty:
        return theme.empty(drawing, _nothing(about))
    drawing.update_yaxes(tickformat=".0%", rangemode="tozero", nticks=6)
    sides = (True, f"trained on the {about.one}", theme.MEMBER), (False, "not trained on it", theme.NONMEMBER)
    for member, name, colour in sides:
        own = shown[shown["member"] == member].sort_values("left")
        if len(own):
            said = [
                f"{percent(row.share)} of models {name}<br>give {number(row.left)} to {number(row.right)}"
                for row in records(own)
            ]
            edges = [*own["left"], own["right"].iloc[-1]]
            drawing.add_scatter(
                x=np.repeat(edges, 2),
                y=[0.0, *np.repeat(own["share"], 2), 0.0],
                mode="lines",
                fill="tozeroy",
                line={"color": colour, "width": 2.5, "dash": "solid" if member else "dash"},
                fillcolor=theme.veil(colour, 0x38),
                name=name,
                text=["", *np.repeat(said, 2), ""],
            )
    return drawing.figure()


def sentence(densities: pd.DataFrame, statistic: str, group: str, about: Wording) -> str:
    """Read the two distributions aloud: where their middles lie, and how often a member lies above a non-member."""
    shown = _of(densities, statistic, group)
    inside, outside = (shown[shown["member"] == member].sort_values("left") for member in (True, False))
    if inside.empty or outside.empty:
        return _nothing(about)
    which = f"{about.many} of all groups" if group == ALL else kinds.those(group, about)
    return (
        f"For {which}, models that were trained on the {about.one} give {number(_mean(inside))} on average, others "
        f"{number(_mean(outside))}. A {about.one} that is in lies above one that is not in "
        f"{percent(_above(inside, outside))} of comparisons; guessing, or two equal curves, would give 50%."
    )


def _nothing(about: Wording) -> str:
    return f"Nothing was asked about these {about.many}."


def _of(densities: pd.DataFrame, statistic: str, group: str) -> pd.DataFrame:
    return densities[(densities["statistic"] == statistic) & (densities["group"] == group)]


def _mean(own: pd.DataFrame) -> float:
    return float((own["share"] * (own["left"] + own["right"]) / 2).sum() / max(own["share"].sum(), 1e-12))


def _above(inside: pd.DataFrame, outside: pd.DataFrame) -> float:
    """Return how often a value of the first exceeds one of the second, as well as bins can tell."""
    more, less = inside["share"].to_numpy(), outside["share"].to_numpy()
    return float((more * (np.cumsum(less) - less / 2)).sum())
