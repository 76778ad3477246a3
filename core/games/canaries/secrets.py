"""The secrets of a trial, and the canaries that carry them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.text.canary import PATTERNS, Pattern, PatternName
from core.text.contents import Utterances


@dataclass(frozen=True)
class DrawnSecrets:
    """The secrets of one trial, by pattern, (length,) each, as numbers of the pattern's candidates.

    Attributes:
        truths: The secrets that are inserted into the training data.
        decoys: Secrets drawn alike that are not.
    """

    truths: tuple[NDArray[np.int64], ...]
    decoys: tuple[NDArray[np.int64], ...]


def typed_secrets(secret: str, patterns: Sequence[PatternName], length: int) -> dict[PatternName, NDArray[np.int64]]:
    """Return a secret that a person typed, for each pattern that it fits."""
    words = {name: PATTERNS[name].read(secret) for name in patterns}
    return {
        name: np.array([PATTERNS[name].candidates.index(word) for word in read])
        for name, read in words.items()
        if read is not None and len(read) == length
    }


def fuzzy(
    pattern: Pattern, secret: NDArray[np.int64], changed: int, copies: int, rng: np.random.Generator
) -> list[tuple[str, ...]]:
    """Return copies of a canary, in each of which other words stand in some random places of the secret.

    Args:
        pattern: The canary's pattern.
        secret: (length,) the secret, as numbers of the pattern's candidates.
        changed: Words that differ in each copy.
        copies: Number of copies.
        rng: Source of the changes.
    """
    texts = []
    for _ in range(copies):
        copy, places = secret.copy(), rng.choice(len(secret), changed, replace=False)
        candidates = len(pattern.candidates)
        copy[places] = (copy[places] + rng.integers(1, candidates, changed)) % candidates  # another word, never its own
        texts.append((*pattern.prefix, *pattern.spelt(copy)))
    return texts


def fuzzy_canaries(
    patterns: Sequence[PatternName],
    secrets: Sequence[NDArray[np.int64]],
    changed: int,
    copies: int,
    rng: np.random.Generator,
) -> Utterances:
    """Return fuzzy copies of the canaries of one trial as requests, those of a pattern together."""
    return _requests(
        (PATTERNS[name], words)
        for name, secret in zip(patterns, secrets, strict=True)
        for words in fuzzy(PATTERNS[name], secret, changed, copies, rng)
    )


def canaries(patterns: Sequence[PatternName], secrets: Sequence[NDArray[np.int64]]) -> Utterances:
    """Return the canaries of one trial as requests, one a pattern."""
    chosen = [PATTERNS[name] for name in patterns]
    return _requests(
        (pattern, (*pattern.prefix, *pattern.spelt(secret))) for pattern, secret in zip(chosen, secrets, strict=True)
    )


def _requests(canaries: Iterable[tuple[Pattern, tuple[str, ...]]]) -> Utterances:
    """Return requests to train on, each by its pattern and its words."""
    drawn = list(canaries)
    return Utterances(
        tuple(words for _, words in drawn),
        tuple(pattern.slots(len(words) - len(pattern.prefix)) for pattern, words in drawn),
        tuple(pattern.intent for pattern, _ in drawn),
        ("train",) * len(drawn),
    )
