"""Access to a target model: each object answers the queries of one threat model, and counts them."""

from collections.abc import Callable, Sequence
from copy import copy
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from core.encoders.opened import OpenEncoder
from core.encoders.own_embeddings import AppliedDefenses, OwnEmbeddings
from core.networks.document_classifier import DocumentClassifier
from core.networks.word_embedding import Embedding, Network

if TYPE_CHECKING:
    import torch

    from core.networks.bilstm_crf import OpenNetwork
    from core.networks.sentence_translator import SentenceTranslator

Encode = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts to their embeddings, (texts, dimension)."""


class Access:
    """Base of every access object.

    Attributes:
        title: What the adversary sees of the model.
        queried: What one query is about, in the plural.
        queries: Number of queries answered so far.
    """

    title: ClassVar[str]
    queried: ClassVar[str]

    def __init__(self) -> None:
        self.queries = 0


class WordVectors(Access):
    """Black-box access to a word embedding: a word in, its vector out (Mahloujifar et al. 2021, section 2)."""

    title = "the vector of any word"
    queried = "Words"

    def __init__(self, embedding: Embedding) -> None:
        super().__init__()
        self._embedding = embedding

    def query(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of words, (words, dimension); NaN outside the vocabulary. One query a word."""
        self.queries += len(words)
        return self._embedding.lookup(words)


