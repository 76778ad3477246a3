"""Membership inference over training, for one statistic and rule at a time."""

import streamlit as st

from core.result import Result
from dashboard.kit import choices, panels
from dashboard.kit.examples.figures import course as example_course
from dashboard.kit.examples.figures import kinds, rules
from dashboard.kit.words import literal

_FOLLOWED = "view.course"


@st.fragment
def show(result: Result) -> None:
    """Draw the area under the ROC curve against the epochs of training."""
    course = result.tables["course"]
    by_name = {series.name: series for series in rules.drawn(course)}
    if not by_name:
        return
    st.subheader(example_course.TITLE, anchor=False)
    chosen = by_name[choices.many("Statistic and rule", list(by_name), _FOLLOWED, width=340)]
    text = example_course.sentence(course, chosen, kinds.declared(result).wording)
    panels.figure(example_course.figure(course, chosen), course, "course", text, called=example_course.TITLE)
    st.caption(literal(example_course.untrained(course, chosen)))
