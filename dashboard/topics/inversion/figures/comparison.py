"""F1 of every method of inversion on the same texts, with what each needs."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate
from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import capitalised, counted
from dashboard.kit.figures import axes, foreign, intervals, scatter, theme, traces
from dashboard.kit.figures.wording import UNDECIDED, joined

TITLE = "F1 of each method on the same texts"
NOTE = (
    "In a black box the adversary only queries the encoder; in a white box it has its weights. Victims are drawn in "
    "the same order; a slow method is given the first of them only, so its interval is wider. Chance "
    "names the most frequent words for every text. A decoder infers keywords only, and is not listed."
)
_BETWEEN = 14
"""Room between the names of two rows, in pixels."""
_LONGEST = 18


@dataclass(frozen=True)
class Method:
    """One method with its result on the texts.

    Attributes:
        name: Its name.
        f1: F1 of the named words over its victims; chance is the frequency baseline.
        access: Black box or white box.
        texts: The adversary's auxiliary texts.
        queries: Texts that it queried the encoder with; None where not counted.
        chosen: Whether it is the method of the page.
    """

    name: str
    f1: Estimate
    access: str
    texts: str
    queries: Estimate | None
    chosen: bool = False


def figure(methods: Sequence[Method]) -> go.Figure:
    """Draw a row for each method: F1 with its interval and value, and the frequency baseline."""
    names = [_label(method) for method in methods]
    lines = max((name.count("<br>") + 1 for name in names), default=1)
    inner = theme.LINE + (theme.LINE * lines + _BETWEEN) * max(len(methods), 2)
    drawing = theme.blank("F1 of words", "", inner=inner, legend=True)
    rows = list(range(len(methods)))
    value, low, high = ([getattr(method.f1, end) for method in methods] for end in ("value", "low", "high"))
    mark = theme.Mark(theme.MEMBER, "circle")
    hover = [f"<b>{foreign.shown(method.name)}</b>, {method.access}<br>F1 {_measured(method)}" for method in methods]
    error = intervals.bars(value, low, high, mark.colour, 3)
    scatter.points(drawing, value, rows, mark, "F1 of words", hover, size=13, error_x=error)
    levels = [(method.f1.chance, row) for row, method in enumerate(methods) if method.f1.chance is not None]
    spans = [(row - 0.3, row + 0.3) for _, row in levels]
    scatter.chances(drawing, [level for level, _ in levels], spans, "chance (the most frequent words)")
    written = [percent(share) for share in value]
    for share, end, row in zip(written, high, rows, strict=True):
        traces.right_label(drawing, share, end, row)
    axes.written_shares(drawing, 1.0, written)
    traces.name_rows(drawing, names)
    return drawing.figure()


def sentence(methods: Sequence[Method]) -> str:
    """Say which method recovers most, and how far the others are behind."""
    if not methods:
        return "No method has a stored result for these texts."
    best, *runners_up = sorted(methods, key=lambda method: -method.f1.value)
    text = f"{capitalised(best.name)} ({best.access}) recovers most: F1 {measured_in(best.f1, named=True)}"
    if best.f1.chance is not None:
        text += f", where chance is {percent(best.f1.chance)}"
    text += f", over {counted(best.f1.n, 'victim')}."
    if not runners_up:
        return f"{text} It is the only method with a stored result for these texts."
    behind = [f"{method.name} {percent(method.f1.value)}" for method in runners_up]
    close = [method.name for method in runners_up if method.f1.high >= best.f1.low]
    text += f" The others: {', '.join(behind)}."
    if close:
        text += f" Of the first and {joined(close)}, {UNDECIDED}."
    hidden = [method.name for method in methods if not method.f1.above_chance()]
    return f"{text} Not shown to be better than chance: {joined(hidden)}." if hidden else text


def table(methods: Sequence[Method]) -> pd.DataFrame:
    """Return F1 of each method, with what it needs."""
    return pd.DataFrame(
        [
            {
                "method": f"{capitalised(method.name)}{' (shown above)' if method.chosen else ''}",
                "F1": percent(method.f1.value),
                "95% interval": f"{percent(method.f1.low).removesuffix('%')}–{percent(method.f1.high)}",
                "chance": "not measured" if method.f1.chance is None else percent(method.f1.chance),
                "victims": method.f1.n,
                "access": method.access,
                "own texts": method.texts,
                "texts embedded": "not counted" if method.queries is None else f"{method.queries.value:,.0f}",
            }
            for method in methods
        ]
    )


def _measured(method: Method) -> str:
    chance = "" if method.f1.chance is None else f"; chance {percent(method.f1.chance)}"
    return f"{measured_in(method.f1)}{chance}; {counted(method.f1.n, 'victim')}"


def _label(method: Method) -> str:
    lines = foreign.shown(capitalised(method.name), _LONGEST)
    bold = "<br>".join(f"<b>{line}</b>" if method.chosen else line for line in lines.split("<br>"))
    return f"{bold}<br>{method.access}, n {method.f1.n:,}"
