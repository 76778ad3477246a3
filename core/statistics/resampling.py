"""Bootstrap resamples: how often each of some units is drawn, worked out once for each state of a generator."""

import json
from functools import lru_cache

import numpy as np
from numpy.random import PCG64
from numpy.typing import NDArray

_MOST = 2_000_000
"""Largest table of counts that is kept."""


def drawn(units: int, resamples: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return how often each unit is in each resample of as many units, (resamples, units).

    Figures of one seed resample the same units: those of an audit, behind each storage format. Their counts are worked
    out once, and the generator ends where it would have.

    >>> both = [drawn(5, 2, np.random.default_rng(3)) for _ in range(2)]
    >>> bool((both[0] == both[1]).all()), both[0].sum(axis=1).tolist()
    (True, [5, 5])
    """
    if units * resamples > _MOST or not isinstance(rng.bit_generator, PCG64):
        return rng.multinomial(units, np.full(units, 1 / units), size=resamples)
    counts, after = _from(json.dumps(rng.bit_generator.state), units, resamples)
    rng.bit_generator.state = json.loads(after)
    return counts.astype(np.int64)


@lru_cache(maxsize=16)
def _from(state: str, units: int, resamples: int) -> tuple[NDArray[np.uint32], str]:
    """Return the counts that a generator draws in a state, and its state after that."""
    bits = PCG64()
    bits.state = json.loads(state)
    counts = np.random.Generator(bits).multinomial(units, np.full(units, 1 / units), size=resamples).astype(np.uint32)
    counts.flags.writeable = False
    return counts, json.dumps(bits.state)
