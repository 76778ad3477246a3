"""How methods do over training, for groups of pairs, and for few false alarms."""

import streamlit as st

from core.result import Result
from dashboard.kit import choices, panels
from dashboard.kit.examples.figures import roc as example_roc
from dashboard.kit.figures import roc as curves
from dashboard.kit.words import literal
from dashboard.topics.translation.figures import course as translation_course
from dashboard.topics.translation.figures import groups as translation_groups
from dashboard.topics.translation.figures import methods, verdict
from dashboard.topics.translation.figures import quality as translation_quality

_COURSE, _GROUPS = "view.course", "view.groups"


@st.fragment
def show(result: Result) -> None:
    """Draw the leak beside what the translations are worth, pass by pass."""
    course, quality = result.tables["course"], result.tables["quality"]
    if course.empty:
        return
    st.header("Over-training opens the leak", anchor=False)
    measure: translation_course.Measure = choices.few("Measure", translation_course.MEASURES, _COURSE, default="auc")
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
    measure: translation_groups.Measure = choices.few(
        "Measure", translation_groups.MEASURES, _GROUPS, default="accuracy"
    )
    panels.figure(
        translation_groups.figure(found, measure), found, "groups", translation_groups.sentence(found, measure)
    )
    st.caption(literal(translation_groups.REMARK))


def roc(result: Result) -> None:
    """Draw members found against others accused."""
    found = methods.keyed(result.tables["roc"])
    series = methods.drawn(found)
    own = result.estimates.get("accuracy")
    others = 0 if own is None else own.nonmembers
    panels.figure(
        example_roc.figure(found, others, series),
        result.tables["roc"],
        "roc",
        verdict.few_alarms(result.tables["methods"]),
        title=curves.TITLE,
    )
