"""How membership of examples comes to be told over training, for one statistic and rule at a time."""

import streamlit as st

from core.result import Result
from dashboard.kit import choices, panels
from dashboard.kit.examples.figures import course as example_course
from dashboard.kit.examples.figures import kinds, rules
from dashboard.kit.words import literal

_FOLLOWED = "view.course"


@st.fragment
def show(result: Result) -> None:
    """Draw the area under the ROC curve against the passes of training."""
    course = result.tables["course"]
    series = {one.name: one for one in rules.drawn(course)}
    if not series:
        return
    st.subheader(example_course.TITLE, anchor=False)
    name = choices.many("Told by", list(series), _FOLLOWED, width=340)
    followed = series[name]
    panels.figure(
        example_course.figure(course, followed),
        course,
        "course",
        example_course.sentence(course, followed, kinds.declared(result).wording),
    )
    st.caption(literal(example_course.untrained(course, followed)))
