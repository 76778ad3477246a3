"""A model of assistant requests that predicts the intent and the slot of each word."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.access import Access, NetworkInternals
from core.datasets import Dataset
from core.defenses import TrainingOptions
from core.errors import Incompatible
from core.keys import key_of
from core.models.fasttext import FastText
from core.runtime.context import Arrays, RunContext
from core.runtime.epochs import train_by_epochs
from core.runtime.seeding import generator
from core.sources.annotated import split
from core.spec import Holds, parameter
from core.statistics.privacy import steps_per_epoch
from core.targets.model import Model
from core.text.contents import Documents, Utterances
from core.text.corpus import Corpus
from core.text.request_vocabulary import Encoded, RequestVocabulary

if TYPE_CHECKING:
    from core.networks.bilstm_crf import Shape, Words

HISTORY = ("train_loss", "validation_loss", "intent_accuracy", "slot_f1")
"""What is measured after each epoch; the last three on the validation data."""


@dataclass(frozen=True)
class Blueprint:
    """What a network is built from, besides its weights.

    Attributes:
        request_vocabulary: Words, tags and intents by number.
        vectors: (words, dimension) word vectors before training.
        options: What defenses change in training.
    """

    request_vocabulary: RequestVocabulary
    vectors: NDArray[np.float32]
    options: TrainingOptions


@dataclass(frozen=True)
class RequestTrainingJob:
    """What networks are trained on.

    Attributes:
        utterances: Requests that every network is trained on.
        blueprint: What the networks are built from.
        canaries: For each network, the canaries it is trained on besides.
        copies: For each network, the copies of its canaries in the training data and in the validation data.
        identity: Everything that determines the networks, as plain values.
        seed: Source of all randomness.
        fuzzy: For each network, what stands in the training data and in the validation data for all copies but one;
            empty where copies are exact.
    """

    utterances: Utterances
    blueprint: Blueprint
    canaries: Sequence[Utterances]
    copies: Sequence[tuple[int, int]]
    identity: Mapping[str, Any]
    seed: int
    fuzzy: Sequence[tuple[Utterances, Utterances]] = ()

    def with_canaries(self, item: int, encoded: Mapping[str, Encoded]) -> tuple[Encoded, Encoded]:
        """Return the training data and the validation data of a network, with the copies of its canaries."""
        encode, (trained_on, validated) = self.blueprint.request_vocabulary.encode, self.copies[item]
        canaries, training, validation = encode(self.canaries[item]), encoded["train"], encoded["validation"]
        if not self.fuzzy:
            return training.with_copies(canaries, trained_on), validation.with_copies(canaries, validated)
        others, others_validated = map(encode, self.fuzzy[item])
        exact = training.with_copies(canaries, min(trained_on, 1))
        return exact.with_copies(others, 1), validation.with_copies(others_validated, 1)


class BilstmCrf(Model):
    """Word vectors, two bidirectional LSTM layers, a softmax for the intent and a conditional random field for slots.

    The sum of both losses is minimised. This is the target model of Parikh et al. 2022, section 4.1, which has fastText
    vectors of 300 dimensions, trained on web text. The paper does not state layer sizes, training settings or
    whether the vectors are trained on. Here:

    - FastText is trained on the requests or on public texts, never on canaries, and its vectors stay fixed by default.
    - So few texts leave the vectors of digits almost equal, which would hide one digit behind another. Vectors are
      therefore centred, whitened and scaled to equal length, after Mu and Viswanath 2018.
    - The intent is predicted from the final state of each direction of the last layer.
    - A batch holds requests of one length.
    """

    title: ClassVar[str] = "intent and slot model"
    provides: ClassVar[frozenset[type[Access]]] = frozenset({NetworkInternals})

    vectors: Literal["fasttext", "random"] = parameter(
        "fasttext", "The word vectors come from fastText, or are random.", label="Word vectors"
    )
    texts: Annotated[Dataset | None, Holds(Documents)] = parameter(
        None,
        "Public texts that fastText is trained on besides the requests; none means the requests alone.",
        label="Public texts",
    )
    trainable: bool = parameter(False, "Whether the word vectors are trained too.", label="Train the vectors")
    dimension: int = parameter(64, "Length of each word vector.", ge=2, le=1024)
    hidden: int = parameter(48, "Units of each direction of each recurrent layer.", unit="units", ge=2, le=1024)
    layers: int = parameter(2, "Recurrent layers.", unit="layers", ge=1, le=8)
    epochs: int = parameter(8, "Epochs over the requests, at most.", unit="epochs", ge=1, le=500)
    batch: int = parameter(64, "Requests per training step.", unit="requests", ge=1, le=4096, advanced=True)
    learning_rate: float = parameter(4e-3, "Adam’s step size.", gt=0, le=1, advanced=True)

    def word_vectors(
        self,
        utterances: Utterances,
        request_vocabulary: RequestVocabulary,
        options: TrainingOptions,
        identity: Any,
        context: RunContext,
    ) -> NDArray[np.float32]:
        """Return the vector of each word before training, (words, dimension).

        Utterances are the training requests without canaries, and ``identity`` determines them and the words. In
        private training, fastText is trained on public texts alone.

        Raises:
            Incompatible: Private training without public texts.
        """
        rng = generator(0, "word vectors")
        if self.vectors == "random":
            return rng.normal(size=(len(request_vocabulary.words), self.dimension)).astype(np.float32)
        if options.promise is not None and self.texts is None:
            raise Incompatible(
                "In private training fastText may not learn from the requests. "
                "Choose public 'texts', or 'random' vectors."
            )
        public = () if self.texts is None else self.texts.load().texts
        requests = utterances.words if options.promise is None else ()
        learner = FastText(mode="skip_gram", dimension=self.dimension, epochs=_FASTTEXT_EPOCHS)
        source = None if self.texts is None else self.texts.identity()
        private = {} if options.promise is None else {"words": list(request_vocabulary.words)}
        key = key_of({"word vectors": 1, "of": identity, "texts": source, "learner": learner.identity(), **private})
        shared = {"learner": learner, "requests": requests, "public": public, "words": request_vocabulary.words}
        ((_, arrays),) = context.train("Training the word vectors", key, _train_fasttext, [0], shared)
        return _whitened(arrays["vectors"])

    def parts(self, blueprint: Blueprint) -> "tuple[Shape, Words]":
        """Return the shape of a network, and its words before training."""
        from core.networks.bilstm_crf import Shape, Words

        vocabulary, options = blueprint.request_vocabulary, blueprint.options
        shape = Shape(
            self.dimension,
            self.hidden,
            self.layers,
            len(vocabulary.intents),
            len(vocabulary.tags),
            self.trainable,
            bool(options.characters),
            options.dropout or (0.0, 0.0),
        )
        return shape, Words.of(vocabulary.words, blueprint.vectors)

    def train(self, job: RequestTrainingJob, context: RunContext) -> dict[int, Arrays]:
        """Train the networks and report each epoch as a partial result.

        Returns:
            By number of the network: its weights, ``history``, (epochs, 4) what `HISTORY` names, and ``usefulness``,
            intent accuracy and slot F1 on the test data.
        """

        def on_epoch(number: int, states: Mapping[int, Arrays]) -> None:
            context.progress.partial([row for item in sorted(states) for row in history(item, states[item])])

        encode, options = job.blueprint.request_vocabulary.encode, job.blueprint.options
        encoded = {subset: encode(job.utterances.of(subset)) for subset in ("train", "validation", "test")}
        sizes = [len(encoded["train"]) + copies for copies, _ in job.copies]
        noise_of = {size: self._noise(options, size) for size in sorted(set(sizes))}
        noise = [noise_of[size] for size in sizes]
        shared = {"model": self, "job": replace(job, utterances=_NO_REQUESTS), "encoded": encoded, "noise": noise}
        items = range(len(job.canaries))
        stage = "Training the target models"
        return train_by_epochs(context, stage, job.identity, _train_epoch, items, self.epochs, shared, on_epoch)

    def _noise(self, options: TrainingOptions, requests: int) -> float:
        """Return the noise per step of private training, in clipping norms; 0 otherwise."""
        if options.promise is None:
            return 0.0
        if options.promise.unit == "owner":
            raise Incompatible("Requests have no owners to protect. Choose 'document' for the 'unit' of dp_sgd.")
        return options.promise.noise(requests, self.batch, self.epochs * steps_per_epoch(requests, self.batch))

    def open(self, blueprint: Blueprint, arrays: Arrays) -> NetworkInternals:
        """Return access to the weights and gradients of a trained network."""
        from core.networks.bilstm_crf import OpenNetwork, restored

        network = restored(*self.parts(blueprint), arrays)
        return NetworkInternals(OpenNetwork(network, blueprint.request_vocabulary))


_FASTTEXT_EPOCHS = 5
_LEAST_SPREAD = 1e-6
"""Directions whose spread is below this share of the widest are rounding errors."""
_NO_REQUESTS = Utterances((), (), (), ())


def _whitened(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return vectors centred, whitened and with a mean square of 1 each."""
    centred = vectors.astype(np.float64) - vectors.mean(axis=0)
    white, spreads, _ = np.linalg.svd(centred, full_matrices=False)  # (words, at most dimension), orthonormal columns
    wide = np.zeros_like(centred)
    wide[:, : len(spreads)] = np.where(spreads > _LEAST_SPREAD * spreads[0], white, 0.0)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    return np.asarray(wide / np.maximum(lengths, 1e-12) * np.sqrt(wide.shape[1]), dtype=np.float32)


