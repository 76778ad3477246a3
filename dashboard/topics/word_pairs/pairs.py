"""Word pairs of the chosen target: weights, distances in every model, sentences with them, and maps of their words."""

import streamlit as st

from core.experiment import Experiment
from core.report import audited
from core.result import Result
from dashboard.kit import choices, drawings, panels, tabs
from dashboard.kit.browser import clicks
from dashboard.kit.figures import planes
from dashboard.kit.texts import excerpts
from dashboard.kit.words import literal
from dashboard.topics.word_pairs.figures import distances, word_map
from dashboard.topics.word_pairs.figures import pairs as word_pairs

_CHOSEN = "view.pair"
_UNITS = {"l2": "L2", "scaled": "L2 over lengths"}
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


def example(result: Result, experiment: Experiment) -> None:
    """Show where the heaviest pair stands in a document, as a leak only where the decisions show one.

    Nothing is shown where the documents are not on this machine.
    """
    excerpt = excerpts.heaviest(experiment, result.tables["targets"], result.tables["pairs"])
    if excerpt is None:
        return
    leaks = audited.leaks(result)
    st.header("For example" if leaks else "A pair that was tried", anchor=False)
    st.markdown(f"> {literal(excerpt.before)} **{literal(excerpt.match)}** {literal(excerpt.after)}")
    st.caption(
        f"From a document of {literal(excerpt.label)}. The adversary judges by how close the model puts pairs of words "
        f"like the two in bold; “{tabs.HOW}” has them all."
        f"{'' if leaks else ' Its decisions are not shown to be better than chance.'}"
    )


@st.fragment
def show(result: Result, experiment: Experiment, target: int) -> None:
    """Draw the pairs of a target, with details of the clicked or chosen one."""
    tables = result.tables
    selected = word_pairs.of(tables["pairs"], target)
    ranks = [int(rank) for rank in selected["rank"].head(word_pairs.MOST_PAIRS)]
    st.header("Word pairs that tell", anchor=False)
    labels = dict(zip(selected["rank"], map(word_pairs.name, selected["first"], selected["second"]), strict=True))
    rank = choices.many(
        "Choose a pair, or click a bar", ranks, _CHOSEN, called=labels.__getitem__, width=360, disabled=not ranks
    )
    left, right = st.columns(2, gap="large")
    with left:
        figure, text = word_pairs.figure(tables["pairs"], target, rank), word_pairs.sentence(tables["pairs"], target)
        panels.figure(figure, selected, "pairs", text, title="Selected pairs", **clicks.choose("pairs", _CHOSEN))
    if not ranks:
        return
    first, second = selected.loc[selected["rank"] == rank, ["first", "second"]].iloc[0]
    unit = _UNITS.get(result.experiment["attack"].get("distance", "l2"), "L2")
    with right:
        measured = tables["distances"], target, rank
        figure, text = distances.figure(*measured, unit), distances.sentence(*measured, first, second)
        panels.figure(figure, distances.of(*measured), "distances", text, title=f"“{first}” and “{second}”")
    panels.folded_table(selected, "all-pairs", f"All {len(selected)} pairs as a table", _COLUMNS)
    excerpts.show(experiment, tables["targets"], target, first, second)


@st.fragment
def mapped(result: Result, experiment: Experiment, target: int) -> None:
    """Draw the words of the pairs in a shadow model with the target and in one without, with the same axes."""
    coordinates, pairs = drawings.of(result, experiment, "word_map", "word map", "Word map"), result.tables["pairs"]
    if coordinates is None:
        return
    methods = planes.methods(coordinates[coordinates["target"] == target])
    if not methods:
        return
    st.header("Word map", anchor=False)
    method = choices.few("Layout", methods, "view.map", called=planes.NAMES.__getitem__)
    points = coordinates[(coordinates["target"] == target) & (coordinates["method"] == method)]
    st.markdown(word_map.sentence(coordinates, pairs, target, method))
    for column, member in zip(st.columns(2, gap="large"), (False, True), strict=True):
        with column:
            side = "with" if member else "without"
            figure = word_map.figure(coordinates, pairs, target, method, member)
            title = f"Shadow model {side} the target"
            panels.figure(figure, points[points["member"] == member], f"map-{side}", "", title=title)
