"""What an attack on keywords owes to one quantity (Pan et al. 2020, Figure 6 c, d, g and h)."""

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd

from core.result import Estimate
from dashboard.kit.figures import intervals, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined, measured, percent

if TYPE_CHECKING:
    import plotly.graph_objects as go

Topic = Literal["held", "external", "dimension", "aligned"]

FIELDS: dict[Topic, str] = {"held": "texts", "external": "texts", "dimension": "dimension", "aligned": "aligned"}
"""Field of the attack that each topic is about."""
OF_DANN: tuple[Topic, ...] = ("dimension", "aligned")
"""Topics that are about one of the classifiers only."""
TITLES: dict[Topic, str] = {
    "held": "Texts it holds of the victims’ kind",
    "external": "External texts it starts from",
    "dimension": "Units of the DANN’s hidden layer",
    "aligned": "Victims that the DANN sees",
}
PAPER: dict[Topic, str] = {
    "held": "The paper’s text on its Figure 6(c), a perceptron on its medical records, three sizes of GPT-2: over 90% "
    "with more than 100 texts; with 10, 59.4% for GPT-2, 61.0% for Medium and 68.5% for Large. It prints no more "
    "numbers.",
    "external": "The paper’s text on its Figure 6(d), from 2,000 texts down to 100: “a larger external corpus helps "
    "our attack achieve higher accuracy”. It prints no number.",
    "dimension": "The paper’s text on its Figure 6(g) and (h): the accuracy “remains high with different "
    "hyperparameter choices”. It prints no number.",
    "aligned": "The paper’s text on its Figure 6(g) and (h), of which (h) varies the victims: the accuracy “remains "
    "high with different hyperparameter choices”. It prints no number.",
}
"""What Pan et al. 2020, section VI-D, says of the same comparison."""

_NOUNS: dict[Topic, str] = {"held": "texts", "external": "texts", "dimension": "units", "aligned": "victims"}
_HEIGHT = theme.HEIGHT - 40
_CLOSE = 1.6
_MOVES = "The intervals are about the victims drawn; that a DANN moves from pass to pass is not in them."
_NUMBERS = ("number", "accuracy", "low", "high", "chance")
_COLUMNS = {**dict.fromkeys(_NUMBERS, "float64"), "label": "str", "here": "bool"}


def points(found: Iterable[tuple[int, float, Estimate, bool]]) -> pd.DataFrame:
    """Return one row for each number, the smallest first; of two experiments at one number the first counts.

    Args:
        found: How many were allowed, how many there are (infinity where there is no end of them, NaN where that is not
            known), the accuracy, and whether it is that of the experiment looked at.
    """
    rows = []
    for allowed, there, figure, here in found:
        number = min(float(allowed), there) if math.isfinite(there) else float(allowed)
        rows.append(
            {
                "number": number,
                "accuracy": figure.value,
                "low": figure.low,
                "high": figure.high,
                "chance": math.nan if figure.chance is None else figure.chance,
                "label": _label(allowed, there),
                "here": here,
            }
        )
    frame = pd.DataFrame(rows, columns=list(_COLUMNS)).astype(_COLUMNS)
    return frame.drop_duplicates("number").sort_values("number", ignore_index=True)


