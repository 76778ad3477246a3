"""The mean of two preparations: on shadow models behind the trainer's defenses, and on ones without them."""

from dataclasses import replace

from core.adversaries.pairs.adversaries import PairAdversary
from core.adversaries.pairs.plan import Distance
from core.adversaries.pairs.rows import Rows
from core.adversaries.pairs.shadows import train_shadow
from core.adversaries.pairs.sparse_linear import mean
from core.adversaries.pairs.student import Student
from core.runtime.context import RunContext


def averaged(defended: Student, pairs: int, distance: Distance, context: RunContext) -> PairAdversary:
    """Train shadow models without the defenses, and return the adversary with the mean of both preparations.

    A defense such as subsampling weakens the trace of a target in the shadow models, too: functions that are fitted
    without it may find the telling pairs more surely, although the trainer uses it. Which ones do so about a target
    model, the adversary cannot tell from its shadow models: they share most of their documents with one another, and
    few or none with a target model. So it chooses neither.
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
        context.progress.stage("Averaging both preparations")
        functions = [
            mean(defended.function(target, pairs, distance), plain.function(target, pairs, distance))
            for target in defended.targets
        ]
    return PairAdversary(plain.plan, functions, "averaged", pairs, distance=distance)
