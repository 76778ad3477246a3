"""Continuations of prefixes by a language model over words: the likeliest, drawn ones, and how often each is drawn."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from core.networks.language.next_word import NextWordNetwork
from core.text.vocabulary import BOUNDARY, UNKNOWN

Texts = Sequence[NDArray[np.int64]]
"""Tokens of each of several texts."""

_ROWS = 128
"""Prefixes that share a forward pass."""


@torch.inference_mode()
def greedy(network: NextWordNetwork, length: int, prefixes: Texts, words: int) -> NDArray[np.int64]:
    """Return the likeliest next word again and again, (prefixes, words); neither a boundary nor the unknown word.

    Args:
        network: In evaluation mode.
        length: Longest context of the network; of longer prefixes it sees the end.
        prefixes: Tokens of each prefix.
        words: Words to append.
    """
    return _continued(network, length, prefixes, words, lambda hidden: network.likeliest(hidden).cpu().numpy())


@torch.inference_mode()
def drawn(
    network: NextWordNetwork,
    length: int,
    prefixes: Texts,
    words: int,
    top_k: int,
    temperature: float,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Return one continuation a prefix, each word drawn among the likeliest, (prefixes, words).

    Args:
        network: In evaluation mode.
        length: Longest context of the network.
        prefixes: Tokens of each prefix.
        words: Words to append.
        top_k: Number of likeliest words that a word is drawn among.
        temperature: Divides the log-probabilities before drawing.
        rng: Source of the drawing.
    """

    def choose(hidden: torch.Tensor) -> NDArray[np.int64]:
        logs = _truncated(network, hidden, top_k, temperature).cpu().numpy()
        # The largest of log-probabilities plus Gumbel noise is a draw from the probabilities.
        return np.asarray((logs + rng.gumbel(size=logs.shape)).argmax(axis=1))

    return _continued(network, length, prefixes, words, choose)


@torch.inference_mode()
def log_rates(
    network: NextWordNetwork, length: int, prefixes: Texts, following: Texts, top_k: int, temperature: float
) -> NDArray[np.float64]:
    """Return the log-probability that `drawn` gives exactly the following words, in nats, (prefixes,); -inf if never.

    Args:
        network: In evaluation mode.
        length: Longest context of the network.
        prefixes: Tokens of each prefix.
        following: Tokens of each continuation, all equally many.
        top_k: As for `drawn`.
        temperature: As for `drawn`.
    """
    texts, total = [*prefixes], np.zeros(len(prefixes))
    for position in range(len(following[0]) if len(following) else 0):
        chosen = np.array([words[position] for words in following])
        log_rates_by_block = [
            _truncated(network, hidden, top_k, temperature).cpu().numpy() for hidden in _states(network, length, texts)
        ]
        total += np.concatenate(log_rates_by_block)[np.arange(len(chosen)), chosen]
        texts = _appended(texts, [chosen])
    return total


def _continued(
    network: NextWordNetwork,
    length: int,
    prefixes: Texts,
    words: int,
    choose: Callable[[torch.Tensor], NDArray[np.int64]],
) -> NDArray[np.int64]:
    """Return the words chosen one after the other by the hidden state at the end of each text, (prefixes, words)."""
    texts = [*prefixes]
    for _ in range(words):
        texts = _appended(texts, [choose(hidden) for hidden in _states(network, length, texts)])
    return np.stack([text[len(text) - words :] for text in texts]) if texts else np.empty((0, words), np.int64)


def _truncated(network: NextWordNetwork, hidden: torch.Tensor, top_k: int, temperature: float) -> torch.Tensor:
    """Return the log-probability of each word to be drawn, (n, words), for hidden states (n, dimension)."""
    logs = network.log_probabilities(hidden) / temperature
    logs[:, [BOUNDARY, UNKNOWN]] = -torch.inf
    lowest = logs.topk(min(top_k, logs.shape[1] - 2)).values[:, -1:]
    logs[logs < lowest] = -torch.inf
    return logs.double().log_softmax(dim=1)


def _states(network: NextWordNetwork, length: int, texts: Texts) -> Iterator[torch.Tensor]:
    """Yield the hidden states at the ends of texts, some texts at a time, (n, dimension)."""
    device = next(network.parameters()).device
    for first in range(0, len(texts), _ROWS):
        windows = [np.concatenate([[BOUNDARY], text])[-length:] for text in texts[first : first + _ROWS]]
        ends = torch.tensor([len(window) - 1 for window in windows])
        tokens = np.full((len(windows), int(ends.max()) + 1), BOUNDARY, np.int64)
        for row, window in zip(tokens, windows, strict=True):
            row[: len(window)] = window
        hidden = network(torch.from_numpy(tokens).to(device))  # (n, time, d)
        yield hidden[torch.arange(len(windows)), ends]


def _appended(texts: Texts, following: Texts) -> list[NDArray[np.int64]]:
    chosen = np.concatenate([*following, np.empty(0, np.int64)])
    return [np.append(text, word) for text, word in zip(texts, chosen, strict=True)]
