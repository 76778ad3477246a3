"""Contract of the membership game about translations: briefing, answer, adversary, and the base of its attacks."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import field_validator

from core.access import Access, Translator
from core.errors import InvalidSpec
from core.games.attack import ChoosingAttack
from core.spec import parameter
from core.targets.model import Model
from core.targets.translator import TranslationModel
from core.text.bitext import Bitext

Use = Literal["train", "validation", "test"]
"""Use of one of the adversary's splits: training, choice of a method, or test."""

Kind = Literal["classifier", "threshold", "ratio"]
"""Kind of a rule."""

Features = Mapping[str, NDArray[np.float64]]
"""By name, (pairs,) a measurement of each pair with one translator."""


@dataclass(frozen=True)
class Observed:
    """What one translator gives for pairs.

    Attributes:
        translations: (pairs,) of each sentence.
        features: Measured of each pair.
        outside: Measured of pairs that it is known not to be trained on, where the attack asks about them.
    """

    translations: tuple[str, ...]
    features: Features
    outside: Features = field(default_factory=dict)

    def as_arrays(self) -> dict[str, NDArray[Any]]:
        """Return everything by name; `from_arrays` is the inverse."""
        text = "\n".join(self.translations).encode()
        features = {f"is.{name}": values for name, values in self.features.items()}
        outside = {f"out.{name}": values for name, values in self.outside.items()}
        return {"translations": np.frombuffer(text, np.uint8), **features, **outside}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "Observed":
        """Read what `as_arrays` returned."""
        features, outside = (
            {name.removeprefix(prefix): values for name, values in arrays.items() if name.startswith(prefix)}
            for prefix in ("is.", "out.")
        )
        return cls(tuple(arrays["translations"].tobytes().decode().split("\n")), features, outside)


@dataclass(frozen=True)
class Shadow:
    """A shadow model, and its probes: pairs whose membership the adversary knows.

    Attributes:
        split: Number of its split; its two models have each other's in-probes as out-probes.
        use: Use of the split.
        probes: (probes,) rows of the adversary's bitext.
        member: (probes,) whether it was trained on each.
        probed: What it gives for them.
        pair_features: Features of the pairs in question, on none of which it was trained.
    """

    split: int
    use: Use
    probes: NDArray[np.int64]
    member: NDArray[np.bool_]
    probed: Observed
    pair_features: Features


@dataclass(frozen=True)
class Briefing:
    """All that an adversary is given before it may query a target model.

    Attributes:
        bitext: The adversary's pairs; those outside stand last.
        shadows: Shadow models trained on some of them.
        pairs: The pairs in question, in a random order.
        outside: Pairs that no model is trained on; target models are validated on them, which the adversary knows.
        seed: Source of its randomness; tells nothing about the game's.
        undefended: As many shadow models on the same pairs, without the trainer's defenses; none for who does not
            choose between both kinds.
    """

    bitext: Bitext
    shadows: tuple[Shadow, ...]
    pairs: Bitext
    outside: Bitext
    seed: int
    undefended: tuple[Shadow, ...] = ()

    @property
    def own(self) -> Bitext:
        """The adversary's pairs that target models may be trained on: all but those outside."""
        return self.bitext.select(np.arange(len(self.bitext) - len(self.outside)))


@dataclass(frozen=True)
class Method:
    """A way to decide.

    Attributes:
        features: Name of the features that it uses.
        rule: Name of the rule by which it decides.
        kind: Whether the rule is a trained classifier, a threshold of one feature, or a likelihood ratio.
    """

    features: str
    rule: str
    kind: Kind = field(default="classifier", compare=False)


Answer = Mapping[Method, NDArray[np.float64]]
"""Scores of pairs for one translator: by method, (pairs,) above 0 for those taken for members."""


class TranslationAdversary:
    """An adversary that has prepared on its shadow models.

    Attributes:
        answer: Its own method, chosen on the validation split.
        shadow_answers: Answer about the probes of each of its shadow models, in their order.
        middle: By method, the threshold for groups: the score halfway between members and others of the validation
            split.
    """

    answer: Method
    shadow_answers: tuple[Answer, ...]
    middle: Mapping[Method, float]

    @abstractmethod
    def judge(self, observed: Observed) -> Answer:
        """Decide about the pairs in question from what a target model gives for them."""


class TranslationAttack(ChoosingAttack):
    """An attack that infers from translations whether a translator was trained on pairs of sentences."""

    game: ClassVar[str] = "translation_membership"
    needs: ClassVar[type[Access]] = Translator
    reads: ClassVar[type] = Bitext

    shadow_model: TranslationModel | None = parameter(
        None,
        "How the adversary trains its shadow models; none means as the target model is trained.",
        label="Shadow models",
    )

    @property
    def asks_outside(self) -> bool:
        """Whether target models are also asked about pairs that no model is trained on."""
        return False

    @field_validator("shadow_model")
    @classmethod
    def _translates(cls, value: Any) -> Any:
        if isinstance(value, Model) and not isinstance(value, TranslationModel):
            raise InvalidSpec(f"A shadow model must translate. {value.part_name()} does not.")
        return value

    @abstractmethod
    def observe(self, pairs: Bitext, access: Access, rng: np.random.Generator) -> Observed:
        """Query a translator about pairs; target models receive no other queries."""

    @abstractmethod
    def compare(self, pairs: Bitext, access: Access) -> Features:
        """Query a shadow model about the pairs in question, for comparison with target models."""

    @abstractmethod
    def prepare(self, briefing: Briefing) -> TranslationAdversary:
        """Learn from shadow models to infer membership."""


def halves(shadows: Sequence[Shadow]) -> list[tuple[Shadow, Shadow]]:
    """Return the two shadow models of each split together."""
    splits: dict[int, list[Shadow]] = {}
    for shadow in shadows:
        splits.setdefault(shadow.split, []).append(shadow)
    return [(first, second) for first, second in splits.values()]
