"""Membership of sentence pairs in the training data of a translator: what its game and its attacks agree on."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import field_validator

from core.access import Access, Translator
from core.errors import InvalidSpec
from core.games.attack import Attack
from core.spec import parameter
from core.targets.model import Model
from core.targets.translator import TranslationModel
from core.text.bitext import Bitext

Use = Literal["train", "validation", "test"]
"""What a split of the adversary's is for: to learn from, to choose by, or to be judged by."""


Features = Mapping[str, NDArray[np.float64]]
"""By name, (pairs,) what is measured of each pair and one translator."""


@dataclass(frozen=True)
class Observed:
    """What one translator makes of pairs.

    Attributes:
        translations: (pairs,) what it made of each sentence.
        features: What was measured of each.
    """

    translations: tuple[str, ...]
    features: Features

    def as_arrays(self) -> dict[str, NDArray[Any]]:
        """Return everything by name; `from_arrays` is the inverse."""
        said = "\n".join(self.translations).encode()
        return {
            "translations": np.frombuffer(said, np.uint8),
            **{f"is.{name}": own for name, own in self.features.items()},
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "Observed":
        """Read what `as_arrays` returned."""
        features = {name.removeprefix("is."): own for name, own in arrays.items() if name.startswith("is.")}
        return cls(tuple(arrays["translations"].tobytes().decode().split("\n")), features)


@dataclass(frozen=True)
class Shadow:
    """A translator that the adversary trained, and pairs of which it knows whether they trained it.

    Attributes:
        split: Number of its split; the two of a split have each other's in-probes as out-probes.
        use: What the split is for.
        probes: (probes,) rows of the adversary's bitext.
        member: (probes,) whether each trained it.
        probed: What it makes of them.
        asked: What it makes of the pairs in question, none of which trained it.
    """

    split: int
    use: Use
    probes: NDArray[np.int64]
    member: NDArray[np.bool_]
    probed: Observed
    asked: Features


@dataclass(frozen=True)
class Briefing:
    """All that an adversary is given before it may ask a target model.

    Attributes:
        bitext: Its own pairs.
        shadows: Translators that it trained on some of them.
        asked: The pairs that it has to decide about, in a random order.
        seed: Source of its randomness; tells nothing about the game's.
    """

    bitext: Bitext
    shadows: tuple[Shadow, ...]
    asked: Bitext
    seed: int


@dataclass(frozen=True)
class Method:
    """A way to decide.

    Attributes:
        features: What it looks at.
        rule: How it decides from that.
    """

    features: str
    rule: str


Answer = Mapping[Method, NDArray[np.float64]]
"""What an adversary says of pairs and one translator: by method, (pairs,) above 0 for members, the higher the surer."""


class TranslationAdversary:
    """An adversary that has learnt from its shadows.

    Attributes:
        answer: The method that it trusts, chosen on the validation split.
        own: What it says of the probes of each of its shadows, in their order.
        middle: By method, the score halfway between members and others of the validation split, by which groups are
            decided.
    """

    answer: Method
    own: tuple[Answer, ...]
    middle: Mapping[Method, float]

    @abstractmethod
    def judge(self, observed: Observed) -> Answer:
        """Decide about the pairs of the brief from what a target model makes of them."""


class TranslationAttack(Attack):
    """An attack that tells from translations whether a translator was trained on pairs of sentences."""

    game: ClassVar[str] = "translation_membership"
    needs: ClassVar[type[Access]] = Translator
    reads: ClassVar[type] = Bitext

    shadow_model: TranslationModel | None = parameter(
        None,
        "How the adversary trains its own translators; none means as the target model is trained, if it knows that.",
        label="Shadow models",
    )

    @field_validator("shadow_model")
    @classmethod
    def _translates(cls, value: Any) -> Any:
        if isinstance(value, Model) and not isinstance(value, TranslationModel):
            raise InvalidSpec(f"A shadow model must translate. {value.part_name()} does not.")
        return value

    @abstractmethod
    def observe(self, pairs: Bitext, access: Access, rng: np.random.Generator) -> Observed:
        """Ask a translator about pairs: all that is ever asked of a target model."""

    @abstractmethod
    def compare(self, pairs: Bitext, access: Access) -> Features:
        """Ask a translator that was trained on none of some pairs what a target model's answers are compared with."""

    @abstractmethod
    def prepare(self, brief: Briefing) -> TranslationAdversary:
        """Learn from shadow models to tell members."""


def halves(shadows: Sequence[Shadow]) -> list[tuple[Shadow, Shadow]]:
    """Return the two shadows of each split together."""
    splits: dict[int, list[Shadow]] = {}
    for shadow in shadows:
        splits.setdefault(shadow.split, []).append(shadow)
    return [(first, second) for first, second in splits.values()]
