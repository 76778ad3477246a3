"""Axes and legends that several figures have alike."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import theme

_STEPS, _MOST_STEPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2), 5
"""Distances of ticks of shares, and the most of them on one axis."""
_LETTER, _BESIDE = 8, 16
"""Width of a letter of a small text, and room beside the text, in pixels."""


def log_ticks(ends: Sequence[float], ticks: Sequence[float], names: Sequence[str] = ()) -> dict[str, Any]:
    """Return a logarithmic axis with ticks at given values only.

    Args:
        ends: Decimal logarithms of both ends.
        ticks: Values with a tick.
        names: Their names; by default the values.
    """
    texts = list(names) or [f"{tick:,}" for tick in ticks]
    return {"type": "log", "range": ends, "tickvals": ticks, "ticktext": texts, "minor": {"ticks": ""}}


def logarithmic(low: float, high: float) -> dict[str, Any]:
    """Return a logarithmic axis from one positive value to another, with plain numbers at its ticks.

    >>> logarithmic(0.08, 3)["ticktext"]
    ['0.1', '0.2', '0.5', '1', '2']
    """
    low, high = low / 1.15, high * 1.15
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if high / low < 300 else (1,)
    ticks = [step * 10.0**power for power in powers for step in steps if low <= step * 10.0**power <= high]
    return {
        "type": "log",
        "range": [math.log10(low), math.log10(high)],
        "tickmode": "array",
        "tickvals": ticks,
        "ticktext": [f"{tick:,g}" for tick in ticks],
        "minor": {"ticks": ""},
    }


def written_shares(drawing: Drawing, most: float, written: Sequence[str]) -> None:
    """Make the horizontal axis one of shares, up to the first tick beyond the largest, with room for written values."""
    room = _BESIDE + _LETTER * max(map(len, written), default=0)
    drawing.update_layout(margin={"r": room})
    steps = [step for step in _STEPS if most <= _MOST_STEPS * step * (1 + 1e-9)]
    step = steps[0] if steps else _STEPS[-1]
    end = step * max(math.ceil(most / step - 1e-9), 1)
    ticks = {"tick0": 0, "dtick": step if end < 1 else 0.5, "tickformat": ".0%" if step >= 0.01 else ".1%"}
    drawing.update_xaxes(range=[0, theme.WHOLE * end], **ticks)


def epochs(drawing: Drawing, numbers: Iterable[int], untrained: str) -> dict[int, int]:
    """Make the horizontal axis one of epochs at equal distances, and return the position of each.

    Args:
        drawing: The figure.
        numbers: Of epochs, repeated and in any order.
        untrained: Name of the tick at 0 epochs.
    """
    steps = sorted({int(number) for number in numbers})
    names = [str(step) if step else untrained for step in steps]
    drawing.update_xaxes(range=[-0.5, len(steps) - 0.5], **theme.categories(names))
    return {step: position for position, step in enumerate(steps)}


def by_epoch(drawing: Drawing, numbers: Iterable[int]) -> None:
    """Make the horizontal axis one of epochs, with some room before the first and after the last."""
    steps = sorted({int(number) for number in numbers})
    drawing.update_xaxes(range=[steps[0] - 0.4, steps[-1] + 0.4], nticks=min(len(steps), 10) + 1, tickformat="d")


def title_row(drawing: Drawing, name: str, title: str, **axis: Any) -> None:
    """Title the vertical axis of a row that `theme.rows` returned; ``axis`` is plotly's."""
    drawing.update_layout(**{theme.axis(name): {"title": {"text": title}, **axis}})


def with_and_without(drawing: Drawing, row: str, title: str, room: float) -> None:
    """Name the vertical positions of models without the target, 0, and with it, 1; ``room`` is left on both sides."""
    sides = {"tickvals": [0, 1], "ticktext": ["without", "with"], "showgrid": False}
    title_row(drawing, row, title, range=[-room, 1 + room], **sides)


def list_series(drawing: Drawing, room: int) -> None:
    """Write the legend one series below the other, in a room of some pixels above the figure."""
    legend = {"orientation": "v", "y": 1.01, **theme.ON_PLOT}
    drawing.update_layout(margin={"t": theme.TOP + room}, legend=legend)
