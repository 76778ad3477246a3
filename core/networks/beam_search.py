"""Translations written piece by piece, each piece from what is remembered of those before it."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import scaled_dot_product_attention

from core.networks.translation import DecoderLayer, Tokens, Transformer, batches, read
from core.text.subwords import BOUNDARY, PADDING

_READ = 2048
"""Tokens of a batch of sentences, padding included."""
_AGAIN = 2
"""The batch is made smaller when it could be so many times."""


def limits(sources: torch.Tensor) -> torch.Tensor:
    """Return how many tokens a translation may have, its end included, (batch,), for sentences (batch, time)."""
    return 2 * (sources != PADDING).sum(dim=1) + 10


@torch.inference_mode()
def translate(
    network: Transformer, sources: Tokens, beam: int
) -> tuple[list[NDArray[np.int64]], NDArray[np.float64], NDArray[np.int64]]:
    """Return translations, without their ends, with one thread.

    Sentences of like length are translated together, which changes no score by more than rounding does.

    Args:
        network: In use, not in training.
        sources: Tokens of each sentence.
        beam: Translations that are kept in mind; with one, each token is the likeliest.

    Returns:
        Tokens of each translation; its log-probability, in nats, its end included; and its tokens with its end, which
        is missing where the limit was met.
    """
    torch.set_num_threads(1)
    said: list[NDArray[np.int64]] = [np.empty(0, np.int64)] * len(sources)
    scores, counts = np.zeros(len(sources)), np.zeros(len(sources), np.int64)
    lengths = np.array([[len(source) + 1] for source in sources], np.int64).reshape(-1, 1)
    for rows in batches(lengths, np.arange(len(sources)), max(_READ // beam, 1)):
        tokens, totals = search(network, read([sources[row] for row in rows]), beam)
        counts[rows] = (tokens != PADDING).sum(dim=1).numpy()
        scores[rows] = totals.double().numpy()
        for row, written, count in zip(rows, tokens.numpy(), counts[rows], strict=True):
            ended = count > 0 and written[count - 1] == BOUNDARY
            said[row] = written[: count - ended]
    return said, scores, counts


def search(network: Transformer, sources: torch.Tensor, beam: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the likeliest translations found, by the mean log-probability of a token, and their log-probabilities.

    A translation that has ended stays in mind as it is, as long as its log-probability is among the best.

    Args:
        network: In use, not in training.
        sources: (batch, time) sentences with their ends.
        beam: Translations of each sentence that are kept in mind.

    Returns:
        (batch, longest) tokens with ends, filled up with padding; and (batch,) nats.
    """
    most = limits(sources)
    longest, many = int(most.max()), len(sources)
    found = torch.full((many, longest), PADDING)
    nats = torch.zeros(many)
    rows = torch.arange(many)
    memory = Memory.of(network, sources, beam, longest)
    said = torch.full((many, beam, longest), PADDING)
    totals = torch.full((many, beam), -torch.inf)
    totals[:, 0] = 0.0
    tokens = torch.full((many, beam), BOUNDARY)
    ended = torch.zeros((many, beam), dtype=torch.bool)
    for at in range(longest):
        scores = network.output(memory.step(network, tokens.view(-1, 1), at)).view(len(rows), beam, -1)
        whole = scores.logsumexp(dim=2, keepdim=True)
        scores[..., PADDING] = -torch.inf
        best, following = scores.max(dim=2, keepdim=True) if beam == 1 else scores.topk(min(beam, scores.shape[2] - 1))
        best = best - whole  # (batch, beam, beam)
        if bool(ended.any()):
            best[ended], following[ended] = -torch.inf, PADDING
            best[..., 0].masked_fill_(ended, 0.0)
        if beam == 1:
            totals, tokens = totals + best[:, :, 0], following[:, :, 0]
        else:
            width = best.shape[2]
            totals, chosen = (totals[:, :, None] + best).flatten(1).topk(beam)
            parents, tokens = chosen // width, following.flatten(1).gather(1, chosen)
            said = said.gather(1, parents[:, :, None].expand_as(said))
            ended = ended.gather(1, parents)
            memory.follow(parents, at)
        said[:, :, at] = tokens
        ended = ended | (tokens == BOUNDARY) | (most[:, None] <= at + 1)
        over = ended.all(dim=1)
        left = len(rows) - int(over.sum())
        if left and left * _AGAIN > len(rows):
            continue
        lengths = (said[over] != PADDING).sum(dim=2)  # (over, beam)
        first = (totals[over] / lengths).argmax(dim=1, keepdim=True)
        found[rows[over]] = said[over].gather(1, first[:, :, None].expand(-1, 1, longest))[:, 0]
        nats[rows[over]] = totals[over].gather(1, first)[:, 0]
        if not left:
            break
        kept = ~over
        rows, said, totals, tokens, ended, most = (part[kept] for part in (rows, said, totals, tokens, ended, most))
        memory.keep(kept)
    return found, nats


