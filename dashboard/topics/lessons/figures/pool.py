"""One dot a run, the mean of all with its interval, and chance; runs of a room beside runs that are stored."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from core.statistics.intervals import mean_over_models
from dashboard.kit.figures.wording import counted, measured, percent
from dashboard.kit.shared import once
from dashboard.topics.lessons.figures.sketch import Colours, Sketch

_RADIUS, _STACK, _BINS = 4.5, 80, 34
"""Of a dot, height of all dots of a row, and places beside each other: a dot is rounded to its own width."""
_LEFT, _LENGTH = Sketch.MARGIN, Sketch.WIDTH - 2 * Sketch.MARGIN


@once
def picture(
    runs: Sequence[float],
    stored: Sequence[float],
    chance: float,
    ends: tuple[float, float],
    own: float | None,
    label: str,
    colours: Colours,
) -> str:
    """Draw both rows of dots on one axis of shares.

    Args:
        runs: What the finished runs measured.
        stored: What the stored runs measured.
        chance: The chance level of all.
        ends: Of the axis.
        own: What the run of who looks measured, marked among the others.
        label: Of the axis.
        colours: Of stored runs, of the others, and of chance.
    """
    sketch, line = Sketch(colours), Sketch.LINE
    below = _row(sketch, 2.0 * line, runs, own, ends, sketch.predicted, "Your runs")
    floor = _row(sketch, below + line, stored, None, ends, sketch.measured, "Stored runs")
    sketch.line([(_at(chance, ends), line), (_at(chance, ends), floor)], sketch.chance, 2, dashed=True)
    sketch.text(
        _at(chance, ends), line - 4, f"chance {percent(chance)}", "middle" if chance > ends[0] + 0.1 else "start"
    )
    sketch.rule(_LEFT, _LEFT + _LENGTH, floor + 3)
    for part in range(5):
        value = ends[0] + (ends[1] - ends[0]) * part / 4
        anchor = "start" if part == 0 else "end" if part == 4 else "middle"
        sketch.text(_at(value, ends), floor + line + 3, percent(value), anchor)
    sketch.text(Sketch.WIDTH / 2, floor + 2.2 * line, label, "middle")
    return sketch.drawn(floor + 2.7 * line, sentence(runs, stored, chance, own))


@once
def sentence(runs: Sequence[float], stored: Sequence[float], chance: float, own: float | None) -> str:
    """Read the figure aloud: means with their intervals, numbers of runs, spread and chance.

    >>> sentence((0.7, 0.8, 0.75), (0.74,), 0.5, 0.7)[:72]
    '3 runs: on average 75% (61–85%), the lowest 70%, the highest 80%. One st'
    """
    mine = "" if own is None else f" Yours: {percent(own)}."
    return f"{_told(runs, 'run')} {_told(stored, 'stored run')} Chance {percent(chance)}.{mine}"


def _told(values: Sequence[float], name: str) -> str:
    if not values:
        return f"No {name} has finished."
    if len(values) == 1:
        return f"One {name}: {percent(values[0])}; an interval of the mean takes two."
    mean = mean_over_models(np.array(values), share=True)
    ends = f"the lowest {percent(min(values))}, the highest {percent(max(values))}"
    return f"{counted(len(values), name)}: on average {measured(*mean)}, {ends}."


def _row(
    sketch: Sketch,
    top: float,
    values: Sequence[float],
    own: float | None,
    ends: tuple[float, float],
    colour: str,
    name: str,
) -> float:
    """Draw stacked dots, and below them their mean with its interval; return where the row ends."""
    line = Sketch.LINE
    sketch.text(_LEFT + _LENGTH, top, f"{name}, n = {len(values)}", "end", bold=True)
    bins = Counter(_bin(value, ends) for value in values)
    highest = max(bins.values(), default=1)
    step = min(2 * _RADIUS, _STACK / highest)
    floor = top + line + step * highest
    for number, count in sorted(bins.items()):
        for place in range(count):
            x = _LEFT + _LENGTH * number / (_BINS - 1)
            mine = place == 0 and own is not None and _bin(own, ends) == number
            sketch.dot(x, floor - _RADIUS - step * place, _RADIUS, colour, ringed=mine)
    if len(values) < 2:
        return floor + 8
    mean = mean_over_models(np.array(values), share=True)
    sketch.line([(_at(mean.low, ends), floor + 10), (_at(mean.high, ends), floor + 10)], colour, 3)
    sketch.dot(_at(mean.value, ends), floor + 10, 6, colour)
    is_left = mean.value > sum(ends) / 2
    x = _at(mean.low, ends) - 9 if is_left else _at(mean.high, ends) + 9
    sketch.text(x, floor + 15, f"mean {measured(*mean)}", "end" if is_left else "start", bold=True)
    return floor + 22


def _at(value: float, ends: tuple[float, float]) -> float:
    return _LEFT + _LENGTH * min(max((value - ends[0]) / (ends[1] - ends[0]), 0.0), 1.0)


def _bin(value: float, ends: tuple[float, float]) -> int:
    return round(min(max((value - ends[0]) / (ends[1] - ends[0]), 0.0), 1.0) * (_BINS - 1))
