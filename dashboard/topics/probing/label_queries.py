"""Number of queries for one decision, and accuracy of the classifier."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from core.targets.document_model import DocumentModel
from dashboard.kit import panels
from dashboard.kit.words import literal
from dashboard.topics.probing.figures import label_queries

_FIGURES = {
    "queries": "Queries per decision",
    "classifier_test": "Classifier accuracy, new documents",
    "classifier_train": "Classifier accuracy, training set",
}


def show(result: Result, experiment: Experiment) -> None:
    """Show both with their estimates."""
    st.header("Queries and accuracy of the classifier", anchor=False)
    panels.estimates(result, _FIGURES)
    sentences = (
        label_queries.queries(result.estimates, result.experiment["attack"], result.tables["words"]),
        label_queries.quality(result.estimates, positive(experiment)),
    )
    st.markdown(literal(" ".join(filter(None, sentences))))


def positive(experiment: Experiment) -> str:
    """Return the positive class of the classifier."""
    return experiment.model.positive if isinstance(experiment.model, DocumentModel) else "positive"
