"""A sentence encoder trained to predict which sentence follows which."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.access import Access, EncoderInternals, SentenceEmbeddings, TextEmbeddings
from core.datasets import Dataset
from core.defenses import TrainingOptions
from core.errors import Incompatible
from core.keys import key_of
from core.networks.trained_encoder import TrainedEncoder
from core.runtime.context import Arrays, RunContext
from core.runtime.epochs import train_by_epochs
from core.runtime.seeding import generator
from core.spec import Holds, parameter
from core.targets import neighbour_accuracy
from core.targets.model import TextModel
from core.targets.sentence_encoder import TrainedSentenceModel
from core.targets.trained_target import TrainedTarget, Utility
from core.targets.training_job import TrainingJob
from core.text.contents import Documents
from core.text.corpus import Corpus
from core.text.segments import Segmentation, neighbours, segmented
from core.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from core.networks.dual_encoder import Shape

_SNAPSHOT_EPOCHS = (1, 2, 5, 10, 20, 50)
_FEWEST_PAIRS = 20
_HELD_OUT = 10
"""An encoder trained on ``texts`` leaves one document in this many out."""
_PREDICTED_WORDS = 2000
"""Most frequent words that an adversary in training predicts."""


class DualEncoder(TextModel, TrainedSentenceModel):
    """A dual encoder: one network embeds both sentences of a pair, and is trained to make the embeddings similar.

    Song and Raghunathan 2020, section 6.1, train an LSTM (d = 1,200, one epoch, learning rate 0.0005) and a Transformer
    of three layers (d = 600, five epochs) on 40 million sentences of books, with the 800 other sentences of a batch as
    negative samples. These are the same two networks at the size of a laptop: a batch of 128 pairs gives 127 negative
    samples in either direction. The Transformer uses pre-layer normalisation, needs no warm-up, and takes the mean over
    the words as the vector; the LSTM takes its state after the last word.

    Its word vectors are shorter than a sentence’s. Inversion by sparse coding needs them longer than the default of 64
    (`core.attacks.inversion.sparse_inversion`), so the results on inversion set ``word_dimension`` to 256.

    The vocabulary is that of all documents of an experiment, as that of a public tokenizer would be. One from a model's
    own documents would reveal their words without any training.
    """

    title: ClassVar[str] = "dual encoder"
    provides: ClassVar[frozenset[type[Access]]] = frozenset({TextEmbeddings, SentenceEmbeddings, EncoderInternals})
    pieces: ClassVar[Segmentation] = "sentences"

    body: Literal["lstm", "transformer"] = parameter(
        "lstm", "Network that embeds a sentence: an LSTM, or a Transformer of three layers.", label="Network"
    )
    epochs: int = parameter(10, "Epochs over the pairs of sentences.", unit="epochs", ge=1, le=200)
    dimension: int = parameter(128, "Length of a sentence’s vector.", ge=4, le=2048)
    word_dimension: int = parameter(64, "Length of a word’s vector.", ge=4, le=1024)
    minimum_count: int = parameter(
        2, "Words rarer than this in all documents become one unknown word.", unit="occurrences", ge=1, le=10_000
    )
    length: int = parameter(32, "Longer sentences are cut off here.", unit="words", ge=2, le=512)
    batch: int = parameter(128, "Pairs per training step.", unit="pairs", ge=2, le=4096, advanced=True)
    learning_rate: float = parameter(1e-3, "Adam’s step size.", gt=0, le=1, advanced=True)
    scale: float = parameter(20.0, "Factor of the cosines before the softmax.", gt=0, le=1000, advanced=True)
    texts: Annotated[Dataset | None, Holds(Documents)] = parameter(
        None,
        "Documents that it is trained on when its embeddings are inverted. Where its training data are attacked, it is "
        "trained on the experiment’s documents instead.",
        label="Learns from",
    )

    def train_targets(self, job: TrainingJob, context: RunContext) -> list[TrainedTarget]:
        """Return encoders, each trained on its selection of sentences, with access to the embedding of any text.

        Raises:
            Incompatible: The job has no positions of sentences.
        """
        if job.positions is None:
            raise Incompatible(f"{self.part_name()} learns from sentences in their order, not from whole documents.")
        training = EncoderTrainingJob.of(self, job.corpus, job.positions, job.selections, job.identity, job.seed)
        states = training.train(context)
        context.progress.stage("Measuring what the encoders learnt", total=len(states))
        targets = []
        for number in sorted(states):
            snapshots = {
                epoch: TextEmbeddings(training.encoder(state).encode)
                for epoch, state in training.snapshots(number, states[number]).items()
            }
            encoder = training.encoder(states[number])
            targets.append(
                TrainedTarget(TextEmbeddings(encoder.encode), training.utilities(number, encoder), snapshots)
            )
            context.progress.advance()
        return targets

    def train_encoder(self, options: TrainingOptions, context: RunContext) -> TrainedEncoder:
        """Return the encoder trained on ``texts``; it is trained once and then read from the store.

        Raises:
            Incompatible: There are no texts or too few neighbouring sentences, or this training does not support an
                option.
        """
        training = _job_on_texts(self, options)
        return training.encoder(training.train(context)[0])

    def utilities(self, options: TrainingOptions, context: RunContext) -> Mapping[str, Utility]:
        """Return how often it identifies the following sentence, in its training texts and in held-out texts."""
        return _job_on_texts(self, options).utilities(0, self.train_encoder(options, context))


@dataclass(frozen=True)
class EncoderTrainingJob:
    """What encoders are trained on, and how.

    Attributes:
        model: Hyper-parameters.
        vocabulary: Vocabulary of every encoder.
        sentences: Tokens of each sentence of the documents.
        first: (pairs,) numbers of the sentences that are followed by the next one.
        pairs: For each encoder, those of them that it is trained on.
        identity: Everything that determines the encoders, as plain values.
        seed: Source of all randomness.
        adversary: Weight of an adversary in training that predicts words; None for no adversary.
    """

    model: DualEncoder
    vocabulary: Vocabulary
    sentences: Sequence[NDArray[np.int64]]
    first: NDArray[np.int64]
    pairs: Sequence[NDArray[np.int64]]
    identity: Mapping[str, Any]
    seed: int
    adversary: float | None = None

    @classmethod
    def of(
        cls,
        model: DualEncoder,
        corpus: Corpus,
        positions: NDArray[np.int64],
        selections: Sequence[NDArray[np.int64]],
        identity: Mapping[str, Any],
        seed: int,
    ) -> "EncoderTrainingJob":
        """Return the training of an encoder on each selection of sentences.

        Raises:
            Incompatible: A selection has too few neighbouring sentences.
        """
        vocabulary = Vocabulary.of(corpus, model.minimum_count)
        first = neighbours(positions)
        pairs = [first[np.isin(first, rows)] for rows in selections]
        if (fewest := min(map(len, pairs))) < _FEWEST_PAIRS:
            raise Incompatible(
                f"{model.part_name()} needs at least {_FEWEST_PAIRS} pairs of sentences that follow each other. There "
                f"are {fewest}: take a larger dataset, or one with texts of several sentences."
            )
        return cls(model, vocabulary, vocabulary.encode(corpus), first, pairs, identity, seed)

    @property
    def shape(self) -> "Shape":
        """Shape of the networks."""
        from core.networks.dual_encoder import Shape

        model = self.model
        predicted = 0 if self.adversary is None else min(_PREDICTED_WORDS, len(self.vocabulary.words))
        return Shape(model.body, len(self.vocabulary), model.word_dimension, model.dimension, model.length, predicted)

    def train(self, context: RunContext) -> dict[int, Arrays]:
        """Return the final state of each encoder, with its snapshots."""
        items, shared = range(len(self.pairs)), {"training": self}
        return train_by_epochs(
            context, "Training the encoders", self.identity, _train_epoch, items, self.model.epochs, shared
        )

    def initial(self, number: int) -> Arrays:
        """Return the state of an encoder before training."""
        from core.networks.dual_encoder import initial

        seed = int(generator(self.seed, "encoder", number).integers(2**31))
        return initial(self.shape, seed, [self.sentences[row] for row in self.pairs[number]])

    def snapshots(self, number: int, trained: Arrays) -> dict[int, Arrays]:
        """Return the states of an encoder by epoch, from 0, before training, to the last."""
        states = {0: self.initial(number)}
        for epoch in _SNAPSHOT_EPOCHS:
            prefix = f"after.{epoch}."
            if state := {
                name.removeprefix(prefix): array.astype(np.float32)
                for name, array in trained.items()
                if name.startswith(prefix)
            }:
                states[epoch] = state
        return {**states, self.model.epochs: trained}

    def encoder(self, state: Arrays) -> TrainedEncoder:
        """Return the encoder of a state."""
        return TrainedEncoder(self.vocabulary, self.shape, state)

    def utilities(self, number: int, encoder: TrainedEncoder) -> dict[str, Utility]:
        """Return how often an encoder identifies the following sentence, in training pairs and in others."""
        pairs = self.pairs[number]
        other_pairs = np.setdiff1d(self.first, pairs)
        return neighbour_accuracy.measure(encoder, self.sentences, pairs, other_pairs, self.seed, number)


def _job_on_texts(model: DualEncoder, options: TrainingOptions) -> EncoderTrainingJob:
    """Return the training of an encoder on its ``texts``."""
    if options != TrainingOptions(adversary=options.adversary):
        raise Incompatible(f"{model.part_name()} supports adversarial training only as a defense in training.")
    if model.texts is None:
        raise Incompatible(f"{model.part_name()} has nothing to learn from. Choose documents for its 'texts'.")
    identity = {"dual encoder": 1, "model": model.identity(), "adversary": options.adversary}
    job = _read_texts(model, model.texts, key_of(identity))
    return replace(job, identity=identity, adversary=options.adversary)


@lru_cache(maxsize=2)
def _read_texts(model: DualEncoder, texts: Dataset, key: str) -> EncoderTrainingJob:
    """Read the texts once per key, and hold out a tenth of them."""
    sentences, positions = segmented(texts.load(), model.pieces)
    rows = np.flatnonzero(positions[:, 0] % _HELD_OUT)
    return EncoderTrainingJob.of(model, Corpus.encode(sentences, model.vocabulary()), positions, [rows], {}, 0)


def _train_epoch(item: int, training: EncoderTrainingJob, before: Arrays, number: int) -> Arrays:
    """Train one encoder for one epoch; return its training state, or after the last what its use needs."""
    from core.networks.dual_encoder import train_epoch
    from core.networks.states import finished

    model, first = training.model, training.pairs[item]
    after = train_epoch(
        training.shape,
        before or training.initial(item),
        training.sentences,
        np.stack([first, first + 1], axis=1),
        batch=model.batch,
        learning_rate=model.learning_rate,
        scale=model.scale,
        strength=training.adversary or 0.0,
        rng=generator(training.seed, "encoder", item, number),
    )
    snapshots = {name: array for name, array in before.items() if name.startswith("after.")}
    if number + 1 == model.epochs:
        return {**snapshots, **finished(after)}
    if number + 1 in _SNAPSHOT_EPOCHS:
        # Half precision suffices, because training does not resume from a snapshot.
        snapshots |= {f"after.{number + 1}.{name}": array.astype(np.float16) for name, array in finished(after).items()}
    return {**snapshots, **after}
