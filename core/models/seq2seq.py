"""A Transformer that learns to translate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import model_validator

from core.access import ScoringTranslator
from core.defenses import TrainingOptions, training_options
from core.errors import Incompatible, InvalidSpec
from core.runtime.context import Arrays, RunContext
from core.runtime.epochs import train_by_epochs
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets.trained_target import Epoch, TrainedTarget, Utility
from core.targets.training_job import TranslationJob
from core.targets.translator import OnEpoch, TranslationModel
from core.text.bitext import Bitext
from core.text.subwords import FEWEST, Subwords

if TYPE_CHECKING:
    from core.networks.translation import Shape, Transformer

_FEWEST = 20
_LONGEST = 256
"""Pieces of a sentence, and of its translation, that are looked at."""


class Seq2Seq(TranslationModel):
    """A Transformer encoder and decoder that learns to translate, from its own pairs alone.

    Hisamoto et al. 2020 give the trainer six layers with three-way tied embeddings and one byte-pair encoding of both
    languages (section 4.2), and the adversary four layers with a smaller perceptron, no tied embedding, and an encoding
    of each language (section 5.2); both have 512 dimensions and 30,000 pieces, and stop once the perplexity on other
    pairs does not improve. These are the same with layers normalised first, as theirs, on what a laptop can train. Each
    learns its pieces from its own training pairs, as theirs do: a translator's pieces are part of what it was taught.

    Of defenses, ``early_stopping`` is the paper's stopping rule, and ``dropout`` takes the place of the model's own:
    its inputs are the vectors of pieces, its hidden units what each block adds to them.
    """

    title: ClassVar[str] = "Transformer translator"

    layers: int = parameter(2, "Layers of the encoder, and of the decoder.", unit="layers", ge=1, le=12)
    dimension: int = parameter(128, "Length of a piece’s vector and of the hidden state.", ge=8, le=1024)
    heads: int = parameter(4, "Attention heads of each layer.", unit="heads", ge=1, le=16)
    feed_forward: int = parameter(512, "Hidden units of each layer’s perceptron.", unit="units", ge=8, le=4096)
    tying: Literal["three_way", "none"] = parameter(
        "three_way",
        "One vocabulary of both languages whose vectors are the output’s weights too, or one of each.",
        label="Embeddings",
    )
    pieces: int = parameter(
        3000,
        "Size of the vocabulary of pieces of words, or of each where they are two.",
        unit="pieces",
        ge=FEWEST,
        le=32_000,
    )
    epochs: int = parameter(10, "Passes over the pairs, at most.", unit="passes", ge=1, le=500)
    dropout: float = parameter(0.1, "Share of units left out in training.", ge=0, le=0.9)
    label_smoothing: float = parameter(
        0.1,
        "Share of each token’s probability that the loss wants spread over all pieces.",
        ge=0,
        le=0.9,
        advanced=True,
    )
    batch_tokens: int = parameter(
        512,
        "Tokens of the longer side of a training step’s pairs, at most.",
        unit="tokens",
        ge=16,
        le=100_000,
        advanced=True,
    )
    learning_rate: float = parameter(
        3e-3,
        "Adam’s largest step size; it falls with the inverse square root of the steps.",
        gt=0,
        le=1,
        advanced=True,
    )
    warm_up: int = parameter(
        400, "Steps in which the step size rises to its largest.", unit="steps", ge=1, le=100_000, advanced=True
    )
    beam: int = parameter(
        1,
        "Translations kept in mind while one is written; 1 takes the likeliest piece each time.",
        unit="translations",
        ge=1,
        le=50,
        advanced=True,
    )

    @model_validator(mode="after")
    def _heads_divide_the_state(self) -> Self:
        if self.dimension % (2 * self.heads):
            nearest = max(1, round(self.dimension / (2 * self.heads))) * 2 * self.heads
            raise InvalidSpec(
                f"The 'dimension' parameter of {self.part_name()} must be a multiple of twice its {self.heads} heads. "
                f"Got {self.dimension} instead; {nearest} would do.",
                "dimension",
            )
        return self

    def release(self, job: TranslationJob, context: RunContext, on_epoch: OnEpoch) -> list[TrainedTarget]:
        """Train translators, telling of each pass."""
        study = Study(self, job, self._asked(job))

        def ended(number: int, state: Mapping[int, Arrays]) -> None:
            on_epoch([_passes(state[item]) for item in sorted(state)])

        identity = {**job.identity, "kept": sorted(set(job.kept))}
        items = range(len(job.selections))
        trained = train_by_epochs(
            context, "Training the translators", identity, _train_pass, items, self.epochs, {"study": study}, ended
        )
        return [study.released(trained[item]) for item in items]

    def _asked(self, job: TranslationJob) -> TrainingOptions:
        """Return what defenses ask of training, once there is enough to train on."""
        asked = training_options(job.defenses)
        if asked != TrainingOptions(dropout=asked.dropout, patience=asked.patience):
            raise Incompatible(
                f"Of what defenses ask of training, {self.part_name()} can do dropout and early stopping only."
            )
        if (fewest := min(map(len, job.selections), default=0)) < _FEWEST:
            raise Incompatible(
                f"{self.part_name()} learns from at least {_FEWEST} pairs of sentences. There are {fewest} for one of "
                "the translators: take a larger dataset, or fewer probes."
            )
        if not len(job.validation):
            raise Incompatible(f"{self.part_name()} is judged by pairs that train it not, and there are none.")
        return asked


@dataclass(frozen=True)
class Study:
    """What translators learn from.

    Attributes:
        model: How.
        job: What.
        asked: What defenses ask of training.
    """

    model: Seq2Seq
    job: TranslationJob
    asked: TrainingOptions

    def pairs(self, item: int) -> Bitext:
        """Return the pairs that one of them learns."""
        return self.job.bitext.select(self.job.selections[item])

    def start(self, item: int) -> dict[str, NDArray[Any]]:
        """Return the state of a translator before training: its pieces, and its weights."""
        from core.networks.translation import initial

        size, pairs = self.model.pieces, self.pairs(item)
        if self.model.tying == "three_way":
            learnt = {"joint": Subwords.learn([*pairs.sources, *pairs.targets], size)}
        else:
            learnt = {"source": Subwords.learn(pairs.sources, size), "target": Subwords.learn(pairs.targets, size)}
        pieces = {f"pieces.{name}": subwords.as_array() for name, subwords in learnt.items()}
        seed = int(generator(self.job.seed, "translator", item).integers(2**31))
        return {**pieces, **initial(self.translator(pieces).shape, seed), "history": np.empty((0, 2))}

    def translator(self, state: Arrays) -> "SentenceTranslator":
        """Return a translator of a state."""
        from core.networks.translation import Shape

        model = self.model
        source, target = _pieces(state)
        shape = Shape(
            len(source),
            len(target),
            model.tying == "three_way",
            model.layers,
            model.dimension,
            model.heads,
            model.feed_forward,
            self.asked.dropout or (model.dropout, model.dropout),
        )
        return SentenceTranslator(shape, state, model.beam)

    def released(self, trained: Arrays) -> TrainedTarget:
        """Return a trained translator, with what it was before."""
        passes, pieces = _passes(trained), _only(trained, "pieces.")
        course = {}
        for number in sorted(set(self.job.kept)):
            if own := _renamed(trained, f"after.{number}.", ""):
                wide = {name: array.astype(np.float32) for name, array in own.items()}
                course[number] = ScoringTranslator(self.translator({**pieces, **wide}))
        access = ScoringTranslator(self.translator({**pieces, **_only(trained, "weight.")}))
        last = _best(passes) if self.asked.patience else passes[-1]
        quality = Utility(
            last.perplexity,
            "pieces",
            "Among how many pieces of words a translator chooses, as it were, in translations it was not trained on.",
            float(len(_pieces(trained)[1])),
        )
        before = {number: seen for number, seen in course.items() if number < last.number}
        return TrainedTarget(access, {"perplexity": quality}, {**before, last.number: access}, passes)


@dataclass(frozen=True)
class SentenceTranslator:
    """A trained translator in use, which builds its network when it is first asked.

    Attributes:
        shape: What its network is made of.
        state: Its pieces and its weights.
        beam: Translations kept in mind while one is written.
    """

    shape: "Shape"
    state: Arrays
    beam: int

    def translate(self, sources: Sequence[str]) -> tuple[list[str], NDArray[np.float64]]:
        """Return translations, and the mean log-probability of a token of each, in nats, (sources,)."""
        from core.networks.beam_search import translate

        said, nats, tokens = translate(self._network, self.read(sources), self.beam)
        return self._pieces[1].decode(said), nats / tokens

    def log_probabilities(self, sources: Sequence[str], targets: Sequence[str]) -> NDArray[np.float64]:
        """Return the mean log-probability of a token of each given translation, in nats, (sources,)."""
        from core.networks.translation import log_probabilities

        nats, tokens = log_probabilities(self._network, self.read(sources), self.written(targets))
        return nats / tokens

    def read(self, sources: Sequence[str]) -> list[NDArray[np.int64]]:
        """Return the tokens of sentences."""
        return [tokens[:_LONGEST] for tokens in self._pieces[0].encode(sources)]

    def written(self, targets: Sequence[str]) -> list[NDArray[np.int64]]:
        """Return the tokens of translations."""
        return [tokens[:_LONGEST] for tokens in self._pieces[1].encode(targets)]

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out what is built from the state."""
        return type(self), (self.shape, self.state, self.beam)

    @cached_property
    def _pieces(self) -> tuple[Subwords, Subwords]:
        return _pieces(self.state)

    @cached_property
    def _network(self) -> "Transformer":
        from core.networks.translation import restored

        return restored(self.shape, self.state).eval().requires_grad_(requires_grad=False)


