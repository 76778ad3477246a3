"""The pairs that betray the chosen target: weights, distances in every model, sentences they stand in."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard import panels
from dashboard.charts import distances, pairs
from dashboard.sections import clicks, excerpts

_CHOSEN = "view.pair"
_UNITS = {"l2": "l2", "scaled": "l2 over lengths"}
_COLUMNS = {
    "first": "word",
    "second": "other word",
    "weight": "weight",
    "mean_in": "mean distance with",
    "mean_out": "mean distance without",
    "deviation_in": "deviation with",
    "deviation_out": "deviation without",
    "occurrences": "times adjacent",
}


@st.fragment
def show(result: Result, experiment: Experiment, target: int) -> None:
    """Draw the pairs of a target; the one that is clicked or chosen is looked at closely."""
    found = result.tables
    own = pairs.of(found["pairs"], target)
    ranks = [int(rank) for rank in own["rank"].head(pairs.SHOWN)]
    if st.session_state.get(_CHOSEN) not in ranks:
        st.session_state.pop(_CHOSEN, None)
    st.header("The pairs that betray", anchor=False)
    labels = dict(zip(own["rank"], map(pairs.name, own["first"], own["second"]), strict=True))
    rank = st.selectbox(
        "Pair to look at, or click a bar",
        ranks,
        format_func=labels.__getitem__,
        key=_CHOSEN,
        bind="query-params",
        width=360,
        disabled=not ranks,
    )
    left, right = st.columns(2, gap="large")
    with left:
        panels.figure(
            pairs.figure(found["pairs"], target, rank),
            own,
            "pairs",
            pairs.sentence(found["pairs"], target),
            title="Selected pairs",
            on_select=lambda: clicks.take("pairs", _CHOSEN),
            selection_mode="points",
        )
    if not ranks:
        return
    pair = own[own["rank"] == rank].iloc[0]
    unit = _UNITS.get(result.experiment["attack"].get("distance", "l2"), "l2")
    with right:
        panels.figure(
            distances.figure(found["distances"], target, rank, unit),
            distances.of(found["distances"], target, rank),
            "distances",
            distances.sentence(found["distances"], target, rank, pair["first"], pair["second"]),
            title=f"“{pair['first']}” and “{pair['second']}”",
        )
    with st.expander(f"All {len(own)} pairs as a table", icon=":material/table:"):
        panels.table(own[list(_COLUMNS)].rename(columns=_COLUMNS), "all-pairs")
    excerpts.show(experiment, found["targets"], target, pair["first"], pair["second"])
