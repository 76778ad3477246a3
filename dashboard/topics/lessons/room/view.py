"""A room as one of its people sees it: the room, its lesson, the person, and the step on their screen."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from core.errors import RoomRefused
from core.runtime.store import Store
from dashboard.room import codes
from dashboard.room.rooms import Rooms
from dashboard.room.rooms_file import Person, Room, Stage, Value, values_of
from dashboard.topics.lessons import asking, shelf
from dashboard.topics.lessons.lesson import Lesson, Pooled, Step
from dashboard.topics.lessons.predictions import Locked

ROOM, KEY, LESSON, STEP, SCREEN = codes.ROOM, codes.KEY, "lesson", "step", "screen"
"""Parameters of an address: the code, the secret of facilitators, the lesson, the step, and the kind of screen."""
LARGE = "large"
"""The kind of screen that a whole room looks at."""


@dataclass(frozen=True)
class RoomView:
    """A step of a room, as one of its people sees it.

    Attributes:
        room: The room.
        lesson: Its lesson.
        person: Who sees it.
        number: The step on their screen, from 1; 0 before the first, one more than there are after the last.
    """

    room: Room
    lesson: Lesson
    person: Person
    number: int

    @property
    def step(self) -> Step | None:
        """The step of the lesson, or None before the first and after the last."""
        return self.lesson.steps[self.number - 1] if 0 < self.number <= len(self.lesson.steps) else None

    @property
    def pooled(self) -> Pooled | None:
        """The experiment of the room, where that is open, or None."""
        return self.lesson.pooled if self.number == len(self.lesson.steps) + 1 else None

    @property
    def seed(self) -> int | None:
        """The seed with which this person runs the experiment of the room."""
        return None if self.own_prediction is None else next(iter(seeds_of([self.own_prediction])), None)

    def seeds(self, votes: int | None = None) -> tuple[int, ...]:
        """Return the distinct seeds with which the room runs its experiment, in the order in which they came.

        Args:
            votes: How many people run it, if known.
        """
        return seeds_of(self._all_values(votes))

    @property
    def widgets(self) -> str:
        """Name of the widgets of the step."""
        return f"{self.room.code}-{self.number}"

    @cached_property
    def stage(self) -> Stage:
        """The state of the step."""
        return rooms().stage(self.room.code, self.number)

    @cached_property
    def own_predictions(self) -> dict[int, Value]:
        """What this person predicted, by the number of the step."""
        return {vote.step: vote.value for vote in rooms().votes(self.room.code, self.person.visitor)}

    @property
    def own_prediction(self) -> Value | None:
        """What this person predicted at the step."""
        return self.own_predictions.get(self.number)

    def predictions(self, votes: int | None = None) -> tuple[Value, ...]:
        """Return the predictions of the step that fit its question.

        Args:
            votes: How many votes there are, if known.
        """
        values = self._all_values(votes)
        return tuple(value for value in values if self.step is not None and asking.fits(self.step.prediction, value))

    def _all_values(self, votes: int | None) -> tuple[Value, ...]:
        if votes is None:
            votes = rooms().standing(self.room.code, self.number).votes
        return _values(str(rooms().store.root), self.room.code, self.room.revision, self.number, votes)

    def locked_predictions(self) -> list[Locked]:
        """Return the predictions of this person for the sheet, in the order of the steps."""
        stages = [rooms().stage(self.room.code, number) for number in range(1, len(self.lesson.steps) + 1)]
        return [
            Locked(self.own_predictions.get(number), stage.is_revealed) for number, stage in enumerate(stages, start=1)
        ]


def rooms() -> Rooms:
    """Return the rooms of this server."""
    return Rooms(Store())


def lesson_of(room: Room) -> Lesson:
    """Return the lesson of a room.

    Raises:
        RoomRefused: This server has no such lesson.
    """
    if (lesson := shelf.lessons().get(room.lesson)) is None:
        raise RoomRefused(f"This server has no lesson {room.lesson!r} any more. Start another room.")
    return lesson


def seeds_of(values: Iterable[Value]) -> tuple[int, ...]:
    """Return the distinct seeds among the votes of a room on its experiment, in their order.

    >>> seeds_of(["12", "7", "12", "x", 0.5])
    (12, 7)
    """
    digits = [value for value in values if isinstance(value, str) and value.isascii() and value.isdigit()]
    return tuple(map(int, dict.fromkeys(digits)))


@lru_cache(maxsize=500)
def _values(home: str, code: str, revision: int, step: int, votes: int) -> tuple[Value, ...]:
    """Return the votes on a step; cached by their number, since a vote is dropped only with a new revision."""
    return values_of(rooms().votes(code), step)
