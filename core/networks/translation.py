"""Training and scoring of Transformers that translate."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import cross_entropy

from core.networks.states import Arrays, adam, begin, descend, load, moments, weights
from core.networks.transformer import Shape, Transformer
from core.text.subwords import BOUNDARY, PADDING

_CLIP = 1.0
_POOL = 64
"""Batches whose pairs are sorted by length together."""
_SCORED_AT_ONCE = 2048
"""Tokens per batch outside training, padding included."""

Tokens = Sequence[NDArray[np.int64]]


def initial(shape: Shape, seed: int) -> dict[str, NDArray[Any]]:
    """Return the state of an untrained network."""
    torch.manual_seed(seed)
    return {**_untied_weights(Transformer(shape)), "steps": np.array(0)}


def restored(shape: Shape, state: Arrays) -> Transformer:
    """Return the network of a state."""
    tied = {f"weight.{name}": state["weight.reading.weight"] for name in _tied(shape)}
    return load(Transformer(shape), {**state, **tied})


def _tied(shape: Shape) -> tuple[str, ...]:
    """Return the names of weights that are tied to the source embedding."""
    return ("writing.weight", "output.weight") if shape.tied else ()


def _untied_weights(network: Transformer) -> dict[str, NDArray[Any]]:
    """Return the weights of a network, each once."""
    tied = {f"weight.{name}" for name in _tied(network.shape)}
    return {name: array for name, array in weights(network).items() if name not in tied}


def train_epoch(
    shape: Shape,
    state: Arrays,
    sources: Tokens,
    targets: Tokens,
    *,
    batch_tokens: int,
    learning_rate: float,
    warm_up: int,
    smoothing: float,
    rng: np.random.Generator,
) -> tuple[dict[str, NDArray[Any]], float]:
    """Train for one epoch over pairs, with one thread.

    The step size rises in ``warm_up`` steps to ``learning_rate``, and falls from there with the inverse square root of
    the steps (Vaswani et al. 2017, section 5.3).

    Args:
        shape: Shape of the network.
        state: State from `initial` or the previous epoch.
        sources: Tokens of each sentence.
        targets: Tokens of its translation.
        batch_tokens: Most tokens per step on the longer side, padding included.
        learning_rate: Adam's largest step size.
        warm_up: Steps until the largest step size.
        smoothing: Label smoothing (section 5.4).
        rng: Source of all randomness.

    Returns:
        The new state: weights, steps so far, Adam's steps and moments; and the mean loss per token, in nats.
    """
    begin(rng)
    network = restored(shape, state).train()
    optimiser = adam(network, state, learning_rate, fused=True)
    steps, total, count = int(state["steps"]), 0.0, 0
    for rows in shuffled(_lengths(sources, targets), batch_tokens, rng):
        steps += 1
        for group in optimiser.param_groups:
            group["lr"] = learning_rate * min(steps / warm_up, math.sqrt(warm_up / steps))
        hidden, following = _forced(network, [sources[row] for row in rows], [targets[row] for row in rows])
        loss = cross_entropy(network.output(hidden), following, label_smoothing=smoothing)
        descend(optimiser, loss, list(network.parameters()), _CLIP)
        total, count = total + loss.item() * len(following), count + len(following)
    after = {**_untied_weights(network), **moments(network, optimiser), "steps": np.array(steps)}
    return after, total / count


@torch.inference_mode()
def log_probabilities(
    network: Transformer, sources: Tokens, targets: Tokens
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the log-probability of each given translation, in nats, and its tokens, ends included; (pairs,) each."""
    torch.set_num_threads(1)
    nats = np.zeros(len(sources))
    lengths = np.array([len(target) + 1 for target in targets], np.int64)
    for rows in batches(_lengths(sources, targets), np.arange(len(sources)), _SCORED_AT_ONCE):
        hidden, following = _forced(network, [sources[row] for row in rows], [targets[row] for row in rows])
        losses = cross_entropy(network.output(hidden), following, reduction="none").double().numpy()
        nats[rows] = -np.add.reduceat(losses, np.cumsum(lengths[rows]) - lengths[rows])
    return nats, lengths


def perplexity(network: Transformer, sources: Tokens, targets: Tokens) -> float:
    """Return the perplexity per token, ends included."""
    nats, lengths = log_probabilities(network, sources, targets)
    return math.exp(-nats.sum() / lengths.sum())


def batches(lengths: NDArray[np.int64], rows: NDArray[np.int64], most: int) -> Iterator[NDArray[np.int64]]:
    """Yield rows sorted by ``lengths`` (all rows, sides), in batches of at most ``most`` tokens or of a single row.

    The longer side counts, padding included.
    """
    order = rows[np.lexsort(lengths[rows].T)]
    longest, start = 0, 0
    for position, length in enumerate(lengths[order].max(axis=1).tolist()):
        longest = max(longest, length)
        if position > start and longest * (position + 1 - start) > most:
            yield order[start:position]
            longest, start = length, position
    if len(order):
        yield order[start:]


def shuffled(lengths: NDArray[np.int64], most: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
    """Return batches in random order; each has rows of similar length from a random pool."""
    order = rng.permutation(len(lengths))
    pools = np.array_split(order, max(round(int(lengths.max(axis=1).sum()) / (most * _POOL)), 1))
    sorted_batches = [batch for pool in pools for batch in batches(lengths, pool, most)]
    return [sorted_batches[number] for number in rng.permutation(len(sorted_batches))]


def _lengths(sources: Tokens, targets: Tokens) -> NDArray[np.int64]:
    """Return the tokens on each side, ends included, (pairs, 2)."""
    both = [(len(source) + 1, len(target) + 1) for source, target in zip(sources, targets, strict=True)]
    return np.array(both, np.int64).reshape(-1, 2)


def _forced(network: Transformer, sources: Tokens, targets: Tokens) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the hidden state before each token of given translations, (tokens, d), and the tokens, ends included."""
    prefixes = padded([np.concatenate([[BOUNDARY], target]) for target in targets])
    following = with_ends(targets)
    is_token = following != PADDING
    hidden: torch.Tensor = network(with_ends(sources), prefixes)
    return hidden[is_token], following[is_token]


def with_ends(texts: Tokens) -> torch.Tensor:
    """Return texts as one padded array of tokens, (rows, time), each with its end."""
    return padded([np.concatenate([tokens, [BOUNDARY]]) for tokens in texts])


def padded(rows: Tokens) -> torch.Tensor:
    """Return texts as one array of tokens, (rows, time), padded on the right."""
    tokens = np.full((len(rows), max(map(len, rows))), PADDING, np.int64)
    for number, row in enumerate(rows):
        tokens[number, : len(row)] = row
    return torch.from_numpy(tokens)
