"""A model of requests to an assistant: what is wanted, and which words fill which slot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.access import Access, NetworkInternals
from core.datasets import Dataset
from core.defenses import TrainingOptions
from core.errors import Incompatible
from core.models.fasttext import FastText
from core.runtime.context import Arrays, RunContext
from core.runtime.epochs import train_by_epochs
from core.runtime.seeding import generator
from core.sources.annotated import split
from core.spec import Holds, key_of, parameter
from core.statistics.privacy import steps_per_epoch
from core.targets.model import Model
from core.text.contents import Documents, Utterances
from core.text.corpus import Corpus
from core.text.request_vocabulary import Encoded, RequestVocabulary

if TYPE_CHECKING:
    from core.networks.bilstm_crf import Shape

HISTORY = ("train_loss", "validation_loss", "intent_accuracy", "slot_f1")
"""What is measured after each pass: the last three on the data for validation."""


@dataclass(frozen=True)
class Study:
    """What networks are trained on.

    Attributes:
        utterances: What all of them learn.
        request_vocabulary: What they know by number.
        vectors: (words, dimension) the vector of each word.
        canaries: What each learns besides, by number of the network.
        copies: By number of the network, how often its canaries are learnt, and how often they are among the data for
            validation.
        recipe: What defenses ask of training.
        identity: All that determines the networks, plain values.
        seed: Source of all randomness.
    """

    utterances: Utterances
    request_vocabulary: RequestVocabulary
    vectors: NDArray[np.float32]
    canaries: Sequence[Utterances]
    copies: Sequence[tuple[int, int]]
    recipe: TrainingOptions
    identity: Mapping[str, Any]
    seed: int


class BilstmCrf(Model):
    """Word vectors, two bidirectional LSTM layers, a softmax for the intent and a random field for the slots.

    The sum of both losses is minimised. After the target model of Parikh et al. 2022, section 4.1, which has fastText's
    vectors of 300 dimensions, trained on the whole web, and says nothing of the size of its layers, of their training
    or of whether the vectors are trained on. Here fastText learns from the requests or from public texts, canaries
    never among them. So few texts leave the vectors of digits almost alike, which would hide one digit behind another:
    vectors are centred, whitened and made equally long, after Mu and Viswanath 2018. They are not trained on unless
    that is asked. The intent is read from what each direction of the last layer says at its end. Batches are of
    requests of one length.
    """

    title: ClassVar[str] = "intent and slot model"
    provides: ClassVar[frozenset[type[Access]]] = frozenset({NetworkInternals})

    vectors: Literal["fasttext", "random"] = parameter(
        "fasttext", "The word vectors come from fastText, or are random.", label="Word vectors"
    )
    texts: Annotated[Dataset | None, Holds(Documents)] = parameter(
        None,
        "Public texts that fastText learns from beside the requests; none means the requests alone.",
        label="Public texts",
    )
    trainable: bool = parameter(False, "Whether the word vectors are trained too.", label="Train the vectors")
    dimension: int = parameter(64, "Length of each word vector.", ge=2, le=1024)
    hidden: int = parameter(48, "Units of each direction of each recurrent layer.", unit="units", ge=2, le=1024)
    layers: int = parameter(2, "Recurrent layers.", unit="layers", ge=1, le=8)
    epochs: int = parameter(8, "Passes over the requests, at most.", unit="passes", ge=1, le=500)
    batch: int = parameter(64, "Requests of a training step.", unit="requests", ge=1, le=4096, advanced=True)
    learning_rate: float = parameter(4e-3, "Adam’s step size.", gt=0, le=1, advanced=True)

    def word_vectors(
        self,
        utterances: Utterances,
        request_vocabulary: RequestVocabulary,
        asked: TrainingOptions,
        identity: Any,
        context: RunContext,
    ) -> NDArray[np.float32]:
        """Return the vector of each word before training, (words, dimension).

        Args:
            utterances: What is learnt, without canaries.
            request_vocabulary: The words.
            asked: What defenses ask of training: under a promise, fastText learns from public texts alone.
            identity: What determines utterances and words, plain values.
            context: Where fastText is trained, once ever.

        Raises:
            Incompatible: There are no public texts, and a promise lets fastText see no others.
        """
        rng = generator(0, "word vectors")
        if self.vectors == "random":
            return rng.normal(size=(len(request_vocabulary.words), self.dimension)).astype(np.float32)
        if asked.promise is not None and self.texts is None:
            raise Incompatible(
                "Under a promise fastText may not learn from the requests. Choose public 'texts', or 'random' vectors."
            )
        public = () if self.texts is None else self.texts.load().texts
        requests = utterances.words if asked.promise is None else ()
        learner = FastText(mode="skip_gram", dimension=self.dimension, epochs=_FASTTEXT_EPOCHS)
        source = None if self.texts is None else self.texts.identity()
        private = {} if asked.promise is None else {"words": list(request_vocabulary.words)}
        key = key_of({"word vectors": 1, "of": identity, "texts": source, "learner": learner.identity(), **private})
        shared = {"learner": learner, "requests": requests, "public": public, "words": request_vocabulary.words}
        ((_, arrays),) = context.train("Training the word vectors", key, _spell, [0], shared)
        return _spread(arrays["vectors"])

    def shape(self, request_vocabulary: RequestVocabulary, recipe: TrainingOptions) -> "Shape":
        """Return what the network for a lexicon is made of."""
        from core.networks.bilstm_crf import Shape

        return Shape(
            self.dimension,
            self.hidden,
            self.layers,
            len(request_vocabulary.intents),
            len(request_vocabulary.tags),
            self.trainable,
            bool(recipe.characters),
            recipe.dropout or (0.0, 0.0),
        )

    def train(self, study: Study, context: RunContext) -> dict[int, Arrays]:
        """Train the networks, telling of each pass.

        Returns:
            By number of the network, its weights; ``history``, (passes, 4) what `HISTORY` names after each pass; and
            ``usefulness``, the intent accuracy and the slot F1 on the data for testing.
        """

        def on_epoch(number: int, state: Mapping[int, Arrays]) -> None:
            context.progress.partial([row for item in sorted(state) for row in history(item, state[item])])

        encoded = {
            part: study.request_vocabulary.encode(study.utterances.of(part)) for part in ("train", "validation", "test")
        }
        noise = [self._noise(study.recipe, len(encoded["train"]) + learnt) for learnt, _ in study.copies]
        shared = {"model": self, "study": replace(study, utterances=_NOTHING), "encoded": encoded, "noise": noise}
        items = range(len(study.canaries))
        stage = "Training the target models"
        return train_by_epochs(context, stage, study.identity, _train_pass, items, self.epochs, shared, on_epoch)

    def _noise(self, asked: TrainingOptions, requests: int) -> float:
        """Return the noise of a step that a promise to so many requests needs, in norms; 0 without a promise."""
        if asked.promise is None:
            return 0.0
        return asked.promise.noise(requests, self.batch, self.epochs * steps_per_epoch(requests, self.batch))

    def open(
        self,
        request_vocabulary: RequestVocabulary,
        vectors: NDArray[np.float32],
        recipe: TrainingOptions,
        arrays: Arrays,
    ) -> NetworkInternals:
        """Return access to everything inside a trained network."""
        from core.networks.bilstm_crf import OpenNetwork, Words, restored

        words = Words.of(request_vocabulary.words, vectors)
        return NetworkInternals(
            OpenNetwork(restored(self.shape(request_vocabulary, recipe), words, arrays), request_vocabulary)
        )


_FASTTEXT_EPOCHS = 5
_LEAST = 1e-6
"""Directions in which vectors spread less than this share of the widest say nothing."""
_NOTHING = Utterances((), (), (), ())


def _spread(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return vectors centred, whitened and of a mean square of 1 each."""
    centred = vectors.astype(np.float64) - vectors.mean(axis=0)
    white, sizes, _ = np.linalg.svd(centred, full_matrices=False)  # (words, at most dimension), orthonormal columns
    wide = np.zeros_like(centred)
    wide[:, : len(sizes)] = np.where(sizes > _LEAST * sizes[0], white, 0.0)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    return np.asarray(wide / np.maximum(lengths, 1e-12) * np.sqrt(wide.shape[1]), dtype=np.float32)


