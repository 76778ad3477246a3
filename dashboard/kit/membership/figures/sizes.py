"""Accuracy of an attack against the number of documents of a target, beside its controls or a paper's values."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import counted, documents
from core.statistics.wording.variants import BLIND
from dashboard.kit.figures import axes, intervals, scatter, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import UNDECIDED, variant
from dashboard.kit.membership.figures.headline import outcomes
from dashboard.kit.shared import once

TITLE = "Accuracy against the size of a target"
COLUMNS = ("size", "accuracy", "low", "high")
"""Columns of a line: documents of a target, accuracy and its interval."""

Lines = Mapping[str, tuple[pd.DataFrame, theme.Mark]]
"""Name of each line, its points and its look."""


@once
def lines(curve: pd.DataFrame, attack: str) -> Lines:
    """Return a line for each adversary of a result, the attack first and the one without a model last."""
    table = outcomes(curve, attack)
    names = list(dict.fromkeys(table["variant"]))
    marks = theme.distinct(len(names))
    return {
        variant(name, attack): (of(table, name), theme.Mark(theme.INK, mark.symbol, "dot") if name == BLIND else mark)
        for name, mark in zip(names, marks, strict=True)
    }


@once
def of(table: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the points of one adversary, smallest targets first."""
    known = table[(table["variant"] == name) & table["accuracy"].notna()]
    return known[list(COLUMNS)].sort_values("size").reset_index(drop=True)


@once
def figure(drawn: Lines, title: str = "Documents of a target", *, printed: Sequence[str] = ()) -> go.Figure:
    """Draw one line with its band for each; the ``printed`` ones, from a paper, are hollow with its ± as a bar."""
    known = {name: line for name, line in drawn.items() if len(line[0])}
    drawing = theme.blank(title, theme.ACCURACY, legend=True, height=theme.HEIGHT + 20)
    theme.accuracies(drawing, *(part["low"] for part, _ in known.values()))
    if not known:
        return theme.empty(drawing, "Not computed yet.")
    for name, (part, mark) in known.items():
        hover = [f"<b>{name}</b><br>{_hover(row, printed=name in printed)}" for row in records(part)]
        if name in printed:
            x, y, low, high = (part[column] for column in COLUMNS)
            look: dict[str, Any] = {"size": 14, "edge": {"width": 3}, "hollow": True, "line": mark.line(2)}
            error = intervals.bars(y, low, high, mark.colour)
            scatter.points(drawing, x, y, mark, name, hover, error_y=error, **look)
        else:
            traces.interval_line(drawing, part, COLUMNS, mark, name, hover, size=10)
    steps = sorted({int(size) for part, _ in known.values() for size in part["size"]})
    ends = np.log10([steps[0], steps[-1]])
    room = max(0.08 * float(ends[1] - ends[0]), 0.1)
    drawing.update_xaxes(**axes.log_ticks([float(ends[0]) - room, float(ends[1]) + room], steps))
    return drawing.figure()


@once
def table(drawn: Lines) -> pd.DataFrame:
    """Return the points of all lines."""
    parts = [part.assign(line=name)[["line", *COLUMNS]] for name, (part, _) in drawn.items()]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["line", *COLUMNS])


@once
def sentence(curve: pd.DataFrame, attack: str) -> str:
    """Read aloud how accuracy changes with the size of a target."""
    points = records(of(outcomes(curve, attack), attack))
    if len(points) < 2:
        return "Targets of one size only: nothing to compare."
    first, last = points[0], points[-1]
    text = (
        f"From {documents(first.size)} to {documents(last.size)} the attack goes from "
        f"{measured_in(first, 'accuracy', named=True)} to {measured_in(last, 'accuracy')}"
    )
    if last.low > first.high:
        return f"{text}: larger targets are easier to find."
    if last.high < first.low:
        return f"{text}: larger targets are harder to find."
    return f"{text}: {UNDECIDED}."


def _hover(row: Any, *, printed: bool) -> str:
    right = f"right: {measured_in(row, 'accuracy')}"
    reported = f"{percent(row.accuracy)}, reported ± {100 * (row.high - row.accuracy):.2f}"
    return f"targets of {counted(int(row.size), 'document')}: {reported if printed else right}"
