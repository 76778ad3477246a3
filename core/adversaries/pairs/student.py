"""Learns which word pairs of a target tell shadow models with it from those without it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.adversaries.pairs.plan import Distance, Plan, scaled
from core.adversaries.pairs.rows import Rows
from core.adversaries.pairs.shadows import Shadows
from core.adversaries.pairs.sparse_linear import SparseLinear, cross_validated_penalty, fit_path

PATH = np.geomspace(0.8, 0.02, 17)
"""Penalties of a regularisation path, strongest first."""

Penalty = Literal["inverse_root", "cross_validated"]


@dataclass(frozen=True)
class Student:
    """Learns linear functions from what was measured in shadow models (Mahloujifar et al. 2021, Algorithm 1).

    Attributes:
        shadows: The models.
        plan: What was measured in each.
        rows: The measurements.
        penalty: How LASSO's penalty is chosen: 1/sqrt(k), or on held-out shadow models.
        standardise: Whether every feature gets unit variance first.
    """

    shadows: Shadows
    plan: Plan
    rows: Rows
    penalty: Penalty = "inverse_root"
    standardise: bool = True

    @property
    def targets(self) -> range:
        """Numbers of the targets."""
        return range(len(self.shadows.briefing.targets))

    def function(self, target: int, pairs: int, distance: Distance) -> SparseLinear:
        """Return the function of a target's pair distances that the first ``pairs`` shadow pairs teach."""
        return self.fit(*self.distances(target, pairs, distance), pairs)

    def path(self, target: int, pairs: int, distance: Distance) -> list[SparseLinear]:
        """Return the same for every penalty of `PATH`."""
        return fit_path(*self.distances(target, pairs, distance), PATH, standardise=self.standardise)

    def measured(self, target: int, columns: slice, pairs: int) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return columns of the rows of the models that serve a target, and (models,) which of them hold it."""
        serving = self.shadows.serving(target, pairs)
        return self.rows.read(serving, columns), self.holding(target, serving)

    def holding(self, target: int, models: Sequence[int]) -> NDArray[np.bool_]:
        """Return which of some shadow models hold a target, (models,)."""
        return np.array([self.shadows.members(item)[target] for item in models], dtype=np.bool_)

    def distances(self, target: int, pairs: int, distance: Distance) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return the distances of a target's pairs, (models, pairs), and (models,) which models hold it."""
        where = self.plan.pairs(target)
        apart, member = self.measured(target, where, pairs)
        if distance == "l2":
            return apart, member
        lengths, _ = self.measured(target, self.plan.lengths(), pairs)
        return scaled(apart, lengths, self.plan.left[where], self.plan.right[where]), member

    def fit(self, measured: NDArray[np.float32], member: NDArray[np.bool_], pairs: int) -> SparseLinear:
        """Return the linear function of some measurements that tells members."""
        if self.penalty == "inverse_root":
            penalty = 1 / np.sqrt(pairs)
        else:
            penalty = cross_validated_penalty(measured, member, PATH, standardise=self.standardise)
        return fit_path(measured, member, np.array([penalty]), standardise=self.standardise)[0]
