"""Membership of sentence pairs in the training data of a translator: what its game and its attacks agree on."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import field_validator

from core.access import Access, Translator
from core.attacks import Attack
from core.bitext import Bitext
from core.errors import InvalidSpec
from core.models import Model, TranslationModel
from core.spec import parameter

Use = Literal["train", "validation", "test"]
"""What a split of the adversary's is for: to learn from, to choose by, or to be judged by."""


@dataclass(frozen=True)
class Shadow:
    """A translator that the adversary trained, and pairs of which it knows whether they trained it.

    Attributes:
        split: Number of its split; the two of a split have each other's in-probes as out-probes.
        use: What the split is for.
        access: To the translator.
        probes: (probes,) rows of the adversary's bitext.
        member: (probes,) whether each trained it.
    """

    split: int
    use: Use
    access: Access
    probes: NDArray[np.int64]
    member: NDArray[np.bool_]


@dataclass(frozen=True)
class Brief:
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


@dataclass(frozen=True)
class Verdicts:
    """What an adversary says of pairs and one translator.

    Attributes:
        translations: (pairs,) what the translator made of each sentence.
        features: By name, (pairs,) what was measured of each.
        scores: By method, (pairs,) above 0 for those called members, the higher the surer.
    """

    translations: tuple[str, ...]
    features: Mapping[str, NDArray[np.float64]]
    scores: Mapping[Method, NDArray[np.float64]]


class TranslationAdversary:
    """An adversary that has learnt from its shadows, and may now be let at target models.

    Attributes:
        answer: The method that it trusts, chosen on the validation split.
        own: What it says of the probes of each of its shadows, in their order.
        middle: By method, the score halfway between members and others of the validation split, by which groups are
            decided.
    """

    answer: Method
    own: tuple[Verdicts, ...]
    middle: Mapping[Method, float]

    @abstractmethod
    def judge(self, access: Access) -> Verdicts:
        """Ask a translator about the pairs of the brief, and decide."""


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
    def prepare(self, brief: Brief) -> TranslationAdversary:
        """Learn from shadow models to tell members, without touching a target model."""


def halves(shadows: Sequence[Shadow]) -> list[tuple[Shadow, Shadow]]:
    """Return the two shadows of each split together."""
    splits: dict[int, list[Shadow]] = {}
    for shadow in shadows:
        splits.setdefault(shadow.split, []).append(shadow)
    return [(first, second) for first, second in splits.values()]
