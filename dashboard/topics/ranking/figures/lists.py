"""How often a vector's own text is ranked first, and its reciprocal rank, against the length of the list."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import area, measured_in, percent
from dashboard.kit.figures import axes, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.kit.words import number

TITLES = {"accuracy": "The right text ranked first", "reciprocal_rank": "Mean reciprocal rank"}
_AXES = {"accuracy": "Share of victims", "reciprocal_rank": "Mean of 1 over the place (0 to 1)"}
_EMPTY = "No list was ranked."
_ROOM = 1.15
ATTACK, NAIVE = "The attack", "Naive adversary"
LOOKS = {ATTACK: theme.Mark(theme.MEMBER, "circle"), NAIVE: theme.Mark(theme.AGAINST, "diamond", "dashdot")}


@once
def by_adversary(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the rows of each adversary by its name, those of the attack first."""
    parts = {ATTACK: frame[frame["variant"] != "naive"], NAIVE: frame[frame["variant"] == "naive"]}
    return {name: part for name, part in parts.items() if len(part)}


@once
def of(rankings: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Return the rows of one measure, by the length of the list."""
    return rankings[rankings["measure"] == measure].sort_values("candidates", kind="stable")


@once
def figure(rankings: pd.DataFrame, measure: str) -> go.Figure:
    """Draw one measure of each adversary against the length of the list, with the level of chance."""
    drawing = theme.blank("Candidates in the list", _AXES[measure], legend=True, height=theme.HEIGHT + 20)
    adversaries = by_adversary(of(rankings, measure))
    if not adversaries:
        return theme.empty(drawing, _EMPTY)
    attack = adversaries[ATTACK]
    lengths = attack["candidates"].tolist()
    ends = [np.log10(lengths[0] / _ROOM), np.log10(lengths[-1] * _ROOM)]
    ticks = [length for length in lengths if str(length).startswith("1")] or lengths
    drawing.update_xaxes(**axes.log_ticks(ends, ticks))
    drawing.update_yaxes(range=[-0.02, theme.WHOLE], tickformat=".0%" if measure == "accuracy" else ".1f", nticks=7)
    drawing.add_scatter(
        x=lengths, y=attack["chance"], mode="lines", line=theme.CHANCE_LINE, name="chance", hoverinfo="skip"
    )
    columns = ("candidates", "value", "low", "high")
    for name, points in adversaries.items():
        hover = [
            f"<b>{name}</b>, {row.candidates:,} candidates<br>{_read(row, measure)}<br>chance {_level(row, measure)}"
            for row in records(points)
        ]
        traces.interval_line(drawing, points, columns, LOOKS[name], name, hover)
    return drawing.figure()


@once
def sentence(rankings: pd.DataFrame, measure: str) -> str:
    """Read the shortest and the longest list aloud."""
    adversaries = by_adversary(of(rankings, measure))
    if not adversaries:
        return _EMPTY
    rows = records(adversaries[ATTACK])
    first, last = rows[0], rows[-1]
    subject = "The own text is ranked first for" if measure == "accuracy" else "The mean reciprocal rank is"
    unit = " of the victims" if measure == "accuracy" else ""
    text = f"{subject} {_read(last, measure, named=True)}{unit} among {last.candidates:,} candidates; chance is "
    text += f"{_level(last, measure)}."
    if len(rows) > 1:
        text += f" Among {first.candidates:,} it is {_read(first, measure)}, chance {_level(first, measure)}."
    if not last.low > last.chance:
        text += " That is not shown to be better than a random order."
    if NAIVE in adversaries:
        naive = records(adversaries[NAIVE])[-1]
        text += f" The naive adversary, who ignores the defense, reaches {_read(naive, measure)}."
    return text


def _read(row: object, measure: str, *, named: bool = False) -> str:
    if measure == "accuracy":
        return measured_in(row, named=named)
    value, low, high = (float(getattr(row, column)) for column in ("value", "low", "high"))
    return area(value, low, high, named=named)


def _level(row: object, measure: str) -> str:
    level = float(row.chance)  # type: ignore[attr-defined]
    return percent(level) if measure == "accuracy" else number(level)
