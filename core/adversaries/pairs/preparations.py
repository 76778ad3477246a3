"""The better of two preparations: on shadow models behind the trainer's defenses, and on ones without them."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.adversaries.pairs.plan import Distance
from core.adversaries.pairs.rows import Rows
from core.adversaries.pairs.shadows import train_shadow
from core.adversaries.pairs.sparse_linear import SparseLinear
from core.adversaries.pairs.student import Student
from core.runtime.context import RunContext


def better_functions(defended: Student, pairs: int, distance: Distance, context: RunContext) -> list[SparseLinear]:
    """Train shadow models without the defenses, and return the functions of the better preparation.

    A defense such as subsampling weakens the trace of a target in the shadow models, too: functions that are fitted
    without it may find the telling pairs more surely, although the trainer uses it.

    Returns:
        One function for each target.
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
        context.progress.stage("Choosing the better of both preparations")
        return better(defended, plain, pairs, distance)


def better(defended: Student, plain: Student, pairs: int, distance: Distance) -> list[SparseLinear]:
    """Return one function for each target; all targets of one size have theirs from the same preparation.

    Of each size, the preparation is taken that is right more often about the adversary's own defended shadow models
    that its functions were not fitted to, or the defended one where both are right equally often. No target model is
    asked. Shadow models share documents with one another and none with a target model, so that this choice can miss:
    at the paper's setting, two of them share most of what they are trained on.
    """
    known = [defended.function(target, pairs, distance) for target in defended.targets]
    unaware = [plain.function(target, pairs, distance) for target in plain.targets]
    right_known, right_unaware = np.empty(len(known)), np.empty(len(known))
    for target in defended.targets:
        measured, member = defended.distances(target, pairs, distance)
        function = unaware[target]
        right_known[target] = _share_right(*defended.left_out(target, pairs, distance))
        right_unaware[target] = _share_right(function(measured[:, function.features]), member)
    sizes = np.array([target.size for target in defended.shadows.briefing.targets])
    takes_unaware = {size: right_unaware[sizes == size].sum() > right_known[sizes == size].sum() for size in set(sizes)}
    return [(unaware if takes_unaware[size] else known)[target] for target, size in enumerate(sizes)]


def _share_right(scores: NDArray[np.float64], member: NDArray[np.bool_]) -> float:
    return float(((scores > 0) == member).mean())
