"""One dot for each run, the mean with its interval, and chance; the runs of a room above the stored runs."""

from collections.abc import Sequence

import numpy as np

from core.statistics.intervals import mean_over_models
from core.statistics.wording import measured, percent
from core.statistics.wording.naming import counted
from dashboard.kit.shared import once
from dashboard.topics.lessons.figures.dots import DotStacks
from dashboard.topics.lessons.figures.sketch import Sketch
from dashboard.topics.lessons.lesson import Pooled

_STACK = 80
"""Height of the tallest stack of dots."""


@once
def picture(
    pooled: Pooled, runs: Sequence[float], stored: Sequence[float], chance: float, own_share: float | None
) -> str:
    """Draw both rows of dots on one axis of shares.

    Args:
        pooled: The experiment.
        runs: What the finished runs measured.
        stored: What the stored runs measured.
        chance: The chance level of all.
        own_share: What the viewer's own run measured, marked among the others.
    """
    sketch, line, ends = Sketch(), Sketch.LINE, pooled.ends
    below = _row(sketch, 2.0 * line, runs, own_share, ends, sketch.PREDICTED, "Your runs")
    floor = _row(sketch, below + line, stored, None, ends, sketch.MEASURED, "Stored runs")
    sketch.line([(sketch.at(chance, ends), line), (sketch.at(chance, ends), floor)], sketch.CHANCE, 2, dashed=True)
    sketch.text(
        sketch.at(chance, ends), line - 4, f"chance {percent(chance)}", "middle" if chance > ends[0] + 0.1 else "start"
    )
    sketch.axis(ends, floor + 3, percent)
    sketch.text(Sketch.WIDTH / 2, floor + 2.2 * line, pooled.label, "middle")
    return sketch.drawn(floor + 2.7 * line, sentence(runs, stored, chance, own_share))


@once
def sentence(runs: Sequence[float], stored: Sequence[float], chance: float, own_share: float | None) -> str:
    """Read the figure aloud: means with their intervals, numbers of runs, spread and chance.

    >>> sentence((0.7, 0.8, 0.75), (0.74,), 0.5, 0.7)[:72]
    '3 runs: on average 75% (61–85%), the lowest 70%, the highest 80%. One st'
    """
    yours = "" if own_share is None else f" Yours: {percent(own_share)}."
    return f"{_described(runs, 'run')} {_described(stored, 'stored run')} Chance {percent(chance)}.{yours}"


def own_run(seed: int, share: float | None, why: str = "") -> str:
    """Say what the viewer's own run measured, or that it has ended without a result, and why."""
    if share is not None:
        return f"Your run, seed {seed}, is finished: {percent(share)}."
    return f"Your run, seed {seed}, has ended without a result.{f' {why}' if why else ''}"


def queue(runs: int, people: int, *, finished: int, running: int, waiting: int) -> str:
    """Say how many runs are finished, running and waiting, and how many people share one.

    Args:
        runs: All runs.
        people: How many people asked for one.
        finished: Runs that have a result.
        running: Runs that are computed now.
        waiting: Runs that are queued.
    """
    if not runs:
        return "Nobody has started a run yet."
    failed = runs - finished - running - waiting
    states = {
        "finished": finished,
        "running": running,
        "waiting": waiting,
        **({"without a result": failed} if failed else {}),
    }
    summary = f"{counted(runs, 'run')}: {', '.join(f'{count} {state}' for state, count in states.items())}."
    return f"{summary} {people - runs} of {people} people share the run of somebody else." if people > runs else summary


def _described(values: Sequence[float], name: str) -> str:
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
    own_share: float | None,
    ends: tuple[float, float],
    colour: str,
    name: str,
) -> float:
    """Draw stacked dots, and below them their mean with its interval; return where the row ends."""
    line = Sketch.LINE
    sketch.text(Sketch.MARGIN + Sketch.LENGTH, top, f"{name}, n = {len(values)}", "end", bold=True)
    stacks = DotStacks(values, ends, _STACK)
    floor = top + line + stacks.height
    stacks.draw(sketch, floor, colour, own_share)
    if len(values) < 2:
        return floor + 8
    mean = mean_over_models(np.array(values), share=True)
    sketch.line([(sketch.at(mean.low, ends), floor + 10), (sketch.at(mean.high, ends), floor + 10)], colour, 3)
    sketch.dot(sketch.at(mean.value, ends), floor + 10, 6, colour)
    is_left = mean.value > sum(ends) / 2
    x = sketch.at(mean.low, ends) - 9 if is_left else sketch.at(mean.high, ends) + 9
    sketch.text(x, floor + 15, f"mean {measured(*mean)}", "end" if is_left else "start", bold=True)
    return floor + 22
