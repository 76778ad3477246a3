"""How membership of examples comes to be told over training, for one statistic and rule at a time."""

import streamlit as st

from core.result import Result
from dashboard import panels
from dashboard.charts import example_course, example_rules
from dashboard.sections import example_membership
from dashboard.words import literal

_FOLLOWED = "view.course"


@st.fragment
def show(result: Result) -> None:
    """Draw the area under the ROC curve against the passes of training."""
    course = result.tables["course"]
    series = {one.name: one for one in example_rules.drawn(course)}
    if not series:
        return
    st.subheader(example_course.TITLE, anchor=False)
    name = st.selectbox("Told by", list(series), key=_FOLLOWED, bind="query-params", width=340)
    followed = series[name]
    panels.figure(
        example_course.figure(course, followed),
        course,
        "course",
        example_course.sentence(course, followed, example_membership.kind(result)),
    )
    st.caption(literal(example_course.untrained(course, followed)))
