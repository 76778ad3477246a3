"""What was read over all canaries: by how often they were shown, by the method, and what the loss alone gives away."""

import streamlit as st

from core.result import Result
from dashboard import panels
from dashboard.charts import exposure
from dashboard.charts import extraction_outcome as outcome

_MEASURE = "view.measure"


@st.fragment
def show(result: Result) -> None:
    """Draw which words or secrets were read."""
    cells = result.tables["cells"]
    st.header("What was read", anchor=False)
    measure = st.segmented_control(
        "Measure",
        list(outcome.MEASURES),
        format_func=outcome.MEASURES.__getitem__,
        key=_MEASURE,
        bind="query-params",
        default="hamming",
        required=True,
        help="HDT, the Hamming distance per token, is the share of unknown words that are read wrongly.",
    )
    left, right = st.columns(2, gap="large")
    with left:
        panels.figure(
            outcome.figure(cells, measure),
            outcome.own(cells),
            "outcome",
            outcome.sentence(cells, measure),
            title=outcome.TITLE,
        )
        panels.estimates(
            result, {"intent_accuracy": "Intents named", "slot_f1": "Slots, F1", "queries": "Losses asked"}, width=205
        )
    with right:
        panels.figure(
            outcome.methods_figure(cells, measure),
            cells,
            "methods",
            outcome.methods_sentence(cells, measure),
            title=outcome.METHODS_TITLE,
        )


def exposed(result: Result) -> None:
    """Draw how far the secrets stand out without any search."""
    st.header("What the loss alone gives away", anchor=False)
    told, exposures = result.tables["canaries"], result.tables["exposures"]
    panels.figure(
        exposure.figure(told, exposures),
        exposure.points(told),
        "exposure",
        exposure.sentence(told, exposures),
        title=exposure.TITLE,
    )
    with st.expander("Means as a table", icon=":material/table:"):
        panels.table(exposures, "exposures")
