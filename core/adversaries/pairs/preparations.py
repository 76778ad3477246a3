"""Both preparations of an adversary: on shadow models behind the trainer's defenses, and on ones without them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace

import numpy as np
from numpy.typing import NDArray

from core.adversaries.pairs.plan import Distance
from core.adversaries.pairs.rows import Rows
from core.adversaries.pairs.shadows import train_shadow
from core.adversaries.pairs.sparse_linear import SparseLinear, mean
from core.adversaries.pairs.student import Student
from core.defenses import VectorDefense
from core.runtime.context import RunContext


@dataclass(frozen=True)
class BothPreparations(Student):
    """Fits functions behind the trainer's defenses and without them, and gives the mean of both.

    A defense such as subsampling weakens the trace of a target in the shadow models, too: functions that are fitted
    without it may find the telling pairs more surely, although the trainer uses it. Which ones do so about a target
    model, the adversary cannot tell from its shadow models: they share most of their documents with one another, and
    few or none with a target model. So it chooses neither.

    A defense that changes the vectors themselves, such as noise, moves and stretches what functions give that are
    fitted without it: both are standardised then, by their values in the shadow models behind the defense. One that
    changes the documents leaves the scale of distances as it is, and thresholds stay as fitted. All else is as behind
    the defense.

    Attributes:
        defended: Fits to shadow models behind the defenses.
        plain: Fits to ones without them.
    """

    defended: Student = field(kw_only=True)
    plain: Student = field(kw_only=True)

    def function(self, target: int, pairs: int, distance: Distance) -> SparseLinear:
        """Return the mean of both functions of a target's pair distances."""
        asked = target, pairs, distance
        return mean(*self._as_behind([student.function(*asked) for student in (self.defended, self.plain)], *asked))

    def path(self, target: int, pairs: int, distance: Distance) -> list[SparseLinear]:
        """Return the means of both functions for every penalty."""
        asked = target, pairs, distance
        behind, without = (self._as_behind(student.path(*asked), *asked) for student in (self.defended, self.plain))
        return [mean(*functions) for functions in zip(behind, without, strict=True)]

    def left_out(self, target: int, pairs: int, distance: Distance) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return what the mean gives in shadow models behind the defense, to which neither function was fitted."""
        asked = target, pairs, distance
        measured, _ = self.defended.distances(*asked)
        score, member = self.defended.left_out(*asked)
        (without,) = self._as_behind([self.plain.function(*asked)], *asked)
        if self._changes_vectors:
            level, spread = _moments(self.defended.function(*asked), measured)
            score = (score - level) / spread
        return (score + without(measured[:, without.features])) / 2, member

    @property
    def _changes_vectors(self) -> bool:
        return any(isinstance(defense, VectorDefense) for defense in self.defended.shadows.defenses)

    def _as_behind(
        self, functions: list[SparseLinear], target: int, pairs: int, distance: Distance
    ) -> list[SparseLinear]:
        """Return functions of a target, standardised where a defense changes the vectors."""
        if not self._changes_vectors:
            return functions
        measured, _ = self.defended.distances(target, pairs, distance)
        moments = [_moments(function, measured) for function in functions]
        return [
            replace(function, weights=function.weights / spread, intercept=(function.intercept - level) / spread)
            for function, (level, spread) in zip(functions, moments, strict=True)
        ]


@contextmanager
def both_preparations(defended: Student, pairs: int, context: RunContext) -> Iterator[BothPreparations]:
    """Train shadow models without the defenses, and give the student of both preparations.

    Args:
        defended: Fits to shadow models behind the defenses.
        pairs: Number of shadow pairs.
        context: Where they are trained.
    """
    shadows = replace(defended.shadows, adaptive=False)
    trainings = context.train(
        "Training shadow models without the defense",
        shadows.key(),
        train_shadow,
        shadows.items(pairs),
        {"shadows": shadows, "plan": defended.plan},
    )
    with Rows(context.store, defended.plan.width) as rows:
        plain = replace(defended, shadows=shadows, rows=rows)
        for _ in plain.growing(trainings, ()):
            pass
        shared = {each.name: getattr(defended, each.name) for each in fields(Student)}
        yield BothPreparations(**shared, defended=defended, plain=plain)


def _moments(function: SparseLinear, measured: NDArray[np.float32]) -> tuple[float, float]:
    """Return the mean of a function's values, and their standard deviation; 1 for one without features."""
    values = function(measured[:, function.features])
    return float(values.mean()), float(values.std()) or 1.0
