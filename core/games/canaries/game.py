"""Games about canaries: which secrets are planted, how often, and what the adversary knows of them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from core.errors import InvalidSpec
from core.games import Game
from core.games.canaries.contract import MaskedCanary
from core.games.canaries.secrets import DrawnSecrets, typed_secrets
from core.runtime.seeding import generator
from core.spec import parameter
from core.text.canary import COLOURS, PATTERNS, PatternName


def changed_words() -> Any:
    """Declare how many words of a secret differ in each copy but the first.

    A game declares it last, so that its older parameters keep their order.
    """
    return parameter(
        0,
        "Words of a secret that are others in each copy but the first: fuzzy copies.",
        label="Changed words",
        unit="words",
        ge=0,
        le=11,
        implied=0,
    )


class CanaryGame(Game):
    """A game that plants copies of secrets in training data, and lets an adversary read the secrets out again.

    Copies can be fuzzy: of each secret one copy is exact, and in every other one some words are others. De-duplication
    of equal texts does not remove such traps (Shilov et al. 2024).
    """

    if TYPE_CHECKING:
        changed: int  # each game declares it by `changed_words`

    patterns: tuple[PatternName, ...] = parameter(
        ("pin", "color", "call"),
        "Which secrets: a PIN (pin), colours (color) or a telephone number (call).",
        label="Secrets",
        min_length=1,
        max_length=3,
        each_once=True,
    )
    length: int = parameter(4, "Words of each secret.", unit="words", ge=1, le=12)
    known: int = parameter(
        0,
        "How many of them, the first ones, the adversary knows, such as an area code.",
        label="Known words",
        unit="words",
        ge=0,
        le=11,
    )
    repetitions: tuple[Annotated[int, Field(ge=0, le=10_000)], ...] = parameter(
        (100,),
        "Copies of each secret in the training data; one network for each number and trial.",
        unit="times",
        min_length=1,
        max_length=12,
        each_once=True,
    )
    secret: str = parameter(
        "",
        "A secret of your own for the first trial, such as 4711 or 'red blue pink red'; an empty one is drawn. "
        "Never a real one: results keep it.",
        label="Your own secret",
        max_length=120,
    )
    trials: int = parameter(10, "Secrets of each pattern.", unit="trials", ge=1, le=200)

    @model_validator(mode="after")
    def _secrets_are_possible(self) -> Self:
        if self.known >= self.length:
            raise InvalidSpec(
                f"The 'known' parameter of {self.part_name()} must leave a word unknown: of {self.length} at most "
                f"{self.length - 1} can be known. Got {self.known} instead.",
                "known",
            )
        if self.secret and not typed_secrets(self.secret, self.patterns, self.length):
            digits, colours = "4711073528"[: self.length], " ".join((COLOURS * 2)[: self.length])
            fits = colours if self.patterns == ("color",) else digits.ljust(self.length, "0")
            kinds = dict.fromkeys("colours" if name == "color" else "digits" for name in self.patterns)
            raise InvalidSpec(
                f"The 'secret' parameter of {self.part_name()} must be {self.length} {' or '.join(kinds)}. "
                f"Got {self.secret!r} instead; {fits!r} would do.",
                "secret",
            )
        if self.changed >= self.length:
            raise InvalidSpec(
                f"The 'changed' parameter of {self.part_name()} must leave a word of each copy: of {self.length} at "
                f"most {self.length - 1} can be changed. Got {self.changed} instead.",
                "changed",
            )
        return self

    def draw(self, seed: int) -> list[DrawnSecrets]:
        """Draw the secrets of each trial, and for each pattern a decoy that differs from it; the first may be given."""
        typed = typed_secrets(self.secret, self.patterns, self.length)
        secrets = []
        for trial in range(self.trials):
            truths, decoys = [], []
            for name in self.patterns:
                rng = generator(seed, "secret", name, trial)
                candidates = len(PATTERNS[name].candidates)
                truth = decoy = rng.integers(candidates, size=self.length)
                if trial == 0:
                    truth = decoy = typed.get(name, truth)
                while np.array_equal(truth[self.known :], decoy[self.known :]):
                    decoy = rng.integers(candidates, size=self.length)
                truths.append(truth)
                decoys.append(decoy)
            secrets.append(DrawnSecrets(tuple(truths), tuple(decoys)))
        return secrets

    def masked(self, truths: Sequence[NDArray[np.int64]]) -> tuple[MaskedCanary, ...]:
        """Return the canaries of one trial as the adversary knows them."""
        return tuple(
            MaskedCanary(PATTERNS[name], PATTERNS[name].spelt(truth[: self.known]), self.length - self.known)
            for name, truth in zip(self.patterns, truths, strict=True)
        )
