"""Who was named as the author from an embedding, beside what the words give, and how few labels are enough."""

from dataclasses import replace
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from core.experiment import Experiment
from core.result import Result, table
from dashboard import panels, running
from dashboard.charts import author_confusion, authorship, learning
from dashboard.words import literal

_FIGURES = {
    "accuracy": "Author named",
    "accuracy_naive": "By the naive adversary",
    "times_chance": "Times chance",
    "top5_author": "Among five guesses",
    "words": "From the words themselves",
    "utility": "Utility: class named",
}


def show(result: Result) -> None:
    """Draw the answer, and the accuracy by number of labelled texts."""
    inferred, by_labels, asked = result.tables["inferred"], result.tables["by_labels"], result.experiment
    st.header("Whose text it is", anchor=False)
    panels.estimates(replace(result, estimates=authorship.estimates(result.estimates, by_labels)), _FIGURES, width=210)
    left, right = st.columns(2, gap="large")
    with left:
        told = authorship.bars(inferred, by_labels, asked)
        panels.figure(
            authorship.figure(told, inferred, asked),
            told,
            "named",
            authorship.sentence(inferred, by_labels, asked),
            title=authorship.TITLE,
        )
        st.caption(literal(authorship.behind(inferred, asked)))
    with right:
        panels.figure(
            authorship.by_labels_figure(by_labels),
            by_labels,
            "by-labels",
            authorship.by_labels_sentence(by_labels),
            title=authorship.LABELS_TITLE,
        )


def confused(result: Result) -> None:
    """Draw who was taken for whom."""
    confusion = result.tables["confusion"]
    panels.figure(
        author_confusion.figure(confusion),
        lambda: author_confusion.table(confusion),
        "confusion",
        author_confusion.sentence(confusion),
        title=author_confusion.TITLE,
    )


def live(experiment: Experiment) -> running.LiveChart:
    """Return what draws a run that is going on: what each adversary reached so far."""
    nothing = table(experiment.attack.tables["by_labels"], [])

    def draw(rows: list[dict[str, Any]]) -> go.Figure:
        newest = learning.growing(rows).drop_duplicates(["variant", "adversary", "secret"], keep="last")
        asked = experiment.as_dict()
        return authorship.figure(authorship.bars(newest, nothing, asked), newest, asked)

    return draw
