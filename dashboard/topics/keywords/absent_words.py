"""False alarms of keyword inference on words that no text has."""

from dataclasses import replace

import streamlit as st

from core.experiment import Experiment
from core.result import Estimate, Result
from dashboard.kit import panels, related
from dashboard.kit.figures import adversaries
from dashboard.kit.figures.wording import joined
from dashboard.kit.words import literal
from dashboard.topics.keywords import settings
from dashboard.topics.keywords.figures import false_alarms, keywords

TITLE = "Words that no text has"

_LABELS = {
    "accuracy": "False-alarm rate, mean over words",
    "accuracy_naive": "False-alarm rate, naive adversary",
    "utility": "Utility: classification accuracy",
}


def show(result: Result) -> None:
    """Draw the false alarms of a result on absent words."""
    inferred, experiment = result.tables["inferred"], result.experiment
    st.header(TITLE, anchor=False)
    st.caption(literal(f"{false_alarms.behind(inferred)} {adversaries.explanation(experiment)}"))
    panels.estimates(_as_false_alarms(result), _LABELS)
    sentence = f"{keywords.SAYS[experiment['attack']['knowledge']]} {false_alarms.sentence(inferred, experiment)}"
    drawn, bars = false_alarms.figure(inferred, experiment), false_alarms.bars(inferred, experiment)
    panels.figure(drawn, bars, "false-alarms", sentence, title="False alarms by word")
    st.caption(false_alarms.NO_LEAK)


def is_beside(experiment: Experiment) -> bool:
    """Tell whether the catalog has an experiment of the same adversary on absent words."""
    return any(_on_absent_words(experiment))


def beside(result: Result, experiment: Experiment) -> None:
    """Draw the false alarms of the same adversary, where there is a result on absent words."""
    stored, missing = _on_absent_words(experiment)
    if not stored:
        if missing:
            st.header(TITLE, anchor=False)
            st.caption("Not computed yet.")
        return
    other = stored[0]
    tables, absent = other.result.tables, other.result.experiment
    bars = false_alarms.paper(tables, absent)
    hits, wrong = (
        false_alarms.predicted_share(result.tables["guesses"], truth, experiment.seed)
        for truth in ("present", "absent")
    )
    st.header(TITLE, anchor=False)
    sentence = false_alarms.beside(tables["inferred"], absent, hits, wrong)
    panels.figure(false_alarms.paper_figure(bars), bars, "absent", sentence)
    if (bars["series"] == false_alarms.PAPER).any():
        st.caption(literal(false_alarms.PAPER_NOTE))
    words = [f"“{name}”" for name in dict.fromkeys(tables["guesses"]["secret"])]
    st.caption(literal(f"The words: {joined(words)}."))
    related.link(other.experiment, "Open the words that no text has")


def _on_absent_words(experiment: Experiment) -> tuple[list[related.Related], list[Experiment]]:
    """Return the results of the same adversary on absent words, and those not computed yet."""
    if settings.asks_absent(experiment):
        return [], []
    return related.find(
        experiment,
        lambda other: settings.asks_absent(other) and settings.differ_only(experiment, other, "absent", "keywords"),
    )


def _as_false_alarms(result: Result) -> Result:
    """Return the result with accuracies on absent words as false-alarm rates, which have no level of chance."""
    estimates = {
        name: estimate if name not in _LABELS or name == "utility" else _alarm(estimate)
        for name, estimate in result.estimates.items()
    }
    return replace(result, estimates=estimates)


def _alarm(estimate: Estimate) -> Estimate:
    return estimate.model_copy(
        update={
            "value": 1 - estimate.value,
            "low": 1 - estimate.high,
            "high": 1 - estimate.low,
            "chance": None,
            "help": "False positives: share of victims predicted to have a word that occurs in no text.",
        }
    )
