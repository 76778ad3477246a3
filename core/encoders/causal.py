"""A loaded causal language model: texts to tokens, and tokens to their losses."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.encoders import trial
from core.encoders.devices import Device, device_of
from core.encoders.folders import digests_of
from core.encoders.loading import check_causal, load_causal, refusing
from core.encoders.network import TOKENS_AT_ONCE, padded, rows
from core.encoders.positions import longest
from core.errors import ModelRefused
from core.runtime.threads import BATCHES, side_by_side

if TYPE_CHECKING:
    import torch

Tokens = NDArray[np.int64]

_MOST_SCORES = 1 << 28
"""Scores of next tokens in memory at a time."""
_NO_LIMIT = 1 << 30
"""Tokens of a document that is read whole."""
_IN_CACHE = 1 << 17
"""Scores of next tokens that a processor's cache holds beside their log-probabilities."""

_NOT_FINITE = (
    "The language model in {folder} gives probabilities that are no finite numbers. Its weights are damaged, or its "
    "training failed."
)

Measure = Callable[["torch.Tensor", "torch.Tensor"], "torch.Tensor"]
"""What is read of log-probabilities, (positions, vocabulary), or hidden states, and of the tokens that follow."""

_Batch = tuple[list[int], int, int]
"""Numbers of documents of similar length, the length they are padded to, and the rows of the batch."""


