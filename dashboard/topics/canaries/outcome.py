"""Results over all canaries: by repetitions, by method, and by the loss alone."""

import streamlit as st

from core.result import Result
from dashboard.kit import chart, choices, panels
from dashboard.topics.canaries.figures import exposure, methods, outcome

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
        help="Wrong words: the share of a secret’s unknown words that the attack gets wrong. The paper calls it "
        "HDT, the Hamming distance per token.",
    )
    by_repetitions = bool(cells["repetitions"].nunique() > 1)
    title = outcome.TITLE if by_repetitions else outcome.ALONE
    left, right = st.columns(2, gap="large") if by_repetitions else (st.container(), st.container())
    with left:
        attack = outcome.by_attack(cells)
        chart.show(outcome, attack, "outcome", measure, drawn=cells, title=title, is_curve=by_repetitions)
    with right:
        chart.show(methods, cells, "methods", measure)
    st.caption(outcome.trials(result.tables["canaries"]))
    panels.more_estimates(result, _ESTIMATES)


def exposed(result: Result) -> None:
    """Draw the exposure of the secrets, which needs no search."""
    st.header("Exposure: what the loss alone reveals", anchor=False)
    secrets, means = result.tables["canaries"], result.tables["exposures"]
    chart.show(exposure, exposure.points(secrets), "exposure", means, drawn=secrets)
    panels.folded_table(means, "exposures", "Means as a table")
