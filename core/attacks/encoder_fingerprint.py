"""Encoder fingerprint: which of several encoders made an embedding."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, field_validator

from core.access import SentenceEmbeddings
from core.datasets import Dataset
from core.datasets.lee_news import LeeNews
from core.encoders.records import NamesEncoders
from core.errors import Incompatible
from core.games.fingerprint.contract import Answer, Briefing, FingerprintAttack, labels
from core.keys import key_of
from core.models.encoder import Encoder
from core.networks import perceptron
from core.networks.perceptron import Perceptron, Training
from core.runtime.context import Arrays, RunContext, content_key
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets.model import Model

_UNITS = 200
_BATCH = 64
_LEARNING_RATE = 1e-3


class EncoderFingerprint(FingerprintAttack):
    """The encoder behind an embedding (Pan et al. 2020, appendix D and Figure 9).

    The other attacks assume that the adversary knows the encoder. Here it infers it: the length of an embedding leaves
    the encoders of that dimension d, and among c of them a perceptron decides, trained on embeddings of texts of
    another kind by each of the c:

        encoder = argmax softmax(W_2 sigmoid(W_1 f(text))),   d - 200 - c.

    An experiment has one model; a candidate is that model with another ``source`` or ``pooling``, written ``source``,
    ``source@pooling`` or ``@pooling``. The model itself is the first candidate. Where the paper is silent:

    - *Embeddings.* Each victim is one embedding, by an encoder drawn anew; a set judged together would be easier.
    - *Training.* 2,000 texts by each encoder, as in the paper; epochs, batch and optimiser are not stated.
    - *Numbers.* Text and figure say 784 dimensions where the encoders have 768.
    """

    version: ClassVar[int] = 2
    title: ClassVar[str] = "Encoder fingerprint"
    question: ClassVar[str] = "Which encoder made this embedding?"
    claim: ClassVar[str] = "Given an embedding, the adversary names the encoder that made it"
    threat: ClassVar[str] = (
        "The adversary has embeddings of texts it does not know, may query each candidate encoder with any text, and "
        "holds texts of another kind."
    )
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "wikipedia_excerpt"},
            "model": {"part": "encoder", "max_tokens": 64},
            "game": {"victims": 300},
            "attack": {"external": {"part": "lee_news"}, "epochs": 20},
        },
        "paper": {
            "dataset": {"part": "cms_procedures"},
            "model": {"part": "encoder", "source": "xlnet", "pooling": "last"},
            "attack": {"candidates": ["gpt", "gpt2", "roberta", "ernie", "bert", "xlm"], "external": {"part": "yelp"}},
        },
    }

    candidates: Annotated[tuple[Annotated[str, Field(min_length=1, max_length=500)], ...], NamesEncoders()] = parameter(
        ("@first", "@last"),
        "Encoders besides the model: a source, source@pooling, or @pooling for the model's own source.",
        label="Other encoders",
        min_length=1,
        max_length=20,
    )
    external: Dataset = parameter(
        LeeNews(), "Texts of another kind than the victims', which the adversary has embedded.", label="External texts"
    )
    external_size: int = parameter(
        2000,
        "Most external texts that are used.",
        label="External texts used",
        unit="texts",
        ge=10,
        le=100_000,
        advanced=True,
    )
    epochs: int = parameter(30, "Epochs on their embeddings.", unit="epochs", ge=1, le=1000, advanced=True)

    @field_validator("candidates")
    @classmethod
    def _may_be_encoders(cls, candidates: tuple[str, ...]) -> tuple[str, ...]:
        for candidate in candidates:
            Encoder.parse(_changes(candidate))
        return candidates

    def encoders(self, model: Model) -> tuple[Encoder, ...]:
        """Return the candidates, the experiment's own model first.

        Raises:
            Incompatible: Two are equal, or the model is no encoder with a source.
        """
        if not isinstance(model, Encoder):
            raise Incompatible(f"{self.part_name()} tells encoders apart. {model.part_name()} has no other sources.")
        encoders = (model, *(model.replace(**_changes(candidate)) for candidate in self.candidates))
        if len({encoder.key for encoder in encoders}) < len(encoders):
            raise Incompatible(f"The encoders must differ. Got {', '.join(labels(encoders))} instead.")
        return encoders

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: fields, version, and the files of the named sources."""
        files = {source: Encoder(source=source).identity()["files"] for source, _ in self.named_encoders()}
        return {**super().identity(), **({"files": files} if files else {})}

    def named_encoders(self) -> tuple[tuple[str, str], ...]:
        """Return the sources that candidates name; the others are the experiment’s own encoder, pooled otherwise."""
        sources = {candidate.partition("@")[0] for candidate in self.candidates} - {""}
        return tuple((source, "") for source in sorted(sources))

    def auxiliary(self) -> Dataset:
        """Return the dataset of the external texts."""
        return self.external

    def identify(self, briefing: Briefing, candidates: Sequence[SentenceEmbeddings], context: RunContext) -> Answer:
        """Compare dimensions, then train a classifier for each dimension that several candidates share.

        Raises:
            Incompatible: There are too few external texts.
        """
        victims, seed = briefing.victims, briefing.seed
        texts = self.external.load().texts
        chosen = np.sort(generator(seed, "external").permutation(len(texts))[: self.external_size])
        if len(chosen) < 2:
            raise Incompatible(f"{self.external.part_name()} has {len(chosen)} texts. At least 2 are needed.")
        known = [access.query([texts[row] for row in chosen]) for access in candidates]
        groups: dict[int, list[int]] = {}
        for candidate, embeddings in enumerate(known):
            groups.setdefault(embeddings.shape[1], []).append(candidate)
        tasks = {
            dimension: _Task(
                known=np.concatenate([known[candidate] for candidate in group]),
                truth=np.repeat(np.arange(len(group)), len(chosen)),
                answers=len(group),
                epochs=self.epochs,
                seed=seed,
            )
            for dimension, group in groups.items()
            if len(group) > 1
        }
        lengths = np.array([len(vector) for vector in victims], dtype=np.int64)
        probabilities = np.zeros((len(victims), len(candidates)), np.float32)
        for dimension, group in groups.items():
            probabilities[np.ix_(lengths == dimension, np.array(group))] = 1 / len(group)
        hidden: dict[int, NDArray[np.float32]] = {}
        stage, key = "Training a classifier for each dimension", key_of([task.key() for task in tasks.values()])
        for dimension, arrays in context.train(stage, key, _train, list(tasks), {"tasks": tasks}):
            rows = np.flatnonzero(lengths == dimension)
            if len(rows):
                network = Perceptron.from_arrays(arrays)
                hidden[dimension] = network.hidden(np.stack([victims[row] for row in rows.tolist()]))
                probabilities[np.ix_(rows, np.array(groups[dimension]))] = network.decide(hidden[dimension])
        return Answer(probabilities, hidden)


