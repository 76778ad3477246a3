"""The answers of a room as a table: a row for each prediction."""

import time
from collections.abc import Mapping, Sequence

import pandas as pd

from dashboard.room.rooms_file import Person, Value, Vote
from dashboard.topics.lessons.lesson import Lesson
from dashboard.topics.lessons.room.view import rooms

COLUMNS = ["person", "nickname", "step", "question", "prediction", "seconds after joining", "time"]


def table(code: str, lesson: Lesson) -> pd.DataFrame:
    """Return the answers of a room.

    Args:
        code: Of the room.
        lesson: Its lesson.
    """
    return _rows(rooms().votes(code), rooms().people(code), lesson)


def _rows(votes: Sequence[Vote], people: Sequence[Person], lesson: Lesson) -> pd.DataFrame:
    participants = [person for person in people if person.role == "participant"]
    numbers = {person.visitor: number for number, person in enumerate(participants, start=1)}
    known: Mapping[str, Person] = {person.visitor: person for person in participants}
    rows = [
        (
            numbers[vote.visitor],
            known[vote.visitor].nickname,
            vote.step,
            _question(lesson, vote.step),
            _cell(vote.value),
            round(vote.moment - known[vote.visitor].joined, 1),
            time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(vote.moment)),
        )
        for vote in votes
        if vote.visitor in known and 0 < vote.step <= lesson.last
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _question(lesson: Lesson, step: int) -> str:
    """Return the question of a step; at the experiment of the room, its title, since the prediction is a seed."""
    if step <= len(lesson.steps) or lesson.pooled is None:
        return lesson.steps[step - 1].prediction.label
    return f"{lesson.pooled.title}: seed"


def _cell(value: Value) -> str | float:
    """Return a prediction as a cell: a number, an option, or the numbers of the items that were called in."""
    if isinstance(value, tuple):
        return f"in: {' '.join(str(number) for number, is_in in enumerate(value, start=1) if is_in) or 'none'}"
    return value
