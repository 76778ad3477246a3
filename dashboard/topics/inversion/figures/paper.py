"""Table 1 of Song and Raghunathan 2020, on words read back by an adversary who holds the encoder, and our results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate
from dashboard.kit.figures import foreign, intervals, theme
from dashboard.kit.figures.drawing import Drawing
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, joined, measured, percent

TITLE = "F1 here, and in the paper’s Table 1"
SAYS = (
    "The paper’s figures are of other encoders and another corpus than ours: sentences of BookCorpus behind an LSTM "
    "and a transformer trained for it, and behind BERT and ALBERT. All of them are white box: the adversary holds the "
    "encoder with all its weights; black box, it may only ask it, which is another threat model. So the two show what "
    "is possible, and are no measure of each other. Equation 5 searches for words without learning; Equation 7 first "
    "learns from texts of its own. Texts of the same domain are others of the victims’ kind."
)
"""What has to be known before its figures and ours are compared."""

BLACK, WHITE = "black box", "white box"
"""Whether an adversary may only ask the encoder, or holds it."""

_TABLE_1: Mapping[str, Mapping[str, tuple[float, float, float]]] = {
    "Equation 5": {
        "LSTM": (0.5693, 0.5654, 0.5674),
        "Transformer": (0.3574, 0.3544, 0.3559),
        "BERT": (0.0084, 0.0089, 0.0087),
        "ALBERT": (0.0336, 0.0295, 0.0314),
    },
    "Equation 7": {
        "LSTM": (0.6368, 0.5669, 0.5998),
        "Transformer": (0.6532, 0.6039, 0.6276),
        "BERT": (0.5028, 0.4917, 0.4972),
        "ALBERT": (0.7091, 0.5549, 0.6226),
    },
}
"""Method and encoder to precision, recall and F1 with texts of the same domain."""
_CROSS = {"LSTM": 0.5798, "Transformer": 0.5997, "BERT": 0.4644, "ALBERT": 0.6845}
"""Encoder to the precision of Equation 7 with texts of another domain."""

_LINE = 19
_MARKS = 34
_LABEL = 0.15
_WIDTH = 48
_PAPER = theme.Mark(theme.PAPER, "diamond-open", "dot")
_LOOKS = dict(zip((BLACK, WHITE), theme.distinct(2), strict=True))


@dataclass(frozen=True)
class Ours:
    """One of our results.

    Attributes:
        about: What was read.
        how: How it was read.
        access: `BLACK` or `WHITE`.
        estimates: Its figures, the chance of each being what frequency alone gives.
        chosen: Whether it is the one that the page shows.
    """

    about: str
    how: str
    access: str
    estimates: Mapping[str, Estimate]
    chosen: bool = False


def figure(ours: Sequence[Ours]) -> go.Figure:
    """Draw a row for each of our results, with its interval and frequency alone, then the paper's as ranges."""
    named = [_lines(f"{one.about}{' (shown above)' if one.chosen else ''}", f"{one.how}, {one.access}") for one in ours]
    named += [_lines(f"The paper, {method}, {WHITE}", _said(method)) for method in _TABLE_1]
    heights = [_MARKS + _LINE * (name.count("<br>") + 1) for name in named]
    tops = [sum(heights[:row]) for row in range(len(heights))]
    middles = [top + height - 0.55 * _MARKS for top, height in zip(tops, heights, strict=True)]
    inner = sum(heights)
    drawing = theme.blank("F1 of the words named", "", height=theme.TOP + theme.BOTTOM + _LINE + inner, legend=True)
    drawing.update_xaxes(range=[-0.02, 1.02], tickformat=".0%", dtick=0.2)
    drawing.update_yaxes(range=[inner, 0], visible=False)
    for name, top in zip(named, tops, strict=True):
        theme.note(drawing, name, xref="x domain", x=0, xanchor="left", y=top, yanchor="top", align="left")
    if ours:
        _here(drawing, ours, middles[: len(ours)])
    _there(drawing, middles[len(ours) :])
    return drawing.figure()


def sentence(ours: Sequence[Ours]) -> str:
    """Read our range aloud, and the paper's beside it."""
    if not ours:
        return printed()
    order = sorted(ours, key=lambda one: one.estimates["f1"].value)
    worst, best = order[0], order[-1]
    text = f"F1 is {_measured(best, named=True)} here for {best.about}"
    if len(ours) > 1:
        text = (
            f"Over {counted(len(ours), 'result')} F1 here lies between {_measured(worst, named=True)} for "
            f"{worst.about} and {_measured(best)} for {best.about}"
        )
    return f"{text}. {printed()}"


def printed() -> str:
    """Read Table 1 aloud."""
    ranges = []
    for method, encoders in _TABLE_1.items():
        known = sorted(f1 for _, _, f1 in encoders.values())
        ranges.append(f"{percent(known[0])} to {percent(known[-1])} by {method}")
    return f"The paper’s white-box attacks reach {joined(ranges)}, with texts of the same domain."