def history(item: int, arrays: Arrays) -> list[dict[str, Any]]:
    """Return a row for each pass that a network has behind it."""
    return [
        {"model": item, "pass": number, **dict(zip(HISTORY, measured, strict=True))}
        for number, measured in enumerate(arrays["history"].tolist(), 1)
    ]


def _spell(
    item: int, learner: FastText, requests: Sequence[Sequence[str]], public: Sequence[str], words: Sequence[str]
) -> Arrays:
    """Train fastText on requests and public texts, and return the vectors of words."""
    corpus = Corpus.of([*requests, *(split(text) for text in public)])
    return {"vectors": learner.spell(corpus, words, generator(0, "fastText", item)).vectors}


def _train_pass(
    item: int,
    model: BilstmCrf,
    study: Study,
    encoded: Mapping[str, Encoded],
    noise: Sequence[float],
    before: Arrays,
    number: int,
) -> Arrays:
    """Train one network for one pass; return what the next pass needs, or after the last what its use needs."""
    from core.networks.bilstm_crf import Words, examine, initial, restored, train_pass
    from core.networks.states import finished

    if "usefulness" in before:
        return before
    shape, words = (
        model.shape(study.request_vocabulary, study.recipe),
        Words.of(study.request_vocabulary.words, study.vectors),
    )
    begun = before if number else initial(shape, words, generator(study.seed, "network", item))
    learnt, validated = study.copies[item]
    canaries = study.request_vocabulary.encode(study.canaries[item])
    requests = encoded["train"].with_copies(canaries, learnt)
    rng = generator(study.seed, "network", item, number)
    batch, learning_rate, promise = model.batch, model.learning_rate, study.recipe.promise
    if promise is None:
        after, loss = train_pass(shape, words, begun, requests, batch=batch, learning_rate=learning_rate, rng=rng)
    else:
        from core.networks.private_bilstm_crf import train_pass_privately

        after, loss = train_pass_privately(
            shape,
            words,
            begun,
            requests,
            batch=batch,
            learning_rate=learning_rate,
            norm=promise.norm,
            noise=noise[item],
            rng=rng,
        )
    seen = examine(
        restored(shape, words, after), encoded["validation"].with_copies(canaries, validated), study.request_vocabulary
    )
    row = np.array([[loss, seen.loss, seen.intent_accuracy, seen.slot_f1]])
    past = np.concatenate([before["history"], row]) if number else row
    kept = _best(before, after, past) if study.recipe.patience else {}
    since = len(past) - 1 - int(past[:, 1].argmin())
    if number + 1 < model.epochs and not (study.recipe.patience and since >= study.recipe.patience):
        return {**after, **kept, "history": past}
    last = {f"weight.{name.removeprefix('best.')}": array for name, array in kept.items()} or finished(after)
    tested = examine(restored(shape, words, last), encoded["test"], study.request_vocabulary)
    return {**last, "history": past, "usefulness": np.array([tested.intent_accuracy, tested.slot_f1])}


def _best(before: Arrays, after: Arrays, past: NDArray[np.float64]) -> dict[str, NDArray[Any]]:
    """Return the weights of the pass with the smallest validation loss so far, under other names."""
    if past[:, 1].argmin() == len(past) - 1:
        return {f"best.{name.removeprefix('weight.')}": after[name] for name in after if name.startswith("weight.")}
    return {name: before[name] for name in before if name.startswith("best.")}