def figure(table: pd.DataFrame, topic: Topic) -> "go.Figure":
    """Draw the accuracy with its band against the number, on a logarithmic axis; the one looked at has a ring.

    Args:
        table: As `points` gives it.
        topic: What the number counts.
    """
    noun = _NOUNS[topic]
    drawing = theme.blank(f"{noun.capitalize()} (logarithmic)", theme.ACCURACY, height=_HEIGHT, legend=True)
    if table.empty:
        return theme.empty(drawing, "No other number was tried.")
    ends = float(table["number"].min()) / 1.25, float(table["number"].max()) * 1.25
    drawing.update_xaxes(
        type="log",
        range=[math.log10(end) for end in ends],
        tickvals=table["number"],
        tickangle=0,
        ticktext=_ticks(table),
        minor={"ticks": ""},
    )
    top = float(table[["high", "chance"]].max().max())
    drawing.update_yaxes(
        range=[theme.floor(table["low"], table["chance"], least=1.0) - 0.03, min(top + 0.05, 1.03)],
        tickformat=".0%",
        nticks=7,
    )
    if table["chance"].notna().any():
        theme.level(drawing, y=float(table["chance"].mean()))
    intervals.line(
        drawing,
        table["number"],
        table["accuracy"],
        table["low"],
        table["high"],
        theme.distinct(1)[0],
        name="mean over words",
        said=[_hover(row, noun) for row in records(table)],
    )
    here = table[table["here"]]
    drawing.add_scatter(
        x=here["number"],
        y=here["accuracy"],
        mode="markers",
        name="this experiment",
        hoverinfo="skip",
        marker={"symbol": "circle-open", "size": 20, "color": theme.INK, "line": {"width": 2.5, "color": theme.INK}},
    )
    return drawing.figure()


def sentence(table: pd.DataFrame, topic: Topic) -> str:
    """Read the line aloud: its ends, whether it rises beyond the intervals, and how few are enough."""
    if len(table) < 2:
        return "No other number was tried."
    noun, rows = _NOUNS[topic], records(table)
    first, last = rows[0], rows[-1]
    who, caution = ("the DANN", _MOVES) if topic in OF_DANN else ("the attack", "")
    text = (
        f"With {first.label} {noun} {who} is right in "
        f"{measured(first.accuracy, first.low, first.high, named=True)}, with {last.label} in "
        f"{measured(last.accuracy, last.low, last.high)}"
    )
    if not math.isnan(first.chance):
        text += f"; guessing gives {percent(first.chance)}"
    return " ".join(filter(None, (f"{text}.", _trend(rows, noun), _leak(rows), caution)))


def _trend(rows: Sequence[Any], noun: str) -> str:
    """Say whether the number makes a difference beyond the intervals, and from where on it makes none."""
    best, worst = max(rows, key=lambda row: row.accuracy), min(rows, key=lambda row: row.accuracy)
    first, last = rows[0], rows[-1]
    if best.low <= worst.high:
        return f"All intervals overlap: more {noun} than {first.label} are not shown to help."
    if last.high < first.low:
        return f"More {noun} make a worse attacker."
    if last.low <= first.high:
        return f"Best are {best.label}, worst {worst.label}, beyond both intervals; it does not rise from end to end."
    enough = last
    for row in reversed(rows):
        if row.high < best.low:
            break
        enough = row
    tail = "the last step still helps" if enough is last else f"from {enough.label} on, more are not shown to help"
    return f"More {noun} make a better attacker; {tail}."


def _leak(rows: Sequence[Any]) -> str:
    """Say where no leak is shown."""
    unproven = [row.label for row in rows if not row.low > row.chance]
    if len(unproven) == len(rows):
        return "No interval lies above chance: no leak is shown."
    return f"With {joined(unproven)} the interval includes chance." if unproven else ""


def _label(allowed: int, there: float) -> str:
    if math.isnan(there):
        return f"at most {allowed:,}"
    return f"all {there:,.0f}" if there < allowed else f"{allowed:,}"


def _ticks(table: pd.DataFrame) -> list[str]:
    """Return the labels of the axis; one that would cover the one before it stands a line lower."""
    ticks: list[str] = []
    before = 0.0
    for row in records(table):
        covered = row.number < before * _CLOSE and not ticks[-1].startswith("<br>")
        ticks.append(f"<br>{row.label}" if covered else row.label)
        before = row.number
    return ticks


def _hover(row: Any, noun: str) -> str:
    return f"<b>{row.label} {noun}</b><br>right: {measured(row.accuracy, row.low, row.high)}"