def _changes(candidate: str) -> dict[str, str]:
    """Return the fields in which a candidate differs from the experiment's model."""
    source, _, pooling = candidate.partition("@")
    # The model's revision is that of its own source.
    return {**({"source": source, "revision": ""} if source else {}), **({"pooling": pooling} if pooling else {})}


@dataclass(frozen=True)
class _Task:
    """What one classifier is trained on.

    Attributes:
        known: (rows, dimension) embeddings of the external texts, by one encoder after the other.
        truth: (rows,) which encoder made each.
        answers: Number of encoders.
        epochs: Epochs on them.
        seed: Source of all randomness.
    """

    known: NDArray[np.float32]
    truth: NDArray[np.int64]
    answers: int
    epochs: int
    seed: int

    def key(self) -> str:
        """Key of all that determines the classifier."""
        contents = content_key(self.known, self.truth)
        return key_of({"fingerprint": 1, "contents": contents, "epochs": self.epochs, "seed": self.seed})


def _train(item: int, tasks: Mapping[int, _Task]) -> Arrays:
    """Train the classifier for one dimension."""
    task = tasks[item]
    steps = task.epochs * max(1, len(task.known) // _BATCH)
    training = Training((_UNITS,), steps=steps, batch=_BATCH, learning_rate=_LEARNING_RATE)
    draw = perceptron.batches(task.known, task.truth)
    rng = generator(task.seed, "classifier", item)
    (network,) = perceptron.train(draw, task.known, task.answers, training, rng)
    return network.as_arrays()
