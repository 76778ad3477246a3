"""Precision and recall of the recovered words over all victims, and recall by rarity."""

from functools import partial

import streamlit as st

from core.result import Result
from dashboard.kit import chart, panels
from dashboard.topics.inversion.figures import outcome, rarity

_FIGURES = {
    "f1": "F1 of words",
    "f1_naive": "F1 of words, naive adversary",
    "f1_content": "F1 of content words",
    "exact_match": "Read word for word",
    "bleu": "BLEU",
    "rouge_l": "ROUGE-L",
    "cosine": "Cosine with the text read",
    "utility": "Utility: classification accuracy",
    "neighbours_test": "Utility: next sentence found",
    "queries": "Queries (texts embedded)",
}
_KINDS = {
    "recall_names": "Names read",
    "recall_numbers": "Numbers read",
    "recall_emails": "E-mail addresses read",
}


def show(result: Result) -> None:
    """Draw the figures over all victims, precision, recall and F1 of words, and recall by rarity."""
    readings = result.tables["readings"]
    attack = str(result.experiment["attack"]["part"])
    st.header("Over all victims", anchor=False)
    panels.estimates(result, _FIGURES, width=210)
    if not _KINDS.keys().isdisjoint(result.estimates):
        panels.folded("Names, numbers and addresses", partial(panels.estimates, result, _KINDS, width=210))
    for (words, title), column in zip(outcome.WORDS.items(), st.columns(len(outcome.WORDS), gap="large"), strict=True):
        with column:
            listed = outcome.of(readings, words)
            chart.show(outcome, listed, f"readings-{words}", attack, words, drawn=readings, title=title)
    st.caption(outcome.NOTE)
    by_rarity = partial(chart.show, rarity, result.tables["rarity"], "rarity")
    if "exact_match" in result.estimates:  # the page would be too long with these figures and that one
        panels.folded(rarity.TITLE, by_rarity)
    else:
        by_rarity()
