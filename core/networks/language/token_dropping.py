"""Which tokens a language model is never trained to predict, by the tokens before them (Hans et al. 2024)."""

from zlib import crc32

import numpy as np
from numpy.typing import NDArray

CONTEXT = 13
"""Tokens that decide together whether the last of them is dropped (h of the paper)."""


def kept(tokens: NDArray[np.int64], every: int) -> NDArray[np.bool_]:
    """Return which tokens stay in the loss, (tokens,): about one of ``every`` does not.

    The same passage loses the same tokens wherever it stands, so that no copy teaches what another left out. Near the
    beginning of a text fewer tokens decide.

    >>> tokens = np.arange(2000) % 7
    >>> bool(kept(tokens, 4)[20:27].all() == kept(tokens, 4)[27:34].all())
    True
    """
    narrow = tokens.astype(np.int32)
    hashes = [crc32(narrow[max(end - CONTEXT, 0) : end].tobytes()) for end in range(1, len(narrow) + 1)]
    return np.asarray(np.array(hashes, np.uint32) % every != 0)
