"""A word-pair adversary that compares a target with sets of its own documents, asked of the same model."""

from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.adversaries.own_sets import FEWEST, Sets, exceeded
from core.adversaries.pairs.calibrated import PairLikelihoodRatio
from core.adversaries.pairs.plan import Distance
from core.adversaries.pairs.shadows import ShadowModels
from core.adversaries.pairs.student import Student
from core.defenses import DataDefense
from core.errors import Incompatible, InvalidSpec
from core.games.membership.contract import Answer, Target
from core.runtime.seeding import generator

_LEAST = 0.5
"""Share of a target's documents that a set has at least: half of the models learn from it, as from a target."""
_ORDER = 1e-3
"""Weight of the distance that orders equal shares, less than a set counts."""


def check_count(count: int, *, pooled: bool) -> None:
    """Check the number of sets of each size, which share one pool of shadow models with the targets.

    Raises:
        InvalidSpec: There are too few for a threshold, or every target has shadow models of its own.
    """
    refused = f"The 'known_outs' parameter of word_pairs must be 0 or at least {FEWEST}"
    if 0 < count < FEWEST:
        raise InvalidSpec(f"{refused}. Got {count} instead; {FEWEST} would do.", "known_outs")
    if count and not pooled:
        raise InvalidSpec(
            f"{refused}, and 0 where every target has shadow models of its own. Got {count} instead; 0 would do, or, "
            f"with 'scheme' pool, {count}.",
            "known_outs",
        )


def with_known_outs(shadows: ShadowModels, count: int) -> ShadowModels:
    """Return shadow models whose last targets are sets of the adversary's own documents, ``count`` of each target size.

    Half of the models hold each set, as they hold a target. No target model does: it learns from the trainer's
    documents, of which the adversary has none unless its proxy data does. Where targets are documents of one owner, so
    are sets, of at least half as many documents as a target.

    Raises:
        Incompatible: The adversary has too few documents. The message names the largest number that fits.
    """
    if not count:
        return shadows
    extended = _extended(shadows, count)
    if isinstance(extended, ShadowModels):
        return extended
    smaller = range(count - 1, FEWEST - 1, -1)
    fits = next((fewer for fewer in smaller if isinstance(_extended(shadows, fewer), ShadowModels)), 0)
    raise Incompatible(f"'known_outs' asks for {count} sets of each target size. {extended} {fits} would do.")


def _extended(shadows: ShadowModels, count: int) -> ShadowModels | str:
    """Return the shadow models with the sets, or the sentence that says why they do not fit."""
    briefing = shadows.briefing
    left, owners, outs = briefing.auxiliary, np.array(briefing.owners, object), list[Target]()
    for size in dict.fromkeys(target.size for target in briefing.targets):
        drawn = Sets(len(left), briefing.seed, tuple(owners)).disjoint(size, _LEAST)
        sets = [rows for rows in drawn if len(rows) >= _LEAST * size]
        if len(sets) < count:
            return f"The adversary's documents make {len(sets)} sets for targets of {size:,}."
        order = generator(briefing.seed, "sets known to be out", size).permutation(len(sets))
        chosen = [sets[number] for number in order[:count]]
        outs += [Target(f"out {number}", len(rows), tuple(left[rows].tolist())) for number, rows in enumerate(chosen)]
        kept = np.setdiff1d(np.arange(len(left)), np.concatenate(chosen))
        left, owners = left[kept], owners[kept] if len(owners) else owners
    extended = replace(shadows, briefing=replace(briefing, targets=(*briefing.targets, *outs), auxiliary=left))
    sizes = np.array([target.size for target in extended.briefing.targets])
    held = [int(sizes[extended.members(item)].sum()) for item in extended.items(extended.pairs)]
    if max(held) > briefing.documents:
        return f"They and the targets fill {max(held):,} documents of a training set of {briefing.documents:,}."
    takes = any(isinstance(defense, DataDefense) for defense in extended.defenses)
    others = briefing.documents - (0 if takes else min(held))
    if len(left) < (others if extended.sampling == "without_replacement" else 1):
        return f"They leave {len(left):,} documents, and a training set takes up to {others:,} others."
    return extended


@dataclass(frozen=True, eq=False)
class PairRmiaAdversary(PairLikelihoodRatio):
    """Compares the likelihood ratio of a target with those of sets that are out (after RMIA, Zarifzadeh et al. 2024).

    The score is the share of sets that the target exceeds in the same model, less the share from which on it is called
    a member: at most one target in twenty that is out would exceed so many, if it were one of them. Sets of other data
    than the targets' promise nothing. Equal shares are ordered by how far the target exceeds the sets.

    The paper divides the probability of a document by its mean over models; word vectors give none. The density of the
    linear function with the target takes its place, and the mean of those with and without it that of the mean. That
    orders targets and sets as `PairLikelihoodRatio` does. The paper's gamma is 1.

    The words of all sets are queried once for each model.

    Attributes:
        outs: For each target, the numbers of the sets of its size.
        cache: The ratios of all sets, for each access; filled on first use.
    """

    outs: tuple[tuple[int, ...], ...] = field(kw_only=True)
    cache: dict[Access, dict[int, float]] = field(default_factory=dict, kw_only=True)

    @classmethod
    def beside(cls, student: Student, pairs: int, distance: Distance) -> Self:
        """Return the adversary that compares each target with the sets of its size."""
        sizes = [student.shadows.briefing.targets[target].size for target in student.targets]
        order = list(dict.fromkeys(sizes))
        each = len(student.outs) // len(order)
        outs = tuple(tuple(student.outs[each * place : each * (place + 1)]) for place in map(order.index, sizes))
        return cls.of(student, pairs, distance, "known_outs", [*student.targets, *student.outs], outs=outs)

    def answer(self, target: int, access: Access) -> Answer:
        """Return the share of sets that the target exceeds, less that from which on it is taken for a member."""
        if access not in self.cache:
            asked = sorted({number for outs in self.outs for number in outs})
            self.cache[access] = {
                number: super(PairRmiaAdversary, self).answer(number, access).score for number in asked
            }
        ratio = super().answer(target, access).score
        return Answer(exceeding(ratio - np.array([self.cache[access][number] for number in self.outs[target]])))


def exceeding(ahead: NDArray[np.float64]) -> float:
    """Return the share of sets that a target exceeds, less that from which on it is taken for a member.

    Args:
        ahead: (sets,) by how much its ratio exceeds that of each; equal shares are ordered by the mean.

    >>> exceeding(np.ones(19)) > 0, exceeding(np.array([0.0] + [1.0] * 18)) > 0
    (True, False)
    >>> exceeding(np.full(19, 200.0)) > exceeding(np.full(19, 20.0))
    True
    """
    mean = float(ahead.mean())
    share = (int((ahead > 0).sum()) - exceeded(len(ahead)) + 0.5) / len(ahead)
    return share + _ORDER * mean / (1 + abs(mean))
