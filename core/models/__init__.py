"""What is attacked: learners that turn documents into something an adversary may query."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core import next_word_training
from core.access import (
    Access,
    DocumentLabels,
    EncoderInternals,
    NextWords,
    OpenEncoder,
    ScoringTranslator,
    SentenceEmbeddings,
    Translator,
    WordNetworks,
    WordVectors,
)
from core.corpus import Corpus
from core.datasets import Dataset, Documents, Words
from core.defenses import shielded
from core.document_classifier import DocumentClassifier, Labelled
from core.embedding import Embedding, Network, neighbours_kept
from core.errors import Incompatible
from core.lab import Arrays, Lab
from core.pieces import Pieces
from core.privacy import Promise
from core.recipe import Recipe
from core.registry import Part
from core.release import TESTED, BitextLessons, Lessons, Pass, Quality, Release, untaught
from core.seeding import generator
from core.spec import Holds, key_of, parameter
from core.vocabulary import Vocabulary

if TYPE_CHECKING:
    from core.networks.next_word import Shape


class Model(Part):
    """A learner with its hyper-parameters.

    ``provides`` says what an adversary of the trained model may touch.
    """

    kind: ClassVar[str] = "model"
    provides: ClassVar[frozenset[type[Access]]]


class TextModel(Model):
    """A learner from documents as words.

    ``pieces`` says what it is given as one: whole texts, or their sentences.
    """

    pieces: ClassVar[Pieces] = "texts"

    dictionary: Annotated[Dataset | None, Holds(Words)] = parameter(
        None,
        "Public dictionary; every word outside it becomes one dummy word. None keeps every word.",
        label="Dictionary",
    )

    def vocabulary(self) -> tuple[str, ...] | None:
        """Return the words of the dictionary, or None when every word is kept."""
        return None if self.dictionary is None else self.dictionary.load().words

    @abstractmethod
    def release(self, lessons: Lessons, lab: Lab) -> list[Release]:
        """Train the target models, each only once ever, and return them.

        Args:
            lessons: What each is trained on.
            lab: Where they are trained and kept.
        """


class WordModel(TextModel):
    """A learner of word vectors."""

    provides: ClassVar[frozenset[type[Access]]] = frozenset({WordVectors})

    window: int = parameter(5, "Farthest context word to either side.", unit="words", ge=1, le=50)
    epochs: int = parameter(20, "Passes over the documents.", unit="passes", ge=1, le=200)
    dimension: int = parameter(80, "Length of each word vector.", ge=2, le=1024)
    minimum_count: int = parameter(20, "Rarer words are ignored.", unit="occurrences", ge=1, le=10_000)

    @abstractmethod
    def train(self, corpus: Corpus, rng: np.random.Generator) -> Embedding:
        """Train on documents.

        Args:
            corpus: Training documents.
            rng: Source of all randomness; the same state gives the same bytes.
        """

    def network(self, corpus: Corpus, rng: np.random.Generator) -> Network:
        """Train on documents as `train` does, and keep the second vector of each word too.

        Raises:
            Incompatible: This learner has no such vectors, or does not show them.
        """
        raise Incompatible(f"{self.part_name()} shows no vectors of words as contexts.")

    def embeddings(self, lessons: Lessons, lab: Lab) -> list[Embedding]:
        """Return the embedding of each target model."""
        return [Embedding.from_arrays(arrays) for arrays in self._trained(_train_target, lessons, lab)]

    def _trained(self, train: Callable[..., Arrays], lessons: Lessons, lab: Lab) -> list[Arrays]:
        shared = {
            "model": self,
            "corpus": lessons.corpus,
            "selections": lessons.selections,
            "seed": lessons.seed,
        }
        items = range(len(lessons.selections))
        found = dict(lab.train("Training the target models", key_of(dict(lessons.identity)), train, items, shared))
        return [found[item] for item in items]

    def release(self, lessons: Lessons, lab: Lab) -> list[Release]:
        """Train embeddings, of which the vectors may be asked for, or both vectors where that is to be given."""
        if lessons.access is WordNetworks:
            networks = self._trained(_train_network, lessons, lab)
            return [Release(WordNetworks(Network.from_arrays(arrays))) for arrays in networks]
        releases = []
        for number, embedding in enumerate(self.embeddings(lessons, lab)):
            shown = shielded(embedding, lessons.defenses, generator(lessons.seed, "release", number))
            qualities = {} if shown is embedding else {"neighbours_kept": _likeness(embedding, shown)}
            releases.append(Release(WordVectors(shown), qualities))
        return releases


class PredictiveModel(WordModel):
    """A learner of word vectors that tell a word and its context from noise."""

    mode: Literal["cbow", "skip_gram"] = parameter(
        "cbow", "Predict a word from its context (CBOW) or the context from the word (skip-gram)."
    )


class DocumentModel(PredictiveModel):
    """A word embedding with a classifier of documents on top of it, of which only the labels are seen.

    The classifier's documents are those of ``texts``, or the embedding's own, which then must have classes. The class
    in ``positive`` is told from all others.
    """

    provides: ClassVar[frozenset[type[Access]]] = frozenset({DocumentLabels})

    texts: Annotated[Dataset | None, Holds(Documents)] = parameter(
        None,
        "Documents with classes that the classifier is trained on; none means the embedding's own.",
        label="Classifier’s documents",
    )
    positive: str = parameter(
        "spam", "The class that is told from all others.", label="Class looked for", min_length=1, max_length=60
    )
    training: int = parameter(
        3000,
        "Documents of its own that the classifier is trained on.",
        label="Classifier’s training set",
        unit="documents",
        ge=20,
        le=1_000_000,
    )

    def labelled(self, own: Documents) -> Documents:
        """Return the documents from which the classifier learns.

        Args:
            own: Those of the embedding.

        Raises:
            Incompatible: They have no classes, not the one looked for, or no other.
        """
        documents: Documents = own if self.texts is None else self.texts.load()
        name = "the dataset" if self.texts is None else self.texts.part_name()
        classes = sorted(set(documents.labels))
        if self.positive not in classes or len(classes) < 2:
            found = f"the classes {', '.join(map(repr, classes))}" if classes else "no classes"
            raise Incompatible(
                f"{self.part_name()} needs documents of the class {self.positive!r} and of others; {name} has {found}. "
                "Choose another class for 'positive', or other 'texts'."
            )
        return documents

    def positives(self, documents: Documents) -> NDArray[np.bool_]:
        """Return which documents are of the class that is looked for, (documents,)."""
        return np.array([label == self.positive for label in documents.labels], dtype=np.bool_)

    def lesson(self, labelled: Labelled, trained: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the rows that teach one classifier.

        Args:
            labelled: What there is to choose from.
            trained: Rows that the embedding was trained on, which are the lesson where ``texts`` is none.
            rng: Draws the lesson otherwise.

        Raises:
            Incompatible: There are too few documents.
        """
        if self.texts is None:
            return trained
        if self.training >= len(labelled):
            raise Incompatible(
                f"Trainer and adversary have {len(labelled)} documents each for their classifiers, of which some must "
                f"be left to test them. A training set of {self.training} does not fit; {4 * len(labelled) // 5} does."
            )
        return rng.choice(len(labelled), self.training, replace=False)

    @abstractmethod
    def classifier(self, embedding: Embedding, lesson: Labelled, rng: np.random.Generator) -> DocumentClassifier:
        """Train a classifier on top of a trained embedding.

        Args:
            embedding: What words look like.
            lesson: Documents with their classes.
            rng: Source of all randomness.
        """

    def release(self, lessons: Lessons, lab: Lab) -> list[Release]:
        """Train embeddings with classifiers on top, of which the labels may be asked for."""
        embeddings = self.embeddings(lessons, lab)
        lab.progress.stage("Training the target classifiers", total=len(embeddings))
        releases = []
        for number, embedding in enumerate(embeddings):
            releases.append(self._classifying(number, embedding, lessons))
            lab.progress.advance()
        return releases

    def _classifying(self, number: int, embedding: Embedding, lessons: Lessons) -> Release:
        """Train a target model's classifier, and see how often it is right (Mahloujifar et al. 2021, Table 3)."""
        if lessons.labelled is None:
            raise Incompatible(f"{self.part_name()} needs documents with classes.")
        rng = generator(lessons.seed, "target classifier", number)
        lesson = self.lesson(lessons.labelled, lessons.selections[number], rng)
        tested = untaught(len(lessons.labelled), lesson, rng)
        classifier = self.classifier(embedding, lessons.labelled.select(lesson), rng)
        qualities = {}
        for name, rows, says in (
            ("test", tested, "documents it was not trained on"),
            ("train", lesson, "its training documents"),
        ):
            part = lessons.labelled.select(rows)
            qualities[f"classifier_{name}"] = Quality(
                float(np.mean(classifier.classify(part.corpus) == part.positive)),
                "share of documents",
                f"How often the target models' classifier is right about {says}.",
                lessons.commoner,
            )
        return Release(DocumentLabels(classifier), qualities)


