"""Author inference from embeddings, beside a classifier of the words, and by number of labelled texts."""

from dataclasses import replace
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from core.experiment import Experiment
from core.result import Result, table
from dashboard.kit import chart, panels
from dashboard.kit.figures import learning
from dashboard.kit.words import literal
from dashboard.topics.authors.figures import authors, authorship
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
