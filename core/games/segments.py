"""The texts of a game on embeddings: segments of a dataset, split between the adversary and the holder.

A store that has grown is split as before, so that the adversary is the same and what it learnt is found again. Of what
came later, a share is left out, as large as the adversary's; the rest is the holder's. Victims are drawn among all that
the holder has now.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.runtime.seeding import generator
from core.text import near_copies
from core.text.contents import Documents
from core.text.corpus import words_of
from core.text.segments import Segmentation, segmented
from core.text.split import different, split_texts

SHARES = (0.5, 1 / 3, 0.7, 0.8, 0.9, 0.15)
"""Shares of the adversary that are tried where its texts, or the others, are too few."""


def other_splits(pieces: Segmentation, share: float) -> Iterator[dict[str, Any]]:
    """Yield other settings by which texts are cut and split, those that cut them in the given way first."""
    both: tuple[Segmentation, Segmentation] = ("texts", "sentences")
    for cut, adversary_share in product(sorted(both, key=lambda cut: cut != pieces), (share, *SHARES)):
        changes = {"game.pieces": cut, "game.shadow_share": adversary_share}
        yield {name: value for name, value in changes.items() if value not in (pieces, share)}


@dataclass(frozen=True)
class Growth:
    """Which texts of a store came after it was split.

    Attributes:
        earlier: Number of the texts that were there; they come first.
        displaced: (some,) numbers of those of them that later ones have displaced from the sample.
    """

    earlier: int
    displaced: NDArray[np.int64]


@dataclass(frozen=True)
class Drawn:
    """Numbers of segments that were drawn.

    Attributes:
        first: (some,) those drawn before the store grew, in random order.
        now: (some,) those drawn from all that there is now; the same where nothing grew.
    """

    first: NDArray[np.int64]
    now: NDArray[np.int64]


@dataclass(frozen=True)
class Segments:
    """Texts or sentences of a dataset, split between the adversary and the holder.

    Attributes:
        texts: All segments.
        positions: (segments, 2) row of the text and number of the sentence, -1 for a whole text.
        auxiliary: The adversary's segments.
        holder: Numbers of the holder's segments, in rising order.
        rng: Source of the draws that follow the split.
        later: Numbers of the holder's segments that came after the split, in rising order.
        displaced: (some,) numbers of the earlier segments that are no longer drawn.
        rng_of_growth: Source of the draws among the later ones.
    """

    texts: list[str]
    positions: NDArray[np.int64]
    auxiliary: list[str]
    holder: NDArray[np.int64]
    rng: np.random.Generator
    later: NDArray[np.int64]
    displaced: NDArray[np.int64]
    rng_of_growth: np.random.Generator

    @classmethod
    def split(
        cls,
        documents: Documents,
        segmentation: Segmentation,
        share: float,
        seed: int,
        growth: Growth | None = None,
    ) -> "Segments":
        """Cut texts into segments, and give a random share of the different ones to the adversary.

        Where there is growth, which says which texts came after an earlier split, each segment must be a whole text.
        """
        texts, positions = segmented(documents, segmentation)
        growth = growth or Growth(len(texts), np.empty(0, np.int64))
        rng, rng_of_growth = generator(seed, "deal"), generator(seed, "growth")
        auxiliary, holder = split_texts(texts[: growth.earlier], rng.permutation(growth.earlier), share)
        others = rng_of_growth.random(len(texts) - growth.earlier) >= share
        later = different(texts)
        later = later[later >= growth.earlier]
        later = later[others[later - growth.earlier]]
        auxiliary_texts = [texts[number] for number in auxiliary]
        return cls(texts, positions, auxiliary_texts, holder, rng, later, growth.displaced, rng_of_growth)

    def without_near_copies(self) -> "Segments":
        """Return the segments without near copies; no segment of one side is nearly one of the other."""
        ends = np.cumsum([len(self.auxiliary), len(self.holder)])
        others = (self.texts[number] for number in (*self.holder, *self.later))
        distinct = _distinct((*self.auxiliary, *others), int(ends[-1]))
        auxiliary, holder, later = np.split(distinct, np.searchsorted(distinct, ends))
        return replace(
            self,
            auxiliary=[self.auxiliary[number] for number in auxiliary],
            holder=self.holder[holder - ends[0]],
            later=self.later[later - ends[1]],
        )

    def only(self, eligible: Callable[[str], bool]) -> "Segments":
        """Return these with those of the holder's segments whose text is eligible."""
        holder, later = (
            numbers[np.array([eligible(self.texts[number]) for number in numbers], bool)]
            for numbers in (self.holder, self.later)
        )
        return replace(self, holder=holder, later=later)

    def drawn(self, most: int) -> Drawn:
        """Draw at most some of the holder's segments.

        Both draws are uniform, and share what they can: each segment gets a random place in an order, the earlier ones
        among themselves as before, and the first ones are drawn.
        """
        order = self.rng.permutation(self.holder)
        places = np.concatenate(
            [np.sort(self.rng_of_growth.random(len(order))), self.rng_of_growth.random(len(self.later))]
        )
        now = np.concatenate([order, self.later])[np.argsort(places, kind="stable")]
        return Drawn(order[:most], now[~np.isin(now, self.displaced)][:most])


@lru_cache(maxsize=2)
def _distinct(texts: tuple[str, ...], earlier: int) -> NDArray[np.int64]:
    """Return the numbers of the texts without near copies; the games of an audit ask about the same texts."""
    numbers = np.array(near_copies.distinct(list(map(words_of, texts)), earlier=earlier), np.int64)
    numbers.flags.writeable = False
    return numbers
