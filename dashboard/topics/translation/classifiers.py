"""Accuracy of classifiers: overall, by subcorpus and on pairs with unknown words, each beside the paper."""

from functools import partial

import pandas as pd
import streamlit as st

from core.result import Result
from dashboard.kit import chart, choices, panels
from dashboard.kit.words import literal
from dashboard.topics.translation.figures import bleu, classifiers, confusion, corpora, methods
from dashboard.topics.translation.figures import unknown as unknown_words

_FEATURES, _METHOD, _UNKNOWN = "view.features", "view.method", "view.unknown"


@st.fragment
def show(result: Result) -> None:
    """Draw Tables 2 and 3 of the paper and its Figure 5, for chosen features."""
    table = result.tables["classifiers"]
    st.header("Accuracy of the classifiers", anchor=False)
    offered = methods.features(table)
    chosen = offered[0]
    if len(offered) > 1:
        chosen = choices.few("Features", offered, _FEATURES, called=methods.FEATURES.__getitem__)
    left, right = st.columns([3, 2], gap="large")
    with left:
        chart.show(classifiers, classifiers.points(table, chosen), "classifiers")
    with right:
        chart.show(confusion, confusion.counts(table, chosen), "confusion")


def folded(result: Result) -> None:
    """Offer the accuracy by subcorpus, and on pairs with unknown words where there are any."""
    panels.folded(
        "By subcorpus: Figure 6 and Table 4 of the paper", partial(_by_corpus, result), icon=":material/category:"
    )
    if not result.tables["unknown_words"].empty:
        panels.folded(
            "Pairs with unknown words: Table 5 of the paper", partial(_unknown, result), icon=":material/help:"
        )


@st.fragment
def _by_corpus(result: Result) -> None:
    """Draw Figure 6 and Table 4 of the paper."""
    table = result.tables["corpora"]
    method = _choose(table, _METHOD)
    left, right = st.columns(2, gap="large")
    with left:
        chart.show(bleu, result.tables["bleu"], "bleu")
    with right:
        chart.show(corpora, corpora.points(table, *method), "corpora")
    st.markdown(literal(corpora.REMARK))
    _presumed(result, method)
    if watermarks := corpora.watermarks(table):
        st.markdown(literal(watermarks))


@st.fragment
def _unknown(result: Result) -> None:
    """Draw Table 5 of the paper."""
    table = result.tables["unknown_words"]
    method = _choose(table, _UNKNOWN)
    chart.show(unknown_words, unknown_words.points(table, *method), "unknown-words")
    st.caption(literal(unknown_words.REMARK))
    _presumed(result, method)


def _presumed(result: Result, method: tuple[str, str]) -> None:
    """Say what the chosen method presumes, where it presumes more than the others."""
    if method == methods.CENTRED:
        st.markdown(literal(methods.presumed(result.tables["methods"])))


def _choose(table: pd.DataFrame, key: str) -> tuple[str, str]:
    """Return features and rule of the chosen method; the adversary's choice is listed first."""
    offered = methods.offered(table)
    name = choices.many("Method", list(offered), key, width=540)
    return offered[name]
