"""ROC curves of every statistic on the same decisions: the text alone, the attack, and its variants."""

import pandas as pd
import plotly.graph_objects as go

from core.runtime.seeding import generator
from core.statistics.decisions import Decisions
from core.statistics.measures import ROC_RATES, ROC_RESAMPLES
from dashboard.kit.figures import roc as curves
from dashboard.kit.figures import theme
from dashboard.kit.figures.wording import counted, documents, joined, measured, percent, variant
from dashboard.kit.shared import once

FREE = "model_free"
"""The adversary that queries no model."""
_READ = (0.01, 0.05, 0.1, 0.25, 0.5)
"""False-positive rates at which curves are read aloud; the lowest that the counts allow."""


@once
def sizes(scores: pd.DataFrame) -> list[int]:
    """Return the smallest and the largest size of a target; one, where there is one."""
    every = sorted(int(size) for size in scores["size"].unique())
    return list(dict.fromkeys([every[0], every[-1]])) if every else []


@once
def points(scores: pd.DataFrame, rivals: pd.DataFrame, attack: str, size: int) -> pd.DataFrame:
    """Return the curve of every adversary about the targets of a size, that without a model first.

    Args:
        scores: Table of the game.
        rivals: Table of the game.
        attack: Name of the attack.
        size: Documents of a target.
    """
    own = scores[scores["size"] == size]
    member = own.pivot(index="play", columns="target", values="member")
    by_variant = {
        attack: own,
        **dict(list(rivals[rivals["target"].isin(member.columns)].groupby("variant", sort=False))),
    }
    rows = []
    for name in sorted(by_variant, key=lambda name: (name != FREE, name != attack)):
        wide = by_variant[name].pivot(index="play", columns="target", values="score")
        decisions = Decisions(member.to_numpy(bool), wide.to_numpy(float))
        if not 0 < decisions.member.sum() < decisions.member.size:
            continue
        counts = {"members": int(decisions.member.sum()), "nonmembers": int((~decisions.member).sum())}
        drawn = decisions.roc(ROC_RATES, generator(0, "every statistic"), ROC_RESAMPLES)
        rows += [{"variant": name, **row, **counts} for row in drawn]
    columns = ["variant", "false_positive_rate", "true_positive_rate", "low", "high", "members", "nonmembers"]
    return pd.DataFrame(rows, columns=columns)


@once
def figure(shown: pd.DataFrame, attack: str) -> go.Figure:
    """Draw all curves on logarithmic axes, with the band of the attack's."""
    floor = 1 / int(shown["nonmembers"].iloc[0]) if len(shown) else 0.01
    bottom = min(floor, 1 / int(shown["members"].iloc[0])) if len(shown) else 0.01
    drawing = curves.blank(floor, bottom, legend=len(shown) > 0)
    if shown.empty:
        return theme.empty(drawing, curves.EMPTY)
    names = list(dict.fromkeys(shown["variant"]))
    others = [name for name in names if name != FREE]
    marks = dict(zip(others, theme.distinct(len(others)), strict=True)) | {FREE: theme.Mark(theme.INK, "x", "dot")}
    for name in names:
        curve = shown[shown["variant"] == name]
        up = bottom if name == attack else 0.0
        curves.add(drawing, curve, floor, marks[name], variant(name, attack), up=up)
    return drawing.figure()


@once
def sentence(shown: pd.DataFrame, attack: str, size: int) -> str:
    """Read all curves aloud at one false-positive rate, the text alone first."""
    if shown.empty:
        return curves.EMPTY
    others = int(shown["nonmembers"].iloc[0])
    rate = next((rate for rate in _READ if rate * others >= 1), _READ[-1])
    found: list[str] = []
    for name in dict.fromkeys(shown["variant"]):
        row = curves.at(shown[shown["variant"] == name], rate)
        if row is not None:
            share = measured(row.true_positive_rate, row.low, row.high, named=not found)
            found.append(f"“{variant(name, attack)}” {share}")
    return (
        f"With {documents(size)} of a target, at a false-positive rate of {percent(rate)}, {joined(found)} of members "
        f"are found; chance is {percent(rate)}. {counted(others, 'decision')} about non-members allow no rate below "
        f"{percent(1 / others)}."
    )


@once
def blind(estimate: tuple[float, float, float] | None) -> str:
    """Say what a classifier finds that reads the texts but never asks the model.

    Args:
        estimate: Its accuracy with both ends of the interval.
    """
    if estimate is None:
        return "Whether the text alone tells members was not measured."
    value, low, high = estimate
    text = (
        "First without the model: a classifier that reads the targets’ texts alone, and knows who of all other targets "
        f"is a member, is right in {measured(value, low, high, named=True)}; chance is 50%."
    )
    if low > 0.5:
        return f"{text} The split gives itself away, so what follows is not shown to come from the model."
    return f"{text} It is not shown to be better than chance, so the split does not explain what follows."
