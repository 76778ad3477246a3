"""A pretrained causal language model that is fine-tuned here."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.access.language_models import (
    TO_LANGUAGE_MODELS,
    ContinuationRates,
    GivesLosses,
    NextWords,
    TextProbabilities,
    TopProbabilities,
    WordProbabilities,
)
from core.datasets import Dataset
from core.defenses import Defense, TrainingDefense, TrainingOptions, training_options
from core.defenses.dp_sgd import DpSgd
from core.encoders.base_models import SMALL_LM_DATA, content, obtained
from core.encoders.records import NamesEncoders
from core.errors import InvalidSpec
from core.runtime.context import Arrays, RunContext
from core.runtime.epochs import train_by_epochs
from core.runtime.seeding import generator
from core.spec import parameter
from core.statistics.privacy import steps_per_epoch
from core.targets.language_model import LanguageModel, noises, of_own, protected, utilities
from core.targets.trained_target import TrainedTarget
from core.targets.training_job import TrainingJob
from core.text.corpus import Corpus
from core.text.duplicates import distinct

if TYPE_CHECKING:
    from core.access.fine_tuned_models import FineTunedModel
    from core.networks.language.fine_tuning import FineTuning
    from core.networks.language.shared_network import SharedNetwork

SMALL = "small_lm"
"""Name of the language model that comes with Telltale to be fine-tuned."""


ASIDE = 0.1
"""Share of the documents that early stopping sets aside to stop by: nothing is trained on them."""


class CausalLm(LanguageModel):
    """A pretrained causal language model, fine-tuned on documents as users of transformers and peft do.

    A document is the words that all models here read, with a space between, and a row of its own. All weights are
    trained, or with a ``rank`` only adapters beside each layer (Hu et al. 2022). Adam's defaults and those of
    transformers' Trainer are the defaults, gradients are clipped at norm 1. The vocabulary is that of the base, so it
    reveals nothing. The probability of a word is the product over its tokens. The likeliest next word is that of the
    likeliest tokens, one after the other, and a drawn one of tokens each drawn among the likeliest.

    The base that comes with Telltale is a GPT-2 of half a million weights, trained on WikiText-2 and WikiSplit
    (`core.networks.language.small_lm`). Whether texts that a base was trained on are told apart is not what is asked:
    they are in for all models or for none.

    Private training, by adapters alone, keeps the step size, and needs no public words: it reads neither ``decay`` nor
    the ``vocabulary`` of the defense.

    Sources: A. Radford et al. Language Models are Unsupervised Multitask Learners. 2019. E. Hu et al. LoRA: Low-Rank
    Adaptation of Large Language Models. ICLR 2022.
    """

    title: ClassVar[str] = "fine-tuned language model"
    provides: ClassVar[frozenset[type[Access]]] = TO_LANGUAGE_MODELS

    base: Annotated[str, NamesEncoders(((SMALL, "Small GPT-2"),))] = parameter(
        SMALL,
        "The pretrained model: “small_lm” comes with Telltale. The command line also takes an id on the Hugging Face "
        "hub, or the path of a folder with safetensors.",
        min_length=1,
        max_length=4096,
    )
    epochs: int = parameter(
        3, "Epochs over the documents; 0 leaves the base as it is, which learns nothing.", unit="epochs", ge=0, le=100
    )
    rank: int = parameter(
        0, "Rank of the adapters that are trained (LoRA); 0 trains all weights.", label="Adapter rank", ge=0, le=1024
    )
    batch: int = parameter(8, "Documents per training step.", unit="documents", ge=1, le=4096)
    learning_rate: float = parameter(5e-5, "Adam’s step size at the beginning.", gt=0, le=1)
    decay: Literal["linear", "none"] = parameter("linear", "Whether the step size falls to 0, or stays.")
    context: int = parameter(
        512, "Longer documents are cut off here, or at the model’s own limit.", unit="tokens", ge=8, le=131_072
    )
    revision: str = parameter("", "Commit of the base on the hub; empty for main.", max_length=100, advanced=True)

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: the settings, and the content of the base wherever it lies."""
        fields = super().identity()
        fields["base"] = content(self.base, fields.pop("revision"), self._bundled)
        return fields

    def check_under(self, defenses: Sequence[Defense], dataset: Dataset) -> None:
        """Check that it can be trained under some defenses.

        Privately only adapters are, under no other change of training, and not on what the base has read.

        Raises:
            InvalidSpec: It cannot.
        """
        if not any(isinstance(defense, DpSgd) for defense in defenses):
            return
        _check_alone(defenses)
        if not self.rank:
            raise InvalidSpec(
                f"The 'rank' parameter of {self.part_name()} must be at least 1 in private training, which clips the "
                "gradient that each document gives to adapters. Got 0 instead; 8 would do.",
                "model.rank",
            )
        if not self.epochs:
            raise InvalidSpec(
                f"The 'epochs' parameter of {self.part_name()} must be at least 1 in private training. Got 0 instead; "
                "3 would do.",
                "model.epochs",
            )
        public = {source for name in SMALL_LM_DATA for source in Dataset.by_name(name)().sources()}
        if self.base == SMALL and not public.isdisjoint(dataset.sources()):
            raise InvalidSpec(
                f"Private training promises nothing of documents that the base has read, and {SMALL} was trained on "
                f"{dataset.part_name()}. Choose wikipedia_excerpt for 'dataset', or another base.",
                "dataset",
            )

    def check_ready(self) -> None:
        """Load the base once, as each training does; errors are those of `train_targets`."""
        from core.encoders.causal import opened

        opened(self.folder(), "cpu")

    def noise(self, job: TrainingJob) -> tuple[float, ...]:
        """Return the noise of private training by its own batch and epochs."""
        return noises(job, self.batch, self.epochs)

    def named_encoders(self) -> tuple[tuple[str, str], ...]:
        """Return the base and its revision, unless it comes with Telltale."""
        return () if self._bundled else ((self.base, self.revision),)

    def train_targets(self, job: TrainingJob, context: RunContext) -> list[TrainedTarget]:
        """Return fine-tuned models with the access that the job requests.

        Raises:
            ModelRefused: The base cannot be read safely.
            ModelUnavailable: It is neither on this machine nor reachable.
        """
        models = self._trained(job, context, "Fine-tuning the target models")
        context.progress.stage("Measuring perplexity", total=len(models))
        asked = job.access if job.access is not None else TextProbabilities
        access = asked if issubclass(asked, TextProbabilities | TopProbabilities | NextWords) else TextProbabilities
        # Only who scores continuations asks what the base knew before.
        before = {0: access(self._base())} if access is ContinuationRates else {}
        targets = []
        for number, model in models.items():
            measured = utilities(job, number, partial(_perplexity, model, job.corpus), "tokens", model.vocabulary)
            targets.append(TrainedTarget(access(model), measured, before))
            context.progress.advance()
        return targets

    def train_own(self, job: TrainingJob, context: RunContext, stage: str) -> list[GivesLosses]:
        """Return models that an adversary fine-tunes from the same base; errors are those of `train_targets`."""
        access = of_own(job)
        return [access(model) for _, model in sorted(self._trained(job, context, stage).items())]

    def window(self) -> int:
        """Return the length of its context."""
        return self.context

    def context_for(self, words: int) -> int:
        """Return eight tokens for each word, more than tokenisers make of nearly all words."""
        return 8 * words

    def token_counts(self, documents: Sequence[Sequence[str]]) -> list[NDArray[np.int64]]:
        """Return how many tokens the tokeniser of the base makes of each word of each document, (words,) each."""
        from core.encoders.causal import opened

        return opened(self.folder()).token_counts(documents)

    def folder(self) -> Path:
        """Return the folder of the base, downloaded first where it comes from the hub.

        Raises:
            ModelUnavailable: It is neither on this machine nor reachable.
            ModelRefused: The hub has it in no safe format.
        """
        return obtained(self.base, self.revision, self._bundled)

    def fine_tuning(self, options: TrainingOptions) -> "FineTuning":
        """Return how the base is trained under defenses."""
        from core.networks.language.fine_tuning import FineTuning

        how = (self.epochs, self.batch, self.learning_rate, self.decay, self.context, self.rank)
        return FineTuning(*how, options.dropout, options.dropped or 0)

    @property
    def _bundled(self) -> str:
        return SMALL if self.base == SMALL else ""

    def _trained(self, job: TrainingJob, context: RunContext, stage: str) -> dict[int, "FineTunedModel"]:
        """Return the model of each selection, by its number; they share one network in memory."""
        from core.access.fine_tuned_models import FineTunedModel

        _check_alone(job.defenses)
        shared = {"model": self, "folder": self.folder(), "job": job, "noise": self.noise(job)}
        items = range(len(job.selections))
        most = max((protected(job, number) for number in items), default=0)
        steps = steps_per_epoch(most, self.batch)
        trained = train_by_epochs(context, stage, job.identity, _train_epoch, items, self.epochs, shared, steps=steps)
        network, whole = self._network(), job.access is not None and issubclass(job.access, WordProbabilities)
        return {number: FineTunedModel(network, state, whole=whole) for number, state in trained.items()}

    def _base(self) -> "FineTunedModel":
        """Return the base as it is before any training, in a network of its own."""
        from core.access.fine_tuned_models import FineTunedModel

        return FineTunedModel(self._network(), {})

    def _network(self) -> "SharedNetwork":
        from core.encoders.causal import opened
        from core.networks.language.shared_network import SharedNetwork

        return SharedNetwork(opened(self.folder()), self.rank, self.context)


