"""Language models over words, trained from scratch, as target models."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import model_validator

from core.access import Access
from core.access.by_word import ByWord
from core.access.language_models import (
    TO_LANGUAGE_MODELS,
    GivesLosses,
    NextWords,
    TextProbabilities,
    TopProbabilities,
)
from core.datasets import Dataset
from core.defenses import Defense, TrainingDefense
from core.defenses.dp_sgd import DpSgd
from core.errors import InvalidSpec
from core.runtime.context import Arrays, RunContext
from core.runtime.epochs import train_by_epochs
from core.runtime.seeding import generator
from core.spec import parameter
from core.statistics.privacy import Promise
from core.targets.language_model import LanguageModel, noises, of_own, utilities
from core.targets.trained_target import TrainedTarget
from core.targets.training_job import TrainingJob
from core.text.corpus import Corpus
from core.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from core.networks.language.next_word import Shape
    from core.networks.language.next_word_predictor import NextWordPredictor


def small_lstm(words: int, **settings: Any) -> dict[str, Any]:
    """Return the fields of a small LSTM for demos, with a public dictionary of the most frequent words of news."""
    dictionary = {"part": "news_words", "size": words}
    return {"part": "lstm_lm", "dictionary": dictionary, "minimum_count": 0, "dimension": 64, **settings}


class WordLanguageModel(LanguageModel):
    """A language model over words.

    The vocabulary is every word that occurs at least ``minimum_count`` times in the training documents; all others
    become one unknown word. So the vocabulary reveals whose documents are in, before anything is trained. A public
    dictionary with a ``minimum_count`` of 0 is the vocabulary as a whole, and reveals nothing. Like a keyboard, the
    model never suggests the unknown word or the boundary between documents. Documents are concatenated and cut into
    rows of ``context`` words. Gradients are clipped at norm 1.
    """

    provides: ClassVar[frozenset[type[Access]]] = TO_LANGUAGE_MODELS

    dimension: int = parameter(500, "Length of word vectors and of the hidden state.", ge=8, le=2048)
    layers: int = parameter(2, "Layers between words and prediction.", unit="layers", ge=1, le=24)
    epochs: int = parameter(10, "Epochs over the documents.", unit="epochs", ge=1, le=200)
    minimum_count: int = parameter(
        3,
        "Rarer words of the training documents become one unknown word; with 0, all words of the dictionary are known.",
        unit="occurrences",
        ge=0,
        le=10_000,
    )
    context: int = parameter(32, "Longest context before the predicted word.", unit="words", ge=2, le=1024)
    batch: int = parameter(
        64, "Rows per training step; documents in private training.", unit="rows", ge=1, le=4096, advanced=True
    )
    learning_rate: float = parameter(1e-3, "Adam’s step size.", gt=0, le=1, advanced=True)
    dropout: float = parameter(0.0, "Share of units left out in training.", ge=0, le=0.9, advanced=True)
    softmax: Literal["adaptive", "full"] = parameter(
        "adaptive",
        "Adaptive: rare words share narrow clusters, which is faster. Full: each word has a full row, as in private "
        "training.",
        advanced=True,
    )

    @model_validator(mode="after")
    def _a_whole_vocabulary_is_public(self) -> Self:
        if self.minimum_count == 0 and self.dictionary is None:
            raise InvalidSpec(
                f"The 'minimum_count' parameter of {self.part_name()} must be at least 1 without a dictionary. "
                "Got 0 instead; name a 'dictionary', or take 1.",
                "minimum_count",
            )
        return self

    def check_under(self, defenses: Sequence[Defense], dataset: Dataset) -> None:
        """Check that it can be trained under some defenses: of those that change training, privately alone.

        Raises:
            InvalidSpec: It cannot.
        """
        for defense in defenses:
            if isinstance(defense, TrainingDefense) and not isinstance(defense, DpSgd):
                raise InvalidSpec(
                    f"{self.part_name()} cannot be trained under {defense.part_name()}, only under dp_sgd and "
                    "subsampling. Choose causal_lm for 'model', or another defense.",
                    "defenses",
                )

    @abstractmethod
    def shape(self, words: int) -> "Shape":
        """Return the shape of the network for a vocabulary of this size."""

    def training_shape(self, words: int, promise: Promise | None) -> "Shape":
        """Return the shape that is trained: private training needs a full softmax for its per-document gradients."""
        shape = self.shape(words)
        return shape if promise is None else replace(shape, softmax="full")

    def train_targets(self, job: TrainingJob, context: RunContext) -> list[TrainedTarget]:
        """Return language models with the access that the job requests: their likeliest next words, or more."""
        trained = _train(self, job, context, "Training the target models")
        context.progress.stage("Measuring perplexity", total=len(trained))
        targets = []
        for number, arrays in trained.items():
            vocabulary, predictor = self._restored(arrays, job)
            measured = utilities(
                job,
                number,
                partial(_perplexity, predictor, vocabulary, job.corpus),
                "words",
                len(vocabulary),
                "; unknown words are left out",
            )
            targets.append(TrainedTarget(_access(job.access, vocabulary, predictor), measured))
            context.progress.advance()
        return targets

    def train_own(self, job: TrainingJob, context: RunContext, stage: str) -> list[GivesLosses]:
        """Return models that an adversary trains as the trainer would, as `LanguageModel.train_own` says."""
        trained = _train(self, job, context, stage)
        access = of_own(job)
        return [access(ByWord(*self._restored(arrays, job))) for _, arrays in sorted(trained.items())]

    def noise(self, job: TrainingJob) -> tuple[float, ...]:
        """Return the noise of private training by its own batch and epochs."""
        return noises(job, self.batch, self.epochs)

    def window(self) -> int:
        """Return the length of its context."""
        return self.context

    def context_for(self, words: int) -> int:
        """Return as many words."""
        return words

    def _restored(self, arrays: Arrays, job: TrainingJob) -> tuple[Vocabulary, "NextWordPredictor"]:
        from core.networks.language.next_word_predictor import NextWordPredictor

        vocabulary = Vocabulary(tuple(arrays["words"].tolist()))
        return vocabulary, NextWordPredictor(self.training_shape(len(vocabulary), job.promise), arrays)


def _access(requested: type[Access] | None, vocabulary: Vocabulary, predictor: "NextWordPredictor") -> Access:
    """Return the access that a job requests; without one, the weakest."""
    if requested is not None and issubclass(requested, TextProbabilities | TopProbabilities | NextWords):
        return requested(ByWord(vocabulary, predictor))
    return NextWords(ByWord(vocabulary, predictor))


def _perplexity(
    predictor: "NextWordPredictor", vocabulary: Vocabulary, corpus: Corpus, rows: NDArray[np.int64]
) -> float:
    return predictor.perplexity(vocabulary.encode(corpus.select(rows)))


def _train(model: WordLanguageModel, job: TrainingJob, context: RunContext, stage: str) -> dict[int, Arrays]:
    """Return, by number of the selection, the weights of its model and the ``words`` of its vocabulary."""
    shared = {"model": model, "job": job, "noise": model.noise(job)}
    items = range(len(job.selections))
    return train_by_epochs(context, stage, job.identity, _train_epoch, items, model.epochs, shared)


def _vocabulary(
    model: WordLanguageModel, documents: Corpus, promise: Promise | None, words: Sequence[str] = ()
) -> Vocabulary:
    """Return the vocabulary of a model that is trained on some documents; it includes the given words."""
    vocabulary = _own_vocabulary(model, documents, promise)
    return Vocabulary(tuple(dict.fromkeys([*vocabulary.words, *words])))


def _own_vocabulary(model: WordLanguageModel, documents: Corpus, promise: Promise | None) -> Vocabulary:
    if promise is not None:
        return Vocabulary(promise.words)
    public = model.vocabulary()
    if model.minimum_count == 0 and public is not None:
        return Vocabulary(public)
    return Vocabulary.of(documents, model.minimum_count)


def _train_epoch(
    item: int, model: WordLanguageModel, job: TrainingJob, noise: Sequence[float], before: Arrays, number: int
) -> Arrays:
    """Train one model for one epoch; return its training state, or after the last epoch its weights alone."""
    from core.networks.language.next_word import initial, train_epoch
    from core.networks.states import Steps, finished

    documents, promise, seed = job.corpus.select(job.selections[item]), job.promise, job.seed
    if number:
        vocabulary = Vocabulary(tuple(before["words"].tolist()))
    else:
        vocabulary = _vocabulary(model, documents, promise, job.words)
        before = initial(model.training_shape(len(vocabulary), promise), generator(seed, "language model", item))
    shape, tokens = model.training_shape(len(vocabulary), promise), vocabulary.encode(documents)
    rng = generator(seed, "language model", item, number)
    if promise is None:
        after = train_epoch(shape, before, tokens, Steps(model.batch, model.learning_rate), rng)
    else:
        from core.networks.language.private_next_word import train_epoch_privately
        from core.networks.private_steps import PrivateSteps

        owners = job.protected_owners(item)
        steps = PrivateSteps(model.batch, model.learning_rate, promise.norm, noise[item], owners)
        after = train_epoch_privately(shape, before, tokens, steps, rng)
    state = finished(after) if number + 1 == model.epochs else after
    return {**state, "words": np.array(vocabulary.words, dtype=np.str_)}