def history(item: int, arrays: Arrays) -> list[dict[str, Any]]:
    """Return a row for each finished epoch of a network."""
    return [
        {"model": item, "pass": number, **dict(zip(HISTORY, values, strict=True))}
        for number, values in enumerate(arrays["history"].tolist(), 1)
    ]


def _train_fasttext(
    item: int, learner: FastText, requests: Sequence[Sequence[str]], public: Sequence[str], words: Sequence[str]
) -> Arrays:
    """Train fastText on requests and public texts, and return the vectors of words."""
    corpus = Corpus.of([*requests, *(split(text) for text in public)])
    return {"vectors": learner.vectors_for(corpus, words, generator(0, "fastText", item)).vectors}


def _train_epoch(
    item: int,
    model: BilstmCrf,
    job: RequestTrainingJob,
    encoded: Mapping[str, Encoded],
    noise: Sequence[float],
    before: Arrays,
    number: int,
) -> Arrays:
    """Train one network for one epoch; return its training state, or at the end its weights and test results."""
    from core.networks.bilstm_crf import evaluate, initial, restored, train_epoch
    from core.networks.states import Steps, finished

    if "usefulness" in before:
        return before
    vocabulary, options = job.blueprint.request_vocabulary, job.blueprint.options
    shape, words = model.parts(job.blueprint)
    state = before if number else initial(shape, words, generator(job.seed, "network", item))
    requests, validation = job.with_canaries(item, encoded)
    rng = generator(job.seed, "network", item, number)
    if options.promise is None:
        after, loss = train_epoch(shape, words, state, requests, Steps(model.batch, model.learning_rate), rng)
    else:
        from core.networks.private_bilstm_crf import train_epoch_privately
        from core.networks.private_steps import PrivateSteps

        steps = PrivateSteps(model.batch, model.learning_rate, options.promise.norm, noise[item])
        after, loss = train_epoch_privately(shape, words, state, requests, steps, rng)
    result = evaluate(restored(shape, words, after), validation, vocabulary)
    row = np.array([[loss, result.loss, result.intent_accuracy, result.slot_f1]])
    rows = np.concatenate([before["history"], row]) if number else row
    best = _best(before, after, rows) if options.patience else {}
    epochs_since_best = len(rows) - 1 - int(rows[:, 1].argmin())
    if number + 1 < model.epochs and not (options.patience and epochs_since_best >= options.patience):
        return {**after, **best, "history": rows}
    last = {f"weight.{name.removeprefix('best.')}": array for name, array in best.items()} or finished(after)
    test = evaluate(restored(shape, words, last), encoded["test"], vocabulary)
    return {**last, "history": rows, "usefulness": np.array([test.intent_accuracy, test.slot_f1])}


def _best(before: Arrays, after: Arrays, rows: NDArray[np.float64]) -> dict[str, NDArray[Any]]:
    """Return the weights with the smallest validation loss so far, under names that start with ``best.``."""
    if rows[:, 1].argmin() == len(rows) - 1:
        return {f"best.{name.removeprefix('weight.')}": after[name] for name in after if name.startswith("weight.")}
    return {name: before[name] for name in before if name.startswith("best.")}