class LanguageModel(TextModel):
    """A model of the next word, of which only the likeliest is seen.

    The vocabulary is what the training documents have ``minimum_count`` times or oftener; every other word is read as
    one unknown word. Neither that nor the boundary between documents is ever suggested, as a keyboard suggests words.
    Documents are packed one after the other and cut into rows of ``context`` words. Gradients are clipped at norm 1.
    """

    provides: ClassVar[frozenset[type[Access]]] = frozenset({NextWords})

    dimension: int = parameter(500, "Length of a word's vector and of the hidden state.", ge=8, le=2048)
    layers: int = parameter(2, "Layers between words and prediction.", unit="layers", ge=1, le=24)
    epochs: int = parameter(10, "Passes over the documents.", unit="passes", ge=1, le=200)
    minimum_count: int = parameter(
        3, "Rarer words of the training documents are read as one unknown word.", unit="occurrences", ge=1, le=10_000
    )
    context: int = parameter(32, "Words before the next that it sees at most.", unit="words", ge=2, le=1024)
    batch: int = parameter(
        64, "Rows of a training step; documents in private training.", unit="rows", ge=1, le=4096, advanced=True
    )
    learning_rate: float = parameter(1e-3, "Adam’s step size.", gt=0, le=1, advanced=True)
    dropout: float = parameter(0.0, "Share of units left out in training.", ge=0, le=0.9, advanced=True)
    softmax: Literal["adaptive", "full"] = parameter(
        "adaptive",
        "Rare words share narrow clusters, which is faster, or every word has a full row, as in private training.",
        advanced=True,
    )

    @abstractmethod
    def shape(self, words: int) -> "Shape":
        """Return what the network for a vocabulary of so many words is made of."""

    def trained_shape(self, words: int, promise: Promise | None) -> "Shape":
        """Return what the network is made of; a promise takes a softmax with a gradient for each document."""
        shape = self.shape(words)
        return shape if promise is None else replace(shape, softmax="full")

    def release(self, lessons: Lessons, lab: Lab) -> list[Release]:
        """Train language models, of which the likeliest next word may be asked for."""
        from core.networks.next_word import NextWordPredictor

        promise = lessons.promise
        trained = next_word_training.train(self, lessons, lab)
        lab.progress.stage("Measuring perplexity", total=len(trained))
        releases = []
        for number, arrays in trained.items():
            vocabulary = Vocabulary(tuple(arrays["words"].tolist()))
            predictor = NextWordPredictor(self.trained_shape(len(vocabulary), promise), arrays)
            rng = generator(lessons.seed, "perplexity", number)
            own = lessons.selections[number]
            rows = {
                "test": ("other documents", untaught(len(lessons.corpus), own, rng)),
                "train": ("its training documents", np.sort(rng.choice(own, min(TESTED, len(own)), replace=False))),
            }
            qualities = {
                f"perplexity_{name}": Quality(
                    predictor.perplexity(vocabulary.encode(lessons.corpus.select(chosen))),
                    "words",
                    f"Among how many words the target models choose, as it were, in {says}; unknown words left out.",
                    float(len(vocabulary)),
                )
                for name, (says, chosen) in rows.items()
            }
            if promise is not None:
                qualities["epsilon"] = Quality(
                    promise.epsilon,
                    "epsilon",
                    f"What the accountant promises to each document, with a delta of {promise.delta:g}.",
                )
            releases.append(Release(NextWords(vocabulary, predictor), qualities))
            lab.progress.advance()
        return releases


