"""Extraction of canaries: what the adversary is given, what it answers, and the base of its attacks."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, NetworkInternals
from core.games.attack import Attack
from core.text.canary import Pattern
from core.text.contents import Utterances


@dataclass(frozen=True)
class Briefing:
    """What is asked about one canary.

    Attributes:
        pattern: What the canary looks like.
        known: The first of its secret words, where the adversary knows some.
        unknown: How many of them it does not know.
    """

    pattern: Pattern
    known: tuple[str, ...]
    unknown: int

    @property
    def beginning(self) -> tuple[str, ...]:
        """The words that are known."""
        return self.pattern.prefix + self.known

    @property
    def slots(self) -> tuple[str, ...]:
        """The slot tags of the whole canary."""
        return self.pattern.slots(len(self.known) + self.unknown)

    @property
    def space(self) -> int:
        """How many answers there are."""
        return self.pattern.space(self.unknown)


@dataclass(frozen=True)
class Answer:
    """What is read about one canary; words are numbers of the pattern's candidates.

    Attributes:
        guesses: By method, the unknown words, (unknown,).
        losses: By method, the network's loss with them.
        scored: (scored, unknown) secrets of which the loss was asked: all of them in order, or a random sample.
        scores: (scored,) the loss with each.
        steps: (recorded,) after how many steps the mixture was recorded.
        mixture: (recorded, unknown, candidates) probabilities of each candidate in the run that the attack trusts.
        runs: (runs, unknown) where each run of the attack ended.
        run_losses: (runs,) the loss there.
    """

    guesses: Mapping[str, NDArray[np.int64]]
    losses: Mapping[str, float]
    scored: NDArray[np.int64]
    scores: NDArray[np.float32]
    steps: NDArray[np.int64]
    mixture: NDArray[np.float16]
    runs: NDArray[np.int64]
    run_losses: NDArray[np.float32]

    def as_arrays(self, number: int) -> dict[str, NDArray[Any]]:
        """Return everything under names that begin with a number; `from_arrays` is the inverse."""
        methods = list(self.guesses)
        return {
            f"{number}.methods": np.array(methods, dtype=np.str_),
            f"{number}.guesses": np.stack([self.guesses[name] for name in methods]),
            f"{number}.losses": np.array([self.losses[name] for name in methods]),
            f"{number}.scored": self.scored.astype(np.int8),
            f"{number}.scores": self.scores,
            f"{number}.steps": self.steps,
            f"{number}.mixture": self.mixture,
            f"{number}.runs": self.runs,
            f"{number}.run_losses": self.run_losses,
        }

    @classmethod
    def from_arrays(cls, number: int, arrays: Mapping[str, NDArray[Any]]) -> "Answer":
        """Read what `as_arrays` returned."""
        own = {name: arrays[f"{number}.{name}"] for name in _ARRAYS}
        methods = own["methods"].tolist()
        return cls(
            dict(zip(methods, own["guesses"], strict=True)),
            dict(zip(methods, own["losses"].tolist(), strict=True)),
            own["scored"].astype(np.int64),
            own["scores"],
            own["steps"],
            own["mixture"],
            own["runs"],
            own["run_losses"],
        )


_ARRAYS = ("methods", "guesses", "losses", "scored", "scores", "steps", "mixture", "runs", "run_losses")


class ExtractionAttack(Attack):
    """An attack that reads canaries out of a trained network."""

    game: ClassVar[str] = "extraction"
    needs: ClassVar[type[Access]] = NetworkInternals
    reads: ClassVar[type] = Utterances

    @property
    @abstractmethod
    def method(self) -> str:
        """What the attack's own answer is called among the guesses of an `Answer`."""

    @abstractmethod
    def extract(
        self, questions: Sequence[Briefing], access: NetworkInternals, rng: np.random.Generator
    ) -> list[Answer]:
        """Answer all questions about one network.

        Args:
            questions: One for each canary.
            access: The network.
            rng: Source of all randomness.
        """
