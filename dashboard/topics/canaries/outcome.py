"""Results over all canaries: by repetitions, by method, and by the loss alone."""

import streamlit as st

from core.result import Result
from dashboard.kit import choices, panels
from dashboard.topics.canaries.figures import exposure, outcome

_MEASURE = "view.measure"
_ESTIMATES = {"intent_accuracy": "Intent accuracy", "slot_f1": "Slot F1", "queries": "Loss queries"}


@st.fragment
def show(result: Result) -> None:
    """Draw which words or whole secrets were extracted."""
    cells = result.tables["cells"]
    st.header("What was extracted", anchor=False)
    measure = choices.few(
        "Measure",
        outcome.MEASURES,
        _MEASURE,
        default="hamming",
        help="HDT, the Hamming distance per token, is the share of unknown words that the attack gets wrong.",
    )
    left, right = st.columns(2, gap="large")
    with left:
        sentence = outcome.sentence(cells, measure)
        drawn = outcome.figure(cells, measure)
        panels.figure(drawn, outcome.by_attack(cells), "outcome", sentence, title=outcome.TITLE)
        panels.estimates(result, _ESTIMATES, width=205)
    with right:
        sentence = outcome.methods_sentence(cells, measure)
        panels.figure(outcome.methods_figure(cells, measure), cells, "methods", sentence, title=outcome.METHODS_TITLE)


def exposed(result: Result) -> None:
    """Draw the exposure of the secrets, which needs no search."""
    st.header("Exposure: what the loss alone reveals", anchor=False)
    tables = result.tables["canaries"], result.tables["exposures"]
    points = exposure.points(tables[0])
    panels.figure(exposure.figure(*tables), points, "exposure", exposure.sentence(*tables), title=exposure.TITLE)
    with st.expander("Means as a table", icon=":material/table:"):
        panels.table(tables[1], "exposures")
