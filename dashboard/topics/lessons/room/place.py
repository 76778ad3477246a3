"""What all sections of a room know: the room, its lesson, who looks, and the step on their screen."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import streamlit as st

from core.errors import InvalidSpec, RoomRefused, StoreError, TooManyRuns
from core.runtime.store import Store
from dashboard.kit import visitors
from dashboard.kit.words import literal
from dashboard.room.rooms import Rooms
from dashboard.room.rooms_file import Person, Room, Stage, Value, values_of
from dashboard.topics.lessons import asking, shelf
from dashboard.topics.lessons.lesson import Adversary, Choice, Lesson, Pooled, Prediction, Step
from dashboard.topics.lessons.predictions import Given

ROOM, KEY, LESSON, STEP, SCREEN = "room", "key", "lesson", "step", "screen"
"""Parameters of an address: the code, the secret of who leads, the lesson, the step, and the kind of screen."""
LARGE = "large"
"""The kind of screen that a whole room looks at."""


@dataclass(frozen=True)
class Place:
    """A step of a room, as one of its people sees it.

    Attributes:
        room: The room.
        lesson: Its lesson.
        person: Who looks.
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
        return None if self.own_here is None else next(iter(seeds_of([self.own_here])), None)

    def seeds(self, votes: int | None = None) -> tuple[int, ...]:
        """Return the seeds with which the room runs its experiment, each once, in the order in which they came.

        Args:
            votes: How many people run it, if known.
        """
        return seeds_of(self._all_given(votes))

    @property
    def widgets(self) -> str:
        """Name of the widgets of the step."""
        return f"{self.room.code}-{self.number}"

    @cached_property
    def stage(self) -> Stage:
        """Where the step stands."""
        return rooms().stage(self.room.code, self.number)

    @cached_property
    def own(self) -> dict[int, Value]:
        """What this person predicted, by the number of the step."""
        return {vote.step: vote.value for vote in rooms().votes(self.room.code, self.person.visitor)}

    @property
    def own_here(self) -> Value | None:
        """What this person predicted at the step."""
        return self.own.get(self.number)

    def predictions(self, votes: int | None = None) -> tuple[Value, ...]:
        """Return what was predicted at the step, as far as it answers its question.

        Args:
            votes: How many votes there are, if known.
        """
        given = self._all_given(votes)
        return tuple(value for value in given if self.step is not None and fits(self.step.prediction, value))

    def _all_given(self, votes: int | None) -> tuple[Value, ...]:
        if votes is None:
            _, _, votes = rooms().standing(self.room.code, self.number)
        return _given(str(rooms().store.root), self.room.code, self.room.revision, self.number, votes)

    def all_given(self) -> list[Given]:
        """Return the predictions of this person for the sheet, in the order of the steps."""
        stages = [rooms().stage(self.room.code, number) for number in range(1, len(self.lesson.steps) + 1)]
        return [Given(self.own.get(number), stage.is_revealed) for number, stage in enumerate(stages, start=1)]


def rooms() -> Rooms:
    """Return the rooms of this server."""
    return Rooms(Store())


def visitor() -> str:
    """Return the digest by which a room knows who looks."""
    return visitors.current().ids[0]


def lesson_of(room: Room) -> Lesson:
    """Return the lesson of a room.

    Raises:
        RoomRefused: This server has no such lesson.
    """
    if (lesson := shelf.lessons().get(room.lesson)) is None:
        raise RoomRefused(f"This server has no lesson {room.lesson!r} any more. Start another room.")
    return lesson


def seeds_of(values: Iterable[Value]) -> tuple[int, ...]:
    """Return the seeds among what people gave for the experiment of their room, each once.

    >>> seeds_of(["12", "7", "12", "x", 0.5])
    (12, 7)
    """
    said = [value for value in values if isinstance(value, str) and value.isascii() and value.isdigit()]
    return tuple(map(int, dict.fromkeys(said)))


def fits(prediction: Prediction, value: Value) -> bool:
    """Tell whether a value answers the question of a step."""
    match prediction:
        case Choice():
            return value in prediction.measured
        case Adversary():
            return isinstance(value, tuple) and len(value) == len(asking.game(prediction)[1])
        case _:
            return isinstance(value, float) and prediction.low <= value <= prediction.high


@lru_cache(maxsize=500)
def _given(home: str, code: str, revision: int, step: int, votes: int) -> tuple[Value, ...]:
    """Return what was predicted at a step that has so many votes: only a new revision drops one, so it is read once."""
    return values_of(rooms().votes(code), step)


def act(action: Callable[..., object], *arguments: object, **options: object) -> None:
    """Do something in a room when a button is pressed; say why it was refused."""
    try:
        action(*arguments, **options)
    except (InvalidSpec, RoomRefused, StoreError, TooManyRuns) as error:
        st.toast(literal(str(error)), icon=":material/info:")
