"""What an adversary measures of a text's embeddings: how close its sentences lie, and how little a part changes it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from core.access import Access, TextEmbeddings
from core.adversaries.damaged_copies import without_words
from core.adversaries.own_sets import Text
from core.text.contents import Documents
from core.text.corpus import words_of
from core.text.segments import neighbours, segmented


def pairs_of(text: str) -> list[tuple[str, str]]:
    """Return the neighbouring sentences of a text, or its halves where it has no two; none of a single word.

    >>> pairs_of("one two three four")
    [('one two', 'three four')]
    """
    sentences, positions = segmented(Documents((text,)), "sentences")
    pairs = [(sentences[row], sentences[row + 1]) for row in neighbours(positions).tolist()]
    words = text.split()
    if pairs or len(words) < 2:
        return pairs
    middle = len(words) // 2
    return [(" ".join(words[:middle]), " ".join(words[middle:]))]


@dataclass(frozen=True)
class Similarity:
    """Mean cosine of neighbouring sentences (Song and Raghunathan 2020, Algorithm 5)."""

    def __call__(self, access: Access, documents: Text) -> NDArray[np.float64]:
        """Return the statistic of each document, NaN for one of a single word."""
        return _mean_cosines([pairs_of(text) for (text,) in documents], access)


@dataclass(frozen=True)
class Beginning:
    """Mean cosine of a text and its first words, as of a title and what follows it in the training of search engines.

    Attributes:
        lengths: Words of each beginning; those as long as the text are left out.
    """

    lengths: tuple[int, ...] = (5, 10, 20)

    def __call__(self, access: Access, documents: Text) -> NDArray[np.float64]:
        """Return the statistic of each document, NaN for one that is shorter than all beginnings."""
        return _mean_cosines([[(text, part) for part in self.parts(text)] for (text,) in documents], access)

    def parts(self, text: str) -> list[str]:
        """Return the beginnings of a text."""
        words = text.split()
        return [" ".join(words[:length]) for length in self.lengths if length < len(words)]


@dataclass(frozen=True)
class Deletion:
    """Mean cosine of a text and itself with words left out.

    Encoders that are trained to bring a text and a damaged copy of it together (Gao et al. 2021, Wang et al. 2021) do
    so best for texts that they were trained on.

    Attributes:
        share: Share of the words that are left out of a copy.
        copies: Copies of a text.
    """

    share: float = 0.3
    copies: int = 2

    def __call__(self, access: Access, documents: Text) -> NDArray[np.float64]:
        """Return the statistic of each document, NaN for one of a single word."""
        return _mean_cosines([[(text, copy) for copy in self._copies(text)] for (text,) in documents], access)

    def _copies(self, text: str) -> list[str]:
        return without_words(text, [self.share] * self.copies, 0)


def overlap_columns(documents: Text) -> NDArray[np.float64]:
    """Return what neighbouring sentences share without a model, (documents, 2).

    The columns are the mean share of their words in common, and 1 over the number of pairs, 0 for none.
    """
    rows = []
    for (text,) in documents:
        pairs = [(set(words_of(first)), set(words_of(second))) for first, second in pairs_of(text)]
        shared = [len(first & second) / max(len(first | second), 1) for first, second in pairs]
        rows.append([np.mean(shared), 1 / len(shared)] if shared else [0.0, 0.0])
    return np.array(rows)


def _mean_cosines(pairs: Sequence[Sequence[tuple[str, str]]], access: Access) -> NDArray[np.float64]:
    """Return the mean cosine of each document's pairs of texts, (documents,), NaN without any."""
    texts = list(dict.fromkeys(text for of_document in pairs for pair in of_document for text in pair))
    if not texts:
        return np.full(len(pairs), np.nan)
    vectors = cast(TextEmbeddings, access).query(texts).astype(np.float64)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    row = {text: number for number, text in enumerate(texts)}
    return np.array(
        [
            np.mean([vectors[row[first]] @ vectors[row[second]] for first, second in of_document])
            if of_document
            else np.nan
            for of_document in pairs
        ]
    )
