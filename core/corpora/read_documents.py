"""What was read of a user's files, and what was passed over."""

from dataclasses import dataclass

from core.corpora.source import LONGEST
from core.statistics.wording.naming import counted
from core.text.contents import Documents


@dataclass(frozen=True)
class ReadDocuments:
    """What was read of a user's files.

    Attributes:
        documents: The documents, in the order of their paths or rows.
        total: All files or rows.
        long: Those of them that were passed over because they are too long.
        copies: Those that were left out as near copies of a longer one.
        drawn: How many of them were drawn at random; 0 where all were read.
        seed: Seed of that draw.
        unit: What a document was read from: a row or a file.
    """

    documents: Documents
    total: int
    long: int
    copies: int = 0
    drawn: int = 0
    seed: int = 0
    unit: str = "row"

    def summary(self) -> str:
        """Return the counts of documents, owners and classes as a sentence."""
        text = f"{len(self.documents):,} of {self.total:,} {self.unit}s read as documents"
        if self.drawn:
            text += f", {self.drawn:,} drawn at random with seed {self.seed}"
        if self.long:
            text += f", {self.long:,} left out with more than {LONGEST:,} characters"
        if self.copies:
            text += f", {counted(self.copies, 'near copy', 'near copies')} of a longer one left out"
        owners, classes = len(set(self.documents.owners)), len(set(self.documents.labels))
        text += f", {owners:,} owner{'s' * (owners != 1)}" if owners else ", no owners given"
        return f"{text}{f', {classes:,} class' + 'es' * (classes != 1) if classes else ''}."
