"""Beam search for translations and other texts, with cached keys and values."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import scaled_dot_product_attention

from core.networks.transformer import DecoderLayer, Transformer, Writer
from core.networks.translation import Tokens, batches, with_ends
from core.text.subwords import BOUNDARY, PADDING

_TOKENS_AT_ONCE = 2048
"""Tokens per batch of sentences, padding included."""
_SHRINK = 2
"""Finished sentences leave the batch once it would be smaller by this factor."""


def limits(sources: torch.Tensor) -> torch.Tensor:
    """Return the most tokens of a translation, its end included, (batch,), for sentences (batch, time)."""
    return 2 * (sources != PADDING).sum(dim=1) + 10


@torch.inference_mode()
def translate(
    network: Transformer, sources: Tokens, beam: int
) -> tuple[list[NDArray[np.int64]], NDArray[np.float64], NDArray[np.int64]]:
    """Return translations, without their ends, with one thread.

    Sentences of similar length share a batch, which changes scores by rounding errors only.

    Returns:
        Tokens of each translation; its log-probability in nats, its end included; and its number of tokens with its
        end, which is missing if the limit was reached.
    """
    torch.set_num_threads(1)
    translations: list[NDArray[np.int64]] = [np.empty(0, np.int64)] * len(sources)
    scores, counts = np.zeros(len(sources)), np.zeros(len(sources), np.int64)
    lengths = np.array([[len(source) + 1] for source in sources], np.int64).reshape(-1, 1)
    for rows in batches(lengths, np.arange(len(sources)), max(_TOKENS_AT_ONCE // beam, 1)):
        tokens, totals = search(network, with_ends([sources[row] for row in rows]), beam)
        counts[rows] = (tokens != PADDING).sum(dim=1).numpy()
        scores[rows] = totals.double().numpy()
        for row, translation, count in zip(rows, tokens.numpy(), counts[rows], strict=True):
            has_end = count > 0 and translation[count - 1] == BOUNDARY
            translations[row] = translation[: count - has_end]
    return translations, scores, counts


def search(network: Writer, sources: torch.Tensor, beam: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return for each sentence the finished translation with the highest mean log-probability per token.

    Args:
        network: Network in evaluation mode.
        sources: (batch, time) sentences with their ends.
        beam: Width of the beam; 1 is greedy search.

    Returns:
        (batch, longest) tokens with ends, padded; and (batch,) log-probabilities in nats.
    """
    prefixes, totals = finished(network, sources, beam, limits(sources))
    lengths = (prefixes != PADDING).sum(dim=2)  # (batch, beam)
    first = (totals / lengths).argmax(dim=1, keepdim=True)
    return prefixes.gather(1, first[:, :, None].expand(-1, 1, prefixes.shape[2]))[:, 0], totals.gather(1, first)[:, 0]


