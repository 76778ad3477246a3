"""How often an adversary that knows the defense is right and how well it ranks, beside one that does not."""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate, headline
from core.statistics.wording import measured_in
from core.statistics.wording.naming import counted, documents
from dashboard.kit.figures import lanes, theme
from dashboard.kit.figures.rows import interval
from dashboard.kit.figures.tables import records, where
from dashboard.kit.figures.wording import area_in, joined
from dashboard.kit.shared import once
from dashboard.kit.words import uncapitalised

TITLE = "Knowing the defense"
ADAPTIVE, NAIVE = "adaptive", "naive"
_LOOKS = {
    ADAPTIVE: lanes.Look("Adaptive adversary: knows the defense", theme.Mark(theme.MEMBER, "circle"), 0),
    NAIVE: lanes.Look("Naive adversary: does not", theme.Mark(theme.AGAINST, "square"), 1),
}
_EMPTY = "No result of both adversaries is computed yet."
_FURTHER = ("auc", "auc_low", "auc_high", "called", "decisions")
_CHANCE = 0.5
_STATISTICS = {"": "the likelihood ratio", "_rmia": "RMIA", "_offline_ratio": "the offline likelihood ratio"}
"""What a likelihood ratio attack decides by with shadow models of one kind or the other, by the end of its figures."""
CONSTANT = {0.0: "calls no target a member", 1.0: "calls every target a member"}
"""What an adversary does whose decisions are all alike, by the share of them that call a target a member."""


@once
def points(defended: Iterable[tuple[str, Mapping[str, Estimate]]]) -> pd.DataFrame:
    """Return how often each adversary is right and its AUC, a row for each defense and size of a target.

    Args:
        defended: A defense in words, and the estimates behind it, those of the naive adversary under names in
            ``_naive``; ``called`` is the share of decisions that call a target a member.
    """
    rows = []
    for defense, estimates in defended:
        sizes = headline(estimates)
        for size, name in sizes.items():
            row = f"{defense}, {documents(size)}" if len(sizes) > 1 else defense
            for series, end in ((ADAPTIVE, ""), (NAIVE, "_naive")):
                accuracy, auc, called = (
                    estimates[f"{name.replace('accuracy', measure)}{end}"] for measure in ("accuracy", "auc", "called")
                )
                further = dict(zip(_FURTHER, (auc.value, auc.low, auc.high, called.value, accuracy.n), strict=True))
                rows.append({"row": row, "series": series, **interval(accuracy), **further})
    return pd.DataFrame(rows, columns=[*lanes.COLUMNS, *_FURTHER])


@once
def figure(points: pd.DataFrame) -> go.Figure:
    """Draw both adversaries behind each defense, beside chance."""
    return lanes.by_chance(points, _LOOKS, theme.ACCURACY, _hover, ticks=(".0%", 0.1), empty=_EMPTY)


@once
def sentence(points: pd.DataFrame) -> str:
    """Read both adversaries aloud, which is right more often behind which defense, and what its accuracy hides."""
    if points.empty:
        return _EMPTY
    read = []
    ahead: dict[str, list[str]] = {ADAPTIVE: [], NAIVE: [], "": []}
    adversaries = (records(where(points, "series", series)) for series in (ADAPTIVE, NAIVE))
    for adaptive, naive in zip(*adversaries, strict=True):
        name = uncapitalised(adaptive.row)
        decisions = counted(adaptive.decisions, "decision")
        shares, areas = (f"{say(adaptive)} and {say(naive)}" for say in (measured_in, area_in))
        read.append(f"{shares} of {decisions} behind {name}, with AUCs of {areas}")
        ahead[ADAPTIVE if adaptive.low > naive.high else NAIVE if naive.low > adaptive.high else ""].append(name)
    text = ""
    if ahead[ADAPTIVE]:
        text += f"The adaptive adversary is right more often behind {joined(ahead[ADAPTIVE])}. "
    if ahead[NAIVE]:
        text += f"The naive adversary is right more often behind {joined(ahead[NAIVE])}: plan for that one there. "
    if ahead[""]:
        several = len(ahead[""]) > 1
        others = "the others" if len(ahead[""]) < len(read) else "each"
        text += (
            f"Neither is shown to be right more often behind {others if several else ahead[''][0]}, nor is it "
            "excluded: the intervals of their accuracy overlap. "
        )
    text += f"The adaptive and the naive one are right in {'; '.join(read)}; chance is 50%, and 0.50 for the AUC."
    return text + _hidden(points)


@once
def kinds(defended: Iterable[tuple[str, Mapping[str, Estimate]]]) -> str:
    """Say which likelihood ratios of adaptive adversaries rest on the shadow models without the defense.

    Where all figures of a statistic are those of the naive adversary, it does. Empty of other attacks.

    Args:
        defended: As `points` takes it.
    """
    chosen, tried = [], False
    for defense, estimates in defended:
        if any(f"auc{end}_naive" not in estimates for end in _STATISTICS):
            continue
        tried = True
        alike = [
            title
            for end, title in _STATISTICS.items()
            if all(estimates[name] == estimates[f"{name}_naive"] for name in (f"accuracy{end}", f"auc{end}"))
        ]
        chosen += [f"behind {uncapitalised(defense)} for {joined(alike)}"] if alike else []
    if not tried:
        return ""
    taken = "used the shadow models behind the defense for every statistic, which did at least as well on its own texts"
    if chosen:
        taken = f"used the shadow models without the defense {'; '.join(chosen)}, which did better on its own texts"
    return f"It {taken}. The other kind may do better on the target models: judge a defense by the stronger adversary."


def _hidden(points: pd.DataFrame) -> str:
    """Say whose decisions are all alike, and whose ranking alone is shown to exceed chance."""
    text = ""
    named = points.assign(name=points["row"].map(uncapitalised))
    ranked = named[(named["low"] <= _CHANCE) & (named["auc_low"] > _CHANCE)]
    for series in (ADAPTIVE, NAIVE):
        for called, constant in CONSTANT.items():
            if alike := where(where(named, "series", series), "called", called)["name"].tolist():
                text += (
                    f" The {series} one {constant} behind {joined(alike)}: one constant answer, whose accuracy says "
                    "nothing of its scores."
                )
        if above := where(ranked, "series", series)["name"].tolist():
            text += (
                f" The {series} one exceeds chance by its AUC alone behind {joined(above)}: its scores still tell "
                "members from others."
            )
    return text


def _hover(row: Any) -> str:
    right = f"right in {measured_in(row)} of {row.decisions:,} decisions"
    return f"<b>{row.row}</b><br>{row.series} adversary: {right}<br>AUC {area_in(row)}"
