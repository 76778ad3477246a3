"""Suspected texts behind single vectors, and in the store as a whole."""

import streamlit as st

from core.result import Result
from dashboard.kit import panels
from dashboard.topics.ranking.figures import lists, membership

_FIGURES = {
    "accuracy": "Right text first",
    "accuracy_naive": "Right text first, naive adversary",
    "reciprocal_rank": "Mean reciprocal rank",
    "utility": "Utility: classification accuracy",
    "retrieval_recall_at_10": "Utility: retrieval, recall at 10",
    "queries": "Queries (texts embedded)",
}
_STORED = {
    "auc": "AUC",
    "tpr_at_1pct_fpr": "Found at 1% FPR",
}
NOTE = (
    "For shorter lists, decoys are drawn from the whole list; the figure is the expected value. Decoys are texts of "
    "the same kind, near copies left out. The adversary has the exact text; a paraphrase is not measured."
)
_SIMILARITY = (
    "Similarity is the cosine of two vectors, at most 1. Behind Laplace noise it is of any size: the "
    "logarithm of how many times as likely the vector is if this text is behind it as if one of the adversary’s own is."
)


def behind(result: Result) -> None:
    """Draw which text is behind a vector, and which texts are stored."""
    rankings, stored = result.tables["rankings"], result.tables["stored"]
    st.header("Which text is behind a vector?", anchor=False)
    panels.estimates(result, _FIGURES)
    for (measure, title), column in zip(lists.TITLES.items(), st.columns(2, gap="large"), strict=True):
        with column:
            drawn, text = lists.figure(rankings, measure), lists.sentence(rankings, measure)
            panels.figure(drawn, lists.of(rankings, measure), f"lists-{measure}", text, title=title)
    st.caption(NOTE)
    st.header("Is a text in the store?", anchor=False)
    panels.estimates(result, _STORED)
    text = membership.roc_sentence(result.estimates, stored)
    curve = membership.settled(result.tables["roc"], stored, result.estimates)
    panels.figure(membership.roc(curve, stored), curve, "roc", text, title="ROC: stored against other candidates")


def how(result: Result) -> None:
    """Draw the similarities that rank texts, and the scores that decide whether texts are stored."""
    ranks, stored = result.tables["places"], result.tables["stored"]
    st.header("By similarity", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        text = membership.similarities_sentence(ranks, sum(membership.counts(stored)))
        panels.figure(membership.similarities(ranks), ranks, "places", text, title="Own text against decoys")
    with right:
        text = membership.scores_sentence(stored)
        panels.figure(membership.scores(stored), stored, "scores", text, title="Stored or not")
    st.caption(_SIMILARITY)
