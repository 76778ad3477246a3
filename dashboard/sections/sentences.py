"""What membership by sentences means, and a few passages; their sentences only where the dataset lies here."""

from collections.abc import Mapping
from textwrap import shorten
from typing import TYPE_CHECKING

import streamlit as st

from core.datasets import Dataset
from core.errors import TelltaleError
from core.experiment import Experiment
from core.result import Result
from core.text.contents import Documents
from core.text.segments import segmented
from dashboard.charts import example_kinds
from dashboard.charts import sentence_membership as charts
from dashboard.sections import example_membership, excerpts, shown_examples
from dashboard.sections.shown_examples import Said
from dashboard.words import literal

if TYPE_CHECKING:
    import pandas as pd

ABSENT = "The sentences appear only where the dataset lies on this machine; a page never downloads one."
_SHOWN = 2
"""Sentences of a passage that are shown at most: what the attack compares."""
_LONGEST = 120


def meaning(result: Result) -> None:
    """Say what the headline figures mean."""
    groups = result.tables["groups"]
    answer = example_membership.kind(result).answer(groups)
    if answer and "auc" in result.estimates:
        st.markdown(literal(charts.meaning(result.estimates, answer, min(groups["group"], key=example_kinds.size))))
    st.caption(charts.WHOSE)


def show(result: Result, experiment: Experiment) -> None:
    """Draw the passages of a chosen length."""
    shown_examples.show(result, experiment, _read, ABSENT)


def paper() -> None:
    """Say how all this differs from the paper."""
    with st.expander("How this differs from the paper", icon=":material/menu_book:"):
        st.markdown(literal(charts.PAPER))


def _read(experiment: Experiment, shown: "pd.DataFrame") -> Mapping[int, Said]:
    if not excerpts.is_present(experiment.dataset):
        return {}
    try:
        begun = _begun(experiment.dataset, shown, experiment.key)
    except TelltaleError:
        return {}
    found = {}
    for row in shown_examples.each(shown):
        sentences, several = begun.get(int(row.example), ()), example_kinds.size(row.group)
        # A pair stands in one text; of more sentences, the text of the first may hold but that one.
        if len(sentences) < (several if several <= _SHOWN else 1):
            return {}
        found[int(row.example)] = Said(sentences[0], _said(sentences, several))
    return found


@st.cache_data(max_entries=16, show_spinner="Reading the sentences")
def _begun(_dataset: Dataset, _shown: "pd.DataFrame", key: str) -> Mapping[int, tuple[str, ...]]:
    """Return the first sentences of every passage, by the experiment's key: the dataset is read once for all visits."""
    documents: Documents = _dataset.load()
    rows = sorted({int(row) for row in _shown["row"] if row < len(documents)})
    texts, places = segmented(documents.select(rows), "sentences")
    at = {(rows[row], number): text for text, (row, number) in zip(texts, places.tolist(), strict=True)}
    found = {}
    for one in shown_examples.each(_shown):
        sentences: list[str] = []
        while len(sentences) < _SHOWN and (text := at.get((int(one.row), int(one.place) + len(sentences)))):
            sentences.append(text)
        found[int(one.example)] = tuple(sentences)
    return found


def _said(sentences: tuple[str, ...], several: int) -> str:
    """Return the beginning of a passage as Markdown, with an arrow from a sentence to the next."""
    said = " **→** ".join(literal(shorten(sentence, _LONGEST, placeholder=" …")) for sentence in sentences)
    more = several - len(sentences)
    return f"{said} :gray[and {more} more]" if more else said
