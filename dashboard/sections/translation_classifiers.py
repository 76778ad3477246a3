"""How right classifiers are: overall, by subcorpus and on pairs with unknown words, each beside the paper."""

from typing import TYPE_CHECKING

import streamlit as st

from core.result import Result
from dashboard import panels
from dashboard.charts import (
    translation_bleu,
    translation_classifiers,
    translation_confusion,
    translation_corpora,
    translation_unknown,
)
from dashboard.charts import translation_methods as methods
from dashboard.words import literal

if TYPE_CHECKING:
    import pandas as pd

_FEATURES, _METHOD, _UNKNOWN = "view.features", "view.method", "view.unknown"


@st.fragment
def show(result: Result) -> None:
    """Draw Tables 2 and 3 of the paper and its Figure 5, for chosen features."""
    classifiers = result.tables["classifiers"]
    st.header("Which classifier tells", anchor=False)
    offered = methods.features(classifiers)
    chosen = offered[0]
    if len(offered) > 1:
        chosen = st.segmented_control(
            "What classifiers look at",
            offered,
            format_func=methods.FEATURES.__getitem__,
            key=_FEATURES,
            default=offered[0],
            required=True,
            bind="query-params",
        )
    left, right = st.columns([3, 2], gap="large")
    with left:
        points = translation_classifiers.points(classifiers, chosen)
        panels.figure(
            translation_classifiers.figure(points),
            points,
            "classifiers",
            translation_classifiers.sentence(points),
            title=translation_classifiers.TITLE,
        )
    with right:
        matrices = translation_confusion.shown(classifiers, chosen)
        panels.figure(
            translation_confusion.figure(matrices),
            matrices,
            "confusion",
            translation_confusion.sentence(matrices),
            title=translation_confusion.TITLE,
        )


@st.fragment
def by_corpus(result: Result) -> None:
    """Draw Figure 6 and Table 4 of the paper."""
    corpora, bleu = result.tables["corpora"], result.tables["bleu"]
    st.header("Subcorpora, at home and foreign", anchor=False)
    features, rule = _choose(corpora, _METHOD)
    left, right = st.columns(2, gap="large")
    with left:
        panels.figure(
            translation_bleu.figure(bleu), bleu, "bleu", translation_bleu.sentence(bleu), title=translation_bleu.TITLE
        )
    with right:
        points = translation_corpora.points(corpora, features, rule)
        panels.figure(
            translation_corpora.figure(points),
            points,
            "corpora",
            translation_corpora.sentence(points),
            title=translation_corpora.TITLE,
        )
    st.markdown(literal(translation_corpora.REMARK))
    if said := translation_corpora.planted(corpora):
        st.markdown(literal(said))


@st.fragment
def unknown(result: Result) -> None:
    """Draw Table 5 of the paper."""
    found = result.tables["unknown_words"]
    if found.empty:
        return
    st.header("Words that Bob never saw", anchor=False)
    points = translation_unknown.points(found, *_choose(found, _UNKNOWN))
    panels.figure(
        translation_unknown.figure(points),
        points,
        "unknown-words",
        translation_unknown.sentence(points),
        title=translation_unknown.TITLE,
    )
    st.caption(literal(translation_unknown.REMARK))


def _choose(table: "pd.DataFrame", key: str) -> tuple[str, str]:
    """Return the method that is looked at: what it looks at and how it decides, the adversary's own first."""
    offered = methods.offered(table)
    name = st.selectbox("Told by", list(offered), key=key, bind="query-params", width=540)
    return offered[name]
