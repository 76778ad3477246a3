"""What a lesson is made of: steps, each with a prediction whose answer is an estimate of a stored result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

SHARE = 0.01
"""Step of a slider for a share: one percent."""


@dataclass(frozen=True)
class Measured:
    """An estimate of a stored result.

    Attributes:
        result: Name of the result in the catalogue.
        estimate: Name of the estimate.
    """

    result: str
    estimate: str = "accuracy"


@dataclass(frozen=True)
class Number:
    """A number to predict on a slider; its unit is that of the estimate.

    Attributes:
        label: The question.
        answer: What was measured.
        low: Lower end of the slider and of the axis.
        high: Upper end.
        step: Step of the slider.
        row: Name of the measured value in the figure.
    """

    label: str
    answer: Measured
    row: str
    low: float = 0.0
    high: float = 1.0
    step: float = SHARE

    @property
    def measured(self) -> Mapping[str, Measured]:
        """Return what was measured, by the names of its rows."""
        return {self.row: self.answer}


@dataclass(frozen=True)
class Choice:
    """One of several measured options to choose: the highest, or the lowest.

    Attributes:
        label: The question.
        measured: The options with what was measured of each.
        lowest: Whether the lowest is right.
    """

    label: str
    measured: Mapping[str, Measured]
    lowest: bool = False


@dataclass(frozen=True)
class Point:
    """A point that is missing on a chart; the others are shown with their intervals.

    Attributes:
        label: The question.
        along: Title of the horizontal axis, with its unit.
        measured: What was measured, by ticks of the horizontal axis, from the left.
        asked: The tick whose point is predicted.
        low: Lower end of the slider and of the vertical axis.
        high: Upper end.
        step: Step of the slider.
    """

    label: str
    along: str
    measured: Mapping[str, Measured]
    asked: str
    low: float = 0.0
    high: float = 1.0
    step: float = SHARE


@dataclass(frozen=True)
class Adversary:
    """Members to tell from non-members: items of a stored game, whose texts come with the code.

    Attributes:
        label: The question.
        result: Name of a result of window membership.
        model: Number of the target model among those of the table ``shown``.
        each: Items of each group.
        queries: Whether the statistic that the attack asks of the model is shown beside each item.
    """

    label: str
    result: str
    model: int = 0
    each: int = 2
    queries: bool = False

    @property
    def measured(self) -> Mapping[str, Measured]:
        """Return the attack's figures beside the answers."""
        return {"Attack": Measured(self.result, "auc"), "Text alone": Measured(self.result, "accuracy_model_free")}


Prediction = Number | Choice | Point | Adversary


@dataclass(frozen=True)
class AboveChance:
    """A claim of a text: the whole interval lies above chance."""

    what: Measured


@dataclass(frozen=True)
class AtChance:
    """A claim of a text: chance lies within the interval."""

    what: Measured


@dataclass(frozen=True)
class Above:
    """A claim of a text: the whole interval of one estimate lies above that of another."""

    what: Measured
    other: Measured


Claim = AboveChance | AtChance | Above


@dataclass(frozen=True)
class Step:
    """One idea: what is predicted, why it comes out so, and the misconception that it meets.

    Texts are plain English. ``{result:estimate}`` in them stands for a value with its interval, ``{result@game.plays}``
    for a setting of the experiment; no other number stands there.

    Attributes:
        title: Heading.
        situation: What one must know to predict.
        prediction: What is predicted, and how.
        why: Why it comes out so; shown with the answer.
        misconception: What many believe.
        truth: What to believe instead.
        further: Name of the result that is offered to look at, and the label of the link.
        claims: What the texts say of the results, held to by a test.
    """

    title: str
    situation: str
    prediction: Prediction
    why: str
    misconception: str
    truth: str
    further: tuple[str, str]
    claims: Sequence[Claim] = ()


@dataclass(frozen=True)
class Pooled:
    """A small experiment that everybody runs with a seed of their own, so that a room sees how far runs lie apart.

    Attributes:
        title: Heading.
        situation: What is run, and what differs.
        label: What one run measures, as the axis of the figure says it.
        why: What the spread says, and what it does not; shown once the experiment is closed.
        results: Names of stored results that differ in their seed only.
        estimate: Name of their estimate, a share.
        low: Lower end of the axis.
        high: Upper end.
    """

    title: str
    situation: str
    label: str
    why: str
    results: tuple[str, ...]
    estimate: str = "accuracy"
    low: float = 0.0
    high: float = 1.0


@dataclass(frozen=True)
class Lesson:
    """A story in three to five predictions.

    Attributes:
        title: Heading.
        question: What it answers.
        order: Place among the lessons.
        minutes: How long it takes.
        source: The paper, or what else it follows.
        story: What it is about, in a few sentences.
        steps: In their order.
        takeaway: What to remember.
        terms: Terms of the glossary that it needs.
        pooled: What a room runs together after the last step, or None.
        name: Name of its file; set where it is found.
    """

    title: str
    question: str
    order: int
    minutes: int
    source: str
    story: str
    steps: Sequence[Step]
    takeaway: str
    terms: Sequence[str] = ()
    pooled: Pooled | None = None
    name: str = field(default="")

    @property
    def last(self) -> int:
        """Number of what stands last before the sheets: a step, or the experiment of the room behind it."""
        return len(self.steps) + (self.pooled is not None)
