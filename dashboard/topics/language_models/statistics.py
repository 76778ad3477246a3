"""What the text alone reveals, and the ROC of every statistic, for single documents and for users."""

from functools import partial

import streamlit as st

from core.report import verdict
from core.result import Result
from core.statistics.naming import capitalised, documents
from dashboard.kit import panels
from dashboard.topics.language_models.figures import statistics


def blind(result: Result) -> None:
    """Say how often a classifier is right that never queries the model."""
    estimate = result.estimates.get("accuracy_model_free")
    reads = result.experiment["game"].get("text_alone", "lengths")
    panels.statement(verdict.blind_baseline(estimate, reads))


def show(result: Result) -> bool:
    """Draw the curves of the smallest and of the largest targets; tell whether there are no other sizes."""
    st.header("Every statistic on the same decisions", anchor=False)
    sizes = statistics.sizes(result.tables["scores"])
    panels.side_by_side(*(partial(_of, result, size) for size in sizes))
    return len(sizes) == result.tables["scores"]["size"].nunique()


def _of(result: Result, size: int) -> None:
    attack = str(result.experiment["attack"]["part"])
    tables = result.tables
    compared = tables["roc"], tables["scores"], tables["rivals"]
    points = statistics.points(*compared, result.estimates, attack, size)
    figure, text = statistics.figure(points, attack), statistics.sentence(points, attack, size)
    panels.figure(figure, points, f"statistics-{size}", text, title=f"ROC, {capitalised(documents(size))} of a target")
