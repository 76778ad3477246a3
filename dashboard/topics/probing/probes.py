"""Probes of one target: words appended to a document until the label flips."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import choices, panels
from dashboard.kit.figures import dumbbells, foreign
from dashboard.kit.figures.tables import records
from dashboard.kit.membership import clicks
from dashboard.topics.probing import label_queries
from dashboard.topics.probing.figures import probes

_CHOSEN = "view.probe"


@st.fragment
def show(result: Result, experiment: Experiment, target: int) -> None:
    """Draw the most informative probes of a target, and the clicked or chosen one in detail."""
    table, attack = result.tables["probes"], result.experiment["attack"]
    positive = label_queries.positive(experiment)
    widest = probes.widest(table, target)
    names = {int(row.rank): probes.name(row.word, row.document) for row in records(widest)}
    st.header("Appended words", anchor=False)
    rank = choices.many("Probe (or click a point)", names, _CHOSEN, width=360, disabled=not names)
    left, right = st.columns([3, 2], gap="large")
    with right:
        tried = attack["documents"] * int((result.tables["words"]["target"] == target).sum())
        listed = probes.listed(table, target)
        panels.figure(
            dumbbells.figure(
                listed,
                f"Models that predict “{foreign.shown(positive, 24)}”",
                "",
                chosen=rank,
                long=True,
                empty="There is no query for this target.",
            ),
            widest,
            "probes",
            probes.listed_sentence(table, target, tried, attack["shadow_pairs"]),
            title="Probes with the largest difference",
            on_select=lambda: clicks.take("probes", _CHOSEN),
            selection_mode="points",
        )
    if not names:
        return
    with left:
        panels.figure(
            probes.figure(table, target, rank, positive, attack["shadow_pairs"]),
            probes.of(table, target, rank),
            "probe",
            probes.sentence(table, target, rank, positive, attack["documents"]),
            title=f"“{widest.loc[widest['rank'] == rank, 'word'].iloc[0]}” and the label",
        )
