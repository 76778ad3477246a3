"""Precomputed results that differ from this one in a single thing, drawn beside it."""

import streamlit as st

from core import catalog
from core.errors import TelltaleError
from core.result import Result
from dashboard.kit import panels, running
from dashboard.kit.membership import outcome
from dashboard.topics.word_pairs.figures import comparison


@st.fragment
def show(result: Result, size: int) -> None:
    """Draw the comparisons for which results exist."""
    topics = {topic: found for topic in comparison.TITLES if len(found := _results(topic, result)) > 1}
    if not topics:
        return
    st.header("Beside other settings", anchor=False)
    for topic, found in topics.items():
        if size not in comparison.sizes(found):
            continue
        title = comparison.TITLES[topic]
        if topic == "fraction":
            panels.figure(
                comparison.fractions(found, size),
                comparison.fraction_table(found, size),
                topic,
                comparison.fraction_sentence(found, size),
                title=title,
            )
        else:
            panels.figure(
                comparison.growth(found, size, paper=topic == "mode" and outcome.is_paper(result)),
                comparison.table(found, size),
                topic,
                comparison.growth_sentence(found, size) + comparison.kept_sentence(found),
                title=title,
            )
        if topic != "mode" or outcome.is_paper(result):
            st.caption(comparison.PAPER[topic])


def _results(topic: comparison.Topic, asked: Result) -> comparison.Labelled:
    """Return this result and the stored ones of the catalogue that differ from it in one thing only."""
    found = {comparison.label(topic, asked.experiment): asked}
    for entry in catalog.entries():
        values = entry.experiment.as_dict()
        if not comparison.belongs(topic, asked.experiment, values):
            continue
        try:
            stored = running.stored(entry.experiment.key)
        except TelltaleError:
            continue
        if stored is not None:
            found.setdefault(comparison.label(topic, values), stored)
    return list(found.items())