class SentenceModel(Model):
    """A pretrained encoder: a text in, one vector out."""

    provides: ClassVar[frozenset[type[Access]]] = frozenset({SentenceEmbeddings})

    @abstractmethod
    def encode(self, texts: Sequence[str], lab: Lab) -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension).

        Args:
            texts: What to embed; an empty text has an embedding too.
            lab: Keeps each embedding as soon as it exists, and is told of the progress.
        """


class OpenSentenceModel(SentenceModel):
    """A pretrained encoder that anyone may look into."""

    provides: ClassVar[frozenset[type[Access]]] = frozenset({SentenceEmbeddings, EncoderInternals})

    @abstractmethod
    def opened(self, lab: Lab) -> OpenEncoder:
        """Return the encoder as one sees it from inside.

        Args:
            lab: Where it is trained, if it is not pretrained.
        """


class TrainedSentenceModel(OpenSentenceModel):
    """An encoder that is trained here, so that its owner can train it otherwise."""

    @abstractmethod
    def learnt(self, asked: Recipe, lab: Lab) -> OpenEncoder:
        """Return the encoder, trained once ever.

        Args:
            asked: What defenses ask of its training.
            lab: Where it is trained and kept.

        Raises:
            Incompatible: It cannot be trained so, or has nothing to learn from.
        """

    @abstractmethod
    def qualities(self, asked: Recipe, lab: Lab) -> Mapping[str, Quality]:
        """Return, by name, how good the encoder so trained is at its own task."""

    def encode(self, texts: Sequence[str], lab: Lab) -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension), by the encoder without any defense."""
        return self.learnt(Recipe(), lab).encode(texts)

    def opened(self, lab: Lab) -> OpenEncoder:
        """Return the encoder without any defense as one sees it from inside."""
        return self.learnt(Recipe(), lab)


