"""Scored secrets: those whose loss an adversary queries, all where they are few, else a random sample."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.games.canaries.contract import MaskedCanary
from core.spec import parameter

_SAMPLE = 10_000


def scored_at_most() -> Any:
    """Declare the parameter of how many secrets are scored."""
    return parameter(
        25_000,
        "Secrets whose loss is computed: all where there are no more, else a random 10,000 or fewer.",
        label="Scored at most",
        unit="secrets",
        ge=100,
        le=1_000_000,
        advanced=True,
    )


def scored_secrets(canary: MaskedCanary, at_most: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the secrets to be scored, (scored, unknown): all in order where they are few, else a sample."""
    candidates = len(canary.pattern.candidates)
    if canary.space <= at_most:
        return np.stack(np.unravel_index(np.arange(canary.space), (candidates,) * canary.unknown), axis=1)
    return rng.integers(candidates, size=(min(_SAMPLE, at_most), canary.unknown))
