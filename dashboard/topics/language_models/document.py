"""A document of a target, its words coloured by how much likelier the models find them than reference models do."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from core.text.corpus import words_of
from dashboard.kit import panels
from dashboard.kit.texts import excerpts
from dashboard.topics.language_models.figures import words

_MOST = 300
WITHHELD = "Words are shown of texts that come with the code, and of one's own; those of this dataset are not."
"""Why the words of a text are not shown."""


def show(result: Result, experiment: Experiment, target: int) -> None:
    """Draw the target's document that tells most."""
    shown = words.of(result.tables["words"], target)
    panels.statement(words.sentence(shown), title="Word by word")
    if shown.empty:
        return
    if not experiment.dataset.card.offline:
        st.caption(WITHHELD)
        return
    texts = excerpts.of(experiment, result.tables["targets"], target)
    document = int(shown["document"].iloc[0])
    text = words_of(texts[document]) if texts and document < len(texts) else []
    if len(text) != len(shown):
        return
    with st.container(border=True):
        more = " …" if len(text) > _MOST else ""
        st.markdown(words.coloured(tuple(text[:_MOST]), tuple(shown["gain_in"].head(_MOST))) + more)
    st.caption(f"Document {document + 1:,} of the target. Than the reference models find it: {words.LEGEND}.")
