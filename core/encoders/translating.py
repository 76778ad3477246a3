"""A loaded model that turns a text into a text, such as a translator: losses of given translations, and its own."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.encoders import trial
from core.encoders.devices import Device, device_of
from core.encoders.folders import digests_of
from core.encoders.loading import load_translator, refusing
from core.errors import ModelRefused

_AT_ONCE = 16
"""Texts in a batch."""
_LEFT_OUT = -100
"""What stands for padding in the tokens whose loss is asked for."""


class TranslationNetwork:
    """A model in memory that turns a text into a text, by greedy search.

    Batches are of texts in the order of their length, so that the same texts in the same order give the same values.
    """

    def __init__(self, folder: Path, device: Device, known: Mapping[str, str] | None = None) -> None:
        """Load the files of a folder.

        Args:
            folder: Where they lie.
            device: Where the network runs.
            known: SHA-256 that each file must have, by name; None for any.

        Raises:
            ModelRefused: The folder holds no such model that can be loaded safely, or one that must be told languages.
        """
        import torch

        self.folder = folder
        self.device = torch.device(device)
        self.tokenizer, self.model = load_translator(folder, known)
        if hasattr(self.tokenizer, "lang_code_to_id") or hasattr(self.tokenizer, "src_lang"):
            raise ModelRefused(
                f"{folder} translates between many languages, and its tokeniser must be told which. Only models of one "
                "pair of languages, such as Marian’s, or with the task in the text, such as T5’s, are read."
            )
        self.model.to(self.device).eval().requires_grad_(False)

    def tokens(self, texts: Sequence[str], limit: int, *, targets: bool = False) -> list[tuple[list[int], bool]]:
        """Return the tokens of each text, the first ``limit`` of them, and whether some are left out.

        Args:
            texts: What to cut.
            limit: Most tokens of a text, special ones included.
            targets: Whether they are translations, which some models cut otherwise than what is translated.

        Raises:
            ModelRefused: The tokeniser fails.
        """
        encodable = [text.encode("utf-8", "replace").decode() for text in texts]
        side = {"text_target": encodable} if targets else {"text": encodable}
        with refusing(f"The tokeniser in {self.folder} does not run"):
            cut: list[list[int]] = self.tokenizer(**side, return_attention_mask=False, verbose=False)["input_ids"]
        # What ends a text stays behind one that is cut off.
        return [(ids if len(ids) <= limit else [*ids[: limit - 1], ids[-1]], len(ids) > limit) for ids in cut]

    def losses(self, sources: Sequence[str], targets: Sequence[str], limit: int) -> list[NDArray[np.float64]]:
        """Return the loss of each token of each given translation, in nats, (tokens,) each.

        Either side is cut to its first ``limit`` tokens, the last of which gives way to what ends a text.

        Raises:
            ModelRefused: The model does not run, or gives no finite numbers.
        """
        import torch
        from torch.nn.functional import cross_entropy

        inputs = [ids for ids, _ in self.tokens(sources, limit)]
        wanted = [ids for ids, _ in self.tokens(targets, limit, targets=True)]
        read: list[NDArray[np.float64]] = [np.empty(0)] * len(sources)
        with torch.inference_mode(), refusing(f"The model in {self.folder} does not run"):
            for numbers in _batches([len(one) + len(other) for one, other in zip(inputs, wanted, strict=True)]):
                labels = self._padded([wanted[number] for number in numbers], _LEFT_OUT)
                scores = self.model(**self._read([inputs[number] for number in numbers]), labels=labels).logits
                flat = cross_entropy(scores.float().flatten(0, 1), labels.flatten(), reduction="none")
                by_row = flat.double().cpu().numpy().reshape(labels.shape)
                for row, number in enumerate(numbers):
                    read[number] = by_row[row, : len(wanted[number])]
        if not all(np.isfinite(values).all() for values in read):
            raise ModelRefused(
                f"The model in {self.folder} gives probabilities that are no finite numbers. Its weights are damaged, "
                "or its training failed."
            )
        return read

    def translate(self, sources: Sequence[str], limit: int) -> list[str]:
        """Return the translation of each text by greedy search; either side has at most ``limit`` tokens.

        Raises:
            ModelRefused: The model does not run.
        """
        import torch

        inputs = [ids for ids, _ in self.tokens(sources, limit)]
        translations = [""] * len(sources)
        with torch.inference_mode(), refusing(f"The model in {self.folder} does not run"):
            for numbers in _batches([len(ids) for ids in inputs]):
                batch = self._read([inputs[number] for number in numbers])
                most = min(2 * batch["input_ids"].shape[1] + 10, limit)
                written = self.model.generate(**batch, num_beams=1, do_sample=False, max_new_tokens=most)
                for number, text in zip(
                    numbers, self.tokenizer.batch_decode(written, skip_special_tokens=True), strict=True
                ):
                    translations[number] = text
        return translations

    def _read(self, inputs: Sequence[list[int]]) -> dict[str, Any]:
        import torch

        pad = self.tokenizer.pad_token_id
        lengths = [len(ids) for ids in inputs]
        present = np.arange(max(lengths)) < np.array(lengths)[:, None]
        ids = self._padded(inputs, 0 if pad is None else pad)
        return {"input_ids": ids, "attention_mask": torch.from_numpy(present.astype(np.int64)).to(self.device)}

    def _padded(self, tokens: Sequence[list[int]], padding: int) -> Any:
        import torch

        rows = np.full((len(tokens), max(map(len, tokens))), padding, np.int64)
        for row, ids in zip(rows, tokens, strict=True):
            row[: len(ids)] = ids
        return torch.from_numpy(rows).to(self.device)


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the numbers of texts of similar length."""
    order = np.argsort(lengths, kind="stable").tolist()
    for start in range(0, len(order), _AT_ONCE):
        yield order[start : start + _AT_ONCE]


def opened(folder: Path) -> TranslationNetwork:
    """Return the model of a folder, tried before in a process of its own where its files are unknown.

    Raises:
        ModelRefused: The folder holds no such model that can be loaded safely.
    """
    known = digests_of(folder)
    trial.attempt(folder, known, "translator")
    return TranslationNetwork(folder, device_of("auto"), known)
