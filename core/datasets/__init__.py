"""What experiments are about: documents with pinned sources, licences and citations."""

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from core.registry import Part
from core.sources import Source
from core.spec import parameter
from core.text.bitext import Bitext, Subcorpus, prepared
from core.text.contents import Documents


@dataclass(frozen=True)
class Card:
    """What a person should know about a dataset before using it.

    Attributes:
        summary: One sentence: what the documents are, how many, of whom.
        licence: SPDX identifier or the publisher's words.
        citation: How to cite it.
        homepage: Where it comes from; empty for generated data.
        offline: Whether it loads on a fresh machine without a network.
        synthetic: Whether it is generated; said wherever it is shown.
    """

    summary: str
    licence: str
    citation: str
    homepage: str = ""
    offline: bool = False
    synthetic: bool = False


class Dataset(Part):
    """A record of real or generated data and the way to load it.

    ``holds`` says what `load` returns, so that a form offers a dataset only where it fits.
    """

    kind: ClassVar[str] = "dataset"
    card: ClassVar[Card]
    holds: ClassVar[type] = Documents
    keywords: ClassVar[tuple[str, ...]] = ()
    """Words whose presence in a text is worth hiding, in lower case; empty where none are proposed."""

    def sources(self) -> tuple[Source, ...]:
        """Return the pinned files that the dataset is read from; none for generated data and a user's own."""
        return ()

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: the fields, the version and the digests of the pinned files."""
        pins = [source.pin for source in self.sources()]
        return {**super().identity(), **({"pins": pins} if pins else {})}

    @abstractmethod
    def load(self) -> Any:
        """Return what the dataset ``holds``, the same in the same order each time.

        Raises:
            DataUnavailable: They are neither on disk nor reachable.
            DataCorrupt: The bytes found are not the pinned ones.
        """


LONGEST = 20
"""Words and marks of a side of the longest pairs that translators learn here, unless told otherwise."""


class Translations(Dataset):
    """Sentences and their translations from one place, which are one subcorpus of that name.

    Another dataset may take the pairs of several.
    """

    holds: ClassVar[type] = Bitext

    longest: int = parameter(
        LONGEST, "Pairs with more words and marks than this on a side are left out.", unit="words", ge=3, le=200
    )

    @abstractmethod
    def pairs(self) -> Iterable[tuple[str, str]]:
        """Yield each sentence and its translation as published, in the order of the files.

        Raises:
            DataUnavailable: The files are neither on disk nor reachable.
            DataCorrupt: They are not the pinned ones, or of another form.
        """

    def load(self) -> Bitext:
        """Return the pairs after `core.text.bitext.prepared`, in the order of the files."""
        return prepared({Subcorpus(self.part_name(), self.title): self.pairs()}, self.longest)
