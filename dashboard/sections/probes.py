"""One target, one probe: a word appended to a document until the label flips."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard import panels
from dashboard.charts import dumbbells, foreign, probes
from dashboard.charts.tables import records
from dashboard.sections import clicks, label_queries

_CHOSEN = "view.probe"


@st.fragment
def show(result: Result, experiment: Experiment, target: int) -> None:
    """Draw the probes that tell most of a target; the one that is clicked or chosen is looked at closely."""
    found, attack = result.tables["probes"], result.experiment["attack"]
    positive = label_queries.positive(experiment)
    own = probes.widest(found, target)
    names = {int(row.rank): probes.name(row.word, row.document) for row in records(own)}
    if st.session_state.get(_CHOSEN) not in names:
        st.session_state.pop(_CHOSEN, None)
    st.header("One word, appended again and again", anchor=False)
    rank = st.selectbox(
        "Probe to look at, or click a point",
        list(names),
        format_func=names.__getitem__,
        key=_CHOSEN,
        bind="query-params",
        width=360,
        disabled=not names,
    )
    left, right = st.columns([3, 2], gap="large")
    with right:
        tried = attack["documents"] * int((result.tables["words"]["target"] == target).sum())
        listed = probes.listed(found, target)
        panels.figure(
            dumbbells.figure(
                listed,
                f"Models that say “{foreign.shown(positive, 24)}”",
                "",
                chosen=rank,
                long=True,
                empty="Nothing is asked about this target.",
            ),
            own,
            "probes",
            probes.listed_sentence(found, target, tried, attack["shadow_pairs"]),
            title="The probes that differ most",
            on_select=lambda: clicks.take("probes", _CHOSEN),
            selection_mode="points",
        )
    if not names:
        return
    with left:
        panels.figure(
            probes.figure(found, target, rank, positive, attack["shadow_pairs"]),
            probes.of(found, target, rank),
            "probe",
            probes.sentence(found, target, rank, positive, attack["documents"]),
            title=f"“{own.loc[own['rank'] == rank, 'word'].iloc[0]}” and the label",
        )
