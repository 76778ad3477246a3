"""A loaded encoder: texts to tokens, tokens to hidden states, hidden states to one vector a text."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from core.encoders import trial
from core.encoders.devices import Device
from core.encoders.folders import digests_of, summed
from core.encoders.loading import load, refusing
from core.encoders.positions import longest
from core.errors import ModelRefused

if TYPE_CHECKING:
    import torch

Pooling = Literal["last", "first", "mean", "max", "root mean", "weighted mean"]
"""What becomes the vector of a text: a token's hidden state, or of all tokens' the mean, the largest value in each
dimension, the sum over the root of their number, or the mean with weights 1, 2, 3 and so on."""

TOKENS_AT_ONCE: dict[Device, int] = {"cpu": 256, "cuda": 16_384}
"""Tokens of a batch, padding included; longer texts stand alone. Small ones waste little where few texts are left."""

_PROBE = "a"
"""A text that shows what a tokeniser puts around texts."""

_THREADS = 8
"""More threads than this do not make so small a batch faster."""


class Network:
    """An encoder in memory.

    A batch's shape depends on the length of its texts alone: each text is padded to the next length of a fixed list,
    and every batch of that length has the same number of rows. So on one machine a text's vector does not depend on
    the texts beside it, nor on their order, to the last bit.
    """

    def __init__(self, folder: Path, device: Device, known: Mapping[str, str] | None = None) -> None:
        """Load the files of a folder.

        Args:
            folder: Where they lie.
            device: Where the network runs.
            known: SHA-256 that each file must have, by name; None for any.

        Raises:
            ModelRefused: The folder holds no encoder that can be loaded safely.
        """
        import torch

        torch.set_num_threads(min(torch.get_num_threads(), _THREADS))
        self.folder = folder
        self.device = device
        self._tokenizer, self._model = load(folder, known)
        self._model.to(torch.device(device)).eval().requires_grad_(False)
        self._longest = longest(self._tokenizer, self._model.config)
        takes = (self._tokenizer.model_input_names, signature(self._model.forward).parameters)
        self._types = all("token_type_ids" in names for names in takes)
        self._pad = next(
            (token for token in (self._tokenizer.pad_token_id, self._tokenizer.eos_token_id) if token is not None), 0
        )

    def tokens(self, texts: Sequence[str], limit: int) -> list[tuple[list[int], list[int]]]:
        """Return the tokens of each text, special ones included, and their types.

        A text without any token, as the empty one is for GPT-2, becomes the one token that begins texts, or stands for
        an unknown one, or ends them.

        Args:
            texts: What to cut.
            limit: Most tokens of a text; what is beyond is cut off, as is what the encoder has no positions for.

        Raises:
            ModelRefused: The tokeniser fails.
        """
        most = min(limit, self._longest)
        # No tokeniser takes half of a surrogate pair.
        encodable = [text.encode("utf-8", "replace").decode() for text in texts]
        with refusing(f"The tokeniser in {self.folder} does not run"):
            encoded = self._tokenizer(encodable, truncation=True, max_length=most, return_attention_mask=False)
        roles = (self._tokenizer.bos_token_id, self._tokenizer.unk_token_id, self._tokenizer.eos_token_id, self._pad)
        alone = next(token for token in roles if token is not None)
        types = encoded["token_type_ids"] if self._types else [[0] * len(ids) for ids in encoded["input_ids"]]
        return [
            (ids[:most], kinds[:most]) if ids else ([alone], [0])
            for ids, kinds in zip(encoded["input_ids"], types, strict=True)
        ]

    def embed(
        self, texts: Sequence[str], limit: int, pooling: Pooling
    ) -> Iterator[tuple[list[int], NDArray[np.float32]]]:
        """Yield the numbers of some texts, and their embeddings (some, dimension), until each has had its turn.

        Args:
            texts: What to embed, each once.
            limit: Most tokens of a text.
            pooling: What becomes the vector; padding has no part in it.

        Raises:
            ModelRefused: The encoder gives values that are no numbers, or does not run.
        """
        tokens = self.tokens(texts, limit)
        lengths = [padded(len(ids)) for ids, _ in tokens]
        order = sorted(range(len(texts)), key=lambda number: lengths[number])
        for length in sorted(set(lengths), reverse=True):
            alike = [number for number in order if lengths[number] == length]
            at_once = rows(length, self.device)
            for start in range(0, len(alike), at_once):
                chosen = alike[start : start + at_once]
                vectors = self._forward([tokens[number] for number in chosen], length, pooling)
                if not np.isfinite(vectors).all():
                    raise ModelRefused(
                        f"The encoder in {self.folder} gives embeddings that are no finite numbers. Its weights are "
                        "damaged, or its training failed."
                    )
                yield chosen, vectors

    def embedded(self, texts: Sequence[str], limit: int, pooling: Pooling) -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension); arguments and errors are those of `embed`."""
        parts = list(self.embed(texts, limit, pooling))
        numbers = np.concatenate([numbers for numbers, _ in parts])
        return np.concatenate([vectors for _, vectors in parts])[np.argsort(numbers)]

    def word_vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the mean of the input vectors of each word's tokens, (words, input dimension); zeros without tokens.

        A word is cut into tokens as it would be within a sentence, behind a space.
        """
        rows = self._model.get_input_embeddings().weight.detach().float().cpu().numpy()
        cut = self._tokenizer([f" {word}" for word in words], add_special_tokens=False)["input_ids"] if words else []
        vectors = np.zeros((len(words), rows.shape[1]), np.float32)
        for vector, tokens in zip(vectors, cut, strict=True):
            if tokens:
                vector[:] = rows[tokens].mean(axis=0)
        return vectors

    def embed_vectors(
        self, inputs: "torch.Tensor", lengths: "torch.Tensor", limit: int, pooling: Pooling, prefix: str = ""
    ) -> "torch.Tensor":
        """Return the embeddings of texts with vectors in place of tokens, (texts, dimension), with a gradient for them.

        Special tokens stand around them as around any text, behind the first one a prefix, and what is too long is cut
        off in the same place.

        Args:
            inputs: (texts, positions, input dimension).
            lengths: (texts,) how many positions of each text are read, at least one.
            limit: Most tokens of a text, special ones included.
            pooling: What becomes the vector.
            prefix: Words before each text.

        Raises:
            ModelRefused: The encoder does not read vectors.
        """
        import torch

        before, within, after = self._frame(prefix)
        room = max(min(limit, self._longest) - len(before) - len(after), 1)
        lengths, body = lengths.clamp(max=room), inputs[:, :room]
        end = len(before) + lengths[:, None]  # (texts, 1)
        at = torch.arange(len(before) + body.shape[1] + len(after))
        present = (at < end + len(after)).long()  # (texts, length)
        ids, kinds = torch.full_like(present, self._pad), torch.full_like(present, within)
        for number, (token, kind) in enumerate(before):
            ids[:, number], kinds[:, number] = token, kind
        for number, (token, kind) in enumerate(after):
            ids.scatter_(1, end + number, token)
            kinds.scatter_(1, end + number, kind)
        read = (at >= len(before)) & (at < end)
        moved = torch.nn.functional.pad(body, (0, 0, len(before), len(after)))
        vectors = torch.where(read[..., None], moved, self._model.get_input_embeddings()(ids))
        arguments = {"inputs_embeds": vectors, "attention_mask": present}
        if self._types:
            arguments["token_type_ids"] = kinds * present
        try:
            hidden = self._model(**arguments).last_hidden_state  # (texts, length, dimension)
        except (AttributeError, IndexError, RuntimeError, TypeError, ValueError) as error:
            raise ModelRefused(
                f"The encoder in {self.folder} does not run on vectors in place of tokens: {error}"
            ) from error
        embeddings: torch.Tensor = pool(hidden, present, pooling)
        return embeddings

    def _frame(self, prefix: str) -> tuple[list[tuple[int, int]], int, list[tuple[int, int]]]:
        """Return what stands before a text, the type of its own tokens, and what stands after: tokens and types."""
        ((ids, kinds),) = self.tokens([prefix + _PROBE], self._longest)
        alone = self._tokenizer(_PROBE, add_special_tokens=False)["input_ids"]
        start = next((at for at in range(len(ids)) if ids[at : at + len(alone)] == alone), 0)
        framed = list(zip(ids, kinds, strict=True))
        return framed[:start], kinds[start], framed[start + len(alone) :]

    def _forward(self, tokens: list[tuple[list[int], list[int]]], length: int, pooling: Pooling) -> NDArray[np.float32]:
        import torch

        ids = np.full((rows(length, self.device), length), self._pad, np.int64)
        types = np.zeros_like(ids)
        present = np.zeros_like(ids)
        for row in range(len(ids)):
            # The rows left over repeat the first text, because a row of nothing but padding has no mean.
            text, kinds = tokens[row] if row < len(tokens) else tokens[0]
            ids[row, : len(text)], types[row, : len(text)], present[row, : len(text)] = text, kinds, 1
        inputs = {"input_ids": ids, "attention_mask": present, **({"token_type_ids": types} if self._types else {})}
        try:
            with torch.inference_mode():
                arguments = {name: torch.from_numpy(array).to(self.device) for name, array in inputs.items()}
                hidden = self._model(**arguments).last_hidden_state  # (rows, length, dimension)
                vectors: NDArray[np.float32] = pool(hidden, arguments["attention_mask"], pooling).float().cpu().numpy()
        except (AttributeError, IndexError, RuntimeError, TypeError, ValueError) as error:
            raise ModelRefused(f"The encoder in {self.folder} does not run: {error}") from error
        return vectors[: len(tokens)]


@lru_cache(maxsize=2)
def network(folder: Path, digest: str, device: Device) -> Network:
    """Return an encoder, kept in memory for the next query.

    Args:
        folder: Where its files lie.
        digest: Their digest, so that changed files are loaded anew; what is loaded must have it.
        device: Where it runs.

    Raises:
        ModelRefused: The folder holds no encoder that can be loaded safely.
    """
    known = digests_of(folder)
    if summed(known) != digest:
        raise ModelRefused(
            f"The files in {folder} changed while they were in use: their digest is {summed(known)}, and was {digest}. "
            "Ask again."
        )
    trial.attempt(folder, known)
    return Network(folder, device, known)


def pool(hidden: Any, present: Any, pooling: Pooling) -> Any:
    """Return one vector a text, (texts, dimension), padding on the right left out.

    Args:
        hidden: (texts, length, dimension) hidden states of the last layer.
        present: (texts, length) 1 for a token of the text, 0 for padding.
        pooling: What becomes the vector.
    """
    import torch

    weights = present[:, :, None].to(hidden.dtype)
    match pooling:
        case "last":
            return hidden[torch.arange(len(hidden), device=hidden.device), present.sum(1) - 1]
        case "first":
            return hidden[:, 0]
        case "mean":
            return (hidden * weights).sum(1) / weights.sum(1)
        case "max":
            return hidden.masked_fill(weights == 0, -torch.inf).max(1).values
        case "root mean":
            return (hidden * weights).sum(1) / weights.sum(1).sqrt()
        case "weighted mean":
            later = weights * torch.arange(1, hidden.shape[1] + 1, device=hidden.device)[None, :, None]
            return (hidden * later).sum(1) / later.sum(1)


def padded(tokens: int) -> int:
    """Return the length that a text of this many tokens is padded to.

    >>> [padded(tokens) for tokens in (1, 4, 5, 33, 65, 200)]
    [4, 4, 8, 40, 80, 224]
    """
    step = 4 if tokens <= 32 else 8 if tokens <= 64 else 16 if tokens <= 128 else 32
    return -(-tokens // step) * step


def rows(length: int, device: Device) -> int:
    """Return how many texts of a padded length make a batch."""
    return max(TOKENS_AT_ONCE[device] // length, 1)
