"""Tables 4 and 5 of Mahloujifar et al. 2021, with our LSTM and transformer."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import chart, panels, related
from dashboard.kit.words import literal
from dashboard.topics.next_word.figures import paper
from dashboard.topics.next_word.figures.paper import MEASURES, MODELS


def show(result: Result, experiment: Experiment) -> None:
    """Draw Table 5 measure by measure, and Table 4 below it."""
    st.header("Comparison with the paper", anchor=False)
    stored, missing = related.find(experiment, lambda other: _is_other_model(experiment, other))
    by_model = {_model(experiment): result}
    for other in stored:
        by_model.setdefault(_model(other.experiment), other.result)
    results = {name: by_model[name] for name in MODELS.values() if name in by_model}
    for measure, column in zip(MEASURES, st.columns(len(MEASURES), gap="medium"), strict=True):
        with column:
            points, title = paper.points(measure, results), f"{measure.capitalize()} (Table 5)"
            chart.show(paper, points, f"paper-{measure}", results, drawn=measure, title=title)
    table, sentence = paper.quality(results), paper.quality_sentence(results)
    panels.table(table, "paper-quality", sentence, title="Perplexity of the model (Table 4)")
    if stored:
        related.link(stored[0].experiment, f"Open the result of the {stored[0].experiment.model.title}")
    elif missing:
        related.link(missing[0], f"Open the experiment with the {missing[0].model.title}, and run it")
    st.caption(literal(f"{paper.NOTE} Our documents are those of “{experiment.dataset.title}”."))


def _model(experiment: Experiment) -> str:
    return MODELS[experiment.model.part_name()]


def _is_other_model(experiment: Experiment, other: Experiment) -> bool:
    """Tell whether another experiment has the same game and data but another kind of model."""
    same = (other.dataset, other.game, other.defenses) == (experiment.dataset, experiment.game, experiment.defenses)
    return same and other.model.part_name() != experiment.model.part_name()
