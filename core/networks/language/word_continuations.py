"""Continuations of texts, word by word, by a causal language model that reads tokens."""

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from core.encoders.causal import CausalNetwork, Tokens
from core.encoders.loading import refusing
from core.networks.language.following_tokens import LONGEST, allowed, best, truncated

Words = Sequence[Sequence[str]]
"""The words of each of several texts."""

Choice = Callable[[torch.Tensor], NDArray[np.int64]]
"""Chooses the next token, (rows,), by the scores of all that are allowed, (rows, vocabulary); -inf for the others."""

_AT_THE_BEGINNING = -1
"""Length of the word before the first token of all, which begins a word without white space."""

_ROWS = 128
"""Most texts that share a forward pass."""

_MOST_SCORES = 2**26
"""Most scores of next tokens in memory at a time."""

_MEMORY = 2**28
"""Most bytes of what is kept of the texts that were read."""


@torch.inference_mode()
def likeliest(network: CausalNetwork, documents: Words, positions: Sequence[NDArray[np.int64]]) -> list[list[str]]:
    """Return the likeliest word at some positions of each document, from the words before: its likeliest tokens.

    Args:
        network: The model.
        documents: The words of each; of long ones the model sees the end of what stands before a position, at least
            half of its context.
        positions: Numbers of the words to say, for each document.

    Raises:
        ModelRefused: The model does not run, or takes no positions of tokens.
    """
    words_by_text = [[""] * len(queried) for queried in positions]
    places: list[tuple[int, int]] = []
    starts: list[_Start] = []
    texts: list[Tokens] = []
    for number, (words, queried) in enumerate(zip(documents, positions, strict=True)):
        for tokens, first, last, numbers in _windows(network, words, queried):
            for column in np.flatnonzero((queried >= first) & (queried <= last)).tolist():
                places.append((number, column))
                starts.append(_Start(len(texts), int(np.searchsorted(numbers, queried[column]))))
            texts.append(tokens)
    for (row, column), (word,) in zip(places, _said(network, texts, starts, 1, best), strict=True):
        words_by_text[row][column] = word
    return words_by_text


@torch.inference_mode()
def greedy(network: CausalNetwork, prefixes: Words, words: int) -> list[list[str]]:
    """Return the likeliest token again and again after each prefix, as words, ``words`` of each.

    What does not fit the model's context is empty.
    """
    texts = _prefixes(network, prefixes, words)
    return _said(network, texts, _ends(texts), words, best)


@torch.inference_mode()
def drawn(
    network: CausalNetwork, prefixes: Words, words: int, top_k: int, temperature: float, rng: np.random.Generator
) -> list[list[str]]:
    """Return one continuation a prefix, ``words`` words long, each token drawn among the likeliest.

    Args:
        network: The model.
        prefixes: The words of each prefix.
        words: Words to append.
        top_k: Number of likeliest tokens that a token is drawn among.
        temperature: Divides the log-probabilities before drawing.
        rng: Source of the drawing.
    """

    def draw(scores: torch.Tensor) -> NDArray[np.int64]:
        logs, tokens = truncated(scores, top_k, temperature).topk(min(top_k, scores.shape[1]))  # (rows, top k)
        # The largest of log-probabilities plus Gumbel noise is a draw from the probabilities.
        winners = (logs.cpu().numpy() + rng.gumbel(size=logs.shape)).argmax(axis=1)
        return np.asarray(tokens.cpu().numpy()[np.arange(len(winners)), winners])

    texts = _prefixes(network, prefixes, words)
    return _said(network, texts, _ends(texts), words, draw)


@torch.inference_mode()
def log_rates(
    network: CausalNetwork, prefixes: Words, following: Words, top_k: int, temperature: float
) -> NDArray[np.float64]:
    """Return the log-probability that `drawn` gives the following words, in nats, (prefixes,); -inf if never.

    It is that of the tokens that the tokeniser cuts the words into. Other tokens may spell the same words, rarely.
    """
    total = np.full(len(prefixes), -np.inf)
    for row, (prefix, words) in enumerate(zip(prefixes, following, strict=True)):
        ((tokens, numbers),) = network.tokens_of_words([[*prefix, *words]], network.longest - 1)
        first = int(np.searchsorted(numbers, len(prefix)))
        chosen = tokens[first:]
        begins = network.begins_words[chosen] | (np.arange(len(chosen)) < (first == 0))
        lengths = np.diff([*np.flatnonzero(begins), len(chosen)])
        if len(lengths) != len(words) or not begins[:1].all() or lengths.max(initial=0) > LONGEST:
            continue  # it is cut off, or of words that are never said
        so_far = np.concatenate([[0 if first else _AT_THE_BEGINNING], *(np.arange(length) + 1 for length in lengths)])
        scores = network.scores(np.concatenate([[network.begins], tokens])[None])[0, first:].float()
        logs = truncated(allowed(network, scores, so_far), top_k, temperature).cpu().numpy()  # (tokens + 1, vocabulary)
        with np.errstate(divide="ignore"):
            ends = np.log(np.exp(logs[-1, network.begins_words]).sum())  # the next word begins
        total[row] = logs[np.arange(len(chosen)), chosen].sum() + ends
    return total


@dataclass(frozen=True)
class _Start:
    """The number of a text, and after how many of its tokens it is continued."""

    text: int
    after: int


