"""LASSO on the distances of a target's word pairs in shadow models trained with it and without it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.adversaries.pairs.plan import Distance, Plan, scaled
from core.adversaries.pairs.rows import Rows
from core.adversaries.pairs.shadows import ShadowModels
from core.adversaries.pairs.sparse_linear import SparseLinear, cross_validated_penalty, fit_path
from core.runtime.context import Arrays

PATH = np.geomspace(0.8, 0.02, 17)
"""Penalties of a regularisation path, strongest first."""

Penalty = Literal["inverse_root", "cross_validated"]

_FOLDS = 5


@dataclass(frozen=True)
class Student:
    """Fits linear functions to measurements of shadow models (Mahloujifar et al. 2021, Algorithm 1).

    Attributes:
        shadows: The models.
        plan: What is measured in each.
        rows: The measurements.
        penalty: How LASSO's penalty is chosen: 1/sqrt(k), or on held-out shadow models.
        standardise: Whether every feature gets unit variance first.
        sets: How many of the last targets are sets of the adversary's own documents, which are known to be out.
    """

    shadows: ShadowModels
    plan: Plan
    rows: Rows
    penalty: Penalty = "inverse_root"
    standardise: bool = True
    sets: int = 0

    def growing(self, trainings: Iterable[tuple[int, Arrays]], sizes: Sequence[int]) -> Iterator[int]:
        """Write the measurements of shadow models in order of arrival; yield each number of pairs once it is complete.

        Args:
            trainings: Numbers of shadow models, and the arrays of each.
            sizes: Rising numbers of pairs; only those below the number of all pairs are yielded.
        """
        missing = {size: set(self.shadows.items(size)) for size in sizes if size < self.shadows.pairs}
        for item, arrays in trainings:
            self.rows.write(item, arrays["row"])
            for items in missing.values():
                items.discard(item)
            while missing and not missing[size := min(missing)]:
                del missing[size]
                yield size

    @property
    def targets(self) -> range:
        """Numbers of the targets in question."""
        return range(len(self.shadows.briefing.targets) - self.sets)

    @property
    def outs(self) -> range:
        """Numbers of the sets known to be out."""
        return range(len(self.targets), len(self.targets) + self.sets)

    def function(self, target: int, pairs: int, distance: Distance) -> SparseLinear:
        """Return the function of a target's pair distances that the first ``pairs`` shadow pairs give, fitted once."""
        asked = target, pairs, distance
        if asked not in self._functions:
            self._functions[asked] = self.fit(*self.distances(*asked), pairs)
        return self._functions[asked]

    def path(self, target: int, pairs: int, distance: Distance) -> list[SparseLinear]:
        """Return the functions for every penalty of `PATH`."""
        return fit_path(*self.distances(target, pairs, distance), PATH, standardise=self.standardise)

    def left_out(self, target: int, pairs: int, distance: Distance) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return what functions of a target give in shadow models that they were not fitted to, and which hold it.

        Each fifth of the shadow pairs is scored by the function fitted to the others, once for all who ask.

        Returns:
            Scores and members, (models,) each.
        """
        asked = target, pairs, distance
        if asked not in self._left_out:
            self._left_out[asked] = self._cross_fitted(*asked)
        return self._left_out[asked]

    def _cross_fitted(
        self, target: int, pairs: int, distance: Distance
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        measured, member = self.distances(target, pairs, distance)
        fold = (np.arange(len(member)) // 2) % min(_FOLDS, pairs)
        score = np.empty(len(member))
        for number in np.unique(fold):
            apart = fold == number
            function = self.fit(measured[~apart], member[~apart], pairs)
            score[apart] = function(measured[apart][:, function.features])
        return score, member

    def measured(self, target: int, columns: slice, pairs: int) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return some measurements of the models that serve a target, and (models,) which of them hold it."""
        serving = self.shadows.serving(target, pairs)
        return self.rows.read(serving, columns), self.holding(target, serving)

    def holding(self, target: int, models: Sequence[int]) -> NDArray[np.bool_]:
        """Return which of some shadow models hold a target, (models,)."""
        return np.array([self._members(item)[target] for item in models], dtype=np.bool_)

    def _members(self, item: int) -> NDArray[np.bool_]:
        """Return which targets a shadow model holds, (targets,), drawn once."""
        if item not in self._drawn:
            self._drawn[item] = self.shadows.members(item)
        return self._drawn[item]

    @cached_property
    def _functions(self) -> dict[tuple[int, int, Distance], SparseLinear]:
        return {}

    @cached_property
    def _left_out(self) -> dict[tuple[int, int, Distance], tuple[NDArray[np.float64], NDArray[np.bool_]]]:
        return {}

    @cached_property
    def _drawn(self) -> dict[int, NDArray[np.bool_]]:
        return {}

    def distances(self, target: int, pairs: int, distance: Distance) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return the distances of a target's pairs, (models, pairs), and (models,) which models hold it."""
        columns = self.plan.pairs(target)
        apart, member = self.measured(target, columns, pairs)
        if distance == "l2":
            return apart, member
        lengths, _ = self.measured(target, self.plan.lengths(), pairs)
        return scaled(apart, lengths, self.plan.left[columns], self.plan.right[columns]), member

    def fit(self, measured: NDArray[np.float32], member: NDArray[np.bool_], pairs: int) -> SparseLinear:
        """Return the linear function of some measurements that separates members."""
        if self.penalty == "inverse_root":
            penalty = 1 / np.sqrt(pairs)
        else:
            penalty = cross_validated_penalty(measured, member, PATH, standardise=self.standardise)
        return fit_path(measured, member, np.array([penalty]), standardise=self.standardise)[0]
