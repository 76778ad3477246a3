"""What the classifier is asked for one decision, and how good it is at its own task."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from core.targets.document_model import DocumentModel
from dashboard import panels
from dashboard.charts import label_queries
from dashboard.words import literal

_FIGURES = {
    "queries": "Documents for a decision",
    "classifier_test": "Classifier, new documents",
    "classifier_train": "Classifier, training set",
}


def show(result: Result, experiment: Experiment) -> None:
    """Say both, with the figures."""
    st.header("What the classifier is asked", anchor=False)
    panels.estimates(result, _FIGURES)
    said = (
        label_queries.asked(result.estimates, result.experiment["attack"], result.tables["words"]),
        label_queries.quality(result.estimates, positive(experiment)),
    )
    st.markdown(literal(" ".join(filter(None, said))))


def positive(experiment: Experiment) -> str:
    """Return the class that the classifier tells from all others."""
    return experiment.model.positive if isinstance(experiment.model, DocumentModel) else "positive"
