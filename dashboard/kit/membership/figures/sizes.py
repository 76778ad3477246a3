"""How right an attack is against how many documents a target has, beside its controls or a paper's values."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import intervals, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, documents, measured, percent, variant
from dashboard.kit.membership.figures.headline import FREE, outcomes

TITLE = "Accuracy against the size of a target"
COLUMNS = ("size", "accuracy", "low", "high")
"""Columns of a line: documents a target, share of right guesses, its interval."""

Lines = Mapping[str, tuple[pd.DataFrame, theme.Mark]]
"""What each line is, its points, and how it looks."""


def lines(curve: pd.DataFrame, attack: str) -> Lines:
    """Return a line for each adversary of a result, the attack first and the one that sees no model last."""
    shown = outcomes(curve, attack)
    names = list(dict.fromkeys(shown["variant"]))
    marks = theme.distinct(len(names))
    return {
        variant(name, attack): (of(shown, name), theme.Mark(theme.INK, mark.symbol, "dot") if name == FREE else mark)
        for name, mark in zip(names, marks, strict=True)
    }


def of(shown: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the points of one adversary, smallest targets first."""
    own = shown[(shown["variant"] == name) & shown["accuracy"].notna()]
    return own[list(COLUMNS)].sort_values("size").reset_index(drop=True)


def figure(drawn: Lines, x: str = "Documents of a target", *, printed: Sequence[str] = ()) -> go.Figure:
    """Draw one line with its band for each.

    Args:
        drawn: The lines.
        x: Title of the horizontal axis.
        printed: Lines that a paper printed, drawn hollow, with what it printed after ± as a bar.
    """
    known = {name: line for name, line in drawn.items() if len(line[0])}
    drawing = theme.blank(x, theme.ACCURACY, legend=True, height=theme.HEIGHT + 20)
    theme.accuracies(drawing, *(part["low"] for part, _ in known.values()))
    if not known:
        return theme.empty(drawing, "Nothing is computed here yet.")
    for name, (part, mark) in known.items():
        said = [f"<b>{name}</b><br>{_size(row)}: {_value(row, printed=name in printed)}" for row in records(part)]
        if name in printed:
            drawing.add_scatter(
                x=part["size"],
                y=part["accuracy"],
                mode="lines+markers",
                name=name,
                line={"color": mark.colour, "width": 2, "dash": mark.dash},
                marker={"color": mark.colour, "symbol": f"{mark.symbol}-open", "size": 14, "line": {"width": 3}},
                error_y=intervals.bars(part["accuracy"], part["low"], part["high"], mark.colour),
                text=said,
            )
        else:
            intervals.line(
                drawing, part["size"], part["accuracy"], part["low"], part["high"], mark, name=name, said=said, size=10
            )
    steps = sorted({int(size) for part, _ in known.values() for size in part["size"]})
    ends = np.log10([steps[0], steps[-1]])
    room = max(0.08 * float(ends[1] - ends[0]), 0.1)
    drawing.update_xaxes(
        type="log",
        range=[float(ends[0]) - room, float(ends[1]) + room],
        tickvals=steps,
        minor={"ticks": ""},
        ticktext=[f"{step:,}" for step in steps],
    )
    return drawing.figure()


def table(drawn: Lines) -> pd.DataFrame:
    """Return the points of all lines."""
    parts = [part.assign(line=name)[["line", *COLUMNS]] for name, (part, _) in drawn.items()]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["line", *COLUMNS])


def sentence(curve: pd.DataFrame, attack: str) -> str:
    """Read aloud what larger targets change."""
    own = records(of(outcomes(curve, attack), attack))
    if len(own) < 2:
        return "Targets of one size only: nothing to compare."
    first, last = own[0], own[-1]
    text = (
        f"From {documents(first.size)} to {documents(last.size)} the attack goes from "
        f"{measured(first.accuracy, first.low, first.high, named=True)} to "
        f"{measured(last.accuracy, last.low, last.high)}"
    )
    if last.low > first.high:
        return f"{text}: who gave more is easier to find."
    if last.high < first.low:
        return f"{text}: larger targets are harder to find."
    return f"{text}: the intervals overlap, so the size is not shown to matter."


def _size(row: Any) -> str:
    return f"targets of {counted(int(row.size), 'document')}"


def _value(row: Any, *, printed: bool) -> str:
    if printed:
        return f"{percent(row.accuracy)}, printed ± {100 * (row.high - row.accuracy):.2f}"
    return f"right: {measured(row.accuracy, row.low, row.high)}"
