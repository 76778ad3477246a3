"""A sentence encoder that the user holds: a folder of safetensors, whose code is never run."""

from typing import Any, ClassVar

from core.access import Access
from core.access.own_networks import OwnTextEmbeddings
from core.encoders.folders import locate
from core.encoders.safety import check, check_own_code
from core.encoders.sentence_encoder import SentenceEncoder
from core.encoders.sentence_folders import Reading, reading
from core.errors import InvalidSpec, ModelRefused
from core.result import Estimate
from core.spec import parameter, path_parameter
from core.targets.held_model import HeldModel, Opened
from core.text.corpus import Corpus
from core.text.marked import MarkedDocuments


class OwnEncoder(HeldModel):
    """A sentence encoder in a folder, as sentence-transformers or `save_pretrained` of transformers write it.

    Texts become vectors as its owner makes them: by the pooling, the scaling and the prompt that ``modules.json`` and
    the files beside it name, or by the mean of the hidden states where there is none. No model is trained: an
    adversary cannot know which pairs, negatives and loss it was trained with. A base may be named to compare with.
    """

    title: ClassVar[str] = "Your own sentence encoder"
    provides: ClassVar[frozenset[type[Access]]] = frozenset({OwnTextEmbeddings})
    reads: ClassVar[type | None] = MarkedDocuments

    source: str = path_parameter("", "Path of a folder with safetensors, where Telltale runs.")
    base: str = path_parameter(
        "",
        "Folder of the encoder before it was trained on these documents, or of another like it; empty where it is not "
        "known.",
    )
    context: int = parameter(
        256, "Longer texts are cut off here, or at the encoder’s own limit.", unit="tokens", ge=8, le=8192
    )

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: the settings, and the content of both folders wherever they lie."""
        return {**super().identity(), "source": _content(self.source), "base": _content(self.base)}

    def folder(self) -> Reading:
        """Return how the encoder in the folder reads texts.

        Raises:
            InvalidSpec: No folder is named, or there is none.
            ModelRefused: It cannot be read safely, or a module of it is not understood.
        """
        return _reading(self.source, "source")

    def base_folder(self) -> Reading | None:
        """Return how the base reads texts, None where none is named; errors are those of `folder`."""
        return _reading(self.base, "base") if self.base.strip() else None

    def opened(self, corpus: Corpus, access: type[Access] = OwnTextEmbeddings) -> Opened:
        """Return the encoder with an access, and how many texts are longer than what is read.

        Raises:
            InvalidSpec: No folder is named, or there is none.
            ModelRefused: It holds no encoder that can be loaded safely.
        """
        read = SentenceEncoder(self.folder(), self.context)
        cut = read.cut([text for texts in corpus.texts() for text in texts])
        coverage = Estimate.counted(
            cut, "documents", "Documents of which the end is not read as one text.", of=len(corpus)
        )
        return Opened(OwnTextEmbeddings(read.encode), {"cut_documents": coverage})

    def base_access(self) -> OwnTextEmbeddings | None:
        """Return what the adversary sees of the base, None where none is named; errors are those of `opened`."""
        reading = self.base_folder()
        return None if reading is None else OwnTextEmbeddings(SentenceEncoder(reading, self.context).encode)

    def alike(self) -> "OwnEncoder":
        """Return the model as an adversary knows it, who has no more of it than its base.

        Raises:
            InvalidSpec: A folder is not named, or not there.
            ModelRefused: A folder cannot be read safely.
        """
        for read in filter(None, (self.folder(), self.base_folder())):
            check_own_code(read.folder, check(read.folder))
        return self.replace(source="")


def _reading(source: str, field: str) -> Reading:
    if not source.strip():
        raise InvalidSpec("No encoder is given. Set 'source' to the folder that holds it.", field)
    folder = locate(source)
    if folder is None:
        raise InvalidSpec(
            f"No folder {source!r} is on this machine. An encoder is audited where its folder lies, with modules.json "
            "where sentence-transformers wrote it.",
            field,
        )
    return reading(folder)


def _content(source: str) -> Any:
    """Return what identifies a folder wherever it lies; empty for none, ``"none"`` where reading it fails."""
    if not source.strip():
        return ""
    try:
        return _reading(source, "source").identity()
    except (InvalidSpec, ModelRefused, OSError):
        return "none"  # loading it raises the error