def _pieces(state: Arrays) -> tuple[Subwords, Subwords]:
    """Return what a translator reads in, and what it writes in."""
    names = ("joint", "joint") if "pieces.joint" in state else ("source", "target")
    source, target = (Subwords.from_array(state[f"pieces.{name}"]) for name in names)
    return source, target


def _passes(state: Arrays) -> tuple[Epoch, ...]:
    """Return how each pass ended."""
    return tuple(Epoch(number, loss, found) for number, (loss, found) in enumerate(state["history"].tolist(), 1))


def _best(passes: Sequence[Epoch]) -> Epoch:
    """Return the pass after which the perplexity was smallest, the first of several."""
    return min(passes, key=lambda one: one.perplexity)


def _only(state: Arrays, start: str) -> dict[str, NDArray[Any]]:
    """Return the arrays whose names start so."""
    return _renamed(state, start, start)


def _renamed(state: Arrays, start: str, other: str) -> dict[str, NDArray[Any]]:
    """Return the arrays whose names start so, under names that start otherwise."""
    return {other + name.removeprefix(start): array for name, array in state.items() if name.startswith(start)}


def _train_pass(item: int, study: Study, before: Arrays, number: int) -> Arrays:
    """Train one translator for one pass; return what the next pass needs, or after the last what its use needs."""
    from core.networks.states import finished
    from core.networks.translation import perplexity, restored, train_pass

    if before and "steps" not in before:
        return before
    model, job = study.model, study.job
    begun = before or study.start(item)
    kept = {**_only(begun, "pieces."), **_only(begun, "after.")}
    if not number and 0 in job.kept:
        kept |= _halved(0, begun)
    translator, pairs = study.translator(begun), study.pairs(item)
    after, loss = train_pass(
        translator.shape,
        begun,
        translator.read(pairs.sources),
        translator.written(pairs.targets),
        batch_tokens=model.batch_tokens,
        learning_rate=model.learning_rate,
        warm_up=model.warm_up,
        smoothing=model.label_smoothing,
        rng=generator(job.seed, "translator", item, number),
    )
    judged = job.bitext.select(job.validation)
    network = restored(translator.shape, after).eval()
    found = perplexity(network, translator.read(judged.sources), translator.written(judged.targets))
    kept["history"] = np.concatenate([begun["history"], [[loss, found]]])
    patience, since = study.asked.patience, number + 1 - _best(_passes(kept)).number
    best = finished(after) if not (patience and since) else _renamed(begun, "best.", "")
    if number + 1 == model.epochs or (patience and since >= patience):
        return {**kept, **best}
    if number + 1 in job.kept:
        kept |= _halved(number + 1, after)
    return {**kept, **after, **(_renamed(best, "", "best.") if patience else {})}


def _halved(passes: int, state: Arrays) -> dict[str, NDArray[Any]]:
    """Return weights as what they were after so many passes; half as many bits do, for nothing is trained on them."""
    weights = _renamed(state, "weight.", f"after.{passes}.weight.")
    return {name: array.astype(np.float16) for name, array in weights.items()}
