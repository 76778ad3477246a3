"""How often an adversary that knows the defense is right, beside one that does not."""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate, headline
from core.statistics.wording import measured_in
from core.statistics.wording.naming import counted, documents
from dashboard.kit.figures import foreign, lanes, theme
from dashboard.kit.figures.rows import interval
from dashboard.kit.figures.tables import records, where
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once
from dashboard.kit.words import uncapitalised

TITLE = "Knowing the defense"
ADAPTIVE, NAIVE = "adaptive", "naive"
_LOOKS = {
    ADAPTIVE: lanes.Look("Adaptive adversary: knows the defense", theme.Mark(theme.MEMBER, "circle"), 0),
    NAIVE: lanes.Look("Naive adversary: does not", theme.Mark(theme.AGAINST, "square"), 1),
}
_EMPTY = "No result of both adversaries is computed yet."
_WIDEST = 26
"""Letters in a line of the name of a row."""


@once
def points(defended: Iterable[tuple[str, Mapping[str, Estimate]]]) -> pd.DataFrame:
    """Return how often each adversary is right, a row for each defense and size of a target.

    Args:
        defended: A defense in words, and the estimates behind it, those of the naive adversary under names in
            ``_naive``.
    """
    rows = []
    for defense, estimates in defended:
        sizes = headline(estimates)
        for size, name in sizes.items():
            row = f"{defense}, {documents(size)}" if len(sizes) > 1 else defense
            for series, estimate in ((ADAPTIVE, estimates[name]), (NAIVE, estimates[f"{name}_naive"])):
                rows.append({"row": row, "series": series, **interval(estimate), "decisions": estimate.n})
    return pd.DataFrame(rows, columns=[*lanes.COLUMNS, "decisions"])


@once
def figure(points: pd.DataFrame) -> go.Figure:
    """Draw both adversaries behind each defense, beside chance."""
    named = points.assign(row=[foreign.shown(row, _WIDEST) for row in points["row"]])
    return lanes.by_chance(named, _LOOKS, theme.ACCURACY, _hover, ticks=(".0%", 0.1), empty=_EMPTY)


@once
def sentence(points: pd.DataFrame) -> str:
    """Read both adversaries aloud, and say which of them is right more often behind which defense."""
    if points.empty:
        return _EMPTY
    read = []
    ahead: dict[str, list[str]] = {ADAPTIVE: [], NAIVE: [], "": []}
    adversaries = (records(where(points, "series", series)) for series in (ADAPTIVE, NAIVE))
    for adaptive, naive in zip(*adversaries, strict=True):
        name = uncapitalised(adaptive.row)
        decisions = counted(adaptive.decisions, "decision")
        read.append(f"{measured_in(adaptive)} and {measured_in(naive)} of {decisions} behind {name}")
        ahead[ADAPTIVE if adaptive.low > naive.high else NAIVE if naive.low > adaptive.high else ""].append(name)
    text = f"The adaptive and the naive adversary are right in {'; '.join(read)}; chance is 50%."
    if ahead[ADAPTIVE]:
        text += f" The adaptive one is right more often behind {joined(ahead[ADAPTIVE])}."
    if ahead[NAIVE]:
        text += f" The naive one is right more often behind {joined(ahead[NAIVE])}, and is the one to plan for there."
    if ahead[""]:
        several = len(ahead[""]) > 1
        others = "the others" if len(ahead[""]) < len(read) else "each"
        text += f" Their intervals overlap behind {others if several else ahead[''][0]}."
    return text


def _hover(row: Any) -> str:
    return f"<b>{row.row}</b><br>{row.series} adversary: right in {measured_in(row)} of {row.decisions:,} decisions"
