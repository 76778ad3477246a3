"""Both preparations of an adversary: on shadow models behind the trainer's defenses, and on ones without them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace

from core.adversaries.pairs.plan import Distance
from core.adversaries.pairs.rows import Rows
from core.adversaries.pairs.shadows import train_shadow
from core.adversaries.pairs.sparse_linear import SparseLinear, mean
from core.adversaries.pairs.student import Student
from core.runtime.context import RunContext


@dataclass(frozen=True)
class BothPreparations(Student):
    """Fits functions behind the trainer's defenses and without them, and gives the mean of both.

    A defense such as subsampling weakens the trace of a target in the shadow models, too: functions that are fitted
    without it may find the telling pairs more surely, although the trainer uses it. Which ones do so about a target
    model, the adversary cannot tell from its shadow models: they share most of their documents with one another, and
    few or none with a target model. So it chooses neither.

    Attributes:
        defended: Fits to shadow models behind the defenses.
        plain: Fits to ones without them.
    """

    defended: Student = field(kw_only=True)
    plain: Student = field(kw_only=True)

    def function(self, target: int, pairs: int, distance: Distance) -> SparseLinear:
        """Return the mean of both functions of a target's pair distances."""
        return mean(self.defended.function(target, pairs, distance), self.plain.function(target, pairs, distance))

    def path(self, target: int, pairs: int, distance: Distance) -> list[SparseLinear]:
        """Return the means of both functions for every penalty."""
        both = self.defended.path(target, pairs, distance), self.plain.path(target, pairs, distance)
        return [mean(*functions) for functions in zip(*both, strict=True)]


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
