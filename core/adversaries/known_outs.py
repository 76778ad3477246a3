"""Decisions calibrated on documents known to be out, and on a base model."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.adversaries.own_sets import Sets, Text
from core.errors import Incompatible
from core.games.calibrated_audit.contract import CalibratedBriefing
from core.games.membership.contract import Answer, PreparedAdversary, rows_of
from core.keys import key_of
from core.runtime.context import RunContext

_VERSION = 1
FEWEST_MEASURED = 2
"""Fewest documents known to be out that calibration needs."""
_PENALTY = 1.0
"""Of the squared weight of a column in deviations, so that a few documents do not fit many columns."""

Statistic = Callable[[Access, Text], NDArray[np.float64]]
"""Measures documents by a model, (documents,): the higher, the more likely members; NaN where a document gives none."""


class Based(Protocol):
    """A model that somebody holds, which may have a base."""

    def identity(self) -> dict[str, Any]:
        """Return what determines it, with that of its base under ``base``."""
        ...

    def base_access(self) -> Access | None:
        """Return what an adversary sees of the base, None where none is named."""
        ...


@dataclass(frozen=True)
class ComparedDocuments:
    """The targets' documents, and those that are known to be out.

    Attributes:
        asked: The targets' documents, target by target.
        outside: Documents that are known to be out.
        sizes: (targets,) number of documents of each.
        sets: Draws sets of the documents that are out.
    """

    asked: Text
    outside: Text
    sizes: NDArray[np.int64]
    sets: Sets

    @classmethod
    def of(cls, briefing: CalibratedBriefing) -> "ComparedDocuments":
        """Return what a briefing holds."""
        rows = rows_of(briefing.targets)
        asked, outside = (briefing.corpus.select(chosen).texts() for chosen in (rows, briefing.outside))
        sizes = np.array([target.size for target in briefing.targets])
        return cls(asked, outside, sizes, Sets(len(outside), briefing.seed))

    @property
    def documents(self) -> list[Sequence[str]]:
        """All of them, those that are out last."""
        return [*self.asked, *self.outside]

    def beyond(self, values: NDArray[np.float64], columns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return by how much documents exceed what those that are out let expect, in deviations of these, (documents,).

        A ridge regression on the columns, fitted on the documents that are out, says what to expect; each of them is
        compared with what the others let expect. Documents without a value count as expected.

        Args:
            values: (documents,) the statistic; NaN where a document gives none.
            columns: (documents, columns) what is known of them otherwise, the first column a 1.
        """
        known = np.isfinite(values)
        fitted = known & (np.arange(len(values)) >= len(self.asked))
        if fitted.sum() < FEWEST_MEASURED:
            raise Incompatible(
                f"Only {fitted.sum()} of {len(self.outside):,} documents that are known to be out can be measured. "
                "Longer texts are needed."
            )
        mean, spread = columns[fitted].mean(axis=0), columns[fitted].std(axis=0)
        scaled = np.where(spread > 0, (columns - mean) / np.where(spread > 0, spread, 1.0), 0.0)
        design = np.column_stack([np.ones(len(values)), scaled[:, 1:]])
        rows = design[fitted]
        penalty = _PENALTY * np.eye(design.shape[1])
        penalty[0, 0] = 0.0
        inverse = np.linalg.inv(rows.T @ rows + penalty)
        left = np.zeros(len(values))
        left[known] = values[known] - design[known] @ (inverse @ rows.T @ values[fitted])
        left[fitted] /= 1 - np.einsum("ij,jk,ik->i", rows, inverse, rows)
        deviation = float(left[fitted].std())
        return np.asarray(left / deviation if deviation > 0 else left)


@dataclass(frozen=True, eq=False)
class CalibratedAdversary(PreparedAdversary):
    """Calls a target a member where it exceeds what 95% of sets of documents known to be out do not.

    Attributes:
        statistic: What is measured.
        compared: The documents.
        columns: (documents, columns) what is known of them otherwise; ones alone where nothing is to be explained.
        base: (documents,) the same statistic by the base, which is taken off; zeros for none.
        cache: The score of each target, for each access; filled on first use.
    """

    shadows: int = 0
    statistic: Statistic = field(kw_only=True)
    compared: ComparedDocuments = field(kw_only=True)
    columns: NDArray[np.float64] = field(kw_only=True)
    base: NDArray[np.float64] | float = field(default=0.0, kw_only=True)
    cache: dict[Access, NDArray[np.float64]] = field(default_factory=dict)

    def answer(self, target: int, access: Access) -> Answer:
        """Score a target by the mean over its documents, less what sets of as many documents do not exceed."""
        if access not in self.cache:
            self.cache[access] = self._scores(access)
        return Answer(float(self.cache[access][target]))

    def _scores(self, access: Access) -> NDArray[np.float64]:
        compared = self.compared
        values = self.statistic(access, compared.documents) - self.base
        left = compared.beyond(values, self.columns)
        asked, outside = left[: len(compared.asked)], left[len(compared.asked) :]
        of_target = np.repeat(np.arange(len(compared.sizes)), compared.sizes)
        means = np.bincount(of_target, asked) / compared.sizes
        ones = np.ones(len(outside))
        usual = {size: compared.sets.usual(outside, ones, size) for size in sorted(set(compared.sizes.tolist()))}
        return np.array([usual[size].beyond(mean) for mean, size in zip(means, compared.sizes.tolist(), strict=True)])


def read_by_base(
    statistics: Mapping[str, Statistic], model: Based, documents: Text, context: RunContext
) -> dict[str, NDArray[np.float64]]:
    """Return the statistics of documents by the base of a model, (documents,) each."""
    identity = {**model.identity(), "source": ""}
    measured = {name: repr(statistic) for name, statistic in statistics.items()}
    key = key_of({"of the base": _VERSION, **identity, **measured, "texts": list(map(list, documents))})
    shared = {"statistics": statistics, "model": model, "documents": documents}
    ((_, arrays),) = context.train("Reading the documents with the base", key, _measured, [0], shared)
    return dict(arrays)


def _measured(
    item: int, statistics: Mapping[str, Statistic], model: Based, documents: Text
) -> dict[str, NDArray[np.float64]]:
    access = model.base_access()
    if access is None:
        raise Incompatible("Documents are compared with a base. None is named: set 'base'.")
    return {name: statistic(access, documents) for name, statistic in statistics.items()}
