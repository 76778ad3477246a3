"""A document of a target, its words coloured by their likelihood compared with the reference models."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from core.text.corpus import words_of
from dashboard.kit import panels
from dashboard.kit.texts import excerpts
from dashboard.topics.language_models.figures import words

_MOST = 300
WITHHELD = "Words are shown of texts that come with the code, and of your own; those of this dataset are not."
"""Why the words of a text are not shown."""


def show(result: Result, experiment: Experiment, target: int) -> None:
    """Draw the document of the target that reveals most."""
    word_gains = words.of(result.tables["words"], target)
    panels.statement(words.sentence(word_gains), title="Word by word")
    if word_gains.empty:
        return
    if not experiment.dataset.card.offline:
        st.caption(WITHHELD)
        return
    texts = excerpts.of(experiment, result.tables["targets"], target)
    document = int(word_gains["document"].iloc[0])
    text = words_of(texts[document]) if texts and document < len(texts) else []
    if len(text) != len(word_gains):
        return
    with st.container(border=True):
        more = " …" if len(text) > _MOST else ""
        st.markdown(words.coloured(tuple(text[:_MOST]), tuple(word_gains["gain_in"].head(_MOST))) + more)
    which = "the one that tells most, an example and no measure" if len(texts or ()) > 1 else "its only one"
    st.caption(f"Document {document + 1:,} of the target, {which}. Compared with the reference models: {words.LEGEND}.")
