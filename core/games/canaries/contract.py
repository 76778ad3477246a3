"""Games about canaries: the briefing and the answers of an adversary, and the base of the attacks."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.games.attack import Attack
from core.text.canary import Pattern


@dataclass(frozen=True)
class MaskedCanary:
    """A canary as the adversary knows it, without its unknown words.

    Attributes:
        pattern: Prefix, candidates and labels of the canary.
        known: The first secret words, where the adversary knows some.
        unknown: Number of unknown secret words.
    """

    pattern: Pattern
    known: tuple[str, ...]
    unknown: int

    @property
    def beginning(self) -> tuple[str, ...]:
        """The known words."""
        return self.pattern.prefix + self.known

    @property
    def slots(self) -> tuple[str, ...]:
        """The slot tags of the whole canary."""
        return self.pattern.slots(len(self.known) + self.unknown)

    @property
    def space(self) -> int:
        """Number of possible secrets."""
        return self.pattern.space(self.unknown)


@dataclass(frozen=True)
class Briefing:
    """All that an adversary is given, besides access to one network, before it extracts secrets.

    Attributes:
        canaries: The canaries of the network's trial.
        rng: Source of the adversary's own randomness; tells nothing about the game's.
    """

    canaries: tuple[MaskedCanary, ...]
    rng: np.random.Generator


@dataclass(frozen=True)
class Answer:
    """The secret extracted for one canary; words are numbers of the pattern's candidates.

    Attributes:
        guesses: By method, the unknown words, (unknown,).
        losses: By method, the network's loss with them.
        scored: (scored, unknown) secrets whose loss was queried: all of them in order, or a random sample.
        scores: (scored,) the loss with each.
        steps: (recorded,) after how many steps the mixture was recorded; without a search, this and the rest are empty.
        mixture: (recorded, unknown, candidates) probability of each candidate in the restart with the lowest loss.
        runs: (runs, unknown) the words at the end of each restart.
        run_losses: (runs,) the loss with them.
    """

    guesses: Mapping[str, NDArray[np.int64]]
    losses: Mapping[str, float]
    scored: NDArray[np.int64]
    scores: NDArray[np.float32]
    steps: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    mixture: NDArray[np.float16] = field(default_factory=lambda: np.zeros((0, 0, 0), np.float16))
    runs: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    run_losses: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))

    def as_arrays(self, number: int) -> dict[str, NDArray[Any]]:
        """Return all fields under names with a numeric prefix; `from_arrays` is the inverse."""
        methods = list(self.guesses)
        arrays = {
            "methods": np.array(methods, dtype=np.str_),
            "guesses": np.stack([self.guesses[name] for name in methods]),
            "losses": np.array([self.losses[name] for name in methods]),
            "scored": self.scored.astype(np.int8),
            **{name: getattr(self, name) for name in _PLAIN},
        }
        return {f"{number}.{name}": array for name, array in arrays.items()}

    @classmethod
    def from_arrays(cls, number: int, arrays: Mapping[str, NDArray[Any]]) -> "Answer":
        """Read the arrays of `as_arrays`."""
        methods = arrays[f"{number}.methods"].tolist()
        guesses, losses = (arrays[f"{number}.{name}"] for name in ("guesses", "losses"))
        return cls(
            dict(zip(methods, guesses, strict=True)),
            dict(zip(methods, losses.tolist(), strict=True)),
            arrays[f"{number}.scored"].astype(np.int64),
            *(arrays[f"{number}.{name}"] for name in _PLAIN),
        )


_PLAIN = ("scores", "steps", "mixture", "runs", "run_losses")


class CanaryAttack(Attack):
    """An attack that reads canaries out of a trained model."""

    @property
    @abstractmethod
    def method(self) -> str:
        """Name of the attack's main method among the guesses of an `Answer`; the others are baselines."""

    @abstractmethod
    def extract(self, briefing: Briefing, access: Any) -> list[Answer]:
        """Extract the secrets of one model, an object of the class in ``needs``; one answer a canary, in order."""