@dataclass
class Memory:
    """What layers of a decoder remember of sentences, and of what was written so far.

    Attributes:
        beam: Rows that are written for each sentence.
        across: By layer, keys and values of each sentence, (batch, heads, source time, d / heads) each.
        mask: (batch, 1, 1, source time) where they have no padding; None where they have none anywhere.
        within: By layer, keys and values of each row, (2, batch · beam, heads, longest, d / heads).
    """

    beam: int
    across: list[tuple[torch.Tensor, torch.Tensor]]
    mask: torch.Tensor | None
    within: list[torch.Tensor]

    @classmethod
    def of(cls, network: Transformer, sources: torch.Tensor, beam: int, longest: int) -> "Memory":
        """Read sentences, (batch, time); nothing is written yet, and no more than ``longest`` will be."""
        shape = network.shape
        encoded, mask = network.encode(sources)
        across = [layer.across.remembered(encoded) for layer in _layers(network)]
        size = (2, len(sources) * beam, shape.heads, longest, shape.dimension // shape.heads)
        return cls(beam, across, mask, [torch.empty(size) for _ in across])

    def step(self, network: Transformer, tokens: torch.Tensor, at: int) -> torch.Tensor:
        """Return the hidden state after one more token of each row, (rows, d).

        Args:
            network: Whose memory it is.
            tokens: (rows, 1) what stands in the place before.
            at: Number of that place.
        """
        hidden = network.described(network.writing, tokens, at)  # (rows, 1, d)
        for layer, own, (keys, values) in zip(_layers(network), self.within, self.across, strict=True):
            query, own[0, :, :, at : at + 1], own[1, :, :, at : at + 1] = layer.attention.projected(hidden)
            seen = scaled_dot_product_attention(query, own[0, :, :, : at + 1], own[1, :, :, : at + 1])
            hidden = layer.attention.added(hidden, seen)
            # The rows of a sentence look at it as pieces of one text would.
            together = hidden.view(-1, self.beam, hidden.shape[2])
            hidden = layer.perceptron(layer.across(together, keys, values, self.mask)).view_as(hidden)
        normed: torch.Tensor = network.decoded(hidden[:, 0])
        return normed

    def follow(self, parents: torch.Tensor, at: int) -> None:
        """Let each row of a sentence go on from one of them, (batch, beam), with places up to ``at`` written."""
        rows = (torch.arange(len(parents))[:, None] * self.beam + parents).flatten()
        for own in self.within:
            own[:, :, :, : at + 1] = own[:, rows, :, : at + 1]

    def keep(self, kept: torch.Tensor) -> None:
        """Forget sentences but those that are to be kept, (batch,)."""
        self.across = [(keys[kept], values[kept]) for keys, values in self.across]
        self.mask = None if self.mask is None else self.mask[kept]
        rows = kept.repeat_interleave(self.beam)
        self.within = [own[:, rows] for own in self.within]


def _layers(network: Transformer) -> list[DecoderLayer]:
    return list(network.decoder)  # type: ignore[arg-type]
