"""Results behind a defense of an adversary that knows it and of its naive twin, drawn beside each other."""

from collections.abc import Iterable, Iterator

import streamlit as st

from core import catalog
from core.experiment import Experiment
from core.result import Estimate, Result
from core.statistics.wording.naming import capitalised
from dashboard.kit import chart, panels, related, stored_results
from dashboard.kit.figures import both_adversaries
from dashboard.kit.figures.wording import joined

NOTE = (
    "Both attack the same target models. The adaptive adversary trains shadow models behind the same defense, and as "
    "many without it, and decides by the kind that does better on its own texts; of equals, by that behind it. The "
    "naive one trains as if there were no defense."
)
_CALLED = "Share of decisions that call a target a member."


def by_adaptive(experiment: Experiment) -> Experiment:
    """Return an experiment with an adversary that knows the defenses."""
    return _with(experiment, adaptive=True)


def naive_twin(experiment: Experiment) -> Result | None:
    """Return the stored result of the naive twin of an adversary that knows the defenses; None where there is none."""
    twin = _with(experiment, adaptive=False)
    return stored_results.readable(catalog.key(twin)) if experiment.defenses and twin != experiment else None


def estimates(experiment: Experiment) -> dict[str, Estimate]:
    """Return the stored estimates of an experiment, and those of its naive twin under names in ``_naive``.

    Games on embeddings play both adversaries themselves, and name their estimates so. Beside the accuracy of a twin and
    of its adaptive adversary stands how many targets each calls members: ``called``, and ``called_20`` for a size.
    """
    twin = _with(experiment, adaptive=False)
    if not experiment.defenses or twin == experiment:
        return stored_results.readable_estimates(catalog.key(experiment))
    return _figures(experiment) | {f"{name}_naive": estimate for name, estimate in _figures(twin).items()}


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
    figures = (estimates(adaptive) for adaptive, _ in twins)
    defended = tuple(zip(named, figures, strict=True))
    chart.show(both_adversaries, both_adversaries.points(defended), "both-adversaries")
    panels.note(" ".join(filter(None, (NOTE, both_adversaries.kinds(defended)))))
    with st.container(horizontal=True, gap="medium"):
        for name, (adaptive, naive) in zip(named, twins, strict=True):
            if naive != shown:
                related.link(naive, f"Open the naive adversary: {name}")
            if adaptive != shown and naive == shown:
                related.link(adaptive, f"Open the adaptive adversary: {name}")


def results(experiment: Experiment) -> tuple[Result, Result] | None:
    """Return the stored results of both adversaries of a defended experiment, first of the one that knows the defense.

    None where there is no defense, or where one of both is not stored.
    """
    naive = naive_twin(adaptive := by_adaptive(experiment))
    result = None if naive is None else stored_results.readable(catalog.key(adaptive))
    return (result, naive) if result is not None and naive is not None else None


def _twins(experiments: Iterable[Experiment]) -> Iterator[tuple[Experiment, Experiment]]:
    for experiment in experiments:
        pair = experiment, _with(experiment, adaptive=False)
        if experiment.defenses and all(stored_results.readable_estimates(catalog.key(each)) for each in pair):
            yield pair


def _with(experiment: Experiment, *, adaptive: bool) -> Experiment:
    return experiment.replace(attack=experiment.attack.knowing(adaptive=adaptive))


def _figures(experiment: Experiment) -> dict[str, Estimate]:
    """Return the stored estimates of an experiment, and the share of its decisions that call a target a member."""
    result = stored_results.readable(catalog.key(experiment))
    if result is None:
        return {}
    scores = result.tables["scores"]
    if "answer" in scores:  # of several methods, the one that the adversary trusts
        scores = scores[scores["answer"]]
    sizes = scores.groupby("size") if "size" in scores else ()
    decided = {"called": scores, **{f"called_{size}": of_size for size, of_size in sizes}}
    return result.estimates | {
        name: Estimate.counted(float((part["score"] > 0).mean()), "share of decisions", _CALLED, len(part))
        for name, part in decided.items()
    }


def _named(experiment: Experiment) -> str:
    return capitalised(joined([defense.named for defense in experiment.defenses]))
