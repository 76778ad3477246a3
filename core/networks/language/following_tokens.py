"""Which tokens may follow in a word that a causal language model says, and how likely each is drawn."""

import numpy as np
import torch
from numpy.typing import NDArray

from core.encoders.causal import CausalNetwork

LONGEST = 8
"""Most tokens of a word that is said."""


def best(scores: torch.Tensor) -> NDArray[np.int64]:
    """Return the token with the highest score of each row, (rows,)."""
    return np.asarray(scores.argmax(dim=1).cpu().numpy())


def truncated(scores: torch.Tensor, top_k: int, temperature: float) -> torch.Tensor:
    """Return the log-probability of each token to be drawn, (rows, vocabulary), by scores of which some are -inf."""
    lowest = scores.topk(min(top_k, scores.shape[1])).values[:, -1:]
    return scores.masked_fill(scores < lowest, -torch.inf).double().div(temperature).log_softmax(dim=1)


def allowed(network: CausalNetwork, scores: torch.Tensor, length: NDArray[np.int64]) -> torch.Tensor:
    """Return scores with -inf for tokens that must not follow, (rows, vocabulary).

    A special token never does. A new word begins after the prefix, and where a word is as long as it may be.

    Args:
        network: The model.
        scores: (rows, vocabulary).
        length: (rows,) tokens of the word so far, 0 after the prefix; negative where there is none.
    """
    new = torch.from_numpy((length == 0) | (length >= LONGEST)).to(scores.device)
    begins, written = (torch.from_numpy(part).to(scores.device) for part in (network.begins_words, network.written))
    return scores.masked_fill(~written | (new[:, None] & ~begins), -torch.inf)
