"""Table 1 of Song and Raghunathan 2020, on inversion by an adversary who has the encoder, and our results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate
from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import counted
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import foreign, intervals, scatter, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined

TITLE = "F1 here, and in the paper’s Table 1"
NOTE = (
    "The paper uses other encoders and another corpus: sentences of BookCorpus, embedded by an LSTM and a "
    "transformer trained for it, by BERT and by ALBERT. The attacks of Table 1 are white box: the adversary has the "
    "encoder with all its weights. In a black-box attack it only queries the encoder, which is another threat model, "
    "so the values are not directly comparable. Equation 5 searches for words without training; Equation 7 first "
    "trains on auxiliary texts. Texts of the same domain are of the same kind as the victims’."
)
"""Limits of the comparison."""

BLACK, WHITE = "black box", "white box"
"""Whether an adversary only queries the encoder, or has its weights."""

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

_MEASURES = ("precision", "recall", "f1")
_LINE = 19
_MARKS, _BELOW = 38, 15
"""Height of the lane of marks below a name, and how far below it they stand: nearer to it than to the next name."""
_EDGE, _STROKE = 4, 10
"""Distance of a name from the line above it, and half the length of the stroke of a baseline, in pixels."""
_LABEL = 0.15
_WIDTH = 48
_PAPER = theme.Mark(theme.PAPER, "diamond-open", "dot")
_LOOKS = dict(zip((BLACK, WHITE), theme.distinct(2), strict=True))


@dataclass(frozen=True)
class Ours:
    """One of our results.

    Attributes:
        about: The target: encoder, dataset and defenses.
        how: The method with its auxiliary data.
        access: `BLACK` or `WHITE`.
        estimates: Its estimates; the chance of each is the frequency baseline.
        chosen: Whether it is the result of the page.
    """

    about: str
    how: str
    access: str
    estimates: Mapping[str, Estimate]
    chosen: bool = False

    @property
    def f1(self) -> Estimate:
        """Return F1 of the named words."""
        return self.estimates["f1"]


def figure(ours: Sequence[Ours]) -> go.Figure:
    """Draw a row for each of our results with its interval and the frequency baseline, then the paper's ranges."""
    names = [_lines(f"{our.about}{' (this page)' if our.chosen else ''}", f"{our.how}, {our.access}") for our in ours]
    names += [_lines(f"The paper, {method}, {WHITE}", _encoders(method)) for method in _TABLE_1]
    heights = [_MARKS + _LINE * (name.count("<br>") + 1) for name in names]
    tops = [sum(heights[:row]) for row in range(len(heights))]
    middles = [top + height - _MARKS + _BELOW for top, height in zip(tops, heights, strict=True)]
    inner = sum(heights)
    drawing = theme.blank("F1 of words", "", inner=_LINE + inner, legend=True)
    drawing.update_xaxes(range=[-0.02, 1.02], tickformat=".0%", dtick=0.2)
    drawing.update_yaxes(range=[inner, 0], visible=False)
    for top in tops[1:]:
        line = {"color": theme.veil(theme.INK), "width": 1}
        theme.rule(drawing, y=top - _EDGE, layer="below", name="row", line=line)
    for name, top in zip(names, tops, strict=True):
        traces.left_label(drawing, name, top, yanchor="top", align="left")
    if ours:
        _draw_ours(drawing, ours, middles[: len(ours)])
    _draw_paper(drawing, middles[len(ours) :])
    return drawing.figure()


def sentence(ours: Sequence[Ours]) -> str:
    """Read our range and the paper's aloud."""
    if not ours:
        return printed()
    order = sorted(ours, key=lambda our: our.f1.value)
    worst, best = order[0], order[-1]
    text = f"F1 is {measured_in(best.f1, named=True)} here for {best.about}"
    if len(ours) > 1:
        lowest = measured_in(worst.f1, named=True)
        text = f"In {counted(len(ours), 'result')} here, F1 is between {lowest} for {worst.about} and "
        text += f"{measured_in(best.f1)} for {best.about}"
    return f"{text}. {printed()}"


def printed() -> str:
    """Read Table 1 aloud."""
    ranges = []
    for method, encoders in _TABLE_1.items():
        values = sorted(f1 for _, _, f1 in encoders.values())
        ranges.append(f"{percent(values[0])} to {percent(values[-1])} by {method}")
    return f"The paper’s white-box attacks reach {joined(ranges)}, with texts of the same domain."


