"""What classifiers say of Alice's members and of others: a small matrix each (Hisamoto et al. 2020, Figure 5)."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import theme
from dashboard.kit.figures.drawing import Drawing
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, joined, lowered, percent
from dashboard.topics.translation.figures import methods

TITLE = "What they say of Alice’s probes"
_ABREAST = 3
_WIDE, _HIGH = 2.35, 3.3
_CELL = 44
_CELLS = (
    ("members_in", 0, 0, True),
    ("members_out", 1, 0, False),
    ("others_in", 0, 1, False),
    ("others_out", 1, 1, True),
)
_SAYS = {
    "members_in": "members called in",
    "members_out": "members called out",
    "others_in": "others called in",
    "others_out": "others called out",
}


def shown(classifiers: pd.DataFrame, features: str) -> pd.DataFrame:
    """Return the counts about Alice's probes, a row for each classifier that looks at some features."""
    own = classifiers[(classifiers["features"] == features) & (classifiers["on"] == "target")]
    order = {rule: place for place, rule in enumerate(methods.CLASSIFIERS)}
    own = own[own["rule"].isin(order)]
    return own.sort_values("rule", key=lambda rule: rule.map(order)).reset_index(drop=True)


def figure(own: pd.DataFrame) -> go.Figure:
    """Draw a matrix for each classifier: truth by rows, what it says by columns; rows add up to 100%."""
    lines = -(-len(own) // _ABREAST)
    drawing = theme.blank(
        "Said by the classifier", "Truth", height=theme.BOTTOM + 20 + int(_CELL * _HIGH * max(lines, 1))
    )
    if own.empty:
        return theme.empty(drawing, "No classifier was trained.")
    drawing.update_layout(margin={"t": 8})
    ticks: tuple[list[float], list[float]] = ([], [])
    for number, row in enumerate(records(own)):
        left, top = _WIDE * (number % _ABREAST), _HIGH * (number // _ABREAST)
        if number < _ABREAST:
            ticks[0].extend((left, left + 1))
        if not number % _ABREAST:
            ticks[1].extend((top, top + 1))
        _matrix(drawing, row, left, top)
    across = min(len(own), _ABREAST)
    drawing.update_xaxes(
        range=[-0.55, _WIDE * across - 0.8], showgrid=False, tickvals=ticks[0], ticktext=["in", "out"] * across
    )
    drawing.update_yaxes(
        range=[_HIGH * lines - 1.7, -1.3], showgrid=False, tickvals=ticks[1], ticktext=["in", "out"] * lines
    )
    return drawing.figure()


def sentence(own: pd.DataFrame) -> str:
    """Say which classifiers take nearly everything for one of the two."""
    if own.empty:
        return "No classifier was trained."
    total = own[[name for name, *_ in _CELLS]].sum(axis=1)
    called = (own["members_in"] + own["others_in"]) / total
    out = [_name(rule) for rule, share in zip(own["rule"], called, strict=True) if share < 0.1]
    inside = [_name(rule) for rule, share in zip(own["rule"], called, strict=True) if share > 0.9]
    said = [
        f"{joined(names)} {'calls' if len(names) == 1 else 'call'} nearly everything {what}"
        for names, what in ((out, "out"), (inside, "in"))
        if names
    ]
    text = "Orange is right, blue wrong; each row adds up to 100%, and equal rows would be guessing."
    return f"{text} {'; '.join(said)[:1].upper()}{'; '.join(said)[1:]}." if said else text


def _matrix(drawing: Drawing, row: Any, left: float, top: float) -> None:
    said, x, y, texts = [], [], [], []
    for name, across, down, right in _CELLS:
        truth = row.members_in + row.members_out if name.startswith("members") else row.others_in + row.others_out
        share = getattr(row, name) / truth if truth else float("nan")
        fill = theme.veil(theme.MEMBER if right else theme.NONMEMBER, round(0x10 + 0x80 * (share if truth else 0)))
        drawing.add_shape(
            type="rect",
            x0=left + across - 0.5,
            x1=left + across + 0.5,
            y0=top + down - 0.5,
            y1=top + down + 0.5,
            fillcolor=fill,
            line={"color": theme.BACKGROUND, "width": 2},
            layer="below",
            name=name,
        )
        x.append(left + across)
        y.append(top + down)
        texts.append(percent(share) if truth else "–")
        said.append(
            f"<b>{methods.CLASSIFIERS[row.rule]}</b><br>{counted(int(getattr(row, name)), 'decision')}: {_SAYS[name]}"
        )
    drawing.add_scatter(
        x=x,
        y=y,
        mode="text",
        text=texts,
        textfont={"size": theme.SMALL, "color": theme.INK},
        customdata=said,
        hovertemplate="%{customdata}<extra></extra>",
        showlegend=False,
    )
    name = (
        methods.CLASSIFIERS[row.rule]
        .replace("Multi-layer perceptron", "MLP")
        .replace("Nearest neighbours", "5 neighbours")
    )
    theme.note(drawing, f"<b>{name} ✓</b>" if row.answer else name, x=left + 0.5, y=top - 0.55, yanchor="bottom")


def _name(rule: str) -> str:
    return lowered(methods.CLASSIFIERS[rule])
