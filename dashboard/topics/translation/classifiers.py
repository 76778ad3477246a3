"""Accuracy of classifiers: overall, by subcorpus and on pairs with unknown words, each beside the paper."""

import pandas as pd
import streamlit as st

from core.result import Result
from dashboard.kit import chart, choices
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
        chart.show(confusion, confusion.shown(table, chosen), "confusion")


@st.fragment
def by_corpus(result: Result) -> None:
    """Draw Figure 6 and Table 4 of the paper."""
    table = result.tables["corpora"]
    st.header("Subcorpora", anchor=False)
    method = _choose(table, _METHOD)
    left, right = st.columns(2, gap="large")
    with left:
        chart.show(bleu, result.tables["bleu"], "bleu")
    with right:
        chart.show(corpora, corpora.points(table, *method), "corpora")
    st.markdown(literal(corpora.REMARK))
    if watermarks := corpora.watermarks(table):
        st.markdown(literal(watermarks))


@st.fragment
def unknown(result: Result) -> None:
    """Draw Table 5 of the paper."""
    table = result.tables["unknown_words"]
    if table.empty:
        return
    st.header("Pairs with unknown words", anchor=False)
    chart.show(unknown_words, unknown_words.points(table, *_choose(table, _UNKNOWN)), "unknown-words")
    st.caption(literal(unknown_words.REMARK))


def _choose(table: pd.DataFrame, key: str) -> tuple[str, str]:
    """Return features and rule of the chosen method; the adversary's choice is listed first."""
    offered = methods.offered(table)
    name = choices.many("Method", list(offered), key, width=540)
    return offered[name]
