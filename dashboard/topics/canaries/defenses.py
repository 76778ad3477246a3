"""Training-time defenses against canary extraction: extraction, exposure and utility behind each."""

from collections.abc import Iterator, Sequence
from functools import partial

import streamlit as st

from core import catalog
from core.attacks.canary_extraction import CanaryExtraction
from core.defenses.dp_sgd import DpSgd
from core.experiment import Experiment
from core.result import Result
from dashboard.kit import chart, choices, glossary, panels, related, stored_results
from dashboard.kit.browser import picture
from dashboard.kit.figures.tables import where
from dashboard.kit.figures.wording import joined
from dashboard.kit.forms import settings_in_words
from dashboard.kit.words import listed, literal
from dashboard.topics.canaries.figures import canaries, defenses, utility
from dashboard.topics.canaries.figures import memory as canary_memory
from dashboard.topics.canaries.figures.defenses import VIEWS, View
from dashboard.topics.canaries.figures.printed import DEFENDED_SETTING, ORDER, Setting

_NOTES = (
    "A single pattern has fewer secrets than all together, so it shows less.",
    "Hollow marks are the paper’s values (Table 3): means over 10 secrets, printed without intervals. It calls the "
    "share of wrong words HDT, Hamming distance per token.",
    "Character embeddings: the paper’s attack mixes word vectors only, so they hinder it; ours also mixes the "
    "network’s character features.",
    "Exposure is log2 of the number of secrets minus log2 of the rank of the true secret by the network’s loss.",
    "Private training guarantees its epsilon for each request; a secret shown 500 times is 500 requests. It uses fewer "
    "networks, random word vectors and larger batches: what noise hides and costs shows beside networks without a "
    "defense that are trained the same way.",
)


def exist(experiment: Experiment | None = None) -> bool:
    """Tell whether the catalog has a defended experiment."""
    return _base(experiment) is not None


@st.fragment
def show(experiment: Experiment | None = None) -> None:
    """Draw the defenses in the settings of an experiment, else in those of the first defended one in the catalog.

    Args:
        experiment: The experiment on the page, if any; links lead to the others.
    """
    base = _base(experiment)
    if base is None:
        return
    results, missing = _stored(base)
    st.header("Training-time defenses", anchor=False)
    about = related.about(base)
    st.caption(literal(about), help=glossary.explained(about))
    if experiment is None:
        picture.tell(picture.of_several(base, len(results)))
    memory = canary_memory.points(results)
    st.markdown(listed(canary_memory.conclusion(memory)))
    view: View = choices.few("Measure", VIEWS, "view.defended", called=defenses.view_name, default="paper")
    points = defenses.points(results, view, printed=Setting.of(base.as_dict()) == DEFENDED_SETTING)
    first, second = st.columns(2, gap="large"), st.columns(2, gap="large")
    *columns, last = [*first, *second]
    for pattern, column in zip(ORDER, columns, strict=True):
        pattern_points = where(points, "pattern", pattern)
        with column:
            title = f"{canaries.pattern_name(pattern)}, defended"
            chart.show(defenses, pattern_points, f"defended-{pattern}", view, title=title)
    with last:
        chart.show(utility, utility.points(results), "defended-usefulness")
    if len(memory):
        panels.folded_table(canary_memory.listed(memory), "defended-memory", canary_memory.TITLE)
    notes = listed([*_NOTES, *_waits(results), settings_in_words.of(base)])
    compared = [Experiment.parse(result.experiment) for result in results]
    others = [other for other in compared if other != experiment]
    panels.folded("Notes, and each of these results", partial(_details, notes, others, missing), icon=":material/list:")


def _details(notes: str, others: Sequence[Experiment], missing: Sequence[Experiment]) -> None:
    """Show notes, and lead to the results that are compared, and to those that are still to be computed."""
    st.caption(notes, help=glossary.explained(notes))
    with st.container(horizontal=True, gap="medium"):
        for other in others:
            related.link(other, f"Open: {defenses.defense_name(other)}")
        for other in missing:
            related.link(other, f"Not computed yet: {defenses.defense_name(other)}")


def _waits(results: Sequence[Result]) -> Iterator[str]:
    """Yield how long early stopping waits, in the paper and in the results that have it."""
    waits = {
        (step["patience"], result.experiment["model"]["epochs"])
        for result in results
        for step in result.experiment["defenses"]
        if step["part"] == "early_stopping"
    }
    if waits:
        ours = joined([f"{patience} of at most {epochs} epochs" for patience, epochs in sorted(waits)])
        yield (
            "Early stopping: the paper’s waits 20 epochs without a smaller validation loss, and it does not give the "
            f"length of training; ours waits {ours}."
        )


def _base(experiment: Experiment | None) -> Experiment | None:
    """Return the experiment whose defenses are compared: the one on the page, else the first defended one.

    Without a defense, it is that one trained as usual.
    """
    experiments = [entry.experiment for entry in catalog.entries()]
    defended = [other for other in experiments if isinstance(other.attack, CanaryExtraction) and other.defenses]
    if experiment is None or not _has_defenses(experiment, defended):
        return next(iter(defended), None)
    if experiment.defenses:
        return experiment
    if _is_private(experiment):
        return experiment.replace(model=type(experiment.model)())
    # Of other lengths of training there are no defended networks.
    return experiment.replace(model=experiment.model.replace(epochs=type(experiment.model)().as_dict()["epochs"]))


def _stored(base: Experiment) -> tuple[list[Result], list[Experiment]]:
    """Return a stored result for each defense in the settings of an experiment, and the experiments still missing."""
    available, missing = related.find(base, lambda other: _alike(base, other))
    stored = stored_results.readable(catalog.key(base))
    results = {defenses.defense_name(base): stored} if stored is not None else {}
    for related_result in available:
        results.setdefault(defenses.defense_name(related_result.experiment), related_result.result)
    absent = missing if stored is not None else [base, *missing]
    return list(results.values()), [other for other in absent if defenses.defense_name(other) not in results]


def _has_defenses(experiment: Experiment, defended: list[Experiment]) -> bool:
    """Tell whether an experiment has defenses, or shares its settings with a defended one in the catalog."""
    if not isinstance(experiment.attack, CanaryExtraction):
        return False
    return bool(experiment.defenses) or any(_alike(experiment, other) for other in defended)


def _alike(base: Experiment, other: Experiment) -> bool:
    """Tell whether two experiments differ only in their defenses and in the numbers of secrets and repetitions.

    Private training uses larger batches and public vectors, so with it the settings of the model may differ, and those
    of networks that are trained the same way without noise. Networks without a defense may be trained for another
    number of epochs.
    """
    first, second = (experiment.as_dict() | {"defenses": []} for experiment in (base, other))
    private = _is_private(base) or _is_private(other)
    for values in (first, second):
        values["game"] = {**values["game"], "repetitions": [], "trials": 0, "shown": 0}
        if private:
            values["model"] = values["model"]["part"]
        elif not other.defenses:
            values["model"] = {**values["model"], "epochs": 0}
    return first == second


def _is_private(experiment: Experiment) -> bool:
    """Tell whether training is private, or the same as in a private experiment of the catalog but for the noise."""
    experiments = [entry.experiment for entry in catalog.entries_of(CanaryExtraction.part_name())]
    return _has_noise(experiment) or any(_has_noise(other) and experiment.model == other.model for other in experiments)


def _has_noise(experiment: Experiment) -> bool:
    return any(isinstance(step, DpSgd) for step in experiment.defenses)
