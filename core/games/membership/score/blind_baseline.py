"""The blind baseline never queries a model: it predicts membership of a target from the target's texts alone."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, product
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from core.games.blind import Known, Marked, blind_scores
from core.games.membership.contract import Briefing
from core.runtime.seeding import generator
from core.statistics.decisions import Decisions
from core.statistics.intervals import Interval, settled
from core.statistics.jackknife import figures_over_targets
from core.statistics.measures import MEASURES
from core.statistics.one_model import REMARKED
from core.text.corpus import Corpus

_FOLDS = 10
"""Folds of targets, at most; each is predicted by a regression on the others."""
_RIDGE = 1.0
"""Weight of the penalty, beside which there are as many rows as targets and other plays."""
_MOST = 4000
"""Documents of each half that the baseline reads, at most: twice as many take some 4 GB, and minutes."""
_SETTLED = ("accuracy", "auc")
"""Figures whose intervals are held against bits drawn anew."""
Reads = Literal["lengths", "words", "words of both halves"]
"""What the baseline reads: lengths and frequencies of words, or words, those of other documents of both halves too."""


@dataclass(frozen=True)
class Halves:
    """Other documents than the targets, as many of the trainer's half as of the adversary's.

    Attributes:
        trainer: The words of each document of the trainer's half.
        adversary: Those of the adversary's half.
    """

    trainer: Sequence[Sequence[str]]
    adversary: Sequence[Sequence[str]]

    @classmethod
    def of(cls, trainer: Corpus, adversary: Corpus, seed: int) -> Self:
        """Draw as many documents of each half: all of the smaller half, or the most that can be read.

        Args:
            trainer: The trainer's half.
            adversary: The other half, also where the adversary has data of its own.
            seed: Source of the draw.
        """
        rng, halves = generator(seed, "documents of both halves"), (trainer, adversary)
        size = min(_MOST, *map(len, halves))
        return cls(*(half.select(np.sort(rng.choice(len(half), size, replace=False))).texts() for half in halves))


_NO_OTHERS = Halves((), ())


@dataclass(frozen=True)
class BlindBaseline:
    """Decisions of the baseline, and what the same baseline decides where members are drawn anew.

    It learns from the bits of other targets, so that what it decides about all of them hangs together, and a jackknife
    of its decisions excludes chance too often. An end of an interval lies beyond chance only if bits drawn anew reach
    the figure in less than 2.5% of draws.

    Attributes:
        decisions: What it decides.
        sizes: (targets,) documents of each.
        redrawn: Yields what it decides of bits drawn anew.
    """

    decisions: Decisions
    sizes: NDArray[np.int64]
    redrawn: Callable[[], Iterator[Decisions]]

    def figures(self, size: int, names: Iterable[str], rng: np.random.Generator) -> dict[str, Interval]:
        """Return figures about targets of a size, or of all sizes (0), with their 95% intervals."""
        figures = figures_over_targets(self._about(self.decisions, size), names, rng)
        for name in figures.keys() & _SETTLED:
            figures[name] = settled(figures[name], MEASURES[name].chance, partial(self._by_chance, size, name))
        return figures

    def _by_chance(self, size: int, name: str) -> NDArray[np.float64]:
        return self._drawn[0 if (self.sizes == size).all() else size, name]

    @cached_property
    def _drawn(self) -> dict[tuple[int, str], NDArray[np.float64]]:
        """Figures of bits drawn anew, (draws,) each, by name and documents a target: 0 for all, also of one size."""
        sizes = [0, *different] if len(different := np.unique(self.sizes).tolist()) > 1 else [0]
        rows = [
            [part.value(name) for part in [self._about(decisions, size) for size in sizes] for name in _SETTLED]
            for decisions in self.redrawn()
        ]
        return dict(zip(product(sizes, _SETTLED), np.array(rows).T, strict=True))

    def _about(self, decisions: Decisions, size: int) -> Decisions:
        about = self.sizes == size
        return decisions.about(about) if size and not about.all() else decisions


def by_lengths(briefing: Briefing, members: NDArray[np.bool_], seed: int) -> BlindBaseline:
    """Return what size, length, variety and word frequencies of the targets give away.

    A ridge regression is given the true bits of nine tenths of the targets in all *other* plays, far more than any
    adversary has, and asked about the rest. Only a split that gives itself away, in each play alike, lifts it above
    chance. Bits of the same play would press it below: where half of the targets are members, more than half of the
    others are whenever one is not.

    Args:
        briefing: Holds the targets' texts.
        members: (plays, targets) the secret bits, of two plays or more.
        seed: Source of the bits drawn anew.
    """
    sizes, folds = _sizes(briefing), list(_folds(_text_features(briefing), len(members)))

    def redrawn() -> Iterator[Decisions]:
        rng = generator(seed, "text alone")
        for _ in range(REMARKED):
            yield _decided(folds, _drawn_anew(members, sizes, rng))

    return BlindBaseline(_decided(folds, members), sizes, redrawn)


def by_words(briefing: Briefing, members: NDArray[np.bool_], seed: int, halves: Halves = _NO_OTHERS) -> BlindBaseline:
    """Return what words and pairs of words give away, by the blind baseline of audits.

    In each play it is given the true bits of four fifths of the targets. With other documents it is also told whose
    half four fifths of these are in: the trainer's count as in, the adversary's as out. They are divided as members
    are, by lot or by date. Arguments are those of `by_lengths`, and the other documents.
    """
    sizes = _sizes(briefing)
    rows = list(chain.from_iterable(target.documents for target in briefing.targets))
    texts = [" ".join(words) for words in chain(briefing.corpus.select(rows).texts(), halves.trainer, halves.adversary)]
    inside = np.repeat([True, False], [len(halves.trainer), len(halves.adversary)])
    of_each = np.concatenate([sizes, np.ones(len(inside), np.int64)])
    known, alone = Known(texts, (), np.repeat(of_each, of_each)), np.arange(len(of_each))
    of_text = np.repeat(alone, of_each)
    different, number = np.unique(members, axis=0, return_inverse=True)
    read = [
        blind_scores(known, Marked(of_text, np.concatenate([bits, inside]), alone, len(sizes)), seed)
        for bits in different
    ]
    plays = [read[play] for play in number.ravel()]

    def redrawn() -> Iterator[Decisions]:
        bits = np.stack([play.random_member for play in plays], axis=1)  # (draws, plays, targets)
        yield from map(Decisions, bits, np.stack([play.random_score for play in plays], axis=1))

    return BlindBaseline(Decisions(members, np.stack([play.score for play in plays])), sizes, redrawn)


@dataclass(frozen=True)
class _Fold:
    """What a ridge regression knows of a fold of the targets before it is told any bits.

    Attributes:
        asked: (targets,) whether each is asked about; the others teach.
        taught: (others, features) what it reads of those who teach.
        solved: (features, asked) what a row of bits times features is multiplied by.
    """

    asked: NDArray[np.bool_]
    taught: NDArray[np.float64]
    solved: NDArray[np.float64]


def _folds(features: NDArray[np.float64], plays: int) -> Iterator[_Fold]:
    """Yield folds of targets, for a regression on their features, (targets, features), over a number of plays."""
    fold = np.arange(len(features)) % _FOLDS
    for left_out in np.unique(fold):
        asked, taught = fold == left_out, features[fold != left_out]
        precision = (plays - 1) * taught.T @ taught + _RIDGE * np.eye(features.shape[1])
        yield _Fold(asked, taught, np.linalg.solve(precision, features[asked].T))


def _decided(folds: Iterable[_Fold], members: NDArray[np.bool_]) -> Decisions:
    """Return decisions by a ridge regression, as `by_lengths` describes it."""
    scores = np.zeros(members.shape)
    for fold in folds:
        bits = members[:, ~fold.asked].astype(np.float64)
        bits -= bits.mean(axis=1, keepdims=True)
        of_others = bits.sum(axis=0) - bits  # (plays, taught), of all plays but each
        scores[:, fold.asked] = of_others @ fold.taught @ fold.solved
    return Decisions(members, scores)


def _drawn_anew(members: NDArray[np.bool_], sizes: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return bits in which as many targets of each size are members of each play, (plays, targets)."""
    drawn = members.copy()
    for size in np.unique(sizes):
        drawn[:, sizes == size] = rng.permuted(members[:, sizes == size], axis=1)
    return drawn


def _sizes(briefing: Briefing) -> NDArray[np.int64]:
    return np.array([target.size for target in briefing.targets])


def _text_features(briefing: Briefing) -> NDArray[np.float64]:
    """Return size, length, variety, and mean and spread of the words' log frequencies of each target, (targets, 5).

    Each has mean 0 and deviation 1 over the targets.
    """
    corpus = briefing.corpus
    frequency = np.log(corpus.counts() + 1.0)
    features = []
    for target in briefing.targets:
        tokens = np.concatenate([corpus.document(row) for row in target.documents] or [np.empty(0, np.int32)])
        logs = frequency[tokens]
        features.append(
            [
                target.size,
                len(tokens) / target.size,
                len(np.unique(tokens)) / max(len(tokens), 1),
                logs.mean() if len(logs) else 0.0,
                logs.std() if len(logs) else 0.0,
            ]
        )
    columns = np.array(features, dtype=np.float64)
    spread = columns.std(axis=0)
    return np.asarray((columns - columns.mean(axis=0)) / np.where(spread > 0, spread, 1.0))
