"""Tables 4 and 5 of the paper on language models, with our LSTM and transformer beside them."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import panels, related
from dashboard.kit.words import literal
from dashboard.topics.next_word.figures import paper
from dashboard.topics.next_word.figures.paper import MEASURES, MODELS


def show(result: Result, experiment: Experiment) -> None:
    """Draw Table 5 measure by measure, and Table 4 below it."""
    st.header("Beside the paper", anchor=False)
    here, missing = related.find(experiment, lambda other: _is_other_model(experiment, other))
    known = {_model(experiment): result}
    for other in here:
        known.setdefault(_model(other.experiment), other.result)
    results = {name: known[name] for name in MODELS.values() if name in known}
    for measure, column in zip(MEASURES, st.columns(len(MEASURES), gap="medium"), strict=True):
        with column:
            panels.figure(
                paper.figure(measure, results),
                paper.points(measure, results),
                f"paper-{measure}",
                paper.sentence(measure, results),
                title=f"{measure.capitalize()} (Table 5)",
            )
    panels.table(
        paper.quality(results),
        "paper-quality",
        paper.quality_sentence(results),
        title="The model at its own task: perplexity (Table 4)",
    )
    if here:
        related.link(here[0].experiment, f"Open the result of the {here[0].experiment.model.title}")
    elif missing:
        related.link(missing[0], f"Open the experiment with the {missing[0].model.title}, and run it")
    st.caption(literal(f"{paper.SAYS} Our documents are those of “{experiment.dataset.title}”."))


def _model(experiment: Experiment) -> str:
    return MODELS[experiment.model.part_name()]


def _is_other_model(asked: Experiment, other: Experiment) -> bool:
    """Tell whether another experiment is the same game about the same data and differs in the kind of model."""
    same = (other.dataset, other.game, other.defenses) == (asked.dataset, asked.game, asked.defenses)
    return same and other.model.part_name() != asked.model.part_name()
