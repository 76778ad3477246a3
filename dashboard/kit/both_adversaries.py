"""Results behind a defense of an adversary that knows it and of its naive twin, drawn beside each other."""

from collections.abc import Iterable, Iterator

import streamlit as st

from core import catalog
from core.experiment import Experiment
from core.games.attack import AdaptiveAttack
from core.result import Estimate
from core.statistics.wording.naming import capitalised
from dashboard.kit import chart, panels, related, stored_results
from dashboard.kit.figures import both_adversaries
from dashboard.kit.figures.wording import joined

NOTE = (
    "Both attack the same target models. The adaptive adversary trains its shadow models behind the same defense, the "
    "naive one as if there were none."
)


def by_adaptive(experiment: Experiment) -> Experiment:
    """Return an experiment with an adversary that knows the defenses."""
    return _with(experiment, adaptive=True)


def estimates(experiment: Experiment) -> dict[str, Estimate]:
    """Return the stored estimates of an experiment, and those of its naive twin under names in ``_naive``.

    Games on embeddings play both adversaries themselves, and name their estimates so.
    """
    figures = stored_results.readable_estimates(catalog.key(experiment))
    twin = _with(experiment, adaptive=False)
    if not experiment.defenses or twin == experiment:
        return figures
    of_twin = stored_results.readable_estimates(catalog.key(twin))
    return figures | {f"{name}_naive": estimate for name, estimate in of_twin.items()}


def show(experiments: Iterable[Experiment], shown: Experiment) -> None:
    """Draw both adversaries of each defended experiment of which both are stored, with links; nothing for none.

    Args:
        experiments: By adversaries that know the defenses.
        shown: The experiment of the page, to which no link leads.
    """
    twins = list(_twins(experiments))
    if not twins:
        return
    named = [_named(adaptive) for adaptive, _ in twins]
    table = both_adversaries.points(tuple((_named(adaptive), estimates(adaptive)) for adaptive, _ in twins))
    chart.show(both_adversaries, table, "both-adversaries")
    panels.note(NOTE)
    with st.container(horizontal=True, gap="medium"):
        for name, (adaptive, naive) in zip(named, twins, strict=True):
            if naive != shown:
                related.link(naive, f"Open the naive adversary: {name}")
            if adaptive != shown and naive == shown:
                related.link(adaptive, f"Open the adaptive adversary: {name}")


def _twins(experiments: Iterable[Experiment]) -> Iterator[tuple[Experiment, Experiment]]:
    for experiment in experiments:
        pair = experiment, _with(experiment, adaptive=False)
        if experiment.defenses and all(stored_results.readable_estimates(catalog.key(each)) for each in pair):
            yield pair


def _with(experiment: Experiment, *, adaptive: bool) -> Experiment:
    attack = experiment.attack
    if not isinstance(attack, AdaptiveAttack):
        return experiment
    return experiment.replace(attack=attack.knowing(adaptive=adaptive))


def _named(experiment: Experiment) -> str:
    return capitalised(joined([defense.named for defense in experiment.defenses]))
