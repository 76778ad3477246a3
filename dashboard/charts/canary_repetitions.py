"""How well secrets are read against how often they were shown (Parikh et al. 2022, Figures 2 to 5, drawn only)."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Result
from dashboard.charts import canaries, intervals, theme
from dashboard.charts.canary_paper import AXES, MARKS, SCHEDULE, STRONGEST, Results, called
from dashboard.charts.canary_printed import Setting
from dashboard.charts.extraction_outcome import Measure
from dashboard.charts.tables import records
from dashboard.charts.wording import joined, measured

FIGURE_2 = Setting("snips", 6)
"""The secrets of Figure 2."""

DATASETS = {Setting("snips", 4): "Snips", Setting("atis", 4): "ATIS", Setting("nlu_evaluation", 4): "NLU-Evaluation"}
"""Which secrets stand for those of Figures 3 to 5, and what their data are called."""

SAYS_2 = (
    "The paper draws its Figure 2 and prints no number of it. Its text: “the attack is most likely to succeed when R "
    "is 1000. However, the attack weakens for higher values of R.”"
)
SAYS_3 = (
    "The paper draws its Figures 3 to 5 and prints no number of them. Its text: “the attack performance is almost "
    "comparable for shorter sequences in Snips and ATIS but under-performs for the NLU-Evaluation data”. Telephone "
    "numbers have 10 digits there and 4 here, so that all three are secrets of four words."
)
"""What the paper says of the same."""

Lines = Mapping[str, tuple[Result, str]]
"""What a line is called, to a result and the method that is drawn."""

_LOOKS = {called(name): MARKS[name] for name in (SCHEDULE, STRONGEST)} | dict(
    zip(DATASETS.values(), theme.distinct(3), strict=True)
)
_COLUMNS = ("line", "repetitions", "value", "low", "high", "chance")
_MOST = 1000
"""Beyond as many repetitions the paper's attack weakens."""


def by_method(results: Results) -> Lines:
    """Return a line for each of the two methods that are compared throughout."""
    own = results.get(FIGURE_2)
    return {} if own is None else {called(name): (own, name) for name in (SCHEDULE, STRONGEST)}


def by_dataset(results: Results, method: str) -> Lines:
    """Return a line for each dataset."""
    return {name: (results[setting], method) for setting, name in DATASETS.items() if setting in results}


def points(lines: Lines, pattern: str, measure: Measure) -> pd.DataFrame:
    """Return one pattern's values by repetitions; networks that never saw a secret are left out."""
    names = {f"{measure}{end}": end.removeprefix("_") or "value" for end in ("", "_low", "_high", "_chance")}
    parts = []
    for name, (result, method) in lines.items():
        cells = result.tables["cells"]
        own = cells[(cells["pattern"] == pattern) & (cells["method"] == method) & (cells["repetitions"] > 0)]
        parts.append(own.rename(columns=names).assign(line=name).sort_values("repetitions")[list(_COLUMNS)])
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(_COLUMNS))


def figure(shown: pd.DataFrame, measure: Measure) -> go.Figure:
    """Draw a line with its band for each, at equal steps from one number of repetitions to the next.

    Args:
        shown: As `points` returned it.
        measure: What is drawn.
    """
    names = list(dict.fromkeys(shown["line"]))
    drawing = theme.blank("Times each secret was shown", AXES[measure], height=theme.HEIGHT + 20, legend=True)
    drawing.update_layout(legend={"orientation": "v"}, margin={"t": theme.TOP + 19 * max(len(names), 1)})
    drawing.update_yaxes(range=[-0.09, 1.05], tickformat=".0%", dtick=0.25)
    if shown.empty:
        return theme.empty(drawing, "Not computed here yet.")
    places, axis = canaries.places(shown["repetitions"].tolist())
    drawing.update_xaxes(**axis)
    theme.level(drawing, y=float(shown["chance"].mean()), left=measure == "accuracy")
    for name in names:
        own = shown[shown["line"] == name].reset_index(drop=True)
        said = [
            f"<b>{name}</b><br>{canaries.shown(row.repetitions).lower()}: {measured(row.value, row.low, row.high)}"
            for row in records(own)
        ]
        at = own["repetitions"].map(places)
        intervals.line(drawing, at, own["value"], own["low"], own["high"], _LOOKS[name], name=name, said=said)
    return drawing.figure()


def growth_sentence(shown: pd.DataFrame, measure: Measure) -> str:
    """Read Figure 2 aloud: from the fewest repetitions to the most, and whether beyond a thousand the attack weakens.

    Args:
        shown: As `points` returned it.
        measure: What is drawn.
    """
    if shown.empty:
        return "Not computed here yet."
    said: list[str] = []
    for name in dict.fromkeys(shown["line"]):
        own = records(shown[shown["line"] == name])
        first, last = own[0], own[-1]
        said.append(
            f"{name}: {AXES[measure].lower().replace('hdt', 'HDT')} "
            f"{measured(first.value, first.low, first.high, named=not said)} when {_often(first)}, "
            f"{measured(last.value, last.low, last.high)} when {_often(last)}{_beyond(own, measure)}."
        )
    return " ".join(said)


def data_sentence(shown: pd.DataFrame, measure: Measure) -> str:
    """Read Figures 3 to 5 aloud: the strongest attack on each dataset, and where datasets differ when shown as often.

    Args:
        shown: As `points` returned it.
        measure: What is drawn.
    """
    if shown.empty:
        return "Not computed here yet."
    names = list(dict.fromkeys(shown["line"]))
    said: list[str] = []
    for name in names:
        own = shown[shown["line"] == name].sort_values("value", ascending=measure == "hamming", kind="stable")
        best = records(own)[0]
        share = measured(best.value, best.low, best.high, named=not said)
        said.append(f"{share} on {name}, {_often(best)}")
    text = f"{AXES[measure]}, at best: {'; '.join(said)}."
    if len(names) < 2:
        return f"{text} No other data are computed here yet."
    apart = [
        f"{one} and {other} ({joined([f'{times:,}' for times in found])})"
        for place, one in enumerate(names)
        for other in names[place + 1 :]
        if (found := _apart(shown, one, other))
    ]
    if apart:
        return f"{text} Shown as often, the intervals lie apart for {joined(apart)}."
    return f"{text} Shown as often, all intervals overlap: no difference between the data is shown."


def _often(row: Any) -> str:
    return canaries.shown(row.repetitions).lower()


def _beyond(own: list[Any], measure: Measure) -> str:
    """Say whether the attack weakens beyond a thousand repetitions, or that this was not tried."""
    known = {row.repetitions: row for row in own}
    here, last = known.get(_MOST), own[-1]
    if here is None or last.repetitions <= _MOST:
        return f"; more than {last.repetitions:,} was not tried"
    weaker = last.low > here.high if measure == "hamming" else last.high < here.low
    return f"; beyond {_MOST:,} it weakens" if weaker else f"; that it weakens beyond {_MOST:,} is not shown"


def _apart(shown: pd.DataFrame, one: str, other: str) -> list[int]:
    """Return the numbers of repetitions at which the intervals of two lines do not meet."""
    first, second = ({row.repetitions: row for row in records(shown[shown["line"] == name])} for name in (one, other))
    return [
        times
        for times in first
        if times in second and (first[times].high < second[times].low or second[times].high < first[times].low)
    ]
