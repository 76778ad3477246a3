"""Canary extraction by repetitions (Parikh et al. 2022, Figures 2 to 5, which print no numbers)."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Result
from core.statistics.wording import measured_in
from dashboard.kit.figures import theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import UNDECIDED, joined
from dashboard.kit.shared import once
from dashboard.topics.canaries.figures import canaries
from dashboard.topics.canaries.figures.outcome import Measure
from dashboard.topics.canaries.figures.paper import AXES, MARKS, SCHEDULE, STRONGEST, Results, method_name
from dashboard.topics.canaries.figures.printed import Setting

FIGURE_2 = Setting("snips", 6)
"""The secrets of Figure 2."""

DATASETS = {Setting("snips", 4): "Snips", Setting("atis", 4): "ATIS", Setting("nlu_evaluation", 4): "NLU-Evaluation"}
"""Our settings for Figures 3 to 5, with the names of their data."""

SAYS_2 = (
    "The paper prints no numbers for its Figure 2. Its text: “the attack is most likely to succeed when R is 1000. "
    "However, the attack weakens for higher values of R.”"
)
SAYS_3 = (
    "The paper prints no numbers for its Figures 3 to 5. Its text: “the attack performance is almost comparable  for "
    "shorter sequences in Snips and ATIS but under-performs for the NLU-Evaluation data”. Telephone numbers have 10 "
    "digits in the paper and 4 here, so that all three secrets have four words."
)
"""The paper's text on these figures."""

Lines = Mapping[str, tuple[Result, str]]
"""Name of each line, with its result and method."""

_LOOKS = {method_name(name): MARKS[name] for name in (SCHEDULE, STRONGEST)} | dict(
    zip(DATASETS.values(), theme.distinct(3), strict=True)
)
_COLUMNS = ("line", "repetitions", "value", "low", "high", "chance")
_MOST = 1000
"""Repetitions beyond which the paper's attack weakens."""


@once
def by_method(results: Results) -> Lines:
    """Return a line for each of the two methods that are compared."""
    result = results.get(FIGURE_2)
    return {} if result is None else {method_name(name): (result, name) for name in (SCHEDULE, STRONGEST)}


@once
def by_dataset(results: Results, method: str) -> Lines:
    """Return a line for each dataset."""
    return {name: (results[setting], method) for setting, name in DATASETS.items() if setting in results}


@once
def points(lines: Lines, pattern: str, measure: Measure) -> pd.DataFrame:
    """Return the values of one pattern by repetitions, without networks that never saw a secret."""
    parts = []
    for name, (result, method) in lines.items():
        cells = canaries.of_measure(result.tables["cells"], measure)
        rows = cells[(cells["pattern"] == pattern) & (cells["method"] == method) & (cells["repetitions"] > 0)]
        parts.append(rows.assign(line=name).sort_values("repetitions")[list(_COLUMNS)])
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(_COLUMNS))


@once
def figure(points: pd.DataFrame, measure: Measure) -> go.Figure:
    """Draw a line with its band for each, the numbers of repetitions at equal distances."""
    names = list(dict.fromkeys(points["line"]))
    titles = "Repetitions of each secret in the data", AXES[measure]
    drawing = theme.blank(*titles, height=theme.HEIGHT + 20, legend=True)
    legend = {"orientation": "v", "y": 1.02, **theme.ON_PLOT}
    drawing.update_layout(legend=legend, margin={"t": theme.TOP + 19 * max(len(names), 1)})
    drawing.update_yaxes(range=[-0.09, theme.WHOLE], tickformat=".0%", dtick=0.25)
    if points.empty:
        return theme.empty(drawing, "Not computed yet.")
    positions, axis = canaries.positions(points["repetitions"].tolist())
    drawing.update_xaxes(**axis)
    theme.level(drawing, y=float(points["chance"].mean()), left=measure == "accuracy")
    for name in names:
        rows = points[points["line"] == name].reset_index(drop=True)
        hover = [
            f"<b>{name}</b><br>{canaries.shown_times(row.repetitions).lower()}: {measured_in(row)}"
            for row in records(rows)
        ]
        drawn = rows.assign(x=rows["repetitions"].map(positions))
        traces.interval_line(drawing, drawn, ("x", "value", "low", "high"), _LOOKS[name], name, hover)
    return drawing.figure()


@once
def growth_sentence(points: pd.DataFrame, measure: Measure) -> str:
    """Read Figure 2 aloud: the fewest and the most repetitions, and whether the attack weakens beyond a thousand."""
    if points.empty:
        return "Not computed yet."
    sentences: list[str] = []
    for name in dict.fromkeys(points["line"]):
        rows = records(points[points["line"] == name])
        first, last = rows[0], rows[-1]
        sentences.append(
            f"{name}: {AXES[measure].lower()} {measured_in(first, named=not sentences)} when "
            f"{_shown_times(first)}, {measured_in(last)} when {_shown_times(last)}{_beyond(rows, measure)}."
        )
    return " ".join(sentences)


@once
def data_sentence(points: pd.DataFrame, measure: Measure) -> str:
    """Read Figures 3 to 5 aloud: the strongest attack on each dataset, and where datasets differ."""
    if points.empty:
        return "Not computed yet."
    names = list(dict.fromkeys(points["line"]))
    shares: list[str] = []
    for name in names:
        ordered = points[points["line"] == name].sort_values("value", ascending=measure == "hamming", kind="stable")
        best = records(ordered)[0]
        shares.append(f"{measured_in(best, named=not shares)} on {name}, {_shown_times(best)}")
    text = f"{AXES[measure]}, at best: {'; '.join(shares)}."
    if len(names) < 2:
        return f"{text} No other dataset is computed yet."
    differing = [
        f"{first} and {other} ({joined([f'{times:,}' for times in repetitions])})"
        for first, other in combinations(names, 2)
        if (repetitions := _apart(points, first, other))
    ]
    if differing:
        return f"{text} At equal repetitions, the intervals do not overlap for {joined(differing)}."
    return f"{text} At equal repetitions, {UNDECIDED}."


def _shown_times(row: Any) -> str:
    return canaries.shown_times(row.repetitions).lower()


def _beyond(rows: list[Any], measure: Measure) -> str:
    """Say whether the attack weakens beyond a thousand repetitions, or that more were not tried."""
    by_repetitions = {row.repetitions: row for row in rows}
    at_thousand, last = by_repetitions.get(_MOST), rows[-1]
    if at_thousand is None or last.repetitions <= _MOST:
        return f"; more than {last.repetitions:,} was not tried"
    weaker = last.low > at_thousand.high if measure == "hamming" else last.high < at_thousand.low
    return f"; beyond {_MOST:,} it weakens" if weaker else f"; a weaker attack beyond {_MOST:,} is not shown"


def _apart(points: pd.DataFrame, line: str, other: str) -> list[int]:
    """Return the numbers of repetitions at which the intervals of two lines do not overlap."""
    first, second = (
        {row.repetitions: row for row in records(points[points["line"] == name])} for name in (line, other)
    )
    return [
        times
        for times in first
        if times in second and (first[times].high < second[times].low or second[times].high < first[times].low)
    ]
