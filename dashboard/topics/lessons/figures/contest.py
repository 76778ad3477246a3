"""People against an attack: their answers as points on the axes of the attack's ROC curve."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.examples.figures import rules
from dashboard.kit.figures import axes, intervals, scatter, theme
from dashboard.kit.figures.drawing import Drawing
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, measured, percent
from dashboard.kit.shared import once
from dashboard.topics.lessons.figures import answers

TITLE = "You against the attack"
_HEIGHT = 460
ATTACK, BLIND, CHANCE = "the attack on the same items", "as accurate as the text alone", "chance"
ROOM = "the room: items by how many call them in"
BLIND_AT_CHANCE = "chance, and as accurate as the text alone"

Said = Sequence[bool]
"""What somebody said of each item: whether it is a member."""


@once
def items(shown: pd.DataFrame, model: int, each: int) -> pd.DataFrame:
    """Return the first items of each group, as one target model saw them, in an order that no group gives away.

    Args:
        shown: Table of the game.
        model: Number of the target model.
        each: Items of each group.
    """
    of_model = shown[shown["model"] == model]
    chosen = of_model.groupby("group", sort=False).head(each)
    return chosen.sort_values("row", kind="stable").reset_index(drop=True)


@once
def rates(table: pd.DataFrame, said: Said) -> pd.DataFrame:
    """Return the share of members that were found, and of non-members that were accused, with Wilson's intervals."""
    member = table["member"].to_numpy(bool)
    named = pd.Series(said, dtype=bool).to_numpy()
    found = []
    for group in (member, ~member):
        share = pd.Series([named[group].mean()])
        low, high = intervals.of_shares(share, int(group.sum()))
        found.append((share[0], low[0], high[0], int(group.sum())))
    return pd.DataFrame(found, columns=["value", "low", "high", "items"])


@once
def right(table: pd.DataFrame, said: Said) -> int:
    """Return how many items were told right."""
    return int((table["member"].to_numpy(bool) == pd.Series(said, dtype=bool).to_numpy()).sum())


@once
def majority(said: Sequence[Said]) -> tuple[bool, ...]:
    """Return what more than half of the people say of each item.

    >>> majority([(True, False), (True, True)])
    (True, False)
    """
    return tuple(sum(named) * 2 > len(said) for named in zip(*said, strict=True))


@once
def crowd(table: pd.DataFrame, said: Sequence[Said]) -> pd.DataFrame:
    """Return the room's curve: items called in from the one that most people call so to the one that fewest do.

    Args:
        table: The items, see `items`.
        said: What each person said of them.
    """
    member, calls = table["member"].to_numpy(bool), pd.DataFrame(list(said)).sum().to_numpy()
    chosen = [calls >= least for least in range(len(said) + 1, -1, -1)]
    rates_of = [(float(named[~member].mean()), float(named[member].mean())) for named in chosen]
    return pd.DataFrame(rates_of, columns=["false_positive_rate", "true_positive_rate"])


@once
def figure(roc: pd.DataFrame, table: pd.DataFrame, said: Sequence[Said], blind: float) -> go.Figure:
    """Draw the curve of the attack, its answers about the same items, and everybody's.

    Args:
        roc: Table of the game.
        table: The items, see `items`.
        said: What each person said of them.
        blind: Accuracy of the text alone, without a model.
    """
    titles = "False-positive rate: non-members accused", "True-positive rate: members found"
    drawing = theme.blank(*titles, height=_HEIGHT, legend=True)
    curve = rules.drawn(roc)[0].of(roc).sort_values("false_positive_rate")
    rate = curve["false_positive_rate"]
    intervals.band(drawing, rate, curve["low"], curve["high"], theme.MEMBER)
    line = {"x": rate, "y": curve["true_positive_rate"], "mode": "lines", "line": answers.MEASURED.line(3)}
    drawing.add_scatter(**line, name="the attack, with its 95% interval", hoverinfo="skip")
    ends, lead = [0.0, 1.0], 2 * blind - 1
    diagonal = CHANCE if lead else BLIND_AT_CHANCE
    drawing.add_scatter(x=ends, y=ends, mode="lines", line=theme.CHANCE_LINE, name=diagonal, hoverinfo="skip")
    if lead:
        x = [max(0.0, -lead), min(1.0, 1 - lead)]
        dots = {"color": theme.AGAINST, "width": 3, "dash": "dot"}
        drawing.add_scatter(x=x, y=[at + lead for at in x], mode="lines", line=dots, name=BLIND, hoverinfo="skip")
    _person(drawing, table, (table["score"] > 0).tolist(), theme.Mark(theme.MEMBER, "star"), ATTACK, size=17)
    if len(said) == 1:
        _person(drawing, table, said[0], answers.PREDICTED, "you", size=16)
    elif said:
        _room(drawing, table, said)
    for update in (drawing.update_xaxes, drawing.update_yaxes):
        update(range=[-0.03, 1.04], tickformat=".0%", nticks=6)
    axes.list_series(drawing, theme.LINE * (7 if len(said) > 1 else 5))
    return drawing.figure()


@once
def sentence(roc: pd.DataFrame, table: pd.DataFrame, said: Sequence[Said], blind: float) -> str:
    """Read the figure aloud: the right answers of the people, of the attack, and of the text alone."""
    count = len(table)
    attack = right(table, (table["score"] > 0).tolist())
    end = f"The attack told {attack} of the same {count} right. The text alone is right in {percent(blind)}, by design."
    if not said:
        return end
    several = len(said) != 1
    told = right(table, majority(said) if several else said[0])
    share = pd.Series([told / count])
    low, high = intervals.of_shares(share, count)
    interval = measured(share[0], low[0], high[0], named=True)
    who = f"The majority of {counted(len(said), 'person', 'people')}" if several else "You"
    return f"{who} told {told} of {count} items right: {interval}; by chance 50%. {end}"


def _room(drawing: Drawing, table: pd.DataFrame, said: Sequence[Said]) -> None:
    """Draw everybody as a point, the curve of the room, and the decision of its majority with its intervals."""
    curve = crowd(table, said)
    line = {"x": curve["false_positive_rate"], "y": curve["true_positive_rate"], "mode": "lines"}
    drawing.add_scatter(**line, line=answers.PREDICTED.line(3), name=ROOM, hoverinfo="skip")
    points = [rates(table, each)["value"] for each in said]
    x, y = [float(point[1]) for point in points], [float(point[0]) for point in points]
    hover = [f"{right(table, each)} of {len(table)} right" for each in said]
    name = counted(len(said), "person", "people")
    scatter.points(drawing, x, y, answers.PREDICTED, name, hover, size=9, opacity=0.5, cliponaxis=False)
    _person(drawing, table, majority(said), answers.PREDICTED, "their majority", size=17)


def _person(
    drawing: Drawing, table: pd.DataFrame, said: Said, mark: theme.Mark, name: str, *, size: int, **trace: Any
) -> None:
    """Draw the answers of one person, or of the attack, with the intervals of both rates."""
    found, accused = records(rates(table, said))
    hover = (
        f"<b>{name}</b><br>{percent(found.value)} of {counted(found.items, 'member')} found, "
        f"{percent(accused.value)} of {counted(accused.items, 'non-member')} accused"
    )
    bars: dict[str, Any] = {
        f"error_{axis}": intervals.bars([rate.value], [rate.low], [rate.high], mark.colour, 1.5)
        for axis, rate in (("x", accused), ("y", found))
    }
    x, y = [accused.value], [found.value]
    scatter.points(drawing, x, y, mark, name, [hover], size=size, opaque=True, cliponaxis=False, **bars, **trace)
