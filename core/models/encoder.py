"""A pretrained encoder that returns one vector per text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import field_validator

from core.encoders.folders import MODULES, commit, digest_of, is_hub_id, locate, replaced
from core.encoders.integrity import vouched
from core.encoders.opened import OpenEncoder
from core.encoders.records import DEFAULT, RECORDS, EncoderRecord, NamesEncoders, prefixed, record_of, unknown
from core.encoders.sentence_folders import Reading, reading
from core.encoders.stored_embeddings import StoredEmbeddings, text_key
from core.errors import InvalidSpec, ModelRefused
from core.keys import key_of
from core.runtime.context import RunContext
from core.spec import parameter
from core.statistics.unit_length import SHORTEST, scaled
from core.targets.sentence_encoder import OpenSentenceModel

if TYPE_CHECKING:
    import torch

    from core.encoders.network import Network

_WRITE_AT_ONCE = 256
"""Embeddings that wait in memory before they are stored."""


class Encoder(OpenSentenceModel):
    """A general-purpose language model as a sentence encoder (Pan et al. 2020, section III-A).

    A text is cut into tokens, each token becomes a hidden state, and those of the last layer are pooled into one
    vector. The paper takes the last hidden state, where its encoders have a special token. Current systems take the
    mean, for which the bundled encoder was trained; so the mean is the default. The makers of encoders for search scale
    embeddings to length one (``normalise`` in their record); the paper does not, and raw is the default.

    A folder of sentence-transformers is read as it was saved: by the pooling, dense layers, scaling, length and default
    prompt that ``modules.json`` and the files beside it name.

    Example:
        >>> Encoder(source="minilm", pooling="mean").as_dict()["source"]
        'minilm'

    Source: X. Pan, M. Zhang, S. Ji, M. Yang. Privacy Risks of General-Purpose Language Models. IEEE S&P 2020.
    """

    title: ClassVar[str] = "Sentence encoder"

    source: Annotated[str, NamesEncoders()] = parameter(
        DEFAULT,
        "Name of a known encoder. The command line also takes an id on the Hugging Face hub (org/name), or the path of "
        "a folder with safetensors.",
        label="Encoder",
        min_length=1,
        max_length=500,
    )
    pooling: Literal["last", "first", "mean"] = parameter(
        "mean",
        "Which hidden state becomes the embedding: the last token's (the paper's), the first one's, or the mean. A "
        "folder of sentence-transformers says so itself.",
    )
    length: Literal["raw", "unit"] = parameter(
        "raw",
        "Whether embeddings are scaled to length one, as the makers of most encoders for search do and stores hold "
        "them, or left as they come out of the last layer.",
        label="Length",
        implied="raw",
    )
    max_tokens: int = parameter(
        256,
        "Longer texts are cut off here, or at the encoder’s own limit.",
        unit="tokens",
        ge=1,
        le=8192,
        advanced=True,
    )
    revision: str = parameter("", "Commit on the hub; empty for the one on record.", max_length=100, advanced=True)
    device: Literal["auto", "cpu", "cuda"] = parameter(
        "auto", "Where the encoder runs; automatic takes a GPU if there is one.", advanced=True
    )

    @field_validator("source")
    @classmethod
    def _may_be_an_encoder(cls, source: str) -> str:
        if source.lower() in RECORDS and "/" not in source:
            return source.lower()
        if "\0" in source or (source not in RECORDS and not {"/", "\\"} & set(source)):
            raise ValueError(unknown(source))
        return source

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: fields, version and the digest of the files.

        A full commit of an encoder on the hub stands for them before and after the download. If they are not on this
        machine, the digest on record or else the revision does. The device does not count.
        """
        fields = super().identity()
        del fields["device"]
        if at := commit(self.source, self.revision):
            return {**fields, "files": at}
        folder = locate(self.source, self.revision)
        try:
            if folder and (saved := self.saved(folder)):
                return {**fields, "pooling": "as saved", "files": saved.identity()}
            return {**fields, "files": digest_of(folder) if folder else self._expected}
        except (InvalidSpec, ModelRefused, OSError):
            return {**fields, "files": "none"}  # loading it raises the error

    def saved(self, folder: Path) -> Reading | None:
        """Return how a folder of sentence-transformers is read; None for any other, or where the hub has the encoder.

        Raises:
            InvalidSpec: The folder says another pooling than is asked for.
            ModelRefused: It names a module that is not understood.
        """
        if self.source in RECORDS or is_hub_id(self.source) or not (folder / MODULES).is_file():
            return None
        saved = reading(folder)
        if self.pooling not in (saved.pooling, type(self).model_fields["pooling"].default):
            raise InvalidSpec(
                f"The 'pooling' parameter of {self.part_name()} must be as the folder was saved, which takes "
                f"{saved.described()}. Got {self.pooling!r} instead; leave it out.",
                "pooling",
            )
        return saved

    def _reading(self, folder: Path) -> Reading:
        """Return how texts are read, but for the prefixes of makers; errors are those of `saved`."""
        read = self.saved(folder) or Reading(folder, self.pooling)
        return replace(read, tokens=min(read.tokens, self.max_tokens))

    def named_encoders(self) -> tuple[tuple[str, str], ...]:
        """Return its source and revision."""
        return ((self.source, self.revision),)

    def encode(self, texts: Sequence[str], context: RunContext, whose: str = "texts") -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension).

        Each different text is embedded once and stored; an empty text is embedded as the special tokens alone. Where
        the makers of the encoder put a prefix before stored texts, each gets it that has not got it. Where all are
        stored, nothing is reported.

        Args:
            texts: The texts.
            context: Store and progress reporter of the run.
            whose: What the progress report calls them.

        Raises:
            InvalidSpec: A GPU was requested and there is none.
            ModelUnavailable: The encoder is neither on this machine nor reachable.
            ModelRefused: Its files are missing, unsafe or broken, or its output is not finite.
            StoreFull: No space is left for the embeddings.
            StoreReadOnly: The store cannot be written.
        """
        prefix = self._record.document_prefix if self._record else ""
        return self._embedded(prefixed(texts, prefix), context, whose)

    def _embedded(self, texts: Sequence[str], context: RunContext, whose: str) -> NDArray[np.float32]:
        """Return the embeddings of texts as they are, (texts, dimension)."""
        from core.encoders.devices import device_of
        from core.encoders.hub import obtain
        from core.encoders.network import network
        from core.encoders.safety import check, width

        how = self._reading(obtain(self.source, self.revision))
        folder, texts = how.folder, how.read(texts)
        config = check(folder)
        digest = vouched(self.source, folder)
        device = device_of(self.device)
        stored = StoredEmbeddings(context.store, key_of([digest, how.pooling, how.tokens, device, self.version]))
        keys = [text_key(text) for text in texts]
        distinct = dict(zip(keys, texts, strict=True))
        embeddings = stored.get(distinct)
        missing = [key for key in distinct if key not in embeddings]
        if missing:
            name = RECORDS[self.source].title if self.source in RECORDS else folder.name
            if not stored.path.exists() and (files := replaced(folder)):
                name += f", whose {' and '.join(files)} changed since its last use"
            what = whose if len(distinct) > 1 else "one text"
            context.progress.stage(f"Embedding {what} with {name}", total=len(distinct), done=len(embeddings))
            fresh: dict[bytes, NDArray[np.float32]] = {}
            encoder = network(folder, digest, device)
            try:
                for numbers, vectors in encoder.embed([distinct[key] for key in missing], how.tokens, how.pooling):
                    fresh |= {missing[number]: vector for number, vector in zip(numbers, vectors, strict=True)}
                    if len(fresh) >= _WRITE_AT_ONCE:
                        stored.put(fresh)
                        embeddings |= fresh
                        fresh = {}
                    context.progress.advance(len(numbers))
            finally:
                stored.put(fresh)
            embeddings |= fresh
        if not keys:
            return how.finished(np.empty((0, width(config)), np.float32))
        vectors = how.finished(np.stack([embeddings[key] for key in keys]))
        return scaled(vectors) if self.length == "unit" else vectors

    def encode_queries(self, queries: Sequence[str], context: RunContext) -> NDArray[np.float32]:
        """Return the embeddings of what is searched for, (queries, dimension), with the prefix of its makers.

        Raises:
            TelltaleError: As `encode` does.
        """
        if self._record is None or self._record.query_prefix == self._record.document_prefix:
            return self.encode(queries, context, "queries")
        return self._embedded(prefixed(queries, self._record.query_prefix), context, "queries")

    def open_encoder(self, context: RunContext) -> OpenEncoder:
        """Return the encoder with its weights; it runs on the CPU.

        Raises:
            ModelUnavailable: The encoder is neither on this machine nor reachable.
            ModelRefused: Its files are not those that were published.
        """
        from core.encoders.hub import obtain

        how = self._reading(obtain(self.source, self.revision))
        prefix = self._record.document_prefix if self._record else how.prompt
        return _OpenEncoder(how, vouched(self.source, how.folder), self.length, prefix)

    @property
    def _record(self) -> EncoderRecord | None:
        return record_of(self.source)

    @property
    def _expected(self) -> str:
        """What identifies files that are not on this machine."""
        record = RECORDS.get(self.source)
        if record is None:
            return self.revision or ("main" if is_hub_id(self.source) else "")
        return self.revision or record.digest or record.revision


@dataclass(frozen=True)
class _OpenEncoder:
    """An encoder with its weights; each process loads it once.

    Methods raise `ModelUnavailable` if the encoder is neither on this machine nor reachable, and `ModelRefused` if its
    files are missing, unsafe or broken, or its output is not finite.

    Attributes:
        how: How it reads texts.
        digest: Digest of the files.
        length: Whether embeddings are scaled to length one.
        prefix: What is put before each text.
    """

    how: Reading
    digest: str
    length: Literal["raw", "unit"] = "raw"
    prefix: str = ""

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that determines its output."""
        fields = {
            "files": self.digest,
            "pooling": self.how.pooling,
            "max_tokens": self.how.tokens,
        }
        plain = self.how == Reading(self.how.folder, self.how.pooling, tokens=self.how.tokens)
        further: dict[str, Any] = {} if plain else {"saved": self.how.identity()}
        if self.length != "raw":
            further["length"] = self.length
        if self.prefix:
            further["prefix"] = self.prefix
        return {**fields, **further}

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension), without the store."""
        read = self.how.read(texts) if self.how.prompt else prefixed(texts, self.prefix)
        vectors = self.how.finished(self._network.embedded(read, self.how.tokens, self.how.pooling))
        return scaled(vectors) if self.length == "unit" else vectors

    def word_vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the input vector of each word, (words, input dimension)."""
        return self._network.word_vectors(words)

    def embed(self, inputs: "torch.Tensor", lengths: "torch.Tensor") -> "torch.Tensor":
        """Return the embeddings of texts given as input vectors, (texts, dimension), with a gradient for these."""
        pooled = self._network.embed_vectors(inputs, lengths, self.how.tokens, self.how.pooling, self.prefix)
        vectors = self.how.finished_tensors(pooled)
        unit = self.length == "unit"
        return vectors / vectors.norm(dim=1, keepdim=True).clamp_min(SHORTEST) if unit else vectors

    @property
    def _network(self) -> "Network":
        from core.encoders.network import network

        return network(self.how.folder, self.digest, "cpu")
