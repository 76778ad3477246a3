"""Objectives of the small encoders: to predict masked tokens, the next one, or the last ones of a random order."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from torch import Tensor

MASKED = 0.15
"""Share of the tokens that BERT predicts (Devlin et al. 2019, section 3.1)."""

GUESSED = 6
"""XLNet predicts one token in this many (Yang et al. 2019, section 2.3)."""

_TEMPERATURE = 0.05


@dataclass(frozen=True)
class Tokens:
    """A padded batch.

    Attributes:
        ids: (texts, length) tokens.
        present: (texts, length) which are no padding.
        special: (texts, length) which are padding or frame a text; these are never predicted.
    """

    ids: NDArray[np.int64]
    present: NDArray[np.bool_]
    special: NDArray[np.bool_]


def masked(model: Any, batch: Tokens, mask: int, rng: np.random.Generator) -> "tuple[Tensor, Tensor]":
    """Return the loss on masked tokens, 80% of them hidden, 10% replaced and 10% left, and the hidden states."""
    import torch

    chosen = (rng.random(batch.ids.shape) < MASKED) & ~batch.special
    chosen[~chosen.any(axis=1), 1] = True
    fate = rng.random(batch.ids.shape)
    inputs = np.where(chosen & (fate < 0.8), mask, batch.ids)
    words = rng.integers(model.config.vocab_size, size=batch.ids.shape)
    inputs = np.where(chosen & (fate >= 0.9), words, inputs)
    # (texts, length, width)
    hidden = model.bert(torch.from_numpy(inputs), attention_mask=torch.from_numpy(batch.present)).last_hidden_state
    where = torch.from_numpy(chosen)
    logits = model.cls(hidden[where])
    return torch.nn.functional.cross_entropy(logits, torch.from_numpy(batch.ids)[where]), hidden


def causal(model: Any, batch: Tokens) -> "tuple[Tensor, Tensor]":
    """Return the loss on every next token, and the hidden states."""
    import torch

    ids = torch.from_numpy(batch.ids)
    present = torch.from_numpy(batch.present)
    hidden = model.transformer(ids, attention_mask=present).last_hidden_state  # (texts, length, width)
    known = present[:, :-1] & present[:, 1:]
    logits = model.lm_head(hidden[:, :-1][known])
    return torch.nn.functional.cross_entropy(logits, ids[:, 1:][known]), hidden


def permuted(model: Any, batch: Tokens, rng: np.random.Generator) -> "tuple[Tensor, Tensor]":
    """Return the loss on the last sixth of the tokens in a random order, and the hidden states of the visible ones."""
    import torch

    texts, length = batch.ids.shape
    # Special tokens come first in the order: all tokens see them, and none is predicted.
    order = np.argsort(np.argsort(np.where(batch.special, -1.0, rng.random((texts, length))), axis=1), axis=1)
    guessed = max(length // GUESSED, 1)
    last = np.argsort(-order, axis=1)[:, :guessed]  # (texts, guessed)
    targets = np.where(np.take_along_axis(batch.special, last, 1), -100, np.take_along_axis(batch.ids, last, 1))
    turn = np.where(order < length - guessed, -1, order)
    unseen = (turn[:, :, None] <= turn[:, None, :]) & (turn >= 0)[:, None, :]  # (texts, from, to)
    out = model.transformer(
        torch.from_numpy(batch.ids),
        attention_mask=torch.from_numpy(batch.present).float(),
        perm_mask=torch.from_numpy(unseen).float(),
        target_mapping=torch.nn.functional.one_hot(torch.from_numpy(last), length).float(),
    )
    logits = model.lm_loss(out.last_hidden_state)  # (texts, guessed, vocabulary)
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), torch.from_numpy(targets).flatten())
    return loss, out.last_hidden_state


def contrast(hidden: "Tensor", present: NDArray[np.bool_]) -> "Tensor":
    """Return the loss of finding each text's neighbour among the batch.

    Args:
        hidden: (2 * pairs, length, width) hidden states; text k and text k + pairs are neighbours.
        present: (2 * pairs, length) which tokens are no padding.
    """
    import torch

    weights = torch.from_numpy(present)[:, :, None].to(hidden.dtype)
    means = (hidden * weights).sum(1) / weights.sum(1)
    first, second = torch.nn.functional.normalize(means, dim=1).chunk(2)
    likeness = first @ second.T / _TEMPERATURE  # (pairs, pairs)
    pairing = torch.arange(len(first))
    both = torch.nn.functional.cross_entropy(likeness, pairing) + torch.nn.functional.cross_entropy(likeness.T, pairing)
    return both / 2