class CausalNetwork:
    """A causal language model in memory.

    A text is read after the token that begins texts, or else ends them, so that its first token has a loss, too. The
    shape of a batch depends on the length of its texts alone, as for encoders.
    """

    def __init__(self, folder: Path, device: Device, known: Mapping[str, str] | None = None) -> None:
        """Load the files of a folder.

        Args:
            folder: Where they lie.
            device: Where the network runs.
            known: SHA-256 that each file must have, by name; None for any.

        Raises:
            ModelRefused: The folder holds no causal language model that can be loaded safely.
        """
        import torch

        self.folder = folder
        self.device = torch.device(device)
        self._kind = device
        self._tokenizer, self.model = load_causal(folder, known)
        self.model.to(self.device).eval()
        self.longest = longest(self._tokenizer, self.model.config)
        with refusing(f"The language model in {folder} does not run"):
            self._check_causality()

    def tokens(self, texts: Sequence[str], limit: int) -> list[tuple[Tokens, bool]]:
        """Return the tokens of each text, the first ``limit`` of them, and whether some are left out.

        Args:
            texts: What to cut into tokens.
            limit: Most tokens of a text; a text has at most as many as the model has positions for.

        Raises:
            ModelRefused: The tokeniser fails.
        """
        if not texts:
            return []
        most = min(limit, self.longest)
        # No tokeniser takes half of a surrogate pair.
        encodable = [text.encode("utf-8", "replace").decode() for text in texts]
        with refusing(f"The tokeniser in {self.folder} does not run"):
            encoded = self._tokenizer(encodable, add_special_tokens=False, truncation=True, max_length=most + 1)
        return [(np.array(ids[:most], np.int64), len(ids) > most) for ids in encoded["input_ids"]]

    def tokens_of_words(self, documents: Sequence[Sequence[str]], limit: int) -> list[tuple[Tokens, NDArray[np.int64]]]:
        """Return the tokens of each document, its words with a space between, and the word that each token ends in.

        Args:
            documents: The words of each.
            limit: Most tokens of a document, as for `tokens`; words that are cut off in the middle have no token.

        Raises:
            ModelRefused: The tokeniser fails, or cannot tell which word a token is of.
        """
        most, cut = min(limit, self.longest), []
        for ids, numbers in self._with_words(documents, most + 1):
            kept = numbers < numbers[most] if len(numbers) > most else np.full(len(numbers), True)
            cut.append((ids[kept], numbers[kept]))
        return cut

    def token_counts(self, documents: Sequence[Sequence[str]]) -> list[NDArray[np.int64]]:
        """Return how many tokens end in each word of each document, however long, (words,) each; errors as above."""
        read = zip(documents, self._with_words(documents, _NO_LIMIT), strict=True)
        return [np.bincount(numbers, minlength=len(words)) for words, (_, numbers) in read]

    def _with_words(self, documents: Sequence[Sequence[str]], limit: int) -> Iterator[tuple[Tokens, NDArray[np.int64]]]:
        """Yield the first tokens of each document, and the word that each ends in."""
        if not self._tokenizer.is_fast:
            raise ModelRefused(
                f"The tokeniser in {self.folder} does not say where its tokens lie: tokenizer.json does."
            )
        if not documents:
            return
        with refusing(f"The tokeniser in {self.folder} does not run"):
            encoded = self._tokenizer(
                [" ".join(words) for words in documents],
                add_special_tokens=False,
                truncation=True,
                max_length=limit,
                return_attention_mask=False,
                return_offsets_mapping=True,
            )
        for words, ids, places in zip(documents, encoded["input_ids"], encoded["offset_mapping"], strict=True):
            ends = np.cumsum([len(word) + 1 for word in words], dtype=np.int64) - 1
            yield np.array(ids, np.int64), np.searchsorted(ends, np.array([end for _, end in places], np.int64))

    def losses(self, documents: Sequence[Tokens]) -> list[NDArray[np.float64]]:
        """Return the loss of each token of each document from those before it, in nats, (tokens,)."""
        return [read[:, 0] for read in self._read(documents, _losses, 1)]

    def top_losses(self, documents: Sequence[Tokens], top: int) -> list[NDArray[np.float64]]:
        """Return the loss of each token as who sees only the likeliest ones knows it, see `top_losses`, (tokens,)."""
        return [read[:, 0] for read in self._read(documents, partial(top_losses, top=top), 1)]

    def standings(self, documents: Sequence[Tokens]) -> list[NDArray[np.float64]]:
        """Return the loss, and mean and deviation of the log-probability of all tokens there, of each, (tokens, 3)."""
        return self._read(documents, standings, 3)

    @cached_property
    def begins(self) -> int:
        """The token before the first of a text: what begins texts, or else ends them, or else the first of all."""
        roles = (self._tokenizer.bos_token_id, self._tokenizer.eos_token_id)
        return next((token for token in roles if token is not None), 0)

    @cached_property
    def ends(self) -> int:
        """The token after the last of a text."""
        return self.begins if self._tokenizer.eos_token_id is None else int(self._tokenizer.eos_token_id)

    @cached_property
    def begins_words(self) -> NDArray[np.bool_]:
        """Whether a token begins a word, (vocabulary,): it is written with white space before it."""
        alone = self._tokenizer("a", add_special_tokens=False)["input_ids"]
        tokens = range(min(len(self._tokenizer), self.vocabulary))
        written = self._decoded([[*alone, token] for token in tokens])
        before = len(self._decoded([alone])[0])
        begins = np.zeros(self.vocabulary, np.bool_)
        begins[: len(written)] = [text[before : before + 1].isspace() for text in written]
        return begins

    @cached_property
    def written(self) -> NDArray[np.bool_]:
        """Whether a token is part of texts, (vocabulary,): none of the special ones, and one of the tokeniser's."""
        written = np.arange(self.vocabulary) < len(self._tokenizer)
        written[list(self._tokenizer.all_special_ids)] = False
        return written

    @property
    def vocabulary(self) -> int:
        """Number of tokens."""
        return int(self.model.get_input_embeddings().num_embeddings)

    def spelt(self, tokens: Sequence[Sequence[int]]) -> list[str]:
        """Return the word that each sequence of tokens spells."""
        return [text.strip() for text in self._decoded(tokens)]

    def scores(self, inputs: NDArray[np.int64]) -> "torch.Tensor":
        """Return the scores of all tokens to follow each, (rows, length, vocabulary).

        Args:
            inputs: (rows, length) tokens; what stands after a token does not change its scores.
        """
        import torch

        scores: torch.Tensor = self.model(torch.from_numpy(inputs).to(self.device), use_cache=False).logits
        return scores

    def _decoded(self, tokens: Sequence[Sequence[int]]) -> list[str]:
        decoded: list[str] = self._tokenizer.batch_decode(list(tokens), clean_up_tokenization_spaces=False)
        return decoded

    def _read(self, documents: Sequence[Tokens], measure: Measure, columns: int) -> list[NDArray[np.float64]]:
        read: list[NDArray[np.float64]] = [np.empty((0, columns))] * len(documents)
        batches = self._batches([len(tokens) for tokens in documents])
        function = partial(self._read_batch, documents, measure)
        most = min(_MOST_SCORES // (TOKENS_AT_ONCE["cpu"] * self.vocabulary), BATCHES) if self._kind == "cpu" else 1
        with refusing(f"The language model in {self.folder} does not run"):
            for numbers, by_row in side_by_side(function, batches, most):
                for number, row in zip(numbers, by_row, strict=False):
                    read[number] = row[: len(documents[number])]
        if not all(np.isfinite(values).all() for values in read):
            raise ModelRefused(_NOT_FINITE.format(folder=self.folder))
        return read

    def _read_batch(
        self, documents: Sequence[Tokens], measure: Measure, batch: _Batch
    ) -> tuple[list[int], NDArray[np.float64]]:
        """Return the numbers of a batch's documents, and what is read of its rows, (rows, length, columns)."""
        import torch

        numbers, length, at_once = batch
        inputs = np.full((at_once, length), self.begins, np.int64)
        following = np.full_like(inputs, self.begins)
        for row, number in enumerate(numbers):
            tokens = documents[number]
            inputs[row, 1 : len(tokens)], following[row, : len(tokens)] = tokens[:-1], tokens
        after = torch.from_numpy(following).flatten().to(self.device)
        scores = self.scores(inputs).flatten(0, 1)  # (rows * length, vocabulary)
        some = max(_IN_CACHE // self.vocabulary, 1) if self._kind == "cpu" else len(scores)
        parts = zip(scores.split(some), after.split(some), strict=True)
        columns = [measure(part.float().log_softmax(dim=1), tokens_after) for part, tokens_after in parts]
        return numbers, torch.cat(columns).double().cpu().numpy().reshape(at_once, length, -1)

    def _batches(self, lengths: Sequence[int]) -> Iterator[_Batch]:
        """Yield the batches of documents of these lengths; empty documents are in none."""
        by_length: dict[int, list[int]] = {}
        for number, length in enumerate(lengths):
            if length:
                by_length.setdefault(min(padded(length), max(self.longest, length)), []).append(number)
        for length, numbers in sorted(by_length.items(), reverse=True):
            at_once = max(min(rows(length, self._kind), _MOST_SCORES // (length * self.vocabulary)), 1)
            for start in range(0, len(numbers), at_once):
                yield numbers[start : start + at_once], length, at_once

    def _check_causality(self) -> None:
        """Refuse a model whose prediction depends on what follows, as that of an encoder with another head does."""
        import torch

        last = self.vocabulary - 1
        with torch.inference_mode():
            before = [self.scores(np.array([[0, 0, token]]))[0, :2].float() for token in (0, last // 2, last)]
        if not all(bool(scores.isfinite().all()) for scores in before):
            raise ModelRefused(_NOT_FINITE.format(folder=self.folder))
        if not all(torch.allclose(before[0], other, rtol=1e-4, atol=1e-5) for other in before[1:]):
            raise ModelRefused(
                f"{self.folder} must predict each token from those before it alone. What it predicts depends on later "
                "tokens, as it does for an encoder with another head."
            )


def _losses(logs: "torch.Tensor", following: "torch.Tensor") -> "torch.Tensor":
    return -logs.gather(1, following[:, None])


def top_losses(logs: "torch.Tensor", following: "torch.Tensor", top: int) -> "torch.Tensor":
    """Return the loss at each position, (positions, 1), or that of the last of the likeliest where it is larger.

    Args:
        logs: (positions, vocabulary) log-probabilities.
        following: (positions,) the tokens that follow.
        top: How many of the likeliest are seen.
    """
    least = logs.topk(min(top, logs.shape[1]), dim=1).values[:, -1:]
    return -logs.gather(1, following[:, None]).maximum(least)


def standings(logs: "torch.Tensor", following: "torch.Tensor") -> "torch.Tensor":
    """Return loss, and mean and deviation of the log-probability of all tokens, at each position, (positions, 3).

    Args:
        logs: (positions, vocabulary) log-probabilities.
        following: (positions,) the tokens that follow.
    """
    import torch

    chosen = logs.gather(1, following[:, None])[:, 0]
    weighted = logs.exp() * logs
    mean = weighted.sum(dim=1)
    deviation = (torch.linalg.vecdot(weighted, logs) - mean**2).clamp(min=0).sqrt()
    return torch.stack([-chosen, mean, deviation], dim=1)


def opened(folder: Path, device: Device | None = None) -> CausalNetwork:
    """Return the language model of a folder, tried before in a process of its own where its files are unknown.

    It runs on a GPU where there is one, unless a device is given.

    Raises:
        ModelRefused: The folder holds no causal language model that can be loaded safely.
    """
    check_causal(folder)
    trial.attempt(folder, known := digests_of(folder), "causal")
    return CausalNetwork(folder, device or device_of("auto"), known)
