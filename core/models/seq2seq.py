"""A Transformer that is trained to translate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import model_validator

from core.access import ScoringTranslator
from core.defenses import TrainingOptions, training_options
from core.errors import Incompatible, InvalidSpec
from core.networks.sentence_translator import SentenceTranslator, subwords_of
from core.runtime.context import Arrays, RunContext
from core.runtime.epochs import train_by_epochs
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets.trained_target import Epoch, TrainedTarget, Utility
from core.targets.training_job import TranslationJob
from core.targets.translator import OnEpoch, TranslationModel
from core.text.bitext import Bitext
from core.text.subwords import FEWEST, Subwords

_FEWEST_PAIRS = 20


class Seq2Seq(TranslationModel):
    """A Transformer encoder and decoder, trained to translate on its own pairs alone.

    Hisamoto et al. 2020 give the trainer six layers with three-way tied embeddings and one byte-pair encoding of both
    languages (section 4.2). Their adversary has four layers with a smaller perceptron, no tied embeddings, and one
    encoding per language (section 5.2). Both have 512 dimensions and 30,000 subwords, and stop when the validation
    perplexity no longer falls. These are the same networks, pre-layer normalisation included, at the size of a laptop.
    The subwords too are trained on the translator's own pairs, as in the paper.

    ``early_stopping`` is the paper's stopping rule. ``dropout`` as a defense replaces the model's own dropout: its
    inputs are the vectors of subwords, its hidden units the outputs of each residual block.
    """

    title: ClassVar[str] = "Transformer translator"

    layers: int = parameter(2, "Layers of the encoder, and of the decoder.", unit="layers", ge=1, le=12)
    dimension: int = parameter(128, "Length of a subword’s vector and of the hidden state.", ge=8, le=1024)
    heads: int = parameter(4, "Attention heads of each layer.", unit="heads", ge=1, le=16)
    feed_forward: int = parameter(512, "Hidden units of each layer’s perceptron.", unit="units", ge=8, le=4096)
    tying: Literal["three_way", "none"] = parameter(
        "three_way",
        "Three-way: one vocabulary of both languages, and its vectors are the output weights. None: one per language.",
        label="Embeddings",
    )
    pieces: int = parameter(
        3000, "Size of the subword vocabulary, or of each if there are two.", unit="subwords", ge=FEWEST, le=32_000
    )
    epochs: int = parameter(10, "Epochs over the pairs, at most.", unit="epochs", ge=1, le=500)
    dropout: float = parameter(0.1, "Share of units left out in training.", ge=0, le=0.9)
    label_smoothing: float = parameter(
        0.1, "Share of each token’s probability that the loss spreads over all subwords.", ge=0, le=0.9, advanced=True
    )
    batch_tokens: int = parameter(
        512,
        "Most tokens per training step on the longer side of its pairs.",
        unit="tokens",
        ge=16,
        le=100_000,
        advanced=True,
    )
    learning_rate: float = parameter(
        3e-3,
        "Adam’s largest step size; it then falls with the inverse square root of the steps.",
        gt=0,
        le=1,
        advanced=True,
    )
    warm_up: int = parameter(400, "Steps until the largest step size.", unit="steps", ge=1, le=100_000, advanced=True)
    beam: int = parameter(
        1, "Width of the beam in search; 1 is greedy search.", unit="translations", ge=1, le=50, advanced=True
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

    def train_targets(self, job: TranslationJob, context: RunContext, on_epoch: OnEpoch) -> list[TrainedTarget]:
        """Return the translators of a job."""
        training = TranslatorTrainingJob(self, job, self._options(job))

        def report(number: int, states: Mapping[int, Arrays]) -> None:
            on_epoch([_epochs(states[item]) for item in sorted(states)])

        identity = {**job.identity, "kept": sorted(set(job.snapshot_epochs))}
        items = range(len(job.selections))
        shared = {"training": training}
        stage = "Training the translators"
        states = train_by_epochs(context, stage, identity, _train_epoch, items, self.epochs, shared, report)
        return [training.target(states[item]) for item in items]

    def _options(self, job: TranslationJob) -> TrainingOptions:
        """Return what defenses change in training, after checking the job."""
        options = training_options(job.defenses)
        if options != TrainingOptions(dropout=options.dropout, patience=options.patience):
            raise Incompatible(f"{self.part_name()} supports dropout and early stopping only as defenses in training.")
        if (fewest := min(map(len, job.selections), default=0)) < _FEWEST_PAIRS:
            raise Incompatible(
                f"{self.part_name()} needs at least {_FEWEST_PAIRS} pairs of sentences. There are {fewest} for one of "
                "the translators: take a larger dataset, or fewer probes."
            )
        if not len(job.validation):
            raise Incompatible(f"{self.part_name()} needs held-out pairs for validation, and there are none.")
        return options


@dataclass(frozen=True)
class TranslatorTrainingJob:
    """What translators are trained on, and how.

    Attributes:
        model: Hyper-parameters.
        job: The pairs.
        options: What defenses change in training.
    """

    model: Seq2Seq
    job: TranslationJob
    options: TrainingOptions

    def pairs(self, item: int) -> Bitext:
        """Return the training pairs of one translator."""
        return self.job.bitext.select(self.job.selections[item])

    def initial(self, item: int) -> dict[str, NDArray[Any]]:
        """Return the state of a translator before training: its subwords and its weights."""
        from core.networks.translation import initial

        size, pairs = self.model.pieces, self.pairs(item)
        if self.model.tying == "three_way":
            subwords = {"joint": Subwords.learn([*pairs.sources, *pairs.targets], size)}
        else:
            subwords = {"source": Subwords.learn(pairs.sources, size), "target": Subwords.learn(pairs.targets, size)}
        arrays = {f"pieces.{name}": learnt.as_array() for name, learnt in subwords.items()}
        seed = int(generator(self.job.seed, "translator", item).integers(2**31))
        return {**arrays, **initial(self.translator(arrays).shape, seed), "history": np.empty((0, 2))}

    def translator(self, state: Arrays) -> SentenceTranslator:
        """Return the translator of a state."""
        from core.networks.transformer import Shape

        model = self.model
        source, target = subwords_of(state)
        shape = Shape(
            len(source),
            len(target),
            model.tying == "three_way",
            model.layers,
            model.dimension,
            model.heads,
            model.feed_forward,
            self.options.dropout or (model.dropout, model.dropout),
        )
        return SentenceTranslator(shape, state, model.beam)

    def target(self, state: Arrays) -> TrainedTarget:
        """Return a trained translator with its snapshots."""
        epochs, subwords = _epochs(state), _starting_with(state, "pieces.")
        access = ScoringTranslator(self.translator({**subwords, **_starting_with(state, "weight.")}))
        final = _best(epochs) if self.options.patience else epochs[-1]
        snapshots = {}
        for number in sorted(set(self.job.snapshot_epochs)):
            if number < final.number and (halved := _renamed(state, f"after.{number}.", "")):
                weights = {name: array.astype(np.float32) for name, array in halved.items()}
                snapshots[number] = ScoringTranslator(self.translator({**subwords, **weights}))
        perplexity = Utility(
            final.perplexity,
            "pieces",
            "Perplexity: the effective number of candidates for the next subword, in held-out translations.",
            float(len(subwords_of(state)[1])),
        )
        return TrainedTarget(access, {"perplexity": perplexity}, {**snapshots, final.number: access}, epochs)


def _epochs(state: Arrays) -> tuple[Epoch, ...]:
    """Return the losses after each epoch."""
    return tuple(Epoch(number, loss, value) for number, (loss, value) in enumerate(state["history"].tolist(), 1))


def _best(epochs: Sequence[Epoch]) -> Epoch:
    """Return the epoch with the smallest perplexity, the first of several."""
    return min(epochs, key=lambda epoch: epoch.perplexity)


def _starting_with(state: Arrays, prefix: str) -> dict[str, NDArray[Any]]:
    return _renamed(state, prefix, prefix)


def _renamed(state: Arrays, prefix: str, other: str) -> dict[str, NDArray[Any]]:
    """Return the arrays whose names start with a prefix, with another prefix in its place."""
    return {other + name.removeprefix(prefix): array for name, array in state.items() if name.startswith(prefix)}


def _train_epoch(item: int, training: TranslatorTrainingJob, before: Arrays, number: int) -> Arrays:
    """Train one translator for one epoch; return its training state, or at the end what its use needs."""
    from core.networks.states import finished
    from core.networks.translation import perplexity, restored, train_epoch

    if before and "steps" not in before:
        return before
    model, job = training.model, training.job
    state = before or training.initial(item)
    stored = {**_starting_with(state, "pieces."), **_starting_with(state, "after.")}
    if not number and 0 in job.snapshot_epochs:
        stored |= _snapshot(0, state)
    translator, pairs = training.translator(state), training.pairs(item)
    after, loss = train_epoch(
        translator.shape,
        state,
        translator.source_tokens(pairs.sources),
        translator.target_tokens(pairs.targets),
        batch_tokens=model.batch_tokens,
        learning_rate=model.learning_rate,
        warm_up=model.warm_up,
        smoothing=model.label_smoothing,
        rng=generator(job.seed, "translator", item, number),
    )
    validation = job.bitext.select(job.validation)
    network = restored(translator.shape, after).eval()
    sources, targets = translator.source_tokens(validation.sources), translator.target_tokens(validation.targets)
    stored["history"] = np.concatenate([state["history"], [[loss, perplexity(network, sources, targets)]]])
    patience, epochs_since_best = training.options.patience, number + 1 - _best(_epochs(stored)).number
    best = finished(after) if not (patience and epochs_since_best) else _renamed(state, "best.", "")
    if number + 1 == model.epochs or (patience and epochs_since_best >= patience):
        return {**stored, **best}
    if number + 1 in job.snapshot_epochs:
        stored |= _snapshot(number + 1, after)
    return {**stored, **after, **(_renamed(best, "", "best.") if patience else {})}


def _snapshot(epoch: int, state: Arrays) -> dict[str, NDArray[Any]]:
    """Return the weights after an epoch in half precision, which suffices because training does not resume there."""
    weights = _renamed(state, "weight.", f"after.{epoch}.weight.")
    return {name: array.astype(np.float16) for name, array in weights.items()}
