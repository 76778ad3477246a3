"""The texts of a game on embeddings: segments of a dataset, split between the adversary and the holder."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.runtime.seeding import generator
from core.text import near_copies
from core.text.contents import Documents
from core.text.corpus import words_of
from core.text.segments import Segmentation, segmented
from core.text.split import split_texts

SHARES = (0.5, 1 / 3, 0.7, 0.8, 0.9, 0.15)
"""Shares of the adversary that are tried where its texts, or the others, are too few."""


def other_splits(pieces: Segmentation, share: float) -> Iterator[dict[str, Any]]:
    """Yield other settings by which texts are cut and split, those that cut them in the given way first."""
    both: tuple[Segmentation, Segmentation] = ("texts", "sentences")
    for cut, adversary_share in product(sorted(both, key=lambda cut: cut != pieces), (share, *SHARES)):
        changes = {"game.pieces": cut, "game.shadow_share": adversary_share}
        yield {name: value for name, value in changes.items() if value not in (pieces, share)}


@dataclass(frozen=True)
class Segments:
    """Texts or sentences of a dataset, split between the adversary and the holder.

    Attributes:
        texts: All segments.
        positions: (segments, 2) row of the text and number of the sentence, -1 for a whole text.
        auxiliary: The adversary's segments.
        holder: Numbers of the holder's segments, in rising order.
        rng: Source of the draws that follow the split.
    """

    texts: list[str]
    positions: NDArray[np.int64]
    auxiliary: list[str]
    holder: NDArray[np.int64]
    rng: np.random.Generator

    @classmethod
    def split(cls, documents: Documents, segmentation: Segmentation, share: float, seed: int) -> "Segments":
        """Cut texts into segments, and give a random share of the different ones to the adversary."""
        texts, positions = segmented(documents, segmentation)
        rng = generator(seed, "deal")
        auxiliary, holder = split_texts(texts, rng.permutation(len(texts)), share)
        return cls(texts, positions, [texts[number] for number in auxiliary], holder, rng)

    def without_near_copies(self) -> "Segments":
        """Return the segments without near copies; no segment of one side is nearly one of the other."""
        texts = [*self.auxiliary, *(self.texts[number] for number in self.holder)]
        distinct = np.array(near_copies.distinct(list(map(words_of, texts))), np.int64)
        border = len(self.auxiliary)
        auxiliary = [self.auxiliary[number] for number in distinct[distinct < border]]
        return replace(self, auxiliary=auxiliary, holder=self.holder[distinct[distinct >= border] - border])

    def victims(self, eligible: NDArray[np.int64], most: int) -> NDArray[np.int64]:
        """Draw at most some victims among the holder's eligible segments; return their numbers, in rising order."""
        return np.sort(self.rng.permutation(self.holder[eligible])[:most])