def _likeness(trained: Embedding, shown: Embedding) -> Quality:
    return Quality(
        neighbours_kept(trained, shown),
        "share of neighbours",
        "How many of the ten nearest neighbours of frequent words are the same in the vectors that are released.",
        min(10 / max(len(trained.words) - 1, 1), 1.0),
    )


def _train_target(
    item: int, model: WordModel, corpus: Corpus, selections: Sequence[NDArray[np.int64]], seed: int
) -> Arrays:
    return model.train(corpus.select(selections[item]), generator(seed, "target model", item)).as_arrays()


def _train_network(
    item: int, model: WordModel, corpus: Corpus, selections: Sequence[NDArray[np.int64]], seed: int
) -> Arrays:
    return model.network(corpus.select(selections[item]), generator(seed, "target model", item)).as_arrays()


Heard = Callable[[Sequence[Sequence[Pass]]], None]
"""Is told of each of some models how its passes have ended so far."""


class TranslationModel(Model):
    """A learner of translation, of which translations are seen, and how likely it finds them."""

    provides: ClassVar[frozenset[type[Access]]] = frozenset({Translator, ScoringTranslator})

    @abstractmethod
    def release(self, lessons: BitextLessons, lab: Lab, heard: Heard) -> list[Release]:
        """Train translators, each only once ever, and return them; each gives a `ScoringTranslator`.

        Args:
            lessons: What each is trained on.
            lab: Where they are trained and kept.
            heard: Is told how the passes of each have ended so far, whenever one has.

        Raises:
            Incompatible: There are too few pairs, or defenses ask for something that this training cannot do.
        """
