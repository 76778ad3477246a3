"""Training-time defenses against reading secrets out of a network: what they stop, what they leave, what they cost."""

import streamlit as st

from core import catalog
from core.attacks.canary_extraction import CanaryExtraction
from core.errors import TelltaleError
from core.experiment import Experiment
from core.result import Result
from dashboard.kit import choices, panels, related, running
from dashboard.kit.words import literal
from dashboard.topics.canaries.figures import canaries, defenses, usefulness
from dashboard.topics.canaries.figures import memory as canary_memory
from dashboard.topics.canaries.figures.defenses import VIEWS, View
from dashboard.topics.canaries.figures.printed import DEFENDED_SETTING, ORDER, Setting

_SAYS = (
    "The paper’s values (hollow, Table 3) are of 10 secrets and have no interval. It waits 20 passes before it stops "
    "early, of a training whose length it does not give; ours stops as soon as validation is no better. Its attack is "
    "hindered by characters as one on word vectors; ours mixes what the network makes of the characters too. Exposure "
    "is log2 of the number of secrets less log2 of the rank of the truth by the network’s loss. Private training "
    "promises its epsilon to each request, and a secret that is shown 500 times is 500 requests; its networks are "
    "fewer, with random word vectors and larger batches, so that what it costs is not the noise alone."
)


@st.fragment
def show(experiment: Experiment | None = None) -> None:
    """Draw the defenses around an experiment, or else those around the first one that is promised.

    Args:
        experiment: The one that is looked at, if any; the links lead to the others.
    """
    promised = [
        entry.experiment for entry in catalog.entries() if isinstance(entry.experiment.attack, CanaryExtraction)
    ]
    defended = [other for other in promised if other.defenses]
    asked = experiment if experiment is not None and _has_defenses(experiment, defended) else next(iter(defended), None)
    if asked is None:
        return
    results, missing = _found(asked)
    st.header("Secrets behind defenses", anchor=False)
    memory = canary_memory.points(results)
    st.markdown(literal(canary_memory.conclusion(memory)))
    view: View = choices.few("Read by", VIEWS, "view.defended", called=defenses.named, default="paper")
    points = defenses.points(results, view, printed=Setting.of(asked.as_dict()) == DEFENDED_SETTING)
    first, second = st.columns(2, gap="large"), st.columns(2, gap="large")
    *places, last = [*first, *second]
    for pattern, column in zip(ORDER, places, strict=True):
        shown = points[points["pattern"] == pattern]
        with column:
            panels.figure(
                defenses.figure(shown, view),
                shown,
                f"defended-{pattern}",
                defenses.sentence(shown, view),
                title=canaries.called(pattern),
            )
    useful = usefulness.points(results)
    with last:
        panels.figure(
            usefulness.figure(useful),
            useful,
            "defended-usefulness",
            usefulness.sentence(useful),
            title=usefulness.TITLE,
        )
    if len(memory):
        panels.table(canary_memory.listed(memory), "defended-memory", title=canary_memory.TITLE)
    st.caption(f"{literal(_SAYS)} {related.differing(asked)}")
    with st.container(horizontal=True, gap="medium"):
        for other in [Experiment.parse(result.experiment) for result in results]:
            if other != experiment:
                related.link(other, f"Open: {defenses.called(other)}")
        for other in missing:
            related.link(other, f"Not computed here yet: {defenses.called(other)}")


def _found(asked: Experiment) -> tuple[list[Result], list[Experiment]]:
    """Return what is stored of an experiment and of the promised ones alike, one for each defense, and what is not."""
    here, missing = related.find(asked, lambda other: _alike(asked, other))
    try:
        own = running.stored(asked.key)
    except TelltaleError:
        own = None
    results = {defenses.called(asked): own} if own is not None else {}
    for one in here:
        results.setdefault(defenses.called(one.experiment), one.result)
    absent = missing if own is not None else [asked, *missing]
    return list(results.values()), [other for other in absent if defenses.called(other) not in results]


def _has_defenses(experiment: Experiment, defended: list[Experiment]) -> bool:
    """Tell whether defenses of an experiment can be drawn: its own, or promised ones around it."""
    if not isinstance(experiment.attack, CanaryExtraction):
        return False
    return bool(experiment.defenses) or any(_alike(experiment, other) for other in defended)


def _alike(asked: Experiment, other: Experiment) -> bool:
    """Tell whether two experiments differ in nothing but their defenses, and in how many secrets are learnt how often.

    Private training has larger batches and public vectors, so where one of the two has it, the model's settings may
    differ.
    """
    first, second = (one.as_dict() | {"defenses": []} for one in (asked, other))
    private = any(step.part_name() == "dp_sgd" for one in (asked, other) for step in one.defenses)
    for one in (first, second):
        one["game"] = {**one["game"], "repetitions": [], "trials": 0, "shown": 0}
        one["model"] = one["model"]["part"] if private else one["model"]
    return first == second