def table(ours: Sequence[Ours]) -> pd.DataFrame:
    """Return all figures: ours with intervals, the paper's as it prints them."""
    rows: list[dict[str, str]] = [
        {
            "read": one.about,
            "how": one.how,
            "access": one.access,
            **{measure: _told(one.estimates.get(measure)) for measure in ("precision", "recall", "f1")},
            "F1 by frequency": _level(one.estimates["f1"]),
            "precision, other domain": "",
        }
        for one in ours
    ]
    rows += [
        {
            "read": f"{encoder}, BookCorpus",
            "how": f"The paper, {method}",
            "access": WHITE,
            **{
                measure: f"{100 * value:.2f}%"
                for measure, value in zip(("precision", "recall", "f1"), values, strict=True)
            },
            "F1 by frequency": "not printed",
            "precision, other domain": f"{100 * _CROSS[encoder]:.2f}%" if method == "Equation 7" else "",
        }
        for method, encoders in _TABLE_1.items()
        for encoder, values in encoders.items()
    ]
    return pd.DataFrame(rows).rename(columns={"f1": "F1"})


def _here(drawing: Drawing, ours: Sequence[Ours], at: Sequence[float]) -> None:
    ends = [one.estimates["f1"].model_dump(include={"value", "low", "high", "chance"}) for one in ours]
    found = (
        pd.DataFrame(ends)
        .astype("float64")
        .assign(
            access=[one.access for one in ours],
            at=at,
            said=[
                f"<b>{foreign.shown(one.about)}</b>, {one.access}<br>F1 {_measured(one)}; by frequency "
                f"{_level(one.estimates['f1'])}"
                for one in ours
            ],
        )
    )
    for access, mark in _LOOKS.items():
        own = found[found["access"] == access]
        if len(own):
            drawing.add_scatter(
                x=own["value"],
                y=own["at"],
                mode="markers",
                name=f"here, {access}",
                marker={"color": mark.colour, "symbol": mark.symbol, "size": 13},
                error_x=intervals.bars(own["value"], own["low"], own["high"], mark.colour, 3),
                hovertext=own["said"],
                hovertemplate="%{hovertext}<extra></extra>",
            )
    x: list[float | None] = []
    y: list[float | None] = []
    for one, row in zip(ours, at, strict=True):
        chance = one.estimates["f1"].chance
        if chance is not None:
            x += [chance, chance, None]
            y += [row - 0.3 * _MARKS, row + 0.3 * _MARKS, None]
    drawing.add_scatter(
        x=x, y=y, mode="lines", name="by frequency alone", line={"color": theme.CHANCE, "width": 3}, hoverinfo="skip"
    )
    drawing.add_scatter(
        x=[_end(row) for row in records(found)],
        y=at,
        mode="text",
        textposition="middle right",
        text=[f"  {percent(value)}" for value in found["value"]],
        textfont={"size": theme.SMALL, "color": theme.INK},
        hoverinfo="skip",
        showlegend=False,
        cliponaxis=False,
    )


def _end(row: Any) -> float:
    """Return where a row's value is written: beyond its interval, and beyond frequency alone where that is close."""
    end = max(float(row.value), float(row.high))
    return float(row.chance) if end <= row.chance < end + _LABEL else end


def _there(drawing: Drawing, at: Sequence[float]) -> None:
    for row, (method, encoders) in zip(at, _TABLE_1.items(), strict=True):
        known = {encoder: f1 for encoder, (_, _, f1) in encoders.items()}
        drawing.add_scatter(
            x=[min(known.values()), max(known.values())],
            y=[row, row],
            mode="lines",
            hoverinfo="skip",
            line={"color": _PAPER.colour, "width": 2, "dash": _PAPER.dash},
            showlegend=False,
        )
        drawing.add_scatter(
            x=list(known.values()),
            y=[row] * len(known),
            mode="markers",
            name=f"the paper, {WHITE}",
            showlegend=row == at[0],
            marker={"color": _PAPER.colour, "symbol": _PAPER.symbol, "size": 13, "line": {"width": 3}},
            hovertext=[f"<b>The paper, {method}</b><br>{encoder}: F1 {100 * f1:.2f}%" for encoder, f1 in known.items()],
            hovertemplate="%{hovertext}<extra></extra>",
        )


def _lines(about: str, how: str) -> str:
    """Return what a row is called, its first part bold, in lines for a narrow screen."""
    bold = "<br>".join(f"<b>{line}</b>" for line in foreign.shown(about, _WIDTH).split("<br>"))
    return f"{bold}<br>{foreign.shown(how, _WIDTH)}"


def _said(method: str) -> str:
    return ", ".join(f"{encoder} {percent(f1)}" for encoder, (_, _, f1) in _TABLE_1[method].items())


def _measured(one: Ours, *, named: bool = False) -> str:
    found = one.estimates["f1"]
    return measured(found.value, found.low, found.high, named=named)


def _told(found: Estimate | None) -> str:
    return "not measured" if found is None else measured(found.value, found.low, found.high)


def _level(found: Any) -> str:
    return "not measured" if found.chance is None else percent(found.chance)