def table(ours: Sequence[Ours]) -> pd.DataFrame:
    """Return all values: ours with intervals, the paper's as printed."""
    rows: list[dict[str, str]] = [
        {
            "target": our.about,
            "method": our.how,
            "access": our.access,
            **{measure: _text(our.estimates.get(measure)) for measure in _MEASURES},
            "F1, chance": _level(our.f1),
            "precision, other domain": "",
        }
        for our in ours
    ]
    rows += [
        {
            "target": f"{encoder}, BookCorpus",
            "method": f"The paper, {method}",
            "access": WHITE,
            **{measure: f"{100 * value:.2f}%" for measure, value in zip(_MEASURES, values, strict=True)},
            "F1, chance": "not printed",
            "precision, other domain": f"{100 * _CROSS[encoder]:.2f}%" if method == "Equation 7" else "",
        }
        for method, encoders in _TABLE_1.items()
        for encoder, values in encoders.items()
    ]
    return pd.DataFrame(rows).rename(columns={"f1": "F1"})


def _draw_ours(drawing: Drawing, ours: Sequence[Ours], at: Sequence[float]) -> None:
    ends = [our.f1.model_dump(include={"value", "low", "high", "chance"}) for our in ours]
    hover = [
        f"<b>{foreign.shown(our.about)}</b>, {our.access}<br>F1 {measured_in(our.f1)}; chance {_level(our.f1)}"
        for our in ours
    ]
    results = pd.DataFrame(ends).astype("float64").assign(access=[our.access for our in ours], at=at, hover=hover)
    for access, mark in _LOOKS.items():
        rows = results[results["access"] == access]
        if len(rows):
            error = intervals.bars(rows["value"], rows["low"], rows["high"], mark.colour, 3)
            name = f"here, {access}"
            scatter.points(drawing, rows["value"], rows["at"], mark, name, rows["hover"], size=13, error_x=error)
    levels = results[results["chance"].notna()]
    spans = [(middle - _STROKE, middle + _STROKE) for middle in levels["at"]]
    scatter.chances(drawing, levels["chance"], spans, "chance (the most frequent words)")
    for row in records(results):
        traces.right_label(drawing, percent(row.value), _end(row), row.at)


def _end(row: Any) -> float:
    """Return the position of a row's value: right of its interval, and of a close frequency baseline."""
    end = max(float(row.value), float(row.high))
    return float(row.chance) if end <= row.chance < end + _LABEL else end


def _draw_paper(drawing: Drawing, at: Sequence[float]) -> None:
    for row, (method, encoders) in zip(at, _TABLE_1.items(), strict=True):
        values = {encoder: f1 for encoder, (_, _, f1) in encoders.items()}
        ends = [min(values.values()), max(values.values())]
        look: dict[str, Any] = {"mode": "lines", "hoverinfo": "skip", "showlegend": False}
        traces.series(drawing, ends, [row, row], _PAPER, width=2, **look)
        hover = [f"<b>The paper, {method}</b><br>{encoder}: F1 {100 * f1:.2f}%" for encoder, f1 in values.items()]
        shares, name, legend = list(values.values()), f"the paper, {WHITE}", row == at[0]
        dots: dict[str, Any] = {"size": 13, "edge": {"width": 3}, "showlegend": legend}
        scatter.points(drawing, shares, [row] * len(values), _PAPER, name, hover, **dots)


def _lines(about: str, how: str) -> str:
    """Return the name of a row, its first part bold, in lines for a narrow screen."""
    bold = "<br>".join(f"<b>{line}</b>" for line in foreign.shown(about, _WIDTH).split("<br>"))
    return f"{bold}<br>{foreign.shown(how, _WIDTH)}"


def _encoders(method: str) -> str:
    return ", ".join(f"{encoder} {percent(f1)}" for encoder, (_, _, f1) in _TABLE_1[method].items())


def _text(estimate: Estimate | None) -> str:
    return "not measured" if estimate is None else measured_in(estimate)


def _level(estimate: Estimate) -> str:
    return "not measured" if estimate.chance is None else percent(estimate.chance)
