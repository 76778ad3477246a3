"""Splice sites: short sequences of primate genes, with or without an exon-intron boundary in the middle."""

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from core.datasets import Card, Dataset
from core.errors import DataCorrupt
from core.sources import Source, on_github, read
from core.sources.tables import labelled, text_of
from core.spec import parameter
from core.text.contents import PatternField, Patterns

SEQUENCES = on_github(
    "splice",
    "drusk/splice-junction-gene-sequences@e862a929e3d82a881bb7abc8e0ffba3f68cf9a8c",
    "ebbae10c85d3c285e2a2489a37e42bc2ee8d91d15005e391a9962fa3389a114f 319_000 data/splice.data",
)

NUCLEOTIDES = ("A", "C", "G", "T")
LONGEST = 60
"""Nucleotides of a published sequence; the boundary is after the thirtieth."""

_CLASSES = {"EI": "splice site", "IE": "splice site", "N": "none"}


class Splice(Dataset):
    """Gene sequences around a possible splice site, cut to the nucleotides nearest to it.

    The class is ``splice site`` for a donor or an acceptor (EI, IE) and ``none`` otherwise. Cut sequences with an
    ambiguous letter are left out, and each text is kept once. A text with both classes is left out, so few splice sites
    remain below 10 nucleotides. The adversary draws its sequences uniformly.

    The paper takes its sequences of 20 nucleotides from HS3D (human genes); these are of primates, and fewer.

    Source: G. Towell, M. Noordewier, J. Shavlik. Molecular Biology (Splice-junction Gene Sequences). UCI Machine
    Learning Repository 1991. Use: Pan et al. 2020, sections V-A and V-C.
    """

    title: ClassVar[str] = "Splice sites"
    pinned: ClassVar[tuple[Source, ...]] = (SEQUENCES,)
    card: ClassVar[Card] = Card(
        summary="2,894 distinct sequences of primate genes, 20 nucleotides each, with and without a splice site.",
        licence="CC-BY-4.0",
        citation=(
            "G. Towell, M. Noordewier, J. Shavlik (1991). Molecular Biology (Splice-junction Gene Sequences). UCI "
            "Machine Learning Repository."
        ),
        homepage="https://archive.ics.uci.edu/dataset/69",
    )
    holds: ClassVar[type] = Patterns

    length: int = parameter(
        20, "Number of nucleotides kept from the middle of each sequence.", unit="nucleotides", ge=4, le=LONGEST
    )
    spaced: bool = parameter(True, "Whether spaces separate the letters, so that a subword model sees each letter.")

    def load(self) -> Patterns:
        """Return the sequences in the order of the file; each position is a segment."""
        (content,) = read(SEQUENCES).values()
        start = (LONGEST - self.length) // 2
        cut = ((sequence[start : start + self.length], label) for sequence, label in _sequences(content))
        plain = ((self._written(piece), label) for piece, label in cut if set(piece) <= set(NUCLEOTIDES))
        documents = labelled(SEQUENCES.name, plain)
        segments = tuple(PatternField(f"position_{at + 1}", NUCLEOTIDES, at, at + 1) for at in range(self.length))
        return Patterns(documents.texts, labels=documents.labels, segments=segments, generate=self.generate)

    def generate(self, count: int, rng: np.random.Generator) -> tuple[str, ...]:
        """Return fresh sequences."""
        letters = np.array(NUCLEOTIDES)[rng.integers(len(NUCLEOTIDES), size=(count, self.length))]  # (count, length)
        return tuple(self._written(piece) for piece in letters.view(f"U{self.length}")[:, 0].tolist())

    def _written(self, piece: str) -> str:
        return " ".join(piece) if self.spaced else piece


def _sequences(content: bytes) -> Iterator[tuple[str, str]]:
    """Yield each sequence with its class."""
    for number, line in enumerate(text_of(SEQUENCES.name, content).splitlines(), 1):
        fields = [field.strip() for field in line.split(",")]
        if fields == [""]:
            continue
        if len(fields) != 3 or fields[0] not in _CLASSES or len(fields[2]) != LONGEST:
            raise DataCorrupt(
                f"Line {number} of {SEQUENCES.name} must be a class ({', '.join(_CLASSES)}), a name and {LONGEST} "
                f"letters. It is {line[:80]!r}."
            )
        yield fields[2], _CLASSES[fields[0]]
