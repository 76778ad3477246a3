"""Precision and recall of the recovered words over all victims, and recall by rarity."""

import streamlit as st

from core.result import Result
from dashboard.kit import chart, panels
from dashboard.topics.inversion.figures import outcome, rarity

_FIGURES = {
    "f1": "F1 of words",
    "f1_naive": "F1 of words, naive adversary",
    "f1_content": "F1 of content words",
    "utility": "Utility: classification accuracy",
    "neighbours_test": "Utility: next sentence found",
    "queries": "Queries (texts embedded)",
}
_WHOLE = {
    "exact_match": "Read word for word",
    "bleu": "BLEU",
    "rouge_l": "ROUGE-L",
    "cosine": "Cosine with the text read",
    "recall_names": "Names read",
    "recall_numbers": "Numbers read",
    "recall_emails": "E-mail addresses read",
}


def show(result: Result) -> None:
    """Draw how well whole texts are read, precision, recall and F1 of words, and recall by rarity."""
    readings = result.tables["readings"]
    attack = str(result.experiment["attack"]["part"])
    st.header("Over all victims", anchor=False)
    panels.estimates(result, _FIGURES, width=210)
    if "exact_match" in result.estimates:
        panels.estimates(result, _WHOLE, width=210)
    for (words, title), column in zip(outcome.WORDS.items(), st.columns(len(outcome.WORDS), gap="large"), strict=True):
        with column:
            listed = outcome.of(readings, words)
            chart.show(outcome, listed, f"readings-{words}", attack, words, drawn=readings, title=title)
    st.caption(outcome.NOTE)
    chart.show(rarity, result.tables["rarity"], "rarity")
