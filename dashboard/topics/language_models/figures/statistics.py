"""ROC curves of every statistic on the same decisions: the text alone, the attack, and its variants."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate
from core.runtime.seeding import generator
from core.statistics import ties
from core.statistics.decisions import Decisions
from core.statistics.measures import ROC_RATES, ROC_RESAMPLES
from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import counted, documents
from core.statistics.wording.variants import BLIND
from dashboard.kit.figures import roc as curves
from dashboard.kit.figures import theme
from dashboard.kit.figures.wording import joined, variant
from dashboard.kit.membership.figures import roc as sized_curves
from dashboard.kit.membership.figures.headline import place
from dashboard.kit.shared import once

_CURVE = ["false_positive_rate", "true_positive_rate", "low", "high"]
_READ = (0.01, 0.05, 0.1, 0.25, 0.5)
"""False-positive rates at which curves are read aloud; the lowest that the counts allow."""


@once
def sizes(scores: pd.DataFrame) -> list[int]:
    """Return the smallest and the largest size of a target, once if they are the same."""
    known_sizes = sorted(int(size) for size in scores["size"].unique())
    return list(dict.fromkeys([known_sizes[0], known_sizes[-1]])) if known_sizes else []


@once
def points(
    roc: pd.DataFrame,
    scores: pd.DataFrame,
    baselines: pd.DataFrame,
    estimates: Mapping[str, Estimate],
    attack: str,
    size: int,
) -> pd.DataFrame:
    """Return the curve of every adversary for the targets of a size, the one without a model first.

    The attack's is the stored one, and a rate that is an estimate has its interval, so that a page has one for it.

    Args:
        roc: The table ``roc`` of the game: the curve of the attack.
        scores: The table ``scores`` of the game.
        baselines: The table ``rivals`` of the game.
        estimates: Those of the result.
        attack: Name of the attack.
        size: Documents of a target.
    """
    size_scores = scores[scores["size"] == size]
    member = size_scores.pivot(index="play", columns="target", values="member")
    by_variant = {
        attack: size_scores,
        **dict(list(baselines[baselines["target"].isin(member.columns)].groupby("variant", sort=False))),
    }
    rows: list[dict[str, Any]] = []
    for name in sorted(map(str, by_variant), key=lambda name: (name != BLIND, place(name, attack))):
        wide = by_variant[name].pivot(index="play", columns="target", values="score")
        decisions = Decisions(member.to_numpy(bool), ties.levelled(wide.to_numpy(float)))
        if not 0 < decisions.member.sum() < decisions.member.size:
            continue
        counts = {"members": int(decisions.member.sum()), "nonmembers": int((~decisions.member).sum())}
        drawn: Iterable[Any] = roc.loc[roc["size"] == size, _CURVE].to_dict("records")
        if name != attack:
            drawn = decisions.roc(ROC_RATES, generator(0, "every statistic"), ROC_RESAMPLES)
        curve = pd.DataFrame(drawn).assign(size=size)
        curve = sized_curves.settled(curve, scores, estimates, "" if name == attack else name)
        shown: Iterable[Any] = curve[_CURVE].to_dict("records")
        rows += [{"variant": name, **row, **counts} for row in shown]
    return pd.DataFrame(rows, columns=["variant", *_CURVE, "members", "nonmembers"])


@once
def figure(points: pd.DataFrame, attack: str) -> go.Figure:
    """Draw all curves on logarithmic axes, with the band of the attack's."""
    floor = 1 / int(points["nonmembers"].iloc[0]) if len(points) else 0.01
    bottom = min(floor, 1 / int(points["members"].iloc[0])) if len(points) else 0.01
    drawing = curves.blank(floor, bottom, legend=len(points) > 0)
    if points.empty:
        return theme.empty(drawing, curves.EMPTY)
    names = list(dict.fromkeys(points["variant"]))
    querying = [name for name in names if name != BLIND]
    marks = dict(zip(querying, theme.distinct(len(querying)), strict=True)) | {BLIND: theme.Mark(theme.INK, "x", "dot")}
    for name in names:
        curve = points[points["variant"] == name]
        curves.add(drawing, curve, floor, marks[name], variant(name, attack), band=name == attack)
    return drawing.figure()


@once
def sentence(points: pd.DataFrame, attack: str, size: int) -> str:
    """Read curves aloud at one false-positive rate: the text alone and the attack, then the ends of the others."""
    if points.empty:
        return curves.EMPTY
    nonmembers = int(points["nonmembers"].iloc[0])
    rate = next((rate for rate in _READ if rate * nonmembers >= 1), _READ[-1])
    by_name = {name: points[points["variant"] == name] for name in dict.fromkeys(points["variant"])}
    never = [name for name, curve in by_name.items() if curves.finds_none(curve)]
    names = [name for name in by_name if name not in never]
    rows = {name: row for name in names if (row := curves.at(by_name[name], rate)) is not None}

    def finds(name: str) -> str:
        return measured_in(rows[name], "true_positive_rate", named=name == first)

    first = next(iter(rows), None)
    rates = [f"{finds(name)} by “{variant(name, attack)}”" for name in rows if name in (BLIND, attack)]
    text = (
        f"Members found at a false-positive rate of {percent(rate)}, with {documents(size)} of a target: "
        f"{joined(rates) or 'none'}. Chance is {percent(rate)}. {_ends(rows, finds, attack)}"
        f"{counted(nonmembers, 'decision')} about non-members allow no rate below {100 / nonmembers:.3g}%."
    )
    unfound = curves.none_found([f"“{variant(name, attack)}”" for name in never])
    return f"{text} {unfound}" if unfound else text


def _ends(rows: Mapping[str, Any], finds: Callable[[str], str], attack: str) -> str:
    """Say which of the statistics beside the attack finds the fewest members, and which the most."""
    others = sorted(rows.keys() - {BLIND, attack}, key=lambda name: (rows[name].true_positive_rate, name))
    if not others:
        return ""
    least, most = (f"“{variant(name, attack)}”" for name in (others[0], others[-1]))
    if len(others) == 1:
        return f"{least} finds {finds(others[0])}. "
    return (
        f"Of {len(others)} other statistics, {least} finds the fewest, {finds(others[0])}, and {most} the most, "
        f"{finds(others[-1])}. "
    )
