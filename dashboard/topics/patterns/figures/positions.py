"""How often the letter at each position of a sequence was inferred (Pan et al. 2020, Figure 3)."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate
from core.statistics.wording import measured_in, percent, rounded
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import foreign, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.figures.wording import points as points_of
from dashboard.kit.shared import once

TITLE = "Accuracy by position"
_ENDS = 2
_MOST_BANDS = 2
"""With more lines, bands would hide one another."""
_LINE = 16


@once
def points(inferred: pd.DataFrame, variant: str, adversary: str) -> pd.DataFrame:
    """Return the accuracy at each position, with its number from 1."""
    matching = (inferred["variant"] == variant) & (inferred["adversary"] == adversary) & (inferred["values"] > 0)
    single = inferred[matching & (inferred["secret"] != "whole")].reset_index(drop=True)
    return single.assign(position=single.index + 1)


@once
def newest(curve: pd.DataFrame) -> pd.DataFrame:
    """Return the latest accuracy at each position of a run in progress, by the number that ends its name."""
    last = curve.drop_duplicates("secret", keep="last")
    number = pd.to_numeric(last["secret"].str.extract(r"_(\d+)$")[0], errors="coerce")
    return last.assign(position=number)[number.notna()].sort_values("position")


@once
def figure(lines: Mapping[str, pd.DataFrame]) -> go.Figure:
    """Draw a line for each name and its `points`, the most frequent letter at each position, and uniform letters.

    With more than two lines, only the first has a band; the others are thin and behind it.
    """
    known_lines = {name: part for name, part in lines.items() if len(part)}
    height = theme.HEIGHT + 20 + _LINE * max(len(known_lines) - _MOST_BANDS, 0)
    drawing = theme.blank("Position in the sequence", theme.ACCURACY, legend=True, height=height)
    if not known_lines:
        return theme.empty(drawing, "No position was inferred.")
    all_points = pd.concat(list(known_lines.values()))
    last = int(all_points["position"].max())
    drawing.update_xaxes(dtick=1 if last <= 24 else 5, range=[0.5, last + 0.5])
    low, high = float(all_points[["low", "chance"]].min().min()), float(all_points["high"].max())
    low = min([low, *_uniform(all_points)])
    drawing.update_yaxes(range=[max(low - 0.05, 0), min(high + 0.05, theme.WHOLE)], tickformat=".0%")
    first = next(iter(known_lines.values()))
    _level(drawing, first)
    drawing.add_scatter(
        x=first["position"],
        y=first["chance"],
        mode="lines",
        hovertemplate="%{y:.0%}: most frequent letter<extra></extra>",
        name=f"most frequent letter, average {percent(float(first['chance'].mean()))}",
        line={"color": theme.CHANCE, "width": 3, "dash": "dash", "shape": "hvh"},
    )
    several = len(known_lines) > _MOST_BANDS
    front, *behind = enumerate(zip(known_lines.items(), theme.distinct(len(known_lines)), strict=True))
    for number, ((name, part), mark) in (*behind, front):
        bare = several and number > 0
        drawn = part.assign(low=float("nan"), high=float("nan")) if bare else part
        label = f"{foreign.shown(name)}, average {percent(float(part['accuracy'].mean()))}"
        hover = [_hover(name, row) for row in records(part)]
        size, width = (7, 1.5) if bare else (9, 3)
        columns = ("position", "accuracy", "low", "high")
        traces.interval_line(drawing, drawn, columns, mark, label, hover, size=size, width=width)
        if number == 0:
            drawing.traces[-1]["legendrank"] = 1
    return drawing.figure()


@once
def sentence(part: pd.DataFrame, mean: Any, estimates: Mapping[str, Estimate]) -> str:
    """Read the attack's `points` aloud: the mean, the same answers dealt to other sequences, and ends against middle.

    Args:
        part: The attack's accuracy at each position.
        mean: The row of the mean, or None.
        estimates: Estimates of the result; the lead over answers dealt to other victims is told if it is among them.
    """
    if part.empty or mean is None:
        return "No position was inferred."
    text = (
        f"On average the letter at a position is predicted in {measured_in(mean, 'accuracy', named=True)} of the "
        f"sequences; always predicting the most frequent letter gives {percent(mean.chance)}"
    )
    uniform = _uniform(part)
    text += f", uniform letters {percent(uniform[0])}." if uniform else "."
    text += _dealt(estimates)
    if len(part) > 2 * _ENDS:
        ends = pd.concat([part.head(_ENDS), part.tail(_ENDS)])
        middle = part.iloc[_ENDS:-_ENDS]
        outer, inner = float(ends["accuracy"].mean()), float(middle["accuracy"].mean())
        shape = "the valley that the paper reports" if outer > inner + 0.05 else "not the valley that the paper reports"
        text += f" The two positions at each end give {percent(outer)}, those between {percent(inner)}: {shape}."
    unproven = [str(row.position) for row in records(part) if not row.low > row.chance]
    if unproven:
        noun = "position" if len(unproven) == 1 else "positions"
        text += f" At {noun} {joined(unproven)} it is not shown to beat the most frequent letter."
    return text


def _dealt(estimates: Mapping[str, Estimate]) -> str:
    """Compare the answers with the same answers dealt to other sequences, which gives chance."""
    lead, mismatched = estimates.get("lead"), estimates.get("mismatched")
    if lead is None or mismatched is None:
        return ""
    text = f" The same answers dealt to other sequences are right in {measured_in(mismatched)}"
    if lead.above_chance():
        return f"{text}, {points_of(lead.value)} less (95% interval {rounded(lead.low, 1)}–{rounded(lead.high, 1)})."
    return f"{text}, which is not shown to be less."


def _uniform(part: pd.DataFrame) -> list[float]:
    """Return the accuracy of uniform letters, where all positions have the same known number of letters."""
    counts = set(part["values"].tolist()) if "values" in part else set()
    return [1 / count for count in counts if count > 0] if len(counts) == 1 else []


def _level(drawing: Drawing, part: pd.DataFrame) -> None:
    """Draw the accuracy of uniform letters as a dotted line."""
    for share in _uniform(part):
        drawing.add_scatter(
            x=part["position"].iloc[[0, -1]],
            y=[share, share],
            mode="lines",
            name=f"uniform letters, {percent(share)}",
            line={"color": theme.CHANCE, "width": 2, "dash": "dot"},
            hoverinfo="skip",
        )


def _hover(name: str, row: Any) -> str:
    return (
        f"<b>{foreign.shown(name)}</b>, position {row.position}<br>right: {measured_in(row, 'accuracy')}; most "
        f"frequent letter {percent(row.chance)}"
    )
