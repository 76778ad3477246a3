"""What an adversary may touch: objects that answer the queries of one threat model, and count them."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from core.networks.document_classifier import DocumentClassifier
from core.networks.word_embedding import Embedding, Network
from core.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    import torch


class Access:
    """Base of every access object.

    Attributes:
        asked: What a question is, in the plural.
        queries: How many questions were answered so far.
    """

    title: ClassVar[str]
    asked: ClassVar[str]

    def __init__(self) -> None:
        """Start counting."""
        self.queries = 0


class WordVectors(Access):
    """Black-box access to a word embedding: a word in, its vector out (Mahloujifar et al. 2021, section 2)."""

    title = "the vector of any word"
    asked = "Words"

    def __init__(self, embedding: Embedding) -> None:
        """Wrap a trained embedding."""
        super().__init__()
        self._embedding = embedding

    def query(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of words, (words, dimension); NaN for a word outside the vocabulary. One query a word."""
        self.queries += len(words)
        return self._embedding.lookup(words)


class WordNetworks(WordVectors):
    """A word embedding with the network it was read from, as trainers publish it to be trained further.

    Song and Raghunathan 2020 allow vectors only; this says what the other half of the model adds.
    """

    title = "the vector of any word, and its vector as context"
    asked = "Words"

    def __init__(self, network: Network) -> None:
        """Wrap a trained network."""
        super().__init__(network)
        self._network = network

    def both(self, words: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the input and the output vectors of words, (words, dimension) each; NaN outside the vocabulary.

        One query a word.
        """
        self.queries += len(words)
        return self._network.both(words)


class DocumentLabels(Access):
    """A classifier of documents that says spam or not spam, and nothing else (Mahloujifar et al. 2021, section 4.1)."""

    title = "the class of any document"
    asked = "Documents"

    def __init__(self, classifier: DocumentClassifier) -> None:
        """Wrap a trained classifier."""
        super().__init__()
        self._classifier = classifier

    def query(
        self, documents: Sequence[Sequence[str]], words: Sequence[str] = (), repetitions: int = 0
    ) -> NDArray[np.bool_]:
        """Return the classes of documents with each word appended 0 to ``repetitions`` times.

        One query a document, word and number of times.

        Args:
            documents: Each as its words.
            words: What to append, one at a time; the documents are classified as they are when there are none.
            repetitions: Most times a word is appended.

        Returns:
            (documents, words, repetitions + 1) whether it is spam; (documents, 1, 1) without words.
        """
        scores = self._classifier.scores(words) if words else np.full(1, np.nan)
        labels = self._classifier.sums(documents).appended(scores, repetitions if words else 0)
        self.queries += labels.size
        return labels


class Predictor(Protocol):
    """Something that predicts the tokens of documents."""

    def likeliest(
        self, documents: Sequence[NDArray[np.int64]], places: Sequence[NDArray[np.int64]]
    ) -> list[NDArray[np.int64]]:
        """Return the likeliest token at some places of each document, from the tokens before each place."""


class NextWords(Access):
    """A language model that suggests the likeliest next word, and nothing else (Mahloujifar et al. 2021, section 5)."""

    title = "the likeliest next word"
    asked = "Contexts"

    def __init__(self, vocabulary: Vocabulary, predictor: Predictor) -> None:
        """Wrap a trained model with the words it knows."""
        super().__init__()
        self._vocabulary = vocabulary
        self._predictor = predictor

    def query(self, documents: Sequence[Sequence[str]], places: Sequence[NDArray[np.int64]]) -> list[list[str]]:
        """Return what the model suggests at some places of each document, when shown what stands before each.

        One query a place; that those of one document share the reading saves the model's time, not the adversary's
        questions.

        Args:
            documents: The words of each.
            places: Numbers of the words to suggest, for each document; 0 is the first.
        """
        self.queries += sum(map(len, places))
        tokens = self._predictor.likeliest([self._vocabulary.tokens(document) for document in documents], places)
        return [[self._vocabulary.word(token) for token in said.tolist()] for said in tokens]


class TextEmbeddings(Access):
    """An encoder as an oracle: a text in, its vector out (Song and Raghunathan 2020, section 5.2)."""

    title = "the embedding of any text"
    asked = "Texts"

    def __init__(self, encode: Callable[[Sequence[str]], NDArray[np.float32]]) -> None:
        """Wrap a trained encoder."""
        super().__init__()
        self._encode = encode

    def query(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension). One query a text."""
        self.queries += len(texts)
        return self._encode(texts)


class SentenceEmbeddings(Access):
    """The victims' embeddings, and the encoder they came from as an oracle (Pan et al. 2020, section IV-B).

    Attributes:
        victims: (victims, dimension) the embeddings that were released, after any defense; read-only.
    """

    title = "embeddings of texts, and the encoder they come from"
    asked = "Texts"

    def __init__(
        self,
        victims: NDArray[np.float32],
        encode: Callable[[Sequence[str]], NDArray[np.float32]],
        protected: Callable[[Sequence[str]], NDArray[np.float32]],
    ) -> None:
        """Hold what was released.

        Args:
            victims: (victims, dimension) released embeddings.
            encode: The public encoder, without any defense.
            protected: The encoder as defenses have it trained, and what they do to its embeddings.
        """
        super().__init__()
        self.victims = victims
        self.victims.flags.writeable = False
        self._encode = encode
        self._protected = protected

    def query(self, texts: Sequence[str], *, protected: bool = False) -> NDArray[np.float32]:
        """Return the embeddings of texts of the adversary's own, (texts, dimension). One query a text.

        Args:
            texts: What to embed.
            protected: Whether the adversary, knowing the defenses, has its own texts embedded behind them too.
        """
        self.queries += len(texts)
        return self._protected(texts) if protected else self._encode(texts)


class OpenEncoder(Protocol):
    """A sentence encoder seen from inside.

    Adversaries carry it to other processes, so it can be pickled, and builds what it runs on there.
    """

    @property
    def identity(self) -> dict[str, Any]:
        """All that determines what it gives, as plain values."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension)."""

    def word_vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return what the first layer makes of each word on its own, (words, input dimension).

        A word of several tokens is the mean of theirs; a word of none is all zeros.
        """

    def embed(self, inputs: "torch.Tensor", lengths: "torch.Tensor") -> "torch.Tensor":
        """Return the embeddings of texts with vectors in place of words, (texts, dimension), with a gradient for them.

        What the encoder puts around a text, and what it adds for the place of a word, it puts and adds here too.

        Args:
            inputs: (texts, places, input dimension) what is read in place of the first layer's vectors of words.
            lengths: (texts,) how many places of each text are read, at least one; what is beyond has no effect.
        """


class EncoderInternals(SentenceEmbeddings):
    """The victims' embeddings, and the whole encoder they came from (Song and Raghunathan 2020, section 3).

    What the adversary computes with an encoder that it holds costs no query.

    Attributes:
        encoder: The encoder that gave the victims' embeddings, as it was before any defense changed them.
    """

    title = "embeddings of texts, and everything inside the encoder"

    def __init__(
        self,
        victims: NDArray[np.float32],
        encode: Callable[[Sequence[str]], NDArray[np.float32]],
        protected: Callable[[Sequence[str]], NDArray[np.float32]],
        encoder: OpenEncoder,
    ) -> None:
        """Hold what was released.

        Args:
            victims: (victims, dimension) released embeddings.
            encode: The public encoder, without any defense.
            protected: The encoder as defenses have it trained, and what they do to its embeddings.
            encoder: The encoder that gave the victims' embeddings, opened.
        """
        super().__init__(victims, encode, protected)
        self.encoder = encoder

    def word_vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return what the encoder's first layer makes of each word on its own, (words, input dimension)."""
        return self.encoder.word_vectors(words)


class Internals(Protocol):
    """A network that reads requests, seen from inside."""

    def parameters(self) -> "dict[str, torch.Tensor]":
        """Return everything that was trained, and the word vectors, by name."""

    def describe(self, words: Sequence[str]) -> "torch.Tensor":
        """Return what the recurrent layers are told of words, (words, d)."""

    def losses(self, inputs: "torch.Tensor", intents: Sequence[str], tags: Sequence[Sequence[str]]) -> "torch.Tensor":
        """Return the loss of each run, (puzzles, runs), for inputs (puzzles, runs, time, d) and labels by puzzle."""


class NetworkInternals(Access):
    """The whole trained network: its parameters, its word vectors, and its loss (Parikh et al. 2022, section 3)."""

    title = "everything inside the network"
    asked = "Requests"

    def __init__(self, network: Internals) -> None:
        """Open a network."""
        super().__init__()
        self._network = network

    def parameters(self) -> "dict[str, torch.Tensor]":
        """Return everything that was trained, and the word vectors, by name."""
        return self._network.parameters()

    def describe(self, words: Sequence[str]) -> "torch.Tensor":
        """Return the embedding matrix’s rows of words, with what the network makes of their spelling; (words, d)."""
        return self._network.describe(words)

    def losses(self, inputs: "torch.Tensor", intents: Sequence[str], tags: Sequence[Sequence[str]]) -> "torch.Tensor":
        """Return the network's loss for inputs that need not be words, with a gradient for them. One query a run.

        Args:
            inputs: (puzzles, runs, time, d) what is read in place of the vectors of words.
            intents: The intent of each puzzle.
            tags: The slot tags of each puzzle.

        Returns:
            (puzzles, runs) the sum of the losses of intent and tags.
        """
        self.queries += inputs.shape[0] * inputs.shape[1]
        return self._network.losses(inputs, intents, tags)


class Translation(Protocol):
    """Something that translates."""

    def translate(self, sources: Sequence[str]) -> tuple[list[str], NDArray[np.float64]]:
        """Return translations, and the mean log-probability of a token of each, in nats, (sources,)."""

    def log_probabilities(self, sources: Sequence[str], targets: Sequence[str]) -> NDArray[np.float64]:
        """Return the mean log-probability of a token of each given translation, in nats, (sources,)."""


class Translator(Access):
    """A translation service: a sentence in, one translation out (Hisamoto et al. 2020, section 2.1)."""

    title = "the translation of any sentence"
    asked = "Sentences"

    def __init__(self, translation: Translation) -> None:
        """Wrap a trained translator."""
        super().__init__()
        self._translation = translation

    def translate(self, sources: Sequence[str]) -> list[str]:
        """Return translations. One query a sentence."""
        self.queries += len(sources)
        return self._translation.translate(sources)[0]


class ScoringTranslator(Translator):
    """A translation service that says how sure it is.

    Of its own translation, which is the model score of Hisamoto et al. 2020, section 6.1, and of any other, as services
    with forced decoding do.
    """

    title = "the translation of any sentence, and the probability of any translation"

    def scored(self, sources: Sequence[str]) -> tuple[list[str], NDArray[np.float64]]:
        """Return translations and their scores, the mean log-probability of a token, in nats, (sources,).

        One query a sentence.
        """
        self.queries += len(sources)
        return self._translation.translate(sources)

    def log_probabilities(self, sources: Sequence[str], targets: Sequence[str]) -> NDArray[np.float64]:
        """Return the mean log-probability of a token of each given translation, in nats, (sources,). One query each."""
        self.queries += len(sources)
        return self._translation.log_probabilities(sources, targets)
