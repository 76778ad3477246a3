"""Author inference from embeddings, beside a classifier of the words: by labelled texts, and in other experiments."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from core.experiment import Experiment
from core.result import Result, table
from dashboard.kit import chart, panels, related
from dashboard.kit.figures import learning
from dashboard.kit.figures.wording import joined
from dashboard.kit.words import literal
from dashboard.topics.authors.figures import authors, authorship, comparison
from dashboard.topics.authors.figures import confusion as author_confusion

_FIGURES = {
    "accuracy": "Accuracy",
    "accuracy_naive": "Accuracy, naive adversary",
    "times_chance": "Times chance",
    "top5_author": "Top-5 accuracy",
    "words": "Accuracy from the words",
    "utility": "Utility: classification accuracy",
}


def show(result: Result) -> None:
    """Draw the accuracy, and the accuracy by number of labelled texts."""
    inferred, by_labels, experiment = result.tables["inferred"], result.tables["by_labels"], result.experiment
    st.header("Accuracy", anchor=False)
    if meant := authors.description(experiment["dataset"]):
        st.markdown(literal(meant))
    panels.estimates(replace(result, estimates=authorship.estimates(result.estimates, by_labels)), _FIGURES, width=210)
    left, right = st.columns(2, gap="large")
    with left:
        bars = authorship.bars(inferred, by_labels, experiment)
        sentence = authorship.sentence(inferred, by_labels, experiment)
        panels.figure(authorship.figure(bars, inferred, experiment), bars, "named", sentence, title=authorship.TITLE)
        st.caption(literal(authorship.behind(inferred, experiment)))
    with right:
        figure, sentence = authorship.by_labels_figure(by_labels), authorship.by_labels_sentence(by_labels)
        panels.figure(figure, by_labels, "by-labels", sentence, title=authorship.LABELS_TITLE)


def confused(result: Result) -> None:
    """Draw the confusion matrix."""
    confusion = result.tables["confusion"]
    chart.show(author_confusion, author_confusion.table(confusion), "confusion", drawn=confusion)


def live(rows: list[dict[str, Any]], experiment: Experiment) -> go.Figure:
    """Draw a run in progress: the latest accuracy of each adversary."""
    no_labels = table(experiment.attack.tables["by_labels"], [])
    newest = learning.growing(rows).drop_duplicates(["variant", "adversary", "secret"], keep="last")
    bars = authorship.bars(newest, no_labels, experiment.as_dict())
    return authorship.figure(bars, newest, experiment.as_dict())


def others(result: Result, experiment: Experiment) -> None:
    """Draw this result and the others, with the words and the majority class, and link to them."""
    available, missing = related.find(experiment, lambda other: other.defenses in (experiment.defenses, ()))
    if not available and not missing:
        return
    st.header(comparison.TITLE, anchor=False)
    if available:
        by_label = {_label(experiment): related.Related(experiment, result)}
        for other in available:
            by_label.setdefault(_label(other.experiment, by_label), other)
        results = {name: other.result for name, other in by_label.items()}
        chart.show(comparison, comparison.bars(results), "authors", drawn=results, title="Accuracy by experiment")
        with st.container(gap="small", key="other-authors"):
            for name, other in list(by_label.items())[1:]:
                related.link(other.experiment, f"Open {name}")
    if missing:
        st.caption(literal(f"Not computed yet: {joined([_label(absent) for absent in missing])}."))


def _label(experiment: Experiment, used: Collection[str] = ()) -> str:
    return comparison.label(experiment.as_dict(), experiment.dataset.title, used)
