"""How well words are read back over all victims, and how rare a word may be to be found."""

from functools import partial

import streamlit as st

from core.result import Result
from dashboard import panels
from dashboard.charts import inversion_outcome as outcome
from dashboard.charts import inversion_rarity as rarity

_FIGURES = {
    "f1": "F1, all words",
    "f1_naive": "F1 of the naive adversary",
    "f1_content": "F1, content words",
    "utility": "Utility: class named",
    "neighbours_test": "Utility: next sentence found",
    "queries": "Texts embedded for it",
}


def show(result: Result) -> None:
    """Draw precision, recall and F1 for all words beside content words, then recall by rarity."""
    readings, bands = result.tables["readings"], result.tables["rarity"]
    attack = str(result.experiment["attack"]["part"])
    st.header("Over all victims", anchor=False)
    panels.estimates(result, _FIGURES, width=210)
    for (words, title), column in zip(outcome.WORDS.items(), st.columns(len(outcome.WORDS), gap="large"), strict=True):
        with column:
            panels.figure(
                outcome.figure(readings, attack, words),
                partial(outcome.of, readings, words),
                f"readings-{words}",
                outcome.sentence(readings, attack, words),
                title=title,
            )
    st.caption(outcome.SAYS)
    panels.figure(rarity.figure(bands), bands, "rarity", rarity.sentence(bands), title=rarity.TITLE)
