"""Telltale word pairs of the chosen target: weights, distances in every model, and sentences with them."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import choices, panels
from dashboard.kit.membership import clicks
from dashboard.kit.texts import excerpts
from dashboard.topics.word_pairs.figures import distances
from dashboard.topics.word_pairs.figures import pairs as word_pairs

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
    """Draw the pairs of a target, with details of the clicked or chosen one."""
    tables = result.tables
    selected = word_pairs.of(tables["pairs"], target)
    ranks = [int(rank) for rank in selected["rank"].head(word_pairs.SHOWN)]
    st.header("Telltale word pairs", anchor=False)
    labels = dict(zip(selected["rank"], map(word_pairs.name, selected["first"], selected["second"]), strict=True))
    rank = choices.many(
        "Choose a pair, or click a bar", ranks, _CHOSEN, called=labels.__getitem__, width=360, disabled=not ranks
    )
    left, right = st.columns(2, gap="large")
    with left:
        panels.figure(
            word_pairs.figure(tables["pairs"], target, rank),
            selected,
            "pairs",
            word_pairs.sentence(tables["pairs"], target),
            title="Selected pairs",
            on_select=lambda: clicks.take("pairs", _CHOSEN),
            selection_mode="points",
        )
    if not ranks:
        return
    pair = selected[selected["rank"] == rank].iloc[0]
    unit = _UNITS.get(result.experiment["attack"].get("distance", "l2"), "l2")
    with right:
        panels.figure(
            distances.figure(tables["distances"], target, rank, unit),
            distances.of(tables["distances"], target, rank),
            "distances",
            distances.sentence(tables["distances"], target, rank, pair["first"], pair["second"]),
            title=f"“{pair['first']}” and “{pair['second']}”",
        )
    with st.expander(f"All {len(selected)} pairs as a table", icon=":material/table:"):
        panels.table(selected[list(_COLUMNS)].rename(columns=_COLUMNS), "all-pairs")
    excerpts.show(experiment, tables["targets"], target, pair["first"], pair["second"])
