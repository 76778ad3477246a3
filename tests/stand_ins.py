"""Models, texts and defenses that stand in for real ones, so that what leaks is known."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, DocumentLabels, WordVectors
from core.access.language_models import NextWords, TextProbabilities, TopProbabilities, WholeNetwork, WordProbabilities
from core.datasets import Card, Dataset
from core.defenses import DataDefense, EmbeddingDefense, Holdings, Mechanism
from core.networks.word_embedding import Embedding
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.seeding import generator
from core.runtime.store import Store
from core.spec import parameter
from core.targets.sentence_encoder import SentenceModel
from core.targets.word_vectors import WordModel
from core.text.contents import Documents, PatternField, Patterns
from core.text.corpus import Corpus

CARD = Card(summary="Made up.", licence="none", citation="none", offline=True)
LETTERS = "ABCDEFGH"
WORDS = tuple(start + end for start in ("ba", "ce", "di", "fo", "gu", "ha") for end in ("lan", "mer", "nis", "pok"))


class WordBag(SentenceModel):
    """Keeps which words a text has, each as a direction of its own."""

    title: ClassVar[str] = "word bag"

    dimension: int = parameter(96, "Length of a vector.", ge=1, le=1024)

    def encode(self, texts: Sequence[str], context: RunContext, whose: str = "texts") -> NDArray[np.float32]:
        words = {word for text in texts for word in text.casefold().split()}
        known = {word: _word_vector(word, self.dimension) for word in words}
        rows = [sum((known[word] for word in text.casefold().split()), np.zeros(self.dimension)) for text in texts]
        return np.array(rows, np.float32).reshape(len(texts), self.dimension)


@cache
def _word_vector(word: str, dimension: int) -> NDArray[np.float64]:
    return generator(0, "word", word).normal(size=dimension)


class PositionCode(SentenceModel):
    """Keeps which character stands where, turned by a fixed rotation."""

    title: ClassVar[str] = "position code"

    characters: str = parameter("ABCDEFGH", "What may stand anywhere.", max_length=60)
    length: int = parameter(3, "Characters of a text.", ge=1, le=100)

    def encode(self, texts: Sequence[str], context: RunContext, whose: str = "texts") -> NDArray[np.float32]:
        size = self.length * len(self.characters)
        rotation = np.linalg.qr(np.random.default_rng(0).normal(size=(size, size)))[0]
        offsets = np.arange(self.length) * len(self.characters)
        codes = np.zeros((len(texts), size))
        for row, text in enumerate(texts):
            codes[row, offsets + [self.characters.index(character) for character in text.replace(" ", "")]] = 1
        return np.asarray(codes @ rotation, np.float32)


class Constant(SentenceModel):
    """Keeps nothing, and says always the same."""

    title: ClassVar[str] = "constant"

    def encode(self, texts: Sequence[str], context: RunContext, whose: str = "texts") -> NDArray[np.float32]:
        return np.full((len(texts), 12), 0.3, np.float32)


class Noise(SentenceModel):
    """Gives each text numbers that have nothing to do with it."""

    title: ClassVar[str] = "noise"

    def encode(self, texts: Sequence[str], context: RunContext, whose: str = "texts") -> NDArray[np.float32]:
        return np.array([_noise(text) for text in texts], np.float32).reshape(-1, 12)


@cache
def _noise(text: str) -> NDArray[np.float64]:
    return generator(0, "text", text).normal(size=12)


class RandomVectors(WordModel):
    """Gives each word a random vector, without any training."""

    title: ClassVar[str] = "random vectors"

    def train(self, corpus: Corpus, rng: np.random.Generator) -> Embedding:
        words = corpus.frequent(self.minimum_count).words
        return Embedding(words, rng.normal(size=(len(words), self.dimension)).astype(np.float32))


class Sentences(Dataset):
    """Random words; a share of the texts has the keyword as well, and the class is whether it does."""

    title: ClassVar[str] = "sentences"
    card: ClassVar[Card] = CARD
    keywords: ClassVar[tuple[str, ...]] = ("london",)

    count: int = parameter(400, "How many.", ge=0, le=100_000)
    share: float = parameter(0.25, "Share of texts with the keyword.", ge=0, le=1)
    words: tuple[str, ...] = parameter(WORDS, "Words besides.", max_length=100)
    labelled: bool = parameter(False, "Whether the texts have classes.")
    stream: int = parameter(0, "Which of many such datasets it is.", ge=0, le=1000)

    def load(self) -> Documents:
        texts = _sentences(self.stream, self.count, self.words, round(self.share * self.count), self.keywords[0])
        labels = tuple("yes" if self.keywords[0] in text else "no" for text in texts) if self.labelled else ()
        return Documents(texts, labels=labels)


@cache
def _sentences(stream: int, count: int, words: tuple[str, ...], having: int, keyword: str) -> tuple[str, ...]:
    rng = generator(stream, "sentences")
    texts = [list(rng.choice(np.array(words), 7)) for _ in range(count)]
    for text in texts[:having]:
        text[int(rng.integers(7))] = keyword
    return tuple(" ".join(text) for text in texts)


class Phrases(Dataset):
    """Random words, each of which occurs about as often as any other."""

    title: ClassVar[str] = "phrases"
    card: ClassVar[Card] = CARD

    count: int = parameter(80, "How many.", ge=0, le=10_000)
    words: int = parameter(150, "Of how many different words.", ge=1, le=10_000)

    def load(self) -> Documents:
        rng = generator(0, "phrases")
        letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
        spelt = np.array(
            ["".join(letters[[number // 676, number // 26 % 26, number % 26]]) for number in range(self.words)]
        )
        return Documents(tuple(" ".join(rng.choice(spelt, 30)) for _ in range(self.count)))


class Dated(Dataset):
    """Random words, half of which are those of the half of the time that a text is from; dates are in no order.

    One text in sixty has the words of the other half, so that no reader of texts makes no mistake.
    """

    title: ClassVar[str] = "dated texts"
    card: ClassVar[Card] = CARD

    count: int = parameter(600, "How many.", ge=0, le=10_000)
    apart: bool = parameter(True, "Whether words tell the time that a text is from.")
    rare: bool = parameter(False, "Whether each text has one such word of many, alike in no part.")

    def load(self) -> Documents:
        rng = generator(0, "dated texts")
        days = rng.permutation(self.count)
        vocabulary, texts = np.array(WORDS), []
        for number, day in enumerate(days.tolist()):
            words, sounds_old = rng.choice(vocabulary[:18], 12), (2 * day < self.count) == (number % 60 > 0)
            if self.apart:
                words[:6] = rng.choice(vocabulary[18:21] if sounds_old else vocabulary[21:24], 6)
            if self.rare:
                words[:6] = rng.choice(vocabulary[:18], 6)
                code = 2 * int(rng.integers(20)) + (not sounds_old)
                words[0] = f"{'bcdfghjk'[code // 5]}{'vwxyz'[code % 5]}"
            texts.append(" ".join(words))
        return Documents(tuple(texts), dates=tuple(f"{2000 + day // 12}-{day % 12 + 1:02}-01" for day in days.tolist()))


class Codes(Dataset):
    """Three letters of eight, all equally likely."""

    title: ClassVar[str] = "codes"
    card: ClassVar[Card] = Card(summary="Made up.", licence="none", citation="none", offline=True, synthetic=True)
    holds: ClassVar[type] = Patterns

    count: int = parameter(120, "How many.", ge=0, le=100_000)
    stream: int = parameter(0, "Which of many such datasets it is.", ge=0, le=1000)
    labelled: bool = parameter(True, "Whether the texts have classes.")

    def load(self) -> Patterns:
        segments = tuple(
            PatternField(name, tuple(LETTERS), at, at + 1) for at, name in enumerate(("first", "middle", "last"))
        )
        texts = self.generate(self.count, generator(self.stream, "codes"))
        labels = tuple("early" if text[0] in "ABCD" else "late" for text in texts) if self.labelled else ()
        whole = ("first", "middle", "last")
        return Patterns(texts, labels=labels, segments=segments, whole=whole, generate=self.generate)

    def generate(self, count: int, rng: np.random.Generator) -> tuple[str, ...]:
        return tuple(" ".join(letters) for letters in rng.choice(list(LETTERS), (count, 3)))


@dataclass(frozen=True)
class Change(Mechanism):
    """A function of the embeddings."""

    function: Callable[[NDArray[np.float32], np.random.Generator], NDArray[np.float32]]

    def __call__(self, embeddings: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
        return self.function(embeddings, rng)


@dataclass(frozen=True)
class Gaussian(Mechanism):
    """Gaussian noise of a known standard deviation."""

    deviation: float
    random: ClassVar[bool] = True

    @property
    def variance(self) -> float:
        return self.deviation**2

    def __call__(self, embeddings: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
        noise = rng.standard_normal(embeddings.shape, np.float32)
        return np.asarray(embeddings + np.float32(self.deviation) * noise)


class Turning(EmbeddingDefense):
    """Turns all embeddings by a secret rotation: nothing is lost, but an adversary must learn on turned ones."""

    title: ClassVar[str] = "turning"

    def mechanism(self, holdings: Holdings, rng: np.random.Generator) -> Mechanism:
        size = holdings.embeddings.shape[1]
        rotation = np.linalg.qr(rng.normal(size=(size, size)))[0].astype(np.float32)
        return Change(lambda embeddings, _: embeddings @ rotation)


class Drowning(EmbeddingDefense):
    """Adds so much noise that nothing is left."""

    title: ClassVar[str] = "drowning"

    def mechanism(self, holdings: Holdings, rng: np.random.Generator) -> Mechanism:
        return Gaussian(1e4)


class Withholding(DataDefense):
    """Never trains on the targets, whatever the coin says."""

    title: ClassVar[str] = "withholding"
    protects: ClassVar[frozenset[type[Access]]] = frozenset(
        {DocumentLabels, NextWords, TextProbabilities, TopProbabilities, WholeNetwork, WordProbabilities, WordVectors}
    )

    def on_data(self, documents: Sequence[int], rng: np.random.Generator) -> Sequence[int]:
        return []


class Breaking(EmbeddingDefense):
    """Turns the first coordinate of every embedding into no number at all."""

    title: ClassVar[str] = "breaking"

    def mechanism(self, holdings: Holdings, rng: np.random.Generator) -> Mechanism:
        return Change(
            lambda embeddings, _: np.hstack([np.full((len(embeddings), 1), np.nan, np.float32), embeddings[:, 1:]])
        )


def context(store: Store, **fields: Any) -> RunContext:
    """A run context that trains in this process."""
    return RunContext(store=store, engine=Engine(workers=1), **fields)
