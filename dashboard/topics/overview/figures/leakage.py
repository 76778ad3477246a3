"""Leakage over many experiments: one row each, with estimate, interval and chance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap

import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate, headline, lead
from dashboard.kit.figures import intervals, scatter, theme
from dashboard.kit.figures.drawing import Drawing
from dashboard.kit.figures.wording import counted, documents, joined, lowered, measured_in, percent
from dashboard.kit.words import spoken

TITLE = "What leaked"
_ROW = 31
_HEADING = 34
_TEXT_LINE = 19
_LONGEST_LINE = 50
_ACCURACY = "Accuracy"
_HEADLINES = {"accuracy": _ACCURACY, "recall_at_10": "Recall of words at 10", "f1": "F1 of words"}
_COUNTED = {"share of canaries": "Canaries extracted"}
"""Names of an accuracy that counts something else than decisions, by its unit."""
_ABOUT = ("question", "attack", "experiment", "measure", "documents")
_COLUMNS = [*_ABOUT, "value", "low", "high", "chance", "members", "nonmembers", "decisions"]


@dataclass(frozen=True)
class Row:
    """One experiment of the overview.

    Attributes:
        title: Its title.
        figures: Its headline estimate for each target size; 0 where targets have no size.
        attack: Title of the attack.
        question: The question of its page.
        measure: Name of the estimate.
    """

    title: str
    figures: Mapping[int, Estimate]
    attack: str = ""
    question: str = ""
    measure: str = _ACCURACY

    @property
    def lead(self) -> float:
        """Return how far its figures lie above chance."""
        return lead(self.figures)


def row(title: str, estimates: Mapping[str, Estimate], attack: str = "", question: str = "") -> Row:
    """Return the row of a result with its headline estimates."""
    names = headline(estimates)
    figures = {size: estimates[name] for size, name in names.items()}
    if 0 not in names:
        return Row(title, figures, attack, question)
    measure = _COUNTED.get(figures[0].unit, _HEADLINES.get(names[0], spoken(names[0])))
    return Row(title, figures, attack, question, measure)


def figure(rows: Sequence[Row]) -> go.Figure:
    """Draw one row an experiment, its name above its points; rows of a question follow each other under its name."""
    names = [_name(row) for row in rows]
    before = ["", *(row.question for row in rows)]
    headed = [bool(row.question) and row.question != above for row, above in zip(rows, before, strict=False)]
    heights = [
        _ROW + _TEXT_LINE * (name.count("<br>") + 1) + _HEADING * first
        for name, first in zip(names, headed, strict=True)
    ] or [_ROW]
    tops = [sum(heights) - sum(heights[:number]) for number in range(len(heights))]
    sized = any(row.figures.keys() - {0} for row in rows)
    height = sum(heights) + theme.TOP + theme.BOTTOM + 38
    drawing = theme.blank("Headline estimate, as a share", "", height=height, legend=sized)
    drawing.update_layout(clickmode="event+select")
    drawing.update_xaxes(range=[_start(rows), 1.02], tickformat=".0%", dtick=0.1)
    drawing.update_yaxes(visible=False, range=[0, sum(heights)])
    if not any(row.figures for row in rows):
        return theme.empty(drawing, "No result yet.")
    bottoms = [top - height for top, height in zip(tops, heights, strict=True)]
    _levels(drawing, rows, bottoms, [top - _HEADING * first for top, first in zip(tops, headed, strict=True)])
    for size, mark in _marks(rows).items():
        _points(drawing, rows, size, mark, [bottom + _ROW * 0.45 for bottom in bottoms])
    for row, name, top, first in zip(rows, names, tops, headed, strict=True):
        if first:
            _write(drawing, top - 6, f"<b>{_plain(row.question)}</b>", theme.TYPE + 2)
            ends = {"xref": "paper", "x0": 0, "x1": 1, "y0": top - _HEADING + 4, "y1": top - _HEADING + 4}
            line = {"color": theme.veil(theme.INK, 0x50), "width": 1}
            drawing.add_shape(type="line", name="question", line=line, **ends)
        _write(drawing, top - _HEADING * first, name, theme.SMALL)
    return drawing.figure()


def table(rows: Sequence[Row]) -> pd.DataFrame:
    """Return the numbers behind the figure."""
    values = [
        (
            *(row.question, row.attack, row.title, row.measure, size),
            *(estimate.value, estimate.low, estimate.high, estimate.chance),
            *(estimate.members, estimate.nonmembers, estimate.n),
        )
        for row in rows
        for size, estimate in row.figures.items()
    ]
    return pd.DataFrame(values, columns=_COLUMNS)


def sentence(rows: Sequence[Row]) -> str:
    """Read the figure aloud: the number of rows with a leak, and the largest."""
    known = [row for row in rows if row.figures]
    if not known:
        return "No result yet."
    leaking = [row for row in known if any(figure.above_chance() for figure in row.figures.values())]
    text = f"In {len(leaking)} of {counted(len(known), 'attack')} an interval lies above chance."
    if leaking:
        best = max(leaking, key=lambda row: row.lead)
        size, figure = max(best.figures.items(), key=lambda item: item[1].low - (item[1].chance or 0))
        of = f" for targets of {documents(size)}" if size else ""
        value = measured_in(figure, named=True)
        text += f" The farthest above it is “{best.title}”{of}: {lowered(best.measure)} {value}"
        text += f", where chance is {percent(figure.chance or 0)}."
    levels = "The dashed line is" if len(_chances(known)) == 1 else "The dashed line in each row is"
    return f"{text} {levels} chance."


def summary(row: Row) -> str:
    """Return a row's figures as text."""
    values = [
        f"{measured_in(figure)}{f' for {documents(size)}' if size else ''}" for size, figure in row.figures.items()
    ]
    return joined(values) if values else "not computed yet"


