"""The main figure of each result with its interval and its level of chance, a row each."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from core.games.summaries import summarised_by
from core.result import Result
from core.statistics.wording.naming import capitalised, estimate_name, is_decimal, measured_as
from dashboard.kit.figures import intervals, scatter, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once

TITLE = "What each result found"
_ROW = 62


@once
def table(results: Sequence[Result], letters: Sequence[str]) -> pd.DataFrame:
    """Return the main figures between 0 and 1 of each result."""
    rows = [
        {
            "result": letter,
            "figure": capitalised(estimate_name(name, result.experiment["game"]["part"])),
            "value": estimate.value,
            "low": estimate.low,
            "high": estimate.high,
            "chance": estimate.chance,
            "n": estimate.n,
        }
        for letter, result in zip(letters, results, strict=True)
        for name in summarised_by(result.estimates, result.experiment["game"]).values()
        if 0 <= (estimate := result.estimates[name]).value <= 1
    ]
    return pd.DataFrame(rows, columns=["result", "figure", "value", "low", "high", "chance", "n"])


@once
def figure(headlines: pd.DataFrame) -> go.Figure:
    """Draw a point with its interval for each row, and a short line at its chance."""
    are_shares = not any(map(is_decimal, headlines["figure"]))
    scale = "in percent" if are_shares else "from 0 to 1"
    title = f"Main figure, {scale}<br>(bars: 95% intervals; dashed: chance)"
    drawing = theme.blank(title, "", inner=_ROW * max(len(headlines), 2))
    if headlines.empty:
        return theme.empty(drawing, "None of these results has a main figure between 0 and 1.")
    for position, (row, mark) in enumerate(zip(records(headlines), theme.distinct(len(headlines)), strict=True)):
        error = intervals.bars([row.value], [row.low], [row.high], mark.colour, 3)
        name = f"{row.result}: {row.figure}"
        hover = [f"<b>{name}</b><br>{measured_as(row.figure, row)}, n = {row.n:,}"]
        scatter.points(drawing, [row.value], [position], mark, name, hover, size=13, error_x=error)
        if row.chance == row.chance and row.chance is not None:
            ends = {"x0": row.chance, "x1": row.chance, "y0": position - 0.3, "y1": position + 0.3}
            drawing.add_shape(type="line", line=theme.CHANCE_LINE, **ends)
        traces.left_label(drawing, f"{name}, n {row.n:,}", position, yshift=22)
    drawing.update_xaxes(range=[-0.02, theme.WHOLE], dtick=0.2, tickformat=".0%" if are_shares else ".1f")
    drawing.update_yaxes(range=[len(headlines) - 0.5, -0.75], showgrid=False, showticklabels=False)
    return drawing.figure()


@once
def sentence(headlines: pd.DataFrame) -> str:
    """Read the figure aloud."""
    if headlines.empty:
        return "None of these results has a main figure between 0 and 1."
    sentences = []
    for row in records(headlines):
        has_chance = row.chance is not None and row.chance == row.chance
        verdict = "" if not has_chance else f", {'above' if row.low > row.chance else 'not shown to be above'} chance"
        n = f", n {row.n:,}" if row.n else ""
        sentences.append(f"{row.result}: {row.figure} {measured_as(row.figure, row)}{n}{verdict}.")
    return f"{' '.join(sentences)} Dashed lines mark chance."
