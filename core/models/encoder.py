"""A pretrained encoder, asked for one vector a text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import field_validator

from core.access import OpenEncoder
from core.encoders.folders import digest_of, is_hub_id, locate
from core.encoders.integrity import vouched
from core.encoders.kept import Kept, text_key
from core.encoders.records import DEFAULT, RECORDS, unknown
from core.errors import ModelRefused
from core.runtime.context import RunContext
from core.spec import key_of, parameter
from core.targets.sentence_encoder import OpenSentenceModel

if TYPE_CHECKING:
    import torch

    from core.encoders.network import Network, Pooling

_KEEP_AT_ONCE = 256
"""Embeddings that wait in memory before they are kept."""


class Encoder(OpenSentenceModel):
    """A general-purpose language model as a sentence encoder (Pan et al. 2020, section III-A).

    A text is cut into tokens, each token becomes a hidden state, and one vector is made of those of the last layer.
    The paper takes the last one, which is what its encoders put a special token there for. Systems of today take the
    mean, for which the encoder that comes with the code was trained; so the mean is the default.

    Example:
        >>> Encoder(source="minilm", pooling="mean").as_dict()["source"]
        'minilm'

    Source: X. Pan, M. Zhang, S. Ji, M. Yang. Privacy Risks of General-Purpose Language Models. IEEE S&P 2020.
    """

    title: ClassVar[str] = "Sentence encoder"

    source: str = parameter(
        DEFAULT,
        "Name of a known encoder, an id on the Hugging Face hub (org/name), or the path of a folder with safetensors.",
        label="Encoder",
        min_length=1,
        max_length=500,
    )
    pooling: Literal["last", "first", "mean"] = parameter(
        "mean",
        "Which hidden state becomes the embedding: the last token's (the paper's), the first one's, or the mean.",
    )
    max_tokens: int = parameter(
        256, "Longer texts are cut off here, or where the encoder ends.", unit="tokens", ge=1, le=8192, advanced=True
    )
    revision: str = parameter(
        "", "Commit on the hub; empty for the known encoder's own.", max_length=100, advanced=True
    )
    device: Literal["auto", "cpu", "cuda"] = parameter(
        "auto", "Where the encoder runs; automatic takes a GPU where there is one.", advanced=True
    )

    @field_validator("source")
    @classmethod
    def _may_be_an_encoder(cls, source: str) -> str:
        if "\0" in source or (source not in RECORDS and not {"/", "\\"} & set(source)):
            raise ValueError(unknown(source))
        return source

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: fields, version and the digest of the files.

        Where they are not on this machine, the digest is the one on record, or else the revision. Where the encoder
        runs does not matter.
        """
        fields = super().identity()
        del fields["device"]
        folder = locate(self.source, self.revision)
        try:
            return {**fields, "files": digest_of(folder) if folder else self._expected}
        except (ModelRefused, OSError):
            return {**fields, "files": "none"}  # to load it says what is wrong

    def encode(self, texts: Sequence[str], context: RunContext) -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension).

        Each different text is embedded once and kept; an empty text is embedded as the special tokens alone.

        Raises:
            InvalidSpec: A GPU was asked for and there is none.
            ModelUnavailable: The encoder is neither on this machine nor reachable.
            ModelRefused: Its files are missing, unsafe or broken, or what it gives are no numbers.
            StoreFull: No space is left for the embeddings.
            StoreReadOnly: They cannot be kept.
        """
        from core.encoders.hub import obtain
        from core.encoders.network import device_of, network
        from core.encoders.safety import check, width

        folder = obtain(self.source, self.revision)
        config = check(folder)
        digest = vouched(self.source, folder)
        device = device_of(self.device)
        kept = Kept(context.store, key_of([digest, self.pooling, self.max_tokens, device, self.version]))
        keys = [text_key(text) for text in texts]
        distinct = dict(zip(keys, texts, strict=True))
        found = kept.get(distinct)
        name = RECORDS[self.source].title if self.source in RECORDS else folder.name
        context.progress.stage(f"Embedding texts with {name}", total=len(distinct), done=len(found))
        missing = [key for key in distinct if key not in found]
        if missing:
            fresh: dict[bytes, NDArray[np.float32]] = {}
            asked = network(folder, digest, device)
            try:
                for numbers, vectors in asked.embed([distinct[key] for key in missing], self.max_tokens, self.pooling):
                    fresh |= {missing[number]: vector for number, vector in zip(numbers, vectors, strict=True)}
                    if len(fresh) >= _KEEP_AT_ONCE:
                        kept.put(fresh)
                        found |= fresh
                        fresh = {}
                    context.progress.advance(len(numbers))
            finally:
                kept.put(fresh)
            found |= fresh
        if not keys:
            return np.empty((0, width(config)), np.float32)
        return np.stack([found[key] for key in keys])

    def opened(self, context: RunContext) -> OpenEncoder:
        """Return the encoder as one sees it from inside; it runs on the CPU.

        Raises:
            ModelUnavailable: The encoder is neither on this machine nor reachable.
            ModelRefused: Its files are not those that were published.
        """
        from core.encoders.hub import obtain

        digest = vouched(self.source, obtain(self.source, self.revision))
        return _Opened(self.source, self.revision, digest, self.pooling, self.max_tokens)

    @property
    def _expected(self) -> str:
        """What stands for files that are not here."""
        record = RECORDS.get(self.source)
        if record is None:
            return self.revision or ("main" if is_hub_id(self.source) else "")
        return self.revision or record.digest or record.revision


@dataclass(frozen=True)
class _Opened:
    """An encoder seen from inside; each process loads it once.

    Attributes:
        source: Where its files are obtained.
        revision: Commit on the hub.
        digest: Digest of the files.
        pooling: Which hidden state becomes the embedding.
        max_tokens: Longer texts are cut off here.
    """

    source: str
    revision: str
    digest: str
    pooling: "Pooling"
    max_tokens: int

    @property
    def identity(self) -> dict[str, Any]:
        """All that determines what it gives."""
        return {"files": self.digest, "pooling": self.pooling, "max_tokens": self.max_tokens}

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension), each computed anew.

        Raises:
            ModelUnavailable: The encoder is neither on this machine nor reachable.
            ModelRefused: Its files are missing, unsafe or broken, or what it gives are no numbers.
        """
        found = {
            number: vector
            for numbers, vectors in self._network.embed(texts, self.max_tokens, self.pooling)
            for number, vector in zip(numbers, vectors, strict=True)
        }
        return np.stack([found[number] for number in range(len(texts))])

    def word_vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return what the first layer makes of each word on its own, (words, input dimension).

        Raises:
            ModelUnavailable: The encoder is neither on this machine nor reachable.
            ModelRefused: Its files are missing, unsafe or broken.
        """
        return self._network.word_vectors(words)

    def embed(self, inputs: "torch.Tensor", lengths: "torch.Tensor") -> "torch.Tensor":
        """Return the embeddings of texts with vectors in place of words, (texts, dimension), with a gradient for them.

        Raises:
            ModelUnavailable: The encoder is neither on this machine nor reachable.
            ModelRefused: Its files are missing, unsafe or broken, or it does not read vectors.
        """
        return self._network.embed_vectors(inputs, lengths, self.max_tokens, self.pooling)

    @property
    def _network(self) -> "Network":
        from core.encoders.hub import obtain
        from core.encoders.network import network

        return network(obtain(self.source, self.revision), self.digest, "cpu")