def _start(rows: Sequence[Row]) -> float:
    lows = [figure.low for row in rows for figure in row.figures.values()]
    return max(min([0.4, *lows, *(chance - 0.05 for chance in _chances(rows))]), 0.01) - 0.02


def _marks(rows: Sequence[Row]) -> dict[int, theme.Mark]:
    """Return the look of the estimates of each target size; those without a size take the accent."""
    sizes = sorted({size for row in rows for size in row.figures})
    apart = theme.ordered([size for size in sizes if size])
    plain = theme.Mark(theme.MEMBER, "diamond", "solid")
    return {size: apart[size] if size else plain for size in sizes}


def _points(drawing: Drawing, rows: Sequence[Row], size: int, mark: theme.Mark, heights: Sequence[float]) -> None:
    known = [(number, row.figures[size]) for number, row in enumerate(rows) if size in row.figures]
    value, low, high = ([getattr(figure, end) for _, figure in known] for end in ("value", "low", "high"))
    scatter.points(
        drawing,
        value,
        [heights[number] for number, _ in known],
        mark,
        f"targets of {documents(size)}" if size else "all victims",
        [_hover(rows[number], size, figure) for number, figure in known],
        size=13,
        error_x=intervals.bars(value, low, high, mark.colour, 2.5),
        customdata=[[number] for number, _ in known],
        **theme.SELECTABLE,
    )


def _levels(drawing: Drawing, rows: Sequence[Row], bottoms: Sequence[float], tops: Sequence[float]) -> None:
    """Draw the level of chance in each row."""
    for row, bottom, top in zip(rows, bottoms, tops, strict=True):
        for chance in _chances([row]):
            ends = {"x0": chance, "x1": chance, "y0": bottom, "y1": top}
            drawing.add_shape(type="line", name="chance", line=theme.CHANCE_LINE, **ends)


def _name(row: Row) -> str:
    """Return the attack and, below it, the experiment; or the experiment alone."""
    lines = wrap(_plain(row.title), _LONGEST_LINE, break_on_hyphens=False)
    if not row.attack:
        return "<br>".join(lines)
    measure = "" if row.measure == _ACCURACY else f", {lowered(row.measure)}"
    if len(row.attack + measure) > _LONGEST_LINE:
        measure = measure.replace(", ", ",<br>", 1)
    return "<br>".join([f"<b>{_plain(row.attack)}</b>{measure}", *lines])


def _write(drawing: Drawing, y: float, text: str, size: int) -> None:
    corner = {"xref": "paper", "x": 0.006, "xanchor": "left", "y": y, "yanchor": "top", "align": "left"}
    look = {"font": {"size": size, "color": theme.INK}, "bgcolor": theme.BACKGROUND, "borderpad": 1}
    drawing.add_annotation(text=text, showarrow=False, **corner, **look)


def _chances(rows: Sequence[Row]) -> list[float]:
    """Return the different levels of chance of some rows."""
    return sorted({figure.chance for row in rows for figure in row.figures.values() if figure.chance is not None})


def _hover(row: Row, size: int, figure: Estimate) -> str:
    of = f"{documents(size)} a target, " if size else ""
    value = f"{lowered(row.measure)} {measured_in(figure)}"
    return f"<b>{_plain(row.title)}</b><br>{of}{value}, {counted(figure.n, 'decision')}"


def _plain(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