def _check_alone(defenses: Sequence[Defense]) -> None:
    """Check that private training, if it is asked for, is the only change of training."""
    names = [defense.part_name() for defense in defenses if isinstance(defense, TrainingDefense)]
    if len(names) > 1 and any(isinstance(defense, DpSgd) for defense in defenses):
        raise InvalidSpec(
            "Private fine-tuning takes no other change of training: its accountant speaks of each document's own "
            f"gradient. Got {', '.join(names)} instead; dp_sgd alone would do.",
            "defenses",
        )


def _perplexity(model: "FineTunedModel", corpus: Corpus, rows: NDArray[np.int64]) -> float:
    return model.perplexity(corpus.select(rows).texts())


def _train_epoch(
    item: int, model: CausalLm, folder: Path, job: TrainingJob, noise: Sequence[float], before: Arrays, number: int
) -> Arrays:
    """Train one model for one epoch; return its training state, or after the last epoch its weights alone."""
    from core.encoders.causal import opened
    from core.networks.language import early_stopping
    from core.networks.language.fine_tuning import fine_tune_epoch, mean_loss
    from core.networks.states import finished

    options, last = training_options(job.defenses), number + 1 == model.epochs
    if options.patience is not None and early_stopping.has_stopped(before, options.patience):
        return finished(before) if last else before
    documents = job.corpus.select(job.selections[item]).texts()
    if options.distinct is not None:
        documents = [documents[row] for row in distinct(documents, *options.distinct)]
    texts, how = [" ".join(words) for words in documents], model.fine_tuning(options)
    network = opened(folder)
    rng = generator(job.seed, "fine-tuned language model", item, number)
    if options.promise is not None:
        from core.networks.language.private_fine_tuning import fine_tune_epoch_privately
        from core.networks.private_steps import PrivateSteps

        owners = job.protected_owners(item)
        steps = PrivateSteps(model.batch, model.learning_rate, options.promise.norm, noise[item], owners)
        after = fine_tune_epoch_privately(network, before, texts, how, steps, rng)
    elif options.patience is not None:
        order = generator(job.seed, "documents to stop by", item).permutation(len(texts))
        aside, others = np.split(order, [max(int(len(texts) * ASIDE), 1)])
        after = fine_tune_epoch(network, before, [texts[row] for row in others], how, number, rng)
        loss = mean_loss(network, [texts[row] for row in aside], how)
        after = early_stopping.judged(before, after, loss, options.patience, last=last)
    else:
        after = fine_tune_epoch(network, before, texts, how, number, rng)
    return finished(after) if last else after
