"""Datasets: real or generated data with pinned sources, licences and citations."""

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
    """What a user should know about a dataset.

    Attributes:
        summary: One sentence: what the data are, how many, and whose.
        licence: SPDX identifier or the publisher's words.
        citation: How to cite it.
        homepage: Its publisher's page; empty for generated data.
        offline: Whether it loads without a network.
        synthetic: Whether it is generated; every page that shows it says so.
    """

    summary: str
    licence: str
    citation: str
    homepage: str = ""
    offline: bool = False
    synthetic: bool = False


class Dataset(Part):
    """A record of real or generated data, with its loader.

    ``holds`` is the type that `load` returns; forms offer a dataset only where it fits.
    """

    kind: ClassVar[str] = "dataset"
    card: ClassVar[Card]
    holds: ClassVar[type] = Documents
    keywords: ClassVar[tuple[str, ...]] = ()
    """Default keywords for inference, in lower case; empty where none are proposed."""
    pinned: ClassVar[tuple[Source, ...]] = ()
    """Pinned files that the dataset is read from; none for generated data and a user's files."""

    def sources(self) -> tuple[Source, ...]:
        """Return the pinned files that the dataset is read from with these parameters."""
        return self.pinned

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: the fields, the version and the digests of the pinned files."""
        pins = [source.pin for source in self.sources()]
        return {**super().identity(), **({"pins": pins} if pins else {})}

    def names_owners(self) -> bool:
        """Tell whether these are a user's own documents, and their files say whose each one is."""
        return False

    @abstractmethod
    def load(self) -> Any:
        """Return what the dataset ``holds``, in the same order each time.

        Raises:
            DataUnavailable: The files are neither on disk nor reachable.
            DataCorrupt: The bytes are not the pinned ones, or not of the expected form.
        """


LONGEST = 20
"""Default limit on the words and marks of a side."""


class Translations(Dataset):
    """Sentences and their translations, as one subcorpus named after the dataset."""

    holds: ClassVar[type] = Bitext

    longest: int = parameter(
        LONGEST, "Pairs with more words and marks than this on a side are left out.", unit="words", ge=3, le=200
    )

    @abstractmethod
    def pairs(self) -> Iterable[tuple[str, str]]:
        """Yield each sentence and its translation as published, in the order of the files.

        Raises:
            DataUnavailable: The files are neither on disk nor reachable.
            DataCorrupt: They are not the pinned ones, or not of the expected form.
        """

    def load(self) -> Bitext:
        """Return the pairs after `core.text.bitext.prepared`, in the order of the files."""
        return prepared({Subcorpus(self.part_name(), self.title): self.pairs()}, self.longest)
