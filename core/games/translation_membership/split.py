"""Who has which sentence pairs: the trainer's training sets and probes, and the adversary's own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.defenses import DataDefense, Defense
from core.errors import Incompatible
from core.result import Column, Schema
from core.runtime.seeding import generator
from core.text.bitext import Bitext

WATERMARKS = "watermarks"
"""Name of the subcorpus of pairs that the adversary could have planted."""

Halves = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Two sets of probes: each is the in-probes of one model of a couple and the out-probes of the other."""

CORPUS = {
    "corpus": Column("str", "Name of the subcorpus."),
    "title": Column("str", "What people call it."),
    "role": Column("str", "'shared' with the adversary, 'private' to the trainer, or 'foreign' to both."),
}
SETS: Schema = {
    "holder": Column("str", "'target' for the trainer's models, 'shadow' for the adversary's, 'everyone'."),
    "use": Column("str", "'training', 'in_probes', 'out_probes', 'foreign_probes' or 'validation'."),
    **CORPUS,
    "pairs": Column("int32", "Pairs for one model, on average."),
}


@dataclass(frozen=True)
class Split:
    """Who has which pairs.

    Attributes:
        bitext: All of them, watermarks at the end.
        pair_rows: (pairs,) rows in question, in a random order.
        member: (models, pairs) the secret: whether each target model was trained on each.
        couple: (models,) number of the couple of each target model.
        validation: Rows on which training is validated.
        training: For each target model, the rows it is trained on; a row as often as it has copies.
        adversary_rows: Rows that the adversary has.
        splits: For each of the adversary's splits, two sets of probes, as positions in ``adversary_rows``.
    """

    bitext: Bitext
    pair_rows: NDArray[np.int64]
    member: NDArray[np.bool_]
    couple: NDArray[np.int64]
    validation: NDArray[np.int64]
    training: tuple[NDArray[np.int64], ...]
    adversary_rows: NDArray[np.int64]
    splits: tuple[Halves, ...]

    @cached_property
    def pairs(self) -> Bitext:
        """The pairs in question."""
        return self.bitext.select(self.pair_rows)

    @cached_property
    def outside(self) -> Bitext:
        """Pairs that no model is trained on."""
        return self.bitext.select(self.validation)

    @cached_property
    def corpus(self) -> NDArray[np.int64]:
        """Number of the subcorpus of each pair in question, (pairs,)."""
        return np.asarray(self.bitext.corpus[self.pair_rows])

    @cached_property
    def balanced(self) -> NDArray[np.bool_]:
        """Whether each pair in question is a member for one model of each couple, (pairs,)."""
        roles = np.array([corpus.role for corpus in self.bitext.corpora])
        return np.asarray(roles[self.corpus] != "foreign")

    @cached_property
    def judged(self) -> NDArray[np.bool_]:
        """Whether a pair counts for the overall figures: balanced, and no watermark, (pairs,)."""
        return self.balanced & ~is_watermark(self.bitext)[self.pair_rows]

    @cached_property
    def shadow_training(self) -> tuple[NDArray[np.int64], ...]:
        """For each shadow model, two of a split, what it is trained on: all of the adversary's but its out-probes."""
        everything = np.arange(len(self.adversary_rows))
        return tuple(np.setdiff1d(everything, out) for first, second in self.splits for out in (second, first))

    def about(self, number: int) -> dict[str, str]:
        """Return the columns `CORPUS` of a subcorpus."""
        corpus = self.bitext.corpora[number]
        return {"corpus": corpus.name, "title": corpus.title, "role": corpus.role}

    def sets(self) -> Iterator[dict[str, Any]]:
        """Yield who has how many pairs of each subcorpus: Figures 3 and 4, and Table 1 of the paper."""
        probes = np.concatenate([np.concatenate(halves) for halves in self.splits])
        corpus, shadows = self.bitext.corpus, len(self.shadow_training)
        for number, title in enumerate(self.bitext.corpora):
            pairs = int((self.corpus == number).sum())
            foreign = title.role == "foreign"
            adversary_rows = np.flatnonzero(corpus[self.adversary_rows] == number)
            shadow_probes = np.isin(probes, adversary_rows).sum() / shadows
            counts = {
                ("target", "training"): sum((corpus[rows] == number).sum() for rows in self.training)
                / len(self.training),
                ("target", "in_probes"): 0 if foreign else pairs / 2,
                ("target", "out_probes"): 0 if foreign else pairs / 2,
                ("everyone", "foreign_probes"): pairs if foreign else 0,
                ("everyone", "validation"): (corpus[self.validation] == number).sum(),
                ("shadow", "training"): sum(np.isin(rows, adversary_rows).sum() for rows in self.shadow_training)
                / shadows,
                ("shadow", "in_probes"): shadow_probes,
                ("shadow", "out_probes"): shadow_probes,
            }
            for (holder, use), count in counts.items():
                if count:
                    yield {"holder": holder, "use": use, **self.about(number), "pairs": round(float(count))}


def is_watermark(bitext: Bitext) -> NDArray[np.bool_]:
    """Return whether each pair is a watermark, (pairs,)."""
    names = np.array([corpus.name for corpus in bitext.corpora])
    return np.asarray(names[bitext.corpus] == WATERMARKS)


def draw_members(probes: int, couples: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Draw the half of the probes of a subcorpus that each target model is trained on, (models, probes)."""
    half = np.arange(probes) < probes // 2
    first = np.stack([rng.permutation(half) for _ in range(couples)])
    return np.stack([first, ~first], axis=1).reshape(-1, probes)


def draw_shadow_probes(corpus: NDArray[np.int64], splits: int, most: int, seed: int) -> tuple[Halves, ...]:
    """Draw the two sets of probes of each of the adversary's splits, as rows of its own pairs; no pair is in two sets.

    Args:
        corpus: (pairs,) number of the subcorpus of each of the adversary's pairs.
        splits: Number of splits.
        most: Largest number of probes of one subcorpus in a set.
        seed: Source of the drawing.

    Raises:
        Incompatible: There are too few pairs of a subcorpus.
    """
    rng = generator(seed, "splits")
    sets: list[list[NDArray[np.int64]]] = [[] for _ in range(2 * splits)]
    for number in np.unique(corpus):
        rows = rng.permutation(np.flatnonzero(corpus == number))
        count = min(most, len(rows) // len(sets))
        if count < 1:
            raise Incompatible(
                f"The adversary draws {len(sets)} sets of probes from each shared subcorpus. One of them has "
                f"{len(rows)} pairs left. Take more pairs, or at most {len(rows) // 2} splits."
            )
        for position, of_set in enumerate(sets):
            of_set.append(rows[position * count : (position + 1) * count])
    joined = [np.sort(np.concatenate(of_set)) for of_set in sets]
    return tuple(zip(joined[::2], joined[1::2], strict=True))


def defended(
    bitext: Bitext, selections: Sequence[NDArray[np.int64]], defenses: Sequence[Defense], seed: int
) -> list[NDArray[np.int64]]:
    """Return the rows of each selection that defenses of data leave, subcorpus by subcorpus."""
    remaining = []
    for number, rows in enumerate(selections):
        for defense in defenses:
            if isinstance(defense, DataDefense):
                rng = generator(seed, "defense", number)
                parts = [rows[bitext.corpus[rows] == corpus].tolist() for corpus in np.unique(bitext.corpus[rows])]
                rows = np.sort(np.concatenate([np.array(defense.on_data(part, rng), np.int64) for part in parts]))
        remaining.append(rows)
    return remaining
