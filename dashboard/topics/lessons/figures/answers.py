"""The measured values of a question as a table, and the names and marks of predictions beside them."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from core.result import Estimate
from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import cases, counted
from core.statistics.wording.units import in_percent
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import intervals, scatter, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.kit.words import number
from dashboard.topics.lessons.evidence import unit

MEASURED = theme.Mark(theme.MEMBER, "circle")
PREDICTED = theme.Mark(theme.NONMEMBER, "diamond")
INTERVAL = "measured, with its 95% interval"
_FIELDS = ("value", "low", "high", "chance", "n")


@once
def table(estimates: Mapping[str, Estimate], measure: str = "") -> pd.DataFrame:
    """Return the measured values, a row for each estimate.

    Args:
        estimates: The estimates by the names of their rows.
        measure: What all of them measure, with its unit, where their names do not say so.
    """
    return pd.DataFrame(
        [
            (
                name,
                *(getattr(estimate, field) for field in _FIELDS),
                unit(estimate),
                in_percent(estimate.unit),
                cases(estimate),
                measure,
            )
            for name, estimate in estimates.items()
        ],
        columns=["name", *_FIELDS, "unit", "is_share", "cases", "measure"],
    ).astype({"chance": "float64"})


@once
def predicted(count: int) -> str:
    """Return the name of a series of predictions: "your prediction" for one, else their number.

    >>> predicted(1), predicted(30)
    ('your prediction', '30 predictions')
    """
    return "your prediction" if count == 1 else counted(count, "prediction")


@once
def written(value: float, share: bool, unit: str = "") -> str:
    """Return a value with its unit.

    >>> written(0.6, True), written(12.31, False, "bits")
    ('60%', '12.3 bits')
    """
    return percent(value) if share else f"{number(value)} {unit}".rstrip()


@once
def position(row: Any, value: float) -> str:
    """Return where a prediction lies: in, below or above the measured interval."""
    side = "in" if row.low <= value <= row.high else "below" if value < row.low else "above"
    return f"{side} the interval"


@once
def read(rows: pd.DataFrame) -> str:
    """Read rows of the table aloud: values with intervals, chance and n; the last two once if all rows agree."""
    several = len(rows) > 1
    values = [
        f"{f'{row.name}: ' if several else ''}{_value(row, labelled=index == 0)}"
        for index, row in enumerate(records(rows))
    ]
    common = {_chance_and_n(row) for row in records(rows)}
    if len(common) == 1:
        (ending,) = common
        return f"{'; '.join(values)}; {ending}{' each' if several else ''}"
    return "; ".join(f"{value}, {_chance_and_n(row)}" for value, row in zip(values, records(rows), strict=True))


def add(drawing: Drawing, rows: Sequence[Any], *, upright: bool, at: Sequence[float], **trace: Any) -> None:
    """Draw measured values with their intervals.

    Args:
        drawing: The figure.
        rows: Of the table.
        upright: Whether values are drawn along the vertical axis.
        at: Position of each row on the other axis.
        trace: Further arguments of plotly's trace.
    """
    value, low, high = ([getattr(row, end) for row in rows] for end in ("value", "low", "high"))
    bars = intervals.bars(value, low, high, MEASURED.colour, 3)
    x, y, error = (at, value, "error_y") if upright else (value, at, "error_x")
    hover = [f"<b>{row.name}</b><br>{_value(row, labelled=True)}<br>{_chance_and_n(row)}" for row in rows]
    scatter.points(drawing, x, y, MEASURED, INTERVAL, hover, size=15, cliponaxis=False, **{error: bars, **trace})


def _value(row: Any, *, labelled: bool) -> str:
    """Return the value of a row with its interval, which is named as such if ``labelled``."""
    if row.is_share:
        return measured_in(row, named=labelled)
    interval = f"{'95% interval ' if labelled else ''}{number(row.low)}–{number(row.high)}"
    return f"{written(row.value, False, row.unit)} ({interval})"


def _chance_and_n(row: Any) -> str:
    chance = "" if pd.isna(row.chance) else f"chance {written(row.chance, row.is_share, row.unit)}"
    return ", ".join(filter(None, (chance, f"n = {row.cases}" if row.n else "")))