class OwnWordVectors(WordVectors):
    """Black-box access to the word vectors that a user holds: a word in, its vector out."""

    title = "the vector of any word of your own model"

    def knows(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return which words have a vector, (words,). The auditor's count, which is no query."""
        return np.asarray(~np.isnan(self._embedding.lookup(words)).any(axis=1))


class WordNetworks(WordVectors):
    """A word embedding with its output vectors, which Song and Raghunathan 2020 withhold from the adversary."""

    title = "the vector of any word, and its vector as context"

    def __init__(self, network: Network) -> None:
        super().__init__(network)
        self._network = network

    def both(self, words: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return input and output vectors, (words, dimension) each; NaN outside the vocabulary. One query a word."""
        self.queries += len(words)
        return self._network.both(words)


class DocumentLabels(Access):
    """A spam filter that gives the class of a document only (Mahloujifar et al. 2021, section 4.1)."""

    title = "the class of any document"
    queried = "Documents"

    def __init__(self, classifier: DocumentClassifier) -> None:
        super().__init__()
        self._classifier = classifier

    def query(
        self, documents: Sequence[Sequence[str]], words: Sequence[str] = (), repetitions: int = 0
    ) -> NDArray[np.bool_]:
        """Return the classes of documents with each word appended 0 to ``repetitions`` times.

        One query a document, word and number of repetitions.

        Args:
            documents: The words of each document.
            words: Words to append, one at a time; without any, the documents are classified as they are.
            repetitions: Most times a word is appended.

        Returns:
            (documents, words, repetitions + 1) whether it is spam; (documents, 1, 1) without words.
        """
        scores = self._classifier.scores(words) if words else np.full(1, np.nan)
        labels = self._classifier.sums(documents).appended(scores, repetitions if words else 0)
        self.queries += labels.size
        return labels


class TextEmbeddings(Access):
    """An encoder as an oracle: a text in, its embedding out (Song and Raghunathan 2020, section 5.2)."""

    title = "the embedding of any text"
    queried = "Texts"

    def __init__(self, encode: Encode) -> None:
        super().__init__()
        self._encode = encode

    def query(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension). One query a text."""
        self.queries += len(texts)
        return self._encode(texts)


class SentenceEmbeddings(Access):
    """The victims' embeddings, and their encoder as an oracle (Pan et al. 2020, section IV-B).

    Args:
        victims: (victims, dimension) the released embeddings, after any defense; they become read-only.
        encode: The public encoder, without any defense.
        retrained: The encoder under the defenses of training.
        defenses: The defenses of the release, as the adversary can run them itself; None without any.
        seed: Source of the one draw that a query returns.
    """

    title = "embeddings of texts, and the encoder they come from"
    queried = "Texts"

    def __init__(
        self,
        victims: NDArray[np.float32],
        encode: Encode,
        retrained: Encode,
        defenses: AppliedDefenses | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__()
        self.victims = victims
        self.victims.flags.writeable = False
        self.released = len(victims)  # those that `beside` adds come after them
        self._encode, self._retrained, self._defenses, self._seed = encode, retrained, defenses, seed

    def known(self, texts: Sequence[str], *, defended: bool = False) -> OwnEmbeddings:
        """Embed texts once, to be defended as often as one likes if ``defended``. One query a text."""
        self.queries += len(texts)
        encode, defenses = (self._retrained, self._defenses) if defended else (self._encode, None)
        return OwnEmbeddings(encode(texts), defenses, self._seed)

    def query(self, texts: Sequence[str], *, defended: bool = False) -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension), after the defenses if ``defended``. One query a text."""
        return self.known(texts, defended=defended).vectors

    def add_queries(self, texts: int) -> None:
        """Count texts whose embeddings were asked for before."""
        self.queries += texts

    def beside(self, embeddings: NDArray[np.float32]) -> Self:
        """Return this access with further embeddings after the victims'."""
        wider, both = copy(self), np.concatenate([self.victims, embeddings])
        both.flags.writeable, wider.victims = False, both
        return wider


class EncoderInternals(SentenceEmbeddings):
    """The victims' embeddings, and white-box access to their encoder (Song and Raghunathan 2020, section 3).

    Computing with the encoder costs no query, because the adversary holds it.

    Args:
        victims: As in `SentenceEmbeddings`, like all arguments that are not listed here.
        encoder: The encoder of the victims' embeddings, before any defense changed them.
    """

    title = "embeddings of texts, and everything inside the encoder"

    def __init__(
        self,
        victims: NDArray[np.float32],
        encode: Encode,
        retrained: Encode,
        encoder: OpenEncoder,
        defenses: AppliedDefenses | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(victims, encode, retrained, defenses, seed)
        self.encoder = encoder


class NetworkInternals(Access):
    """White-box access to a trained network: parameters, word vectors and loss (Parikh et al. 2022, section 3)."""

    title = "everything inside the network"
    queried = "Requests"

    def __init__(self, network: "OpenNetwork") -> None:
        super().__init__()
        self._network = network

    def parameters(self) -> "dict[str, torch.Tensor]":
        """Return the trained parameters and the word vectors, by name."""
        return self._network.parameters()

    def describe(self, words: Sequence[str]) -> "torch.Tensor":
        """Return the inputs of the recurrent layers for words, (words, d)."""
        return self._network.describe(words)

    def losses(self, inputs: "torch.Tensor", intents: Sequence[str], tags: Sequence[Sequence[str]]) -> "torch.Tensor":
        """Return the sum of intent loss and tag loss, (puzzles, runs), with a gradient for the inputs. One query a run.

        The inputs, (puzzles, runs, time, d), need not be vectors of words. Intents and slot tags are given by puzzle.
        """
        self.queries += inputs.shape[0] * inputs.shape[1]
        return self._network.losses(inputs, intents, tags)


class Translator(Access):
    """A translation service: a sentence in, one translation out (Hisamoto et al. 2020, section 2.1)."""

    title = "the translation of any sentence"
    queried = "Sentences"

    def __init__(self, translation: "SentenceTranslator") -> None:
        super().__init__()
        self._translation = translation

    def translate(self, sources: Sequence[str]) -> list[str]:
        """Return translations. One query a sentence."""
        self.queries += len(sources)
        return self._translation.translate(sources)[0]


class ScoringTranslator(Translator):
    """A translation service that scores its translation and any given one (Hisamoto et al. 2020, section 6.1)."""

    title = "the translation of any sentence, and the probability of any translation"

    def scored(self, sources: Sequence[str]) -> tuple[list[str], NDArray[np.float64]]:
        """Return translations and the mean log-probability of a token of each, in nats, (sources,). One query each."""
        self.queries += len(sources)
        return self._translation.translate(sources)

    def log_probabilities(self, sources: Sequence[str], targets: Sequence[str]) -> NDArray[np.float64]:
        """Return the mean log-probability of a token of each given translation, in nats, (sources,). One query each."""
        self.queries += len(sources)
        return self._translation.log_probabilities(sources, targets)
