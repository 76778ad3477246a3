"""95% intervals of figures of decisions by few models about few targets, by the jackknife."""

from collections.abc import Iterable

import numpy as np

from core.statistics.decisions import Decisions
from core.statistics.intervals import Interval, uncertain
from core.statistics.leave_outs import by_jackknife
from core.statistics.measures import LOW_RATES


def figures_over_targets(decisions: Decisions, names: Iterable[str], rng: np.random.Generator) -> dict[str, Interval]:
    """Return figures with their 95% intervals.

    Decisions that share a model or a target are not independent: intervals are those of `core.statistics.crossed`.
    Where nothing varies, the interval is that of `uncertain` for as many decisions as there are models, targets, or
    decisions that the figure is a share of, whichever are fewest. Scores that are all equal order nothing: their area
    under the curve is one half whatever bits are drawn, and no estimate.

    A true-positive rate at a low false-positive rate hangs on so few non-members that leaving one out says nothing of
    its spread; its interval is that of `Decisions.figures`.

    Args:
        decisions: One row a target model, one column a target.
        names: Of those in `Decisions.statistics`.
        rng: Source of the resampling.
    """
    names = tuple(names)
    low_rates = [name for name in names if name in LOW_RATES]
    figures = decisions.figures(low_rates, rng) if low_rates else {}
    models, targets = decisions.member.shape
    cell = np.arange(models * targets).reshape(models, targets)
    others = [name for name in names if name not in LOW_RATES]
    for name, (value, low, high) in by_jackknife(decisions, others, (cell // targets, cell % targets, cell)).items():
        figures[name] = Interval(value, *uncertain(low, high, min(models, targets, _among(decisions, name))))
    if "auc" in figures and figures["auc"].value == 0.5 and np.ptp(decisions.score) == 0:
        figures["auc"] = Interval(0.5, 0.5, 0.5)
    return {name: figures[name] for name in names}


def _among(decisions: Decisions, name: str) -> int:
    """Return how many decisions a figure is a share of; of two kinds, the fewer."""
    members = int(decisions.member.sum())
    of = {"accuracy": decisions.member.size, "precision": int(decisions.positive.sum()), "recall": members}
    return of.get(name, min(members, decisions.member.size - members))
