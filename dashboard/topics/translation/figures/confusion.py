"""Confusion matrices of the classifiers on Alice's probes (Hisamoto et al. 2020, Figure 5)."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import percent
from core.statistics.wording.naming import counted, lowered
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once
from dashboard.topics.translation.figures import methods

TITLE = "Confusion matrices, Alice’s probes"
_ABREAST = 3
_WIDE, _HIGH = 2.35, 3.3
_CELL = 44
_SHORT = {"mlp": "MLP", "nearest_neighbours": "5 neighbours"}
_CELLS = (
    ("members_in", 0, 0, True, "members predicted in"),
    ("members_out", 1, 0, False, "members predicted out"),
    ("others_in", 0, 1, False, "non-members predicted in"),
    ("others_out", 1, 1, True, "non-members predicted out"),
)
"""Column of the count, column and row of the cell, whether the prediction is correct, and its meaning."""


@once
def counts(classifiers: pd.DataFrame, features: str) -> pd.DataFrame:
    """Return the counts on Alice's probes, a row for each classifier with these features."""
    rows = classifiers[(classifiers["features"] == features) & (classifiers["on"] == "target")]
    order = {rule: index for index, rule in enumerate(methods.CLASSIFIERS)}
    rows = rows[rows["rule"].isin(order)]
    return rows.sort_values("rule", key=lambda rule: rule.map(order)).reset_index(drop=True)


@once
def figure(rows: pd.DataFrame) -> go.Figure:
    """Draw a matrix for each classifier: truth by rows, prediction by columns; rows add up to 100%."""
    lines = -(-len(rows) // _ABREAST)
    height = theme.BOTTOM + 20 + int(_CELL * _HIGH * max(lines, 1))
    drawing = theme.blank("Prediction", "Truth", height=height)
    if rows.empty:
        return theme.empty(drawing, "No classifier was trained.")
    drawing.update_layout(margin={"t": 8})
    ticks: tuple[list[float], list[float]] = ([], [])
    for number, row in enumerate(records(rows)):
        left, top = _WIDE * (number % _ABREAST), _HIGH * (number // _ABREAST)
        if number < _ABREAST:
            ticks[0].extend((left, left + 1))
        if not number % _ABREAST:
            ticks[1].extend((top, top + 1))
        _matrix(drawing, row, left, top)
    across = min(len(rows), _ABREAST)
    drawing.update_xaxes(
        range=[-0.55, _WIDE * across - 0.8], showgrid=False, tickvals=ticks[0], ticktext=["in", "out"] * across
    )
    drawing.update_yaxes(
        range=[_HIGH * lines - 1.7, -1.3], showgrid=False, tickvals=ticks[1], ticktext=["in", "out"] * lines
    )
    return drawing.figure()


@once
def sentence(rows: pd.DataFrame) -> str:
    """Name the classifiers that predict nearly all probes in, or nearly all out."""
    if rows.empty:
        return "No classifier was trained."
    total = rows[[name for name, *_ in _CELLS]].sum(axis=1)
    predicted = (rows["members_in"] + rows["others_in"]) / total
    out = [_name(rule) for rule, share in zip(rows["rule"], predicted, strict=True) if share < 0.1]
    inside = [_name(rule) for rule, share in zip(rows["rule"], predicted, strict=True) if share > 0.9]
    constant = "; ".join(
        f"{joined(names)} {'predicts' if len(names) == 1 else 'predict'} {side} for nearly all probes"
        for names, side in ((out, "out"), (inside, "in"))
        if names
    )
    text = "Orange is correct, blue wrong; equal rows mean chance."
    return f"{text} {constant[:1].upper()}{constant[1:]}." if constant else text


def _matrix(drawing: Drawing, row: Any, left: float, top: float) -> None:
    hover, x, y, shares = [], [], [], []
    for name, across, down, right, meaning in _CELLS:
        truth = row.members_in + row.members_out if name.startswith("members") else row.others_in + row.others_out
        share = getattr(row, name) / truth if truth else float("nan")
        fill = theme.veil(theme.MEMBER if right else theme.NONMEMBER, round(0x10 + 0x80 * (share if truth else 0)))
        x.append(left + across)
        y.append(top + down)
        look = {"fillcolor": fill, "line": {"color": theme.BACKGROUND, "width": 2}, "layer": "below", "name": name}
        traces.rectangle(drawing, x[-1], y[-1], 1, 1, **look)
        shares.append(percent(share) if truth else "–")
        count = counted(int(getattr(row, name)), "decision")
        hover.append(f"<b>{methods.CLASSIFIERS[row.rule]}</b><br>{count}: {meaning}")
    traces.texts(drawing, x, y, shares, customdata=hover, hovertemplate="%{customdata}<extra></extra>")
    title = _SHORT.get(row.rule, methods.CLASSIFIERS[row.rule])
    theme.note(drawing, f"<b>{title} ✓</b>" if row.answer else title, x=left + 0.5, y=top - 0.55, yanchor="bottom")


def _name(rule: str) -> str:
    return lowered(methods.CLASSIFIERS[rule])
