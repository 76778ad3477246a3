"""Bitext: pairs of sentences and translations, to train translators on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from core.errors import suggestion
from core.text.tokenisation import tokenised

Role = Literal["shared", "private", "foreign"]
"""Whether trainer and adversary both have sentences of a subcorpus, only the trainer, or neither."""
ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True)
class Subcorpus:
    """An origin of sentences.

    Attributes:
        name: Its name in files and tables.
        title: Its name on pages.
        role: Who has its sentences (Hisamoto et al. 2020, Figure 3).
    """

    name: str
    title: str
    role: Role = "shared"

    def __post_init__(self) -> None:
        """Check that the role exists."""
        if self.role not in ROLES:
            raise ValueError(f"no role is named {self.role!r}.{suggestion(self.role, ROLES)}")


@dataclass(frozen=True)
class Bitext:
    """Pairs of a sentence and its translation, from one or more subcorpora.

    Attributes:
        sources: (pairs,) the sentences.
        targets: (pairs,) their translations; no source and no target is empty.
        corpora: The subcorpora.
        corpus: (pairs,) index of each pair's subcorpus.
    """

    sources: tuple[str, ...]
    targets: tuple[str, ...]
    corpora: tuple[Subcorpus, ...]
    corpus: NDArray[np.int64]

    def __post_init__(self) -> None:
        """Check that lengths match, that no side is empty, and that the subcorpora exist."""
        for name, values in (("translations", self.targets), ("subcorpora", self.corpus)):
            if len(values) != len(self.sources):
                raise ValueError(f"{len(values)} {name} for {len(self.sources)} sentences")
        for row, pair in enumerate(zip(self.sources, self.targets, strict=True)):
            if not all(side.strip() for side in pair):
                raise ValueError(f"pair {row} has an empty side")
        if len(self.corpus) and not 0 <= self.corpus.min() <= self.corpus.max() < len(self.corpora):
            raise ValueError(f"pairs of subcorpus {self.corpus.max()}, of {len(self.corpora)}")
        names = [subcorpus.name for subcorpus in self.corpora]
        if len(set(names)) < len(names):
            raise ValueError(f"subcorpora of the same name: {names}")

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.sources)

    def select(self, rows: Sequence[int] | NDArray[np.int64]) -> Self:
        """Return the pairs of the given rows, in that order."""
        rows = np.asarray(rows, np.int64)
        sources, targets = (tuple(side[row] for row in rows) for side in (self.sources, self.targets))
        return replace(self, sources=sources, targets=targets, corpus=self.corpus[rows])

    def rows(self, role: Role) -> NDArray[np.int64]:
        """Return the rows of the pairs whose subcorpora have a role."""
        roles = np.array([subcorpus.role for subcorpus in self.corpora], dtype=np.str_)
        return np.flatnonzero(roles[self.corpus] == role) if len(self) else np.empty(0, np.int64)


def prepared(
    corpora: Mapping[Subcorpus, Iterable[tuple[str, str]]], longest: int, most: Mapping[Role, int] | None = None
) -> Bitext:
    """Return tokenised pairs in which each sentence occurs once.

    A pair is dropped if a side is empty or too long, or if its source or its target, in any case, is that of a kept
    pair of any subcorpus. Foreign subcorpora come last, the others in the given order.

    Source: Hisamoto et al. 2020, section 4.1, which uses the Moses tokeniser in place of
    `core.text.tokenisation.tokenised` and keeps sentences with several translations.

    Args:
        corpora: Sentences and their translations as published, by subcorpus.
        longest: Most words and marks of a side.
        most: Most pairs of a subcorpus, by its role; roles that are absent have no limit.
    """
    unique: list[tuple[str, str, int]] = []
    sources: set[str] = set()
    targets: set[str] = set()
    for number, subcorpus in sorted(enumerate(corpora), key=lambda numbered: numbered[1].role == "foreign"):
        limit = len(unique) + most[subcorpus.role] if most and subcorpus.role in most else None
        for pair in corpora[subcorpus]:
            if len(unique) == limit:
                break
            source, target = map(tokenised, pair)
            if not all(1 <= len(side.split()) <= longest for side in (source, target)):
                continue
            if source.casefold() in sources or target.casefold() in targets:
                continue
            sources.add(source.casefold())
            targets.add(target.casefold())
            unique.append((source, target, number))
    return Bitext(
        tuple(source for source, _, _ in unique),
        tuple(target for _, target, _ in unique),
        tuple(corpora),
        np.array([number for _, _, number in unique], np.int64),
    )
