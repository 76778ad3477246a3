"""What experiments are about: documents with pinned sources, licences and citations."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from core.registry import Part
from core.sources import Source


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


@dataclass(frozen=True)
class Documents:
    """Texts and, where the data have them, whose they are.

    Attributes:
        texts: One string a document.
        owners: The owner of each document (a mailbox, a sender, an article), or empty when there are none.
    """

    texts: tuple[str, ...]
    owners: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse owners that do not match the texts."""
        if self.owners and len(self.owners) != len(self.texts):
            raise ValueError(f"{len(self.owners)} owners for {len(self.texts)} documents")

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.texts)

    def select(self, documents: Sequence[int]) -> "Documents":
        """Return the given documents, in that order."""
        owners = tuple(self.owners[number] for number in documents) if self.owners else ()
        return Documents(tuple(self.texts[number] for number in documents), owners)


@dataclass(frozen=True)
class Words:
    """A public dictionary: words, the most frequent first."""

    words: tuple[str, ...]


class Dataset(Part):
    """A record of real or generated data and the way to load it.

    ``holds`` says what `load` returns, so that a form offers a dataset only where it fits.
    """

    kind: ClassVar[str] = "dataset"
    card: ClassVar[Card]
    holds: ClassVar[type] = Documents

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
