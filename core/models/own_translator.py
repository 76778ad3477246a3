"""A translator that the user holds: a Marian-like or T5-like folder of safetensors, whose code is never run."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from core.access import Access
from core.access.own_networks import OwnTranslations
from core.encoders.base_models import content, obtained
from core.encoders.folders import is_hub_id
from core.errors import InvalidSpec
from core.result import Estimate
from core.spec import parameter, path_parameter
from core.targets.held_model import HeldModel, Opened
from core.text.corpus import Corpus
from core.text.marked import MarkedDocuments

if TYPE_CHECKING:
    from core.encoders.translating import TranslationNetwork


class OwnTranslator(HeldModel):
    """A model that turns a text into a text, in a folder as `save_pretrained` of transformers writes it.

    Its losses of the user's own translations and its greedy translations are read. No model is trained: of one of
    millions of weights, not enough shadow models can be trained alike on two cores. A base may be named to compare
    with.
    """

    title: ClassVar[str] = "Your own translator"
    provides: ClassVar[frozenset[type[Access]]] = frozenset({OwnTranslations})
    reads: ClassVar[type | None] = MarkedDocuments

    source: str = path_parameter(
        "",
        "Path of a folder with safetensors, where Telltale runs, or an id on the Hugging Face hub.",
    )
    base: str = path_parameter(
        "",
        "The model before it was trained on these pairs, or another of the same languages: a folder, or an id on the "
        "hub; empty where it is not known.",
    )
    prefix: str = parameter(
        "", "What stands before each text, such as T5’s “translate English to German: ”.", max_length=200
    )
    context: int = parameter(128, "Longer texts and translations are cut off here.", unit="tokens", ge=8, le=4096)
    revision: str = parameter("", "Commit of the model on the hub; empty for main.", max_length=100, advanced=True)
    base_revision: str = parameter("", "Commit of the base on the hub; empty for main.", max_length=100, advanced=True)

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: the settings, and the content of both folders wherever they lie."""
        fields = super().identity()
        fields["source"] = content(self.source, fields.pop("revision"))
        fields["base"] = content(self.base, fields.pop("base_revision"))
        return fields

    def named_encoders(self) -> tuple[tuple[str, str], ...]:
        """Return the ids on the hub that are read, with their revisions."""
        named = ((self.source, self.revision), (self.base, self.base_revision))
        return tuple((source, revision) for source, revision in named if is_hub_id(source))

    def folder(self) -> Path:
        """Return the folder of the model, downloaded first where it comes from the hub.

        Raises:
            ModelUnavailable: It is neither on this machine nor reachable.
            ModelRefused: The hub has it in no safe format.
            InvalidSpec: None is named.
        """
        if not self.source.strip():
            raise InvalidSpec("No translator is given. Set 'source' to the folder that holds it.", "source")
        return obtained(self.source, self.revision)

    def base_folder(self) -> Path | None:
        """Return the folder of the base, None where none is named; errors are those of `folder`."""
        return obtained(self.base, self.base_revision) if self.base.strip() else None

    def opened(self, corpus: Corpus, access: type[Access] = OwnTranslations) -> Opened:
        """Return the model with an access, and how many pairs are longer than what is read.

        Raises:
            ModelRefused: The folder holds no such model that can be loaded safely.
            ModelUnavailable: It is neither on this machine nor reachable.
        """
        network = _network(self.folder())
        sources, targets = zip(*corpus.texts(), strict=True)
        sides = network.tokens(self._read(sources), self.context), network.tokens(targets, self.context, targets=True)
        cut = sum(source or target for (_, source), (_, target) in zip(*sides, strict=True))
        coverage = Estimate.counted(cut, "documents", "Pairs of which the end of a side is not read.", of=len(corpus))
        return Opened(self._told_by(network), {"cut_documents": coverage})

    def base_access(self) -> OwnTranslations | None:
        """Return what the adversary sees of the base, None where none is named; errors are those of `opened`."""
        folder = self.base_folder()
        return None if folder is None else self._told_by(_network(folder))

    def alike(self) -> "OwnTranslator":
        """Return the model as an adversary knows it, who has no more of it than its base.

        Raises:
            ModelRefused: A folder cannot be read safely.
            ModelUnavailable: The model or its base is neither on this machine nor reachable.
        """
        from core.encoders.safety import check, check_own_code

        for folder in filter(None, (self.folder(), self.base_folder())):
            check_own_code(folder, check(folder))
        return self.replace(source="")

    def _told_by(self, network: "TranslationNetwork") -> OwnTranslations:
        return OwnTranslations(
            lambda sources, targets: network.losses(self._read(sources), targets, self.context),
            lambda sources: network.translate(self._read(sources), self.context),
        )

    def _read(self, texts: Sequence[str]) -> list[str]:
        return [self.prefix + text for text in texts]


def _network(folder: Path) -> "TranslationNetwork":
    from core.encoders.translating import opened

    return opened(folder)
