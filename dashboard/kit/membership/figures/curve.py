"""Accuracy of the attack against the number of shadow models (Mahloujifar et al. 2021, Figure 3)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import counted, documents
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import axes, labels, scatter, tables, theme, traces
from dashboard.kit.figures.tables import by_size, records
from dashboard.kit.figures.wording import UNDECIDED, joined, short, variant
from dashboard.kit.shared import once

TITLE = "Accuracy against shadow models"
BASELINE = "l2_distance"
CONTROL = "other_words"
PLATEAU = 200
PLATEAU_ACCURACY = 0.9
_TICKS = (1, 2, 5, 10, 25, 50, 100, 200, 400, 800, 2000)
_APART = 1.04
_BARE = 16
"""Right margin without labels, in pixels."""
_NUMBERS = ("size", "shadows", "penalty", "accuracy", "low", "high", "auc")


def growing(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return the points of a run in progress as a curve; absent figures become NaN."""
    return tables.growing(rows, ["variant"], _NUMBERS)


@once
def points(curve: pd.DataFrame, attack: str) -> pd.DataFrame:
    """Return the points of the attack itself, by size and number of shadows."""
    known = curve[(curve["variant"] == attack) & curve["penalty"].isna() & curve["accuracy"].notna()]
    by_size = known[known["size"] > 0]
    chosen = by_size if len(by_size) else known
    return chosen.drop_duplicates(["size", "shadows"], keep="last").sort_values(["size", "shadows"])


@once
def final(curve: pd.DataFrame, attack: str) -> pd.DataFrame:
    """Return the attack's point with the most shadows for each size, smallest size first."""
    return points(curve, attack).groupby("size").tail(1)


@once
def figure(
    curve: pd.DataFrame, attack: str, *, expected: int | None = None, paper: bool = False, height: int = theme.HEIGHT
) -> go.Figure:
    """Draw one line with its band for each target size.

    Args:
        curve: Table of the membership game, or `growing` rows.
        attack: Name of the attack, the variant that is drawn.
        expected: Shadow pairs of the whole run, so that the axis does not jump while the curve grows.
        paper: Whether to show the paper's value; only meaningful for e-mails at its setting.
        height: In pixels.
    """
    drawn = points(curve, attack)
    drawing = blank([drawn], right=84, expected=expected, paper=paper, height=height)
    if drawn.empty:
        return theme.empty(drawing, "No point yet: the first needs a few shadow pairs.")
    marks = theme.ordered(drawn["size"].tolist())
    _baseline(drawing, curve, marks)
    ends = [(0.5, "chance", theme.INK)]
    for size, part in by_size(drawn):
        draw(drawing, part, marks[size], short(size), f"<b>{documents(size)}</b> a target")
        ends.append((float(part["accuracy"].iloc[-1]), short(size), marks[size].colour))
    _control(drawing, curve, marks)
    if paper and _ends_at_plateau([drawn]):
        ends.append((PLATEAU_ACCURACY, "paper", theme.PAPER))
    low, high = drawing.layout["yaxis"]["range"]
    labels.beside(drawing, ends, float(drawn["shadows"].max()), low, high, height=height)
    return drawing.figure()


@once
def blank(
    parts: Sequence[pd.DataFrame],
    *,
    right: int = _BARE,
    expected: int | None = None,
    paper: bool = False,
    height: int = theme.HEIGHT,
    legend: bool = False,
) -> Drawing:
    """Return a figure of accuracy against shadow pairs without its lines.

    Args:
        parts: The points that will be drawn, a table a line.
        right: Margin for labels beside the lines, in pixels.
        expected: Shadow pairs that the axis reaches at least.
        paper: Whether to show the paper's value.
        height: In pixels.
        legend: Whether to draw a legend.
    """
    drawing = theme.blank("Shadow pairs (k)", theme.ACCURACY, height=height, right=right, legend=legend)
    theme.accuracies(drawing, *(part["low"] for part in parts), labelled=right == _BARE)
    _shadow_axis(drawing, [int(step) for part in parts for step in part["shadows"]], expected, paper)
    if paper and any(len(part) for part in parts):
        _paper(drawing, is_named=right == _BARE or not _ends_at_plateau(parts))
    return drawing


def draw(drawing: Drawing, part: pd.DataFrame, mark: theme.Mark, name: str, beginning: str) -> None:
    """Draw one line of `points` with its band; ``beginning`` is that of the hover texts."""
    hover = [
        f"{beginning}, {counted(row.shadows, 'shadow pair')}<br>right: {measured_in(row, 'accuracy')}"
        for row in records(part)
    ]
    traces.interval_line(drawing, part, ("shadows", "accuracy", "low", "high"), mark, name, hover)


