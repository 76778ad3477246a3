"""A causal language model that the user holds: a Hugging Face folder of safetensors, whose code is never run."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from core.access import Access
from core.access.own_language_models import OwnTextProbabilities, OwnTokenProbabilities
from core.encoders.base_models import content, obtained
from core.encoders.folders import is_hub_id
from core.errors import InvalidSpec
from core.result import Estimate
from core.spec import parameter, path_parameter
from core.targets.held_model import HeldModel, Hyperparameter, Opened
from core.text.corpus import Corpus
from core.text.marked import MarkedDocuments

if TYPE_CHECKING:
    from core.encoders.causal import CausalNetwork
    from core.networks.language.fine_tuning import FineTuning

EXAMPLE = "example"
"""Name of the language model that comes with Telltale, and of its base."""

_TRAINED_BY = ("epochs", "batch", "learning_rate", "decay", "context")
"""Fields that say how shadow models are fine-tuned."""


class OwnLanguageModel(HeldModel):
    """A causal language model in a folder, as `save_pretrained` of transformers writes it.

    The adversary fine-tunes its shadow models from the base that the model was fine-tuned from, each document a row of
    its own. Adam's defaults and those of transformers' Trainer stand in for what the user does not say. Without a base
    nothing is trained.

    The example is a small GPT-2, fine-tuned on the passages that `core.datasets.marked_excerpt` marks in. Its base was
    trained on those that are not marked (`core.networks.language.example_lm`).
    """

    title: ClassVar[str] = "Your own language model"
    provides: ClassVar[frozenset[type[Access]]] = frozenset({OwnTextProbabilities, OwnTokenProbabilities})
    reads: ClassVar[type | None] = MarkedDocuments

    source: str = path_parameter(
        EXAMPLE,
        "Path of a folder with safetensors, where Telltale runs, or an id on the Hugging Face hub; “example” is a "
        "small model that comes with it.",
    )
    base: str = path_parameter(
        "",
        "The model before fine-tuning: a folder, or an id on the hub; empty where it is not known, or comes with the "
        "example.",
    )
    epochs: int = parameter(3, "Epochs of fine-tuning.", unit="epochs", ge=1, le=100)
    batch: int = parameter(8, "Documents per step of fine-tuning.", unit="documents", ge=1, le=1024)
    learning_rate: float = parameter(5e-5, "Adam’s step size at the beginning.", gt=0, le=1)
    decay: Literal["linear", "none"] = parameter("linear", "Whether the step size falls to 0, or stays.")
    context: int = parameter(
        512, "Longer documents are cut off here, or at the model’s own limit.", unit="tokens", ge=8, le=131_072
    )
    revision: str = parameter("", "Commit of the model on the hub; empty for main.", max_length=100, advanced=True)
    base_revision: str = parameter("", "Commit of the base on the hub; empty for main.", max_length=100, advanced=True)

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: the settings, and the content of both folders wherever they lie."""
        fields = super().identity()
        fields["source"] = content(self.source, fields.pop("revision"), _bundled(self.source, "tuned"))
        fields["base"] = content(self.origin, fields.pop("base_revision"), _bundled(self.origin, "base")) or "unknown"
        return fields

    @property
    def origin(self) -> str:
        """What the model was fine-tuned from: its base, or that of the example; empty where that is not known."""
        return self.base.strip() or (EXAMPLE if self.source == EXAMPLE else "")

    def named_encoders(self) -> tuple[tuple[str, str], ...]:
        """Return the ids on the hub that are read, with their revisions."""
        named = ((self.source, self.revision), (self.base, self.base_revision))
        return tuple((source, revision) for source, revision in named if is_hub_id(source))

    def corpus(self, texts: Sequence[str]) -> Corpus:
        """Return documents as they are, each one unit."""
        return Corpus.of([[text] for text in texts])

    def opened(self, corpus: Corpus, access: type[Access] = OwnTokenProbabilities) -> Opened:
        """Return the model with an access, and how many documents are longer than what is read.

        Raises:
            ModelRefused: The folder holds no causal language model that can be loaded safely.
            ModelUnavailable: It is neither on this machine nor reachable.
        """
        kind = access if issubclass(access, OwnTextProbabilities) else OwnTextProbabilities
        model_access = kind(self.network(), self.context)
        cut = Estimate.counted(
            model_access.cut(corpus.texts()),
            "documents",
            "Documents of which the end is not read.",
            of=max(len(corpus), 1),
        )
        return Opened(model_access, {"cut_documents": cut})

    def alike(self) -> "OwnLanguageModel":
        """Return the model as an adversary knows it, who does not hold the one under attack.

        Raises:
            ModelRefused: A folder cannot be read safely.
            ModelUnavailable: The model or its base is neither on this machine nor reachable.
        """
        from core.encoders.loading import check_causal

        for folder in filter(None, (self.folder(), self.base_folder())):
            check_causal(folder)
        return self.replace(source="", base=self.origin)

    def hyperparameters(self) -> tuple[Hyperparameter, ...]:
        """Return how shadow models are fine-tuned; nothing where no base is known."""
        if not self.origin:
            return ()
        defaults = {name: type(self).model_fields[name].get_default() for name in _TRAINED_BY}
        return tuple(
            Hyperparameter(name, getattr(self, name), "assumed" if getattr(self, name) == default else "given")
            for name, default in defaults.items()
        )

    def folder(self) -> Path:
        """Return the folder of the model, downloaded first where it comes from the hub.

        Raises:
            ModelUnavailable: It is neither on this machine nor reachable.
            ModelRefused: The hub has it in no safe format.
            InvalidSpec: None is named.
        """
        if not self.source.strip():
            raise InvalidSpec("No language model is given. Set 'source' to the folder that holds it.", "source")
        return obtained(self.source, self.revision, _bundled(self.source, "tuned"))

    def base_folder(self) -> Path | None:
        """Return the folder of the base, None where none is named; errors are those of `folder`."""
        return obtained(self.origin, self.base_revision, _bundled(self.origin, "base")) if self.origin else None

    def network(self) -> "CausalNetwork":
        """Return the model, loaded; errors are those of `opened`."""
        from core.encoders.causal import opened

        return opened(self.folder())

    def fine_tuning(self) -> "FineTuning":
        """Return how shadow models are trained."""
        from core.networks.language.fine_tuning import FineTuning

        return FineTuning(self.epochs, self.batch, self.learning_rate, self.decay, self.context)


def _bundled(source: str, example: str) -> str:
    """Return the folder of the example's part that is meant, empty where another model is."""
    return f"example_lm/{example}" if source == EXAMPLE else ""
