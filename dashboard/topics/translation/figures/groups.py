"""How well groups of pairs are told, all in or all out, by their size (Hisamoto et al. 2020, Figure 7)."""

from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import intervals, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, decimal, lowered, measured
from dashboard.topics.translation.figures import methods

TITLE = "Many pairs together"
Measure = Literal["accuracy", "auc"]
MEASURES: dict[Measure, str] = {"accuracy": "Right guesses", "auc": "AUC"}
_AXES: dict[Measure, str] = {"accuracy": "Accuracy: share of right guesses", "auc": "AUC"}
_MAJORITY = "Bob’s classifier, majority (the paper)"
REMARK = (
    "A group holds pairs of one subcorpus that are all in or all out. The orange lines are of the same classifier: "
    "once its single guesses are counted, once its scores are averaged. Large groups are few, their intervals wide. "
    "Where thresholds come from shadow models that are trained otherwise than Alice’s translators, right guesses stay "
    "behind the AUC, which needs none."
)


def lines(groups: pd.DataFrame) -> dict[str, tuple[pd.DataFrame, theme.Mark]]:
    """Return a line for each method that decides by its mean score, and one for the majority of guesses."""
    own = methods.keyed(groups)
    found = {}
    for series in methods.drawn(own):
        rows = series.of(own)
        found[series.name] = (rows[rows["decision"] == "mean"].sort_values("size"), series.mark)
    majority = own[own["decision"] == "majority"].sort_values("size")
    if len(majority):
        found[_MAJORITY] = (majority, theme.Mark(theme.MEMBER, "circle-open", "dot"))
    return {name: line for name, line in found.items() if len(line[0])}


def figure(groups: pd.DataFrame, measure: Measure = "accuracy") -> go.Figure:
    """Draw a line with its band for each method, group sizes on a logarithmic axis."""
    drawn = lines(groups)
    drawing = theme.blank("Pairs decided about together", _AXES[measure], height=460, legend=True)
    if not drawn:
        return theme.empty(drawing, "There are too few probes for groups.")
    drawing.update_layout(
        margin={"t": theme.TOP + 19 * len(drawn)}, legend={"orientation": "v", "y": 1.01, "yref": "paper"}
    )
    sizes = sorted({int(size) for size in groups["size"]})
    drawing.update_xaxes(**theme.logarithmic(sizes[0], sizes[-1]))
    drawing.update_xaxes(tickvals=sizes, ticktext=[f"{size:,}" for size in sizes])
    theme.accuracies(drawing, *(part[f"{measure}_low"] for part, _ in drawn.values()), percent=measure == "accuracy")
    for name, (part, mark) in drawn.items():
        intervals.line(
            drawing,
            part["size"],
            part[measure],
            part[f"{measure}_low"],
            part[f"{measure}_high"],
            mark,
            name=name,
            said=[_said(name, row, measure) for row in records(part)],
            width=2,
        )
    return drawing.figure()


def sentence(groups: pd.DataFrame, measure: Measure = "accuracy") -> str:
    """Read the adversary's classifier aloud from single pairs to the largest groups, and the quickest method."""
    drawn = lines(groups)
    if not drawn:
        return "There are too few probes for groups."
    name, (part, _) = next(iter(drawn.items()))
    rows = records(part)
    text = f"{name} goes from {_value(rows[0], measure)} for {counted(int(rows[0].size), 'pair')}"
    guessing = "50%" if measure == "accuracy" else "0.50"
    text += f" to {_value(rows[-1], measure)} for {int(rows[-1].size):,}; guessing gives {guessing}."
    first = {
        name: min((int(row.size) for row in records(part) if getattr(row, f"{measure}_low") > 0.9), default=0)
        for name, (part, _) in drawn.items()
    }
    sure = sorted((size, name) for name, size in first.items() if size)
    if sure:
        size, name = sure[0]
        return f"{text} Above 90% with its whole interval first: {lowered(name)}, from {counted(size, 'pair')} on."
    return f"{text} No interval lies above 90%."


def _value(row: Any, measure: Measure) -> str:
    value, low, high = (getattr(row, f"{measure}{end}") for end in ("", "_low", "_high"))
    if measure == "accuracy":
        return measured(value, low, high)
    return f"{decimal(value)} ({decimal(low)}–{decimal(high)})"


def _said(name: str, row: Any, measure: Measure) -> str:
    groups = f"{int(row.members):,} groups in, {int(row.others):,} out"
    return f"<b>{name}</b><br>{counted(int(row.size), 'pair')}: {MEASURES[measure]} {_value(row, measure)}<br>{groups}"