@once
def sentence(curve: pd.DataFrame, attack: str) -> str:
    """Read the curve aloud."""
    last = final(curve, attack)
    if last.empty:
        return "No shadow model is trained yet."
    shadows = int(last["shadows"].max())
    parts = [f"With {counted(shadows, 'shadow pair')} the attack is right in {accuracies(last)}; chance is 50%."]
    largest = points(curve, attack)
    largest = largest[largest["size"] == largest["size"].max()]
    if len(largest) > 1:
        first, end = largest.iloc[0], largest.iloc[-1]
        steps = f"from {int(first['shadows']):,} to {counted(int(end['shadows']), 'pair')}"
        which = f" for {documents(int(end['size']))}" if last["size"].nunique() > 1 else ""
        if end["low"] > first["high"]:
            gain = f"raises it from {percent(first['accuracy'])} to {percent(end['accuracy'])}"
            parts.append(f"Going {steps} {gain}{which}: more shadow models make a stronger attack.")
        elif end["high"] < first["low"]:
            parts.append(f"Going {steps} lowers it{which}, from {percent(first['accuracy'])}.")
        else:
            change = f"from {percent(first['accuracy'])} to {percent(end['accuracy'])}"
            parts.append(f"Going {steps} takes it {change}{which}; {UNDECIDED}.")
    unproven = [documents(row.size) for row in records(last) if not row.low > 0.5]
    if unproven:
        parts.append(f"The interval for {joined(unproven)} does not lie above chance: no leak is shown there.")
    if len(final(curve, BASELINE)):
        parts.append("Dotted: the same attack by plain L2 distance, as in the paper.")
    if len(final(curve, CONTROL)):
        parts.append("Hollow: as many random other words instead.")
    return " ".join(parts)


@once
def accuracies(last: pd.DataFrame) -> str:
    """Return the accuracy of each size of `final` in words."""
    shares = [
        f"{measured_in(row, 'accuracy', named=not number)} for {documents(row.size)}"
        for number, row in enumerate(records(last))
    ]
    return joined(shares)


def _shadow_axis(drawing: Drawing, shadows: list[int], expected: int | None, paper: bool) -> None:
    steps = shadows + ([expected] if expected else [])
    first, end = min(steps, default=5), max(steps, default=PLATEAU)
    first = min(first, 5) if expected else first
    end = max(end, PLATEAU) if paper else end
    room = max(0.04 * np.log10(end / first), 0.04)
    ticks = sorted({tick for tick in _TICKS if first <= tick <= end} | {end})
    if len(ticks) > 1 and ticks[-1] / ticks[-2] < 1.25:
        ticks.pop(-2)
    drawing.update_xaxes(**axes.log_ticks([np.log10(first) - room, np.log10(end) + room], ticks))


def _baseline(drawing: Drawing, curve: pd.DataFrame, marks: Mapping[int, theme.Mark]) -> None:
    """Draw the paper's distance thin and dotted where the attack uses another."""
    for size, part in by_size(points(curve, BASELINE)):
        if size in marks:
            drawing.add_scatter(
                x=part["shadows"],
                y=part["accuracy"],
                mode="lines",
                name=variant(BASELINE),
                line={"color": marks[size].colour, "width": 2, "dash": "dot"},
                text=_hover(BASELINE, size, part),
            )


def _control(drawing: Drawing, curve: pd.DataFrame, marks: Mapping[int, theme.Mark]) -> None:
    """Draw the accuracy with random other words as hollow points, where the attack has that control."""
    for number, (size, part) in enumerate(by_size(points(curve, CONTROL))):
        if size in marks:
            x, y = part["shadows"] / _APART**number, part["accuracy"]
            name, hover = variant(CONTROL), _hover(CONTROL, size, part)
            scatter.points(drawing, x, y, marks[size], name, hover, size=12, hollow=True, edge={"width": 2.5})


def _hover(name: str, size: int, part: pd.DataFrame) -> list[str]:
    return [
        f"{variant(name)}<br>{documents(size)}, {counted(row.shadows, 'shadow pair')}: {measured_in(row, 'accuracy')}"
        for row in records(part)
    ]


def _ends_at_plateau(parts: Sequence[pd.DataFrame]) -> bool:
    return max((float(part["shadows"].max()) for part in parts if len(part)), default=0.0) == PLATEAU


def _paper(drawing: Drawing, *, is_named: bool) -> None:
    """Draw the paper's value, with its name beside it unless that is at the end of the lines."""
    drawing.add_scatter(
        x=[PLATEAU],
        y=[PLATEAU_ACCURACY],
        mode="markers+text" if is_named else "markers",
        marker={"symbol": "diamond-open", "size": 15, "color": theme.PAPER, "line": {"width": 3}},
        text=["paper"],
        textposition="middle left",
        textfont={"size": theme.SMALL, "color": theme.PAPER},
        hovertemplate="The paper’s text: accuracy “around 90%” and<br>“a plateau after 200 shadow models”. It plots "
        "its curves<br>without numbers.<extra></extra>",
        name="paper",
        showlegend=False,
    )
