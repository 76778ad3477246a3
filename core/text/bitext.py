"""Sentences beside their translations, as a translator is trained on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from core.errors import suggestion
from core.text.tokenisation import tokenised

Role = Literal["shared", "private", "foreign"]
"""Whether the trainer and the adversary both have sentences of a subcorpus, the trainer alone, or neither."""
ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True)
class Subcorpus:
    """Where sentences come from.

    Attributes:
        name: Its name, for a file and a table.
        title: What people call it.
        role: Who has sentences of it (Hisamoto et al. 2020, Figure 3).
    """

    name: str
    title: str
    role: Role = "shared"

    def __post_init__(self) -> None:
        """Refuse a role that there is not."""
        if self.role not in ROLES:
            raise ValueError(f"no role is named {self.role!r}.{suggestion(self.role, ROLES)}")


@dataclass(frozen=True)
class Bitext:
    """Pairs of a sentence and its translation, from one or more subcorpora.

    Attributes:
        sources: (pairs,) the sentences.
        targets: (pairs,) their translations; never empty, as no source is.
        corpora: Where they come from.
        corpus: (pairs,) which of those each pair comes from.
    """

    sources: tuple[str, ...]
    targets: tuple[str, ...]
    corpora: tuple[Subcorpus, ...]
    corpus: NDArray[np.int64]

    def __post_init__(self) -> None:
        """Refuse sides that do not match, empty sides, and subcorpora that there are not."""
        for name, values in (("translations", self.targets), ("subcorpora", self.corpus)):
            if len(values) != len(self.sources):
                raise ValueError(f"{len(values)} {name} for {len(self.sources)} sentences")
        for row, pair in enumerate(zip(self.sources, self.targets, strict=True)):
            if not all(side.strip() for side in pair):
                raise ValueError(f"pair {row} has an empty side: {pair!r}")
        if len(self.corpus) and not 0 <= self.corpus.min() <= self.corpus.max() < len(self.corpora):
            raise ValueError(f"pairs of subcorpus {self.corpus.max()}, of {len(self.corpora)}")
        names = [own.name for own in self.corpora]
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
        roles = np.array([own.role for own in self.corpora], dtype=np.str_)
        return np.flatnonzero(roles[self.corpus] == role) if len(self) else np.empty(0, np.int64)


def prepared(
    corpora: Mapping[Subcorpus, Iterable[tuple[str, str]]], longest: int, most: Mapping[Role, int] | None = None
) -> Bitext:
    """Return pairs as a trainer and an adversary get them: written in one way, each sentence once.

    A pair is dropped when a side is empty or longer than allowed, or when its source is the source of a kept pair, or
    its target the target of one, in whichever subcorpus; case makes no difference. Foreign subcorpora lose to all
    others, among the rest the later to the earlier, and so do the pairs of one.

    Source: Hisamoto et al. 2020, section 4.1. Its Moses tokeniser is `core.text.tokenisation.tokenised` here, and it
    keeps a sentence that has several translations.

    Args:
        corpora: Sentences and their translations as found, by subcorpus.
        longest: Most words and marks of a side.
        most: By role, how many pairs of a subcorpus are kept, the first; all where none is said.
    """
    kept: list[tuple[str, str, int]] = []
    sources: set[str] = set()
    targets: set[str] = set()
    for number, own in sorted(enumerate(corpora), key=lambda numbered: numbered[1].role == "foreign"):
        limit = len(kept) + most[own.role] if most and own.role in most else None
        for pair in corpora[own]:
            if len(kept) == limit:
                break
            source, target = map(tokenised, pair)
            if not all(1 <= len(side.split()) <= longest for side in (source, target)):
                continue
            if source.casefold() in sources or target.casefold() in targets:
                continue
            sources.add(source.casefold())
            targets.add(target.casefold())
            kept.append((source, target, number))
    return Bitext(
        tuple(source for source, _, _ in kept),
        tuple(target for _, target, _ in kept),
        tuple(corpora),
        np.array([number for _, _, number in kept], np.int64),
    )
