"""What the victims wrote, by row of the dataset; only where the dataset lies on this machine."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import streamlit as st

from core.datasets import Dataset, Patterns, Segment
from core.errors import TelltaleError
from core.experiment import Experiment
from dashboard.sections import excerpts

if TYPE_CHECKING:
    import pandas as pd

ABSENT = "The victims’ texts appear only where the dataset lies on this machine; a page never downloads one."


def of(experiment: Experiment, guesses: "pd.DataFrame") -> Mapping[int, str]:
    """Return the texts of the victims of an experiment by their row; none where the dataset is not here."""
    return _read(experiment, guesses)[0]


def segments(experiment: Experiment, guesses: "pd.DataFrame") -> tuple[Segment, ...]:
    """Return where the secrets stand in each text; none where the dataset is not here, or its texts follow no rule."""
    return _read(experiment, guesses)[1]


def _read(experiment: Experiment, guesses: "pd.DataFrame") -> tuple[Mapping[int, str], tuple[Segment, ...]]:
    if excerpts.is_present(experiment.dataset):
        try:
            return _loaded(experiment.dataset, guesses, experiment.key)
        except TelltaleError:
            pass
    return {}, ()


@st.cache_data(max_entries=16, show_spinner="Reading the victims’ texts")
def _loaded(_dataset: Dataset, _guesses: "pd.DataFrame", key: str) -> tuple[Mapping[int, str], tuple[Segment, ...]]:
    """Return texts and segments of an experiment's victims, by its key: the dataset is read once for all visits."""
    documents = _dataset.load()
    rows = sorted({int(row) for row in _guesses["row"]})
    texts = {row: documents.texts[row] for row in rows if row < len(documents)}
    return texts, documents.segments if isinstance(documents, Patterns) else ()
