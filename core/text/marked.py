"""Documents of which it is known whether a model was trained on them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from core.text.contents import Documents
from core.text.corpus import words_of
from core.text.near_copies import KNOWN, of_others

Mark = Literal["in", "out", ""]
"""The model was trained on a document, was not, or that is unknown."""


@dataclass(frozen=True)
class MarkedDocuments(Documents):
    """Documents with their marks.

    Attributes:
        members: The mark of each document.
        translations: The translation of each; empty where they have none.
        numbers: The row of each in its file, counted from 1 without the header; empty where they are of no file.
        left_out: Near copies that were left out, as documents; None where nobody asked for that.
    """

    members: tuple[Mark, ...] = field(default=(), kw_only=True)
    translations: tuple[str, ...] = field(default=(), kw_only=True)
    numbers: tuple[int, ...] = field(default=(), kw_only=True)
    left_out: Self | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Check that there is a mark for each text."""
        super().__post_init__()
        if len(self.members) != len(self.texts):
            raise ValueError(f"{len(self.members)} marks for {len(self.texts)} documents")
        if self.translations and len(self.translations) != len(self.texts):
            raise ValueError(f"{len(self.translations)} translations for {len(self.texts)} documents")

    def select(self, documents: Sequence[int]) -> Self:
        """Return the given documents, in that order."""
        columns = ("texts", "owners", "labels", "members", "translations", "numbers")
        chosen: dict[str, Any] = {
            name: tuple(values[number] for number in documents) if (values := getattr(self, name)) else ()
            for name in columns
        }
        return replace(self, **chosen)

    def without_near_copies(self) -> Self:
        """Return the documents that share less than half of their runs of words with other documents in."""
        copies = of_others([words_of(text) for text in self.texts], self.rows("in"), KNOWN)
        kept = sorted(set(range(len(self))).difference(copies))
        return replace(self.select(kept), left_out=self.select(copies))

    def sides(self, rows: Sequence[int]) -> list[tuple[str, ...]]:
        """Return what each row holds: its text, and behind it the translation where there is one."""
        if not self.translations:
            return [(self.texts[row],) for row in rows]
        return [(self.texts[row], self.translations[row]) for row in rows]

    def clusters(self, rows: Sequence[int]) -> NDArray[np.int64]:
        """Return the number of the owner of each row, (rows,); without owners each row is its own."""
        if not self.owners:
            return np.arange(len(rows))
        return np.unique([self.owners[row] for row in rows], return_inverse=True)[1]

    def rows(self, mark: Mark) -> list[int]:
        """Return the rows of the documents with a mark."""
        return [row for row, member in enumerate(self.members) if member == mark]
