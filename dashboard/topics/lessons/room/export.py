"""The answers of a room as tables: a row for each prediction, or anonymous counts of equal ones."""

import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pandas as pd

from core.statistics.wording.units import in_percent
from dashboard.kit.words import ended
from dashboard.room.rooms_file import Value, values_of
from dashboard.topics.lessons import asking, evidence
from dashboard.topics.lessons.figures import answers
from dashboard.topics.lessons.lesson import Adversary, Choice, Lesson, Prediction
from dashboard.topics.lessons.room.view import rooms

COLUMNS_OF_COUNTS = ["step", "question", "answer", "people", "of"]
_BINS, _ROUNDING = 10, 1e-9
"""Bins of an axis, and the offset that keeps edge values in the upper bin."""
COLUMNS = ["person", "nickname", "step", "question", "prediction", "seconds after joining", "time"]


def table(code: str, lesson: Lesson) -> pd.DataFrame:
    """Return the answers of a room.

    Args:
        code: Of the room.
        lesson: Its lesson.
    """
    participants = [person for person in rooms().people(code) if person.role == "participant"]
    known = {person.visitor: (number, person) for number, person in enumerate(participants, start=1)}
    rows = []
    for vote in rooms().votes(code):
        if vote.visitor in known and 0 < vote.step <= lesson.last:
            number, person = known[vote.visitor]
            moment = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(vote.moment))
            waited = round(vote.moment - person.joined, 1)
            question = _question(lesson, vote.step)
            rows.append((number, person.nickname, vote.step, question, _cell(vote.value), waited, moment))
    return pd.DataFrame(rows, columns=COLUMNS)


def counts(code: str, lesson: Lesson) -> pd.DataFrame:
    """Return how many people of a room gave each answer: no nickname, no time, and no order.

    Args:
        code: Of the room.
        lesson: Its lesson.

    Raises:
        Missing: A result of the lesson is not stored.
    """
    votes, rows = rooms().votes(code), []
    for number, step in enumerate(lesson.steps, start=1):
        values = [value for value in values_of(votes, number) if asking.fits(step.prediction, value)]
        for answer, count in _counted(step.prediction, values):
            rows.append((number, _question(lesson, number), answer, count, len(values)))
    if lesson.pooled is not None:
        seeds = values_of(votes, lesson.last)
        rows.append((lesson.last, lesson.pooled.title, "started a run", len(seeds), len(seeds)))
    return pd.DataFrame(rows, columns=COLUMNS_OF_COUNTS)


def _counted(prediction: Prediction, values: Sequence[Any]) -> list[tuple[str, int]]:
    """Return each answer with its count: options, items that were called in, or tenths of the axis."""
    match prediction:
        case Choice():
            return [(option, values.count(option)) for option in prediction.measured]
        case Adversary():
            items = range(len(asking.game(prediction)[1]))
            return [(f"item {item + 1} is in", sum(value[item] for value in values)) for item in items]
        case _:
            figure, width = evidence.estimate(prediction.answer), (prediction.high - prediction.low) / _BINS
            edges = [prediction.low + width * edge for edge in range(_BINS + 1)]
            bins = Counter(min(int((value - prediction.low) / width + _ROUNDING), _BINS - 1) for value in values)
            names = [answers.written(edge, in_percent(figure.unit), evidence.unit(figure)) for edge in edges]
            below = [*["below "] * (_BINS - 1), ""]
            return [(f"{names[number]} to {below[number]}{names[number + 1]}", bins[number]) for number in range(_BINS)]


def _question(lesson: Lesson, step: int) -> str:
    """Return title and question of a step; at the experiment of the room, its title, since the prediction is a seed."""
    if step <= len(lesson.steps) or lesson.pooled is None:
        asked = lesson.steps[step - 1]
        return f"{ended(asked.title)} {asked.prediction.label}"
    return f"{lesson.pooled.title}: seed"


def _cell(value: Value) -> str | float:
    """Return a prediction as a cell: a number, an option, or the numbers of the items that were called in."""
    if isinstance(value, tuple):
        return f"in: {' '.join(str(number) for number, is_in in enumerate(value, start=1) if is_in) or 'none'}"
    return value
