"""Texts whose embeddings are the sum of their word vectors, so that their leakage is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.defenses import Holdings
from core.runtime.seeding import generator
from core.text.secrets import Keyword, Secret

SEASONS = ("spring", "summer", "autumn", "winter")
MOODS = ("happy", "angry")
FILLERS = tuple(f"word{number}" for number in range(30))
DIMENSION = 48


@dataclass(frozen=True)
class OneOf:
    """A secret: which one of several words a text has."""

    name: str
    values: tuple[str, ...]

    def read(self, text: str) -> int:
        return next(number for number, value in enumerate(self.values) if value in text.split())


SECRETS: tuple[Secret, ...] = (Keyword("Paris"), OneOf("season", SEASONS))
MOOD = OneOf("mood", MOODS)


def encode(texts: Sequence[str]) -> NDArray[np.float32]:
    """Return the normalised sums of the words' vectors; secrets and mood are as long as the other words together."""
    return _encoded(tuple(texts)).copy()


@cache
def _encoded(texts: tuple[str, ...]) -> NDArray[np.float32]:
    """Return the same, worked out once: most tests of defenses embed the same thousand texts."""
    words = ("paris", "rome", *SEASONS, *MOODS, *FILLERS)
    vectors = generator(0, "vectors").normal(size=(len(words), DIMENSION))
    vectors[: len(words) - len(FILLERS)] *= 1.5
    row = dict(zip(words, vectors, strict=True))
    unknown = np.zeros(DIMENSION)
    sums = np.array([np.sum([row.get(word, unknown) for word in text.split()], axis=0) for text in texts])
    sums = sums.reshape(-1, DIMENSION)
    return (sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)).astype(np.float32)


def texts(count: int, seed: int) -> tuple[str, ...]:
    """Return texts with balanced secrets, and a mood that is independent of them."""
    rng = generator(seed, "texts")
    cities, seasons, moods = (
        [values[number] for number in rng.permutation(np.arange(count) % len(values))]
        for values in (("rome", "paris"), SEASONS, MOODS)
    )
    return tuple(
        " ".join([city, season, mood, *rng.choice(FILLERS, 4, replace=False)])
        for city, season, mood in zip(cities, seasons, moods, strict=True)
    )


def holdings(some: Sequence[str], **changes: Any) -> Holdings:
    """Return what the holder of these texts knows."""
    return Holdings(
        **{"texts": tuple(some), "embeddings": encode(some), "secrets": SECRETS, "encode": encode, **changes}
    )


@dataclass(frozen=True)
class Linear:
    """The least-squares linear classifier, slightly regularised."""

    weight: NDArray[np.float64]

    @classmethod
    def fit(cls, embeddings: NDArray[np.float32], answers: NDArray[np.int64]) -> "Linear":
        inputs = _with_one(embeddings)
        scatter = inputs.T @ inputs
        scatter += (1e-4 * np.trace(scatter) / len(scatter) + 1e-12) * np.eye(len(scatter))
        return cls(np.linalg.solve(scatter, inputs.T @ np.eye(answers.max() + 1)[answers]))

    def accuracy(self, embeddings: NDArray[np.float32], answers: NDArray[np.int64]) -> float:
        return float(np.mean((_with_one(embeddings) @ self.weight).argmax(axis=1) == answers))


def answers(secret: Secret, some: Sequence[str]) -> NDArray[np.int64]:
    """Return the secret's answer for each text."""
    return np.array([secret.read(text) for text in some])


def _with_one(embeddings: NDArray[np.float32]) -> NDArray[np.float64]:
    return np.hstack([embeddings.astype(np.float64), np.ones((len(embeddings), 1))])