def _said(
    network: CausalNetwork, texts: Sequence[Tokens], starts: Sequence[_Start], words: int, choose: Choice
) -> list[list[str]]:
    """Return the words that are said from each start, ``words`` of each."""
    continuations: list[list[str]] = [[]] * len(starts)
    order = sorted(range(len(starts)), key=lambda number: (len(texts[starts[number].text]), starts[number].text))
    lengths = [len(tokens) + 1 for tokens in texts]
    for numbers in _shared(order, starts, [_MOST_SCORES // (length * network.vocabulary) for length in lengths]):
        spoken = _spoken(network, texts, [starts[number] for number in numbers], words, choose)
        for number, tokens in zip(numbers, spoken, strict=True):
            spelt = network.spelt(_cut(tokens, network.begins_words))
            continuations[number] = [*spelt, *[""] * words][:words]
    return continuations


def _shared(order: Sequence[int], starts: Sequence[_Start], most: Sequence[int]) -> Iterator[list[int]]:
    """Yield the numbers of starts that share a forward pass, from shorter texts to longer ones.

    For each text, ``most`` texts of its length have scores that fit the memory together.
    """
    batch: list[int] = []
    texts: set[int] = set()
    for number in order:
        text = starts[number].text
        if texts and len(texts | {text}) > min(_ROWS, most[text]):
            yield batch
            batch, texts = [], set()
        batch.append(number)
        texts.add(text)
    if batch:
        yield batch


def _spoken(
    network: CausalNetwork, texts: Sequence[Tokens], starts: Sequence[_Start], words: int, choose: Choice
) -> list[list[int]]:
    """Return the tokens said from each start; the texts are read once, and continued from what is kept of them."""
    read = sorted({start.text for start in starts})
    length = max(len(texts[number]) for number in read) + 1
    inputs = np.full((len(read), length), network.begins, np.int64)
    for row, number in enumerate(read):
        inputs[row, 1 : len(texts[number]) + 1] = texts[number]
    with refusing(f"The language model in {network.folder} does not continue texts"):
        first = network.model(torch.from_numpy(inputs).to(network.device), use_cache=True)
        kept = first.past_key_values
        size = sum(layer.keys.nbytes + layer.values.nbytes for layer in kept.layers) / len(read)
        at_once = max(int(_MEMORY // max(size, 1)), 1)
        rows = np.array([read.index(start.text) for start in starts])
        after = np.array([start.after for start in starts])
        spoken: list[list[int]] = []
        for begin in range(0, len(starts), at_once):
            block = slice(begin, begin + at_once)
            spoken += _grown(network, first, rows[block], after[block], words, choose)
    return spoken


def _grown(
    network: CausalNetwork,
    first: Any,
    rows: NDArray[np.int64],
    after: NDArray[np.int64],
    words: int,
    choose: Choice,
) -> list[list[int]]:
    """Return the tokens that are generated after the given number of tokens of each of some rows that were read."""
    picked = torch.from_numpy(rows).to(network.device)
    kept = deepcopy(first.past_key_values)
    kept.batch_select_indices(picked)
    last = torch.from_numpy(after).to(network.device)
    seen = torch.arange(kept.get_seq_length(), device=network.device) <= last[:, None]  # the first token begins texts
    scores = first.logits[picked, last].float()
    spoken: list[list[int]] = [[] for _ in rows]
    length, begun = np.where(after == 0, _AT_THE_BEGINNING, 0), np.zeros(len(rows), np.int64)
    room = network.longest - 1 - int(after.max())
    for step in range(min(words * LONGEST, room) + 1):
        chosen = choose(allowed(network, scores, length))
        new = network.begins_words[chosen] | (length < 0)
        begun += new
        length = np.where(new, 1, length + 1)
        for tokens, token, count in zip(spoken, chosen.tolist(), begun.tolist(), strict=True):
            if count <= words:
                tokens.append(token)
        if (begun > words).all() or step == room:
            break
        seen = torch.cat([seen, torch.ones_like(seen[:, :1])], dim=1)
        scores = (
            network.model(
                torch.from_numpy(chosen[:, None]).to(network.device),
                attention_mask=seen.long(),
                position_ids=(last + 1 + step)[:, None],
                past_key_values=kept,
                use_cache=True,
            )
            .logits[:, -1]
            .float()
        )
    return spoken


def _cut(tokens: Sequence[int], begins: NDArray[np.bool_]) -> list[list[int]]:
    """Return tokens word by word."""
    words: list[list[int]] = []
    for token in tokens:
        if begins[token] or not words:
            words.append([])
        words[-1].append(token)
    return words


def _ends(texts: Sequence[Tokens]) -> list[_Start]:
    return [_Start(number, len(tokens)) for number, tokens in enumerate(texts)]


def _prefixes(network: CausalNetwork, prefixes: Words, words: int) -> list[Tokens]:
    """Return the tokens of prefixes; of those that leave no room for words, the end."""
    most = max(network.longest - 1 - words * LONGEST, network.longest // 2)
    texts = []
    for prefix in prefixes:
        ((tokens, was_cut),) = network.tokens([" ".join(prefix)], most)
        while was_cut:
            prefix = prefix[len(prefix) // 4 + 1 :]
            ((tokens, was_cut),) = network.tokens([" ".join(prefix)], most)
        texts.append(tokens)
    return texts


def _windows(
    network: CausalNetwork, words: Sequence[str], queried: NDArray[np.int64]
) -> Iterator[tuple[Tokens, int, int, NDArray[np.int64]]]:
    """Yield windows of a document: their tokens, the first and last word asked there, and the word of each token."""
    most = max(network.longest - 1 - LONGEST, 1)
    start, first, last = 0, 0, int(queried.max(initial=-1))
    while first <= last:
        ((tokens, numbers),) = network.tokens_of_words([words[start:last]], most)
        end = start + (int(numbers[-1]) + 1 if len(numbers) else 0)
        yield tokens, first, max(end, first), numbers + start
        first = max(end, first) + 1
        start = (start + end) // 2 if end > start else start + 1
