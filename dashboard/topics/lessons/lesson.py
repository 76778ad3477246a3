"""The parts of a lesson: steps, each with a prediction whose answer is an estimate of a stored result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Measured:
    """An estimate of a stored result.

    Attributes:
        result: Name of the result in the catalogue.
        estimate: Name of the estimate.
    """

    result: str
    estimate: str = "accuracy"


@dataclass(frozen=True, kw_only=True)
class Axis:
    """The axis on which a number is drawn.

    Attributes:
        low: Lower end.
        high: Upper end.
    """

    low: float = 0.0
    high: float = 1.0

    @property
    def ends(self) -> tuple[float, float]:
        """Return both ends."""
        return self.low, self.high


@dataclass(frozen=True, kw_only=True)
class Slider(Axis):
    """The axis on which a number is drawn, and the slider of the same ends on which it is predicted.

    Attributes:
        step: Step of the slider; by default one percent.
    """

    step: float = 0.01


@dataclass(frozen=True)
class Number(Slider):
    """A number to predict on a slider; its unit is that of the estimate.

    Attributes:
        label: The question.
        answer: What was measured.
        row: Name of the measured value in the figure.
    """

    label: str
    answer: Measured
    row: str

    @property
    def measured(self) -> Mapping[str, Measured]:
        """Return what was measured, by the names of its rows."""
        return {self.row: self.answer}


@dataclass(frozen=True)
class Choice:
    """One of several measured options to choose: the highest.

    Attributes:
        label: The question.
        measured: The options with what was measured of each.
        measure: What that is, with its unit; title of the axis.
    """

    label: str
    measured: Mapping[str, Measured]
    measure: str


@dataclass(frozen=True)
class Point(Slider):
    """A point that is missing on a chart; the others are shown with their intervals.

    Attributes:
        label: The question.
        along: Title of the horizontal axis, with its unit.
        measured: What was measured, by ticks of the horizontal axis, from the left.
        tick: The tick whose point is predicted.
    """

    label: str
    along: str
    measured: Mapping[str, Measured]
    tick: str

    @property
    def answer(self) -> Measured:
        """Return what was measured at the missing point."""
        return self.measured[self.tick]


@dataclass(frozen=True)
class Adversary:
    """Members to tell from non-members: items of a stored game, whose texts come with the code.

    Attributes:
        label: The question.
        result: Name of a result of window membership.
        model: Number of the target model among those of the table ``shown``.
        queries: Whether each item shows the statistic that the attack queries.
    """

    label: str
    result: str
    model: int = 0
    queries: bool = False

    @property
    def measured(self) -> Mapping[str, Measured]:
        """Return the estimates that the answers are compared with."""
        return {"Attack": Measured(self.result, "auc"), "Text alone": Measured(self.result, "accuracy_model_free")}


Prediction = Number | Choice | Point | Adversary


@dataclass(frozen=True)
class AboveChance:
    """A claim of a text: the whole interval lies above chance."""

    measured: Measured


@dataclass(frozen=True)
class AtChance:
    """A claim of a text: chance lies within the interval."""

    measured: Measured


@dataclass(frozen=True)
class Above:
    """A claim of a text: the whole interval of one estimate lies above that of another."""

    higher: Measured
    lower: Measured


@dataclass(frozen=True)
class Alike:
    """A claim of a text: the interval of the difference of two estimates includes 0."""

    first: Measured
    second: Measured


Claim = AboveChance | AtChance | Above | Alike


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
        further: Name of the result to look at next, and the label of its link.
        claims: What the texts say of the results; a test checks them.
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
class Pooled(Axis):
    """A small experiment that everybody runs with a seed of their own, so that a room sees how far runs lie apart.

    Attributes:
        title: Heading.
        situation: What is run, and what differs.
        label: What one run measures; title of the axis.
        why: What the spread means and what it does not; shown once the experiment is closed.
        results: Names of stored results that differ in their seed only.
        estimate: Name of their estimate, a share.
    """

    title: str
    situation: str
    label: str
    why: str
    results: tuple[str, ...]
    estimate: str = "accuracy"


@dataclass(frozen=True)
class Lesson:
    """A story in three to five predictions.

    Attributes:
        title: Heading.
        question: What it answers.
        order: Position among the lessons.
        minutes: How long it takes.
        source: The paper or other source that it follows.
        story: What it is about, in a few sentences.
        steps: In their order.
        takeaway: What to remember.
        terms: Terms of the glossary that it needs.
        pooled: What a room runs together after the last step, or None.
        name: Name of its file; set when the file is loaded.
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
        """Number of the last step, counting the experiment of the room as a step."""
        return len(self.steps) + (self.pooled is not None)
