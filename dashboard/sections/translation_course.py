"""How methods do over training, for groups of pairs, and for few false alarms."""

import streamlit as st

from core.result import Result
from dashboard import panels
from dashboard.charts import (
    example_roc,
    translation_course,
    translation_groups,
    translation_quality,
    translation_verdict,
)
from dashboard.charts import translation_methods as methods
from dashboard.words import literal

_COURSE, _GROUPS = "view.course", "view.groups"


@st.fragment
def show(result: Result) -> None:
    """Draw the leak beside what the translations are worth, pass by pass."""
    course, quality = result.tables["course"], result.tables["quality"]
    if course.empty:
        return
    st.header("Over-training opens the leak", anchor=False)
    measure: translation_course.Measure = st.segmented_control(
        "Measure",
        list(translation_course.MEASURES),
        format_func=translation_course.MEASURES.__getitem__,
        key=_COURSE,
        default="auc",
        required=True,
        bind="query-params",
    )
    left, right = st.columns(2, gap="large")
    with left:
        panels.figure(
            translation_course.figure(course, measure),
            course,
            "course",
            translation_course.sentence(course, measure),
            title=translation_course.TITLE,
        )
        if measure != "group_auc":
            st.caption(
                "Grey bars: where 95% of values lie by chance. Translators that were never trained are the control; "
                "only their pieces of words are learnt from the pairs."
            )
    with right:
        means = translation_quality.means(quality, result.tables["bleu"])
        panels.figure(
            translation_quality.figure(means),
            quality,
            "quality",
            translation_quality.sentence(means),
            title=translation_quality.TITLE,
        )
        st.caption("Lines: means over subcorpora, without watermarks; bands: from the lowest subcorpus to the highest.")


@st.fragment
def groups(result: Result) -> None:
    """Draw how well groups of pairs are told."""
    found = result.tables["groups"]
    if found.empty:
        return
    st.subheader(translation_groups.TITLE, anchor=False)
    measure: translation_groups.Measure = st.segmented_control(
        "Measure",
        list(translation_groups.MEASURES),
        format_func=translation_groups.MEASURES.__getitem__,
        key=_GROUPS,
        default="accuracy",
        required=True,
        bind="query-params",
    )
    panels.figure(
        translation_groups.figure(found, measure), found, "groups", translation_groups.sentence(found, measure)
    )
    st.caption(literal(translation_groups.REMARK))


def roc(result: Result) -> None:
    """Draw members found against others accused."""
    curves = methods.keyed(result.tables["roc"])
    series = methods.drawn(curves)
    own = result.estimates.get("accuracy")
    others = 0 if own is None else own.nonmembers
    panels.figure(
        example_roc.figure(curves, others, series),
        result.tables["roc"],
        "roc",
        translation_verdict.few_alarms(result.tables["methods"]),
        title=example_roc.TITLE,
    )
