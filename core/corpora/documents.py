"""Documents that are too many for memory: a dataset's contents that are read as word ids from disk."""

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from core.corpora.source import Source
from core.corpora.tokenised import TokenisedCorpus, tokenised
from core.errors import TooManyDocuments
from core.runtime.engine import Engine
from core.runtime.progress import Progress
from core.text.contents import Documents
from core.text.corpus import Corpus
from core.text.stored_corpus import StoredCorpus


class LargeDocuments(Documents):
    """Documents of large files. What needs their words gets them from disk; what needs their texts is refused.

    Nothing is read before it is needed.
    """

    def __init__(self, source: Source, refusal: str) -> None:
        """Take the files, and the message for those who need the texts of all documents in memory."""
        self.__dict__.update(source=source, refusal=refusal, engine=Engine(), progress=Progress())

    source: Source
    refusal: str
    engine: Engine
    progress: Progress

    def tokenised_by(self, engine: Engine, progress: Progress) -> None:
        """Set the processes that tokenise the documents once their words are needed."""
        self.__dict__.update(engine=engine, progress=progress)

    @cached_property
    def _corpus(self) -> TokenisedCorpus:
        return tokenised(self.source, self.engine, self.progress)

    @property
    def texts(self) -> tuple[str, ...]:
        """Refuse.

        Raises:
            TooManyDocuments: Always.
        """
        raise TooManyDocuments(self.refusal)

    @cached_property
    def owners(self) -> tuple[str, ...]:
        """The owner of each document; empty without owners."""
        names = self._corpus.names
        return tuple([names[number] for number in self._corpus.owners.tolist()])

    def __len__(self) -> int:
        """Return the number of documents with words."""
        return self._corpus.documents

    def select(self, documents: Sequence[int]) -> Self:
        """Refuse.

        Raises:
            TooManyDocuments: Always.
        """
        raise TooManyDocuments(self.refusal)

    def corpus(self, rows: Sequence[int] | NDArray[np.int64], dictionary: Collection[str] | None = None) -> Corpus:
        """Return some documents as word ids, which stay on disk."""
        return StoredCorpus.encoded(self._corpus, np.asarray(rows, np.int64), dictionary)
