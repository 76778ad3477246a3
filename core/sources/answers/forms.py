"""The forms of answers: what one line of an answers file may hold, declared once for the reader and the schema."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from core.errors import suggestion
from core.sources.answers import mistakes

Kind = Literal["classifier", "language_model", "embeddings"]
"""What is asked: a classifier of texts, a language model, or whatever turns texts into vectors."""
KINDS: tuple[Kind, ...] = get_args(Kind)

MOST_TOKENS = 131_072
MOST_CLASSES = 10_000
MOST_DIMENSIONS = 65_536
_LARGEST = float(np.finfo(np.float32).max)
_ROUNDED = 1e-3
"""By how much a probability, or all of a text together, may exceed 1, since services round them."""

Id = Annotated[str, Field(pattern="^[0-9a-f]{16}$", description="Id of the question.")]
Checksum = Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="Checksum of the questions.")]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Share = Annotated[float, Field(ge=0, le=1 + _ROUNDED)]
Nats = Annotated[float, Field(le=_ROUNDED)]


class Line(BaseModel):
    """One line of a file of questions or answers."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Form(Line):
    """One answer.

    Attributes:
        kind: What gives such answers.
        gives: What each of them gives, in words.
    """

    kind: ClassVar[Kind]
    gives: ClassVar[str]

    id: Id

    def wrong(self) -> str:
        """Return what no single field shows to be wrong, or an empty text."""
        return ""

    @abstractmethod
    def packed(self) -> Any:
        """Return the answer without its id, small in memory."""


class Label(Form):
    """A classifier that names the class."""

    kind: ClassVar[Kind] = "classifier"
    gives: ClassVar[str] = "the likeliest class"

    label: Name = Field(description="The class that the classifier gives the text.")

    def packed(self) -> str:
        """Return the class."""
        return self.label


class Probabilities(Form):
    """A classifier that gives probabilities of classes, of all or of the likeliest ones."""

    kind: ClassVar[Kind] = "classifier"
    gives: ClassVar[str] = "probabilities of classes"

    probabilities: dict[Name, Share] = Field(
        description="The probability of each class; classes that are left out share what is missing to 1.",
        min_length=1,
        max_length=MOST_CLASSES,
    )

    def wrong(self) -> str:
        """Say where probabilities are more than 1 together."""
        total = sum(self.probabilities.values())
        return f"The probabilities are {total:.4g} together, more than 1." if total > 1 + _ROUNDED else ""

    def packed(self) -> dict[str, float]:
        """Return the probability of each class named."""
        return self.probabilities


class Total(Form):
    """A language model that gives the log-probability of the whole text."""

    kind: ClassVar[Kind] = "language_model"
    gives: ClassVar[str] = "the log-probability of the whole text"

    logprob: Nats = Field(description="Log-probability of the text, in nats: the sum over its tokens.")
    tokens: int = Field(description="Number of tokens that were summed over.", ge=1, le=MOST_TOKENS)

    def packed(self) -> NDArray[np.float64]:
        """Return log-probabilities of as many tokens, each with its share of the sum, (1, tokens)."""
        return np.full((1, self.tokens), self.logprob / self.tokens)


class Tokens(Form):
    """A language model that gives the log-probability of each token."""

    kind: ClassVar[Kind] = "language_model"
    gives: ClassVar[str] = "the log-probability of each token"

    logprobs: list[Nats | None] = Field(
        description="Log-probability of each token given those before it, in nats; null for a first token without one.",
        min_length=1,
        max_length=MOST_TOKENS,
    )

    def wrong(self) -> str:
        """Say where a token other than the first has no log-probability, or none has one."""
        missing = [position for position, nats in enumerate(self.logprobs, 1) if nats is None]
        if len(missing) == len(self.logprobs):
            return "No token has a log-probability."
        if missing and missing != [1]:
            return f"Token {max(missing)} has no log-probability; only the first may have none."
        return ""

    def packed(self) -> NDArray[np.float64]:
        """Return log-probabilities, (1, tokens), NaN for a first token without one."""
        return np.array([self.logprobs], np.float64)


class Distributions(Tokens):
    """A language model that also tells how each token's log-probability compares with those of all tokens there."""

    gives: ClassVar[str] = "the log-probability of each token, and its mean and deviation over all tokens at that place"

    means: list[Nats | None] = Field(
        description="Mean log-probability of all tokens at each place, weighted by their probability.",
        max_length=MOST_TOKENS,
    )
    deviations: list[Annotated[float, Field(ge=0)] | None] = Field(
        description="Standard deviation of the same.", max_length=MOST_TOKENS
    )

    def wrong(self) -> str:
        """Say where the lists do not belong together."""
        lengths = {len(values) for values in (self.logprobs, self.means, self.deviations)}
        if len(lengths) > 1:
            return f"logprobs, means and deviations must be equally long. They have {sorted(lengths)} values."
        places = zip(self.logprobs, self.means, self.deviations, strict=True)
        uneven = [position for position, values in enumerate(places, 1) if len({value is None for value in values}) > 1]
        if uneven:
            return f"Token {uneven[0]} has some of log-probability, mean and deviation, but not all."
        return super().wrong() or mistakes.other_base(self.logprobs, self.means, self.deviations)

    def packed(self) -> NDArray[np.float64]:
        """Return log-probabilities, their means and deviations, (3, tokens)."""
        return np.array([self.logprobs, self.means, self.deviations], np.float64)


class Embedding(Form):
    """A service that turns a text into a vector."""

    kind: ClassVar[Kind] = "embeddings"
    gives: ClassVar[str] = "the vector of the text"

    embedding: list[float] = Field(description="The vector.", min_length=1, max_length=MOST_DIMENSIONS)

    def wrong(self) -> str:
        """Say where a number is too large to be stored."""
        largest = max(map(abs, self.embedding))
        return f"The vector holds {largest:.3g}, too large a number." if largest > _LARGEST else ""

    def packed(self) -> NDArray[np.float32]:
        """Return the vector, (dimension,)."""
        return np.array(self.embedding, np.float32)


FORMS: tuple[type[Form], ...] = (Probabilities, Label, Distributions, Tokens, Total, Embedding)
"""Of two forms with fields in common, the one with more fields comes first."""


def of_kind(kind: Kind) -> list[type[Form]]:
    """Return the forms of a kind of answers."""
    return [form for form in FORMS if form.kind == kind]


def form_of(values: Mapping[str, Any], kind: Kind) -> type[Form] | str:
    """Return the form whose fields a line has, or what is wrong with them."""
    names = set(values)
    for form in of_kind(kind):
        if names == set(form.model_fields):
            return form
    choices = "; or ".join(", ".join(form.model_fields) for form in of_kind(kind))
    known = {name for form in of_kind(kind) for name in form.model_fields}
    if unknown := sorted(names - known):
        return f"It has no field {unknown[0]!r}.{suggestion(unknown[0], sorted(known))} An answer has {choices}."
    return f"It has {', '.join(sorted(names)) or 'no field'}. An answer has {choices}."
