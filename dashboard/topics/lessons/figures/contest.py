"""People against an attack: their answers as points on the axes of the attack's ROC curve."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import measured, percent
from core.statistics.wording.naming import counted
from dashboard.kit.drawing import Drawing
from dashboard.kit.examples.figures import rules
from dashboard.kit.figures import axes, intervals, scatter, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once
from dashboard.topics.lessons.figures import answers

TITLE = "You against the attack"
_HEIGHT = 460
_ITEMS = 2
"""Items of each group that are asked about."""
ATTACK, BLIND, CHANCE = "the attack on the same items", "as accurate as the text alone", "chance"
ROOM = "the room: items by how many call them in"
BLIND_AT_CHANCE = "chance, and as accurate as the text alone"

Decisions = Sequence[bool]
"""For each item, whether somebody decided that it is a member."""


@once
def items(table: pd.DataFrame, model: int) -> pd.DataFrame:
    """Return the first items of each group, of one target model, in an order that does not give the groups away.

    Args:
        table: Table ``shown`` of the game.
        model: Number of the target model.
    """
    of_model = table[table["model"] == model]
    chosen = of_model.groupby("group", sort=False).head(_ITEMS)
    return chosen.sort_values("row", kind="stable").reset_index(drop=True)


@once
def rates(table: pd.DataFrame, decisions: Decisions) -> pd.DataFrame:
    """Return the true-positive and the false-positive rate of decisions, a row each, with Wilson's intervals."""
    member = table["member"].to_numpy(bool)
    decided = pd.Series(decisions, dtype=bool).to_numpy()
    rows = []
    for group in (member, ~member):
        share = pd.Series([decided[group].mean()])
        low, high = intervals.of_shares(share, int(group.sum()))
        rows.append((share[0], low[0], high[0], int(group.sum())))
    return pd.DataFrame(rows, columns=["value", "low", "high", "items"])


@once
def right(table: pd.DataFrame, decisions: Decisions) -> int:
    """Return how many decisions are right."""
    return int((table["member"].to_numpy(bool) == pd.Series(decisions, dtype=bool).to_numpy()).sum())


@once
def majority(by_person: Sequence[Decisions]) -> tuple[bool, ...]:
    """Return for each item whether more than half of the people called it in.

    >>> majority([(True, False), (True, True)])
    (True, False)
    """
    return tuple(sum(calls) * 2 > len(by_person) for calls in zip(*by_person, strict=True))


@once
def crowd(table: pd.DataFrame, by_person: Sequence[Decisions]) -> pd.DataFrame:
    """Return the ROC curve of a room, where the score of an item is the number of people who called it in.

    Args:
        table: The items, see `items`.
        by_person: The decisions of each person about them.
    """
    member, calls = table["member"].to_numpy(bool), pd.DataFrame(list(by_person)).sum().to_numpy()
    decisions = [calls >= least for least in range(len(by_person) + 1, -1, -1)]
    points = [(float(decided[~member].mean()), float(decided[member].mean())) for decided in decisions]
    return pd.DataFrame(points, columns=["false_positive_rate", "true_positive_rate"])


@once
def figure(roc: pd.DataFrame, table: pd.DataFrame, by_person: Sequence[Decisions], blind: float) -> go.Figure:
    """Draw the ROC curve of the attack, its decisions about the same items, and those of the people.

    Args:
        roc: Table of the game.
        table: The items, see `items`.
        by_person: The decisions of each person about them.
        blind: Accuracy of the text alone, without a model.
    """
    titles = "False-positive rate: non-members taken for members", "True-positive rate: members found"
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
    if len(by_person) == 1:
        _person(drawing, table, by_person[0], answers.PREDICTED, "you", size=16)
    elif by_person:
        _room(drawing, table, by_person)
    for update in (drawing.update_xaxes, drawing.update_yaxes):
        update(range=[-0.03, 1.04], tickformat=".0%", nticks=6)
    axes.list_series(drawing, theme.LINE * (7 if len(by_person) > 1 else 5))
    return drawing.figure()


@once
def sentence(
    roc: pd.DataFrame, table: pd.DataFrame, by_person: Sequence[Decisions], blind: float, room: bool = False
) -> str:
    """Read the figure aloud: how often the people, the attack, and the text alone are right, and which are members.

    Arguments are those of `picture`, and whether it is read to a room, where one answer need not be the reader's own.
    """
    count = len(table)
    attack = right(table, (table["score"] > 0).tolist())
    members = [str(number) for number, is_member in enumerate(table["member"], start=1) if is_member]
    ending = (
        f"The attack was right about {attack} of the same {count}; the text alone in {percent(blind)}, by design. "
        f"Members: items {joined(members)}."
    )
    if not by_person:
        return ending
    several = len(by_person) != 1
    correct = right(table, majority(by_person) if several else by_person[0])
    share = pd.Series([correct / count])
    low, high = intervals.of_shares(share, count)
    interval = measured(share[0], low[0], high[0], named=True)
    everybody = f"{counted(len(by_person), 'person', 'people')}{'' if len(by_person) % 2 else ' (a tie means “out”)'}"
    alone = "The one person who answered was" if room else "You were"
    who = f"The majority of {everybody} was" if several else alone
    return f"{who} right about {correct} of {count} items: {interval}; chance 50%. {ending}"


def _room(drawing: Drawing, table: pd.DataFrame, by_person: Sequence[Decisions]) -> None:
    """Draw a point for each person, the ROC curve of the room, and the majority with the intervals of its rates."""
    curve = crowd(table, by_person)
    line = {"x": curve["false_positive_rate"], "y": curve["true_positive_rate"], "mode": "lines"}
    drawing.add_scatter(**line, line=answers.PREDICTED.line(3), name=ROOM, hoverinfo="skip")
    points = [rates(table, decisions)["value"] for decisions in by_person]
    x, y = [float(point[1]) for point in points], [float(point[0]) for point in points]
    hover = [f"{right(table, decisions)} of {len(table)} right" for decisions in by_person]
    name = counted(len(by_person), "person", "people")
    scatter.points(drawing, x, y, answers.PREDICTED, name, hover, size=9, opacity=0.5, cliponaxis=False)
    _person(drawing, table, majority(by_person), answers.PREDICTED, "their majority", size=17)


def _person(
    drawing: Drawing, table: pd.DataFrame, decisions: Decisions, mark: theme.Mark, name: str, *, size: int
) -> None:
    true_rate, false_rate = records(rates(table, decisions))
    hover = (
        f"<b>{name}</b><br>{percent(true_rate.value)} of {counted(true_rate.items, 'member')} found, "
        f"{percent(false_rate.value)} of {counted(false_rate.items, 'non-member')} taken for members"
    )
    bars: dict[str, Any] = {
        f"error_{axis}": intervals.bars([rate.value], [rate.low], [rate.high], mark.colour, 1.5)
        for axis, rate in (("x", false_rate), ("y", true_rate))
    }
    x, y = [false_rate.value], [true_rate.value]
    scatter.points(drawing, x, y, mark, name, [hover], size=size, opaque=True, cliponaxis=False, **bars)