def finished(
    network: Writer, sources: torch.Tensor, beam: int, most: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return for each source the texts that the beam holds once all in it are finished.

    A finished text stays in the beam as long as its log-probability is among the highest.

    Args:
        network: Network in evaluation mode.
        sources: (batch, ...) what its `encode` takes.
        beam: Width of the beam.
        most: (batch,) most tokens of a text, its end included.

    Returns:
        (batch, beam, longest) tokens with ends, padded; and (batch, beam) log-probabilities in nats.
    """
    longest, sentences = int(most.max()), len(sources)
    results = torch.full((sentences, beam, longest), PADDING)
    nats = torch.zeros((sentences, beam))
    rows = torch.arange(sentences)
    cache = Cache.of(network, sources, beam, longest)
    prefixes = torch.full((sentences, beam, longest), PADDING)
    totals = torch.full((sentences, beam), -torch.inf)
    totals[:, 0] = 0.0
    tokens = torch.full((sentences, beam), BOUNDARY)
    ended = torch.zeros((sentences, beam), dtype=torch.bool)
    for position in range(longest):
        scores = network.output(cache.step(network, tokens.view(-1, 1), position)).view(len(rows), beam, -1)
        normalizer = scores.logsumexp(dim=2, keepdim=True)
        scores[..., PADDING] = -torch.inf
        best, following = scores.max(dim=2, keepdim=True) if beam == 1 else scores.topk(min(beam, scores.shape[2] - 1))
        best = best - normalizer  # (batch, beam, beam)
        if bool(ended.any()):
            best[ended], following[ended] = -torch.inf, PADDING
            best[..., 0].masked_fill_(ended, 0.0)
        if beam == 1:
            totals, tokens = totals + best[:, :, 0], following[:, :, 0]
        else:
            width = best.shape[2]
            totals, chosen = (totals[:, :, None] + best).flatten(1).topk(beam)
            parents, tokens = chosen // width, following.flatten(1).gather(1, chosen)
            prefixes = prefixes.gather(1, parents[:, :, None].expand_as(prefixes))
            ended = ended.gather(1, parents)
            cache.reorder(parents, position)
        prefixes[:, :, position] = tokens
        ended = ended | (tokens == BOUNDARY) | (most[:, None] <= position + 1)
        done = ended.all(dim=1)
        remaining = len(rows) - int(done.sum())
        if remaining and remaining * _SHRINK > len(rows):
            continue
        results[rows[done]], nats[rows[done]] = prefixes[done], totals[done]
        if not remaining:
            break
        going = ~done
        rows, prefixes, totals, tokens, ended, most = (
            tensor[going] for tensor in (rows, prefixes, totals, tokens, ended, most)
        )
        cache.select(going)
    return results, nats


@dataclass
class Cache:
    """Keys and values of a decoder's layers, for sources and for texts so far.

    Attributes:
        beam: Rows per sentence.
        across: By layer, keys and values of each sentence, (batch, heads, source time, d / heads) each.
        mask: (batch, 1, 1, source time) which of these are tokens; None if there is no padding.
        within: By layer, keys and values of each row, (2, batch · beam, heads, longest, d / heads).
    """

    beam: int
    across: list[tuple[torch.Tensor, torch.Tensor]]
    mask: torch.Tensor | None
    within: list[torch.Tensor]

    @classmethod
    def of(cls, network: Writer, sources: torch.Tensor, beam: int, longest: int) -> "Cache":
        """Encode sentences, (batch, time), and make room for translations of at most ``longest`` tokens."""
        shape = network.shape
        encoded, mask = network.encode(sources)
        across = [layer.across.project(encoded) for layer in _layers(network)]
        size = (2, len(sources) * beam, shape.heads, longest, shape.dimension // shape.heads)
        return cls(beam, across, mask, [torch.empty(size) for _ in across])

    def step(self, network: Writer, tokens: torch.Tensor, position: int) -> torch.Tensor:
        """Return the hidden state, (rows, d), after the latest token of each row, (rows, 1), at a position."""
        hidden = network.embed(network.writing, tokens, position)  # (rows, 1, d)
        upto = slice(position + 1)
        for layer, rows, (keys, values) in zip(_layers(network), self.within, self.across, strict=True):
            query, rows[0, :, :, position : position + 1], rows[1, :, :, position : position + 1] = (
                layer.attention.project(hidden)
            )
            attended = scaled_dot_product_attention(query, rows[0, :, :, upto], rows[1, :, :, upto])
            hidden = layer.attention.add(hidden, attended)
            # The rows of a sentence attend to it as tokens of one text would.
            together = hidden.view(-1, self.beam, hidden.shape[2])
            hidden = layer.perceptron(layer.across(together, keys, values, self.mask)).view_as(hidden)
        normed: torch.Tensor = network.decoded(hidden[:, 0])
        return normed

    def reorder(self, parents: torch.Tensor, position: int) -> None:
        """Let each row continue from its parent in the beam, (batch, beam), with tokens up to ``position``."""
        rows = (torch.arange(len(parents))[:, None] * self.beam + parents).flatten()
        for cached in self.within:
            cached[:, :, :, : position + 1] = cached[:, rows, :, : position + 1]

    def select(self, sentences: torch.Tensor) -> None:
        """Keep the sentences of a mask, (batch,)."""
        self.across = [(keys[sentences], values[sentences]) for keys, values in self.across]
        self.mask = None if self.mask is None else self.mask[sentences]
        rows = sentences.repeat_interleave(self.beam)
        self.within = [cached[:, rows] for cached in self.within]


def _layers(network: Writer) -> list[DecoderLayer]:
    return list(network.decoder)  # type: ignore[arg-type]
