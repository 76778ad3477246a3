"""What membership of sentence pairs comes to: the verdict above all, the conclusions below all."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard import panels
from dashboard.charts import translation_verdict as charts
from dashboard.words import literal


def show(result: Result, experiment: Experiment) -> None:
    """Say in numbers whether a translation tells."""
    st.header("Was it translated from memory?", anchor=False)
    st.markdown(f"**{literal(charts.answer(result.estimates, epochs(result, experiment)))}**")
    st.markdown(literal(charts.beyond(result.estimates, result.tables["methods"])))
    panels.estimates(result, charts.FIGURES, width=180)


def conclude(result: Result, experiment: Experiment) -> None:
    """Say what to take home, and what is not shown."""
    st.header("What to conclude", anchor=False)
    said = charts.conclusions(
        result.estimates,
        synthetic=experiment.dataset.card.synthetic,
        couples=int(result.experiment["game"]["couples"]),
        scores=result.experiment["attack"]["service"] == "scores",
    )
    st.markdown("\n".join(f"- {line}" for line in said))


def epochs(result: Result, experiment: Experiment) -> int:
    """Return how many passes Alice's translators were trained for."""
    own = result.tables["training"]
    passes = own.loc[own["holder"] == "target", "passes"]
    return int(passes.max()) if len(passes) else int(getattr(experiment.model, "epochs", 0))
