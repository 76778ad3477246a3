"""How well membership of single examples is told: by rule and by group, with what the models give."""

import streamlit as st

from core.result import Result
from dashboard import panels
from dashboard.charts import example_groups, example_roc, example_rules, example_statistic
from dashboard.words import literal

_FIGURES = {
    "auc": "AUC",
    "accuracy": "Right guesses",
    "tpr_at_1pct_fpr": "Found at 1 % accused",
    "auc_one_threshold": "AUC with one threshold",
    "auc_cosine": "AUC by cosine",
    "auc_model_free": "AUC by the texts alone",
}
_GROUP, _STATISTIC = "view.group", "view.statistic"


def show(result: Result) -> None:
    """Draw the answer: figures over all examples, the advantage by group, and the ROC."""
    found, members = result.findings, result.estimates.get("auc")
    st.header("Which windows were in", anchor=False)
    panels.estimates(result, _FIGURES, width=190)
    left, right = st.columns(2, gap="large")
    with left:
        panels.figure(
            example_groups.figure(found["groups"]), found["groups"], "groups", example_groups.sentence(found["groups"]),
            title=example_groups.TITLE,
        )  # fmt: skip
        st.caption(literal(example_groups.coverage(found["groups"])))
    with right:
        others = 0 if members is None else members.nonmembers
        panels.figure(
            example_roc.figure(found["roc"], others), found["roc"], "roc", example_roc.sentence(found["roc"], others),
            title=example_roc.TITLE,
        )  # fmt: skip


@st.fragment
def statistic(result: Result) -> None:
    """Draw what models give for windows that were in and that were not, for a chosen band and statistic."""
    densities = result.findings["densities"]
    statistics, groups = example_rules.statistics(densities), example_statistic.groups(densities)
    if not statistics or not groups:
        return
    st.header("Why", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        group = st.selectbox(
            "How often the middle word occurs", groups, format_func=_called, key=_GROUP, bind="query-params", width=260
        )
        asked = statistics[0]
        if len(statistics) > 1:
            asked = st.segmented_control(
                "What is compared", statistics, format_func=example_rules.called, key=_STATISTIC, default=statistics[0],
                required=True, bind="query-params",
            )  # fmt: skip
    panels.figure(
        example_statistic.figure(densities, asked, group), densities, "densities",
        example_statistic.sentence(densities, asked, group), title=example_statistic.TITLE,
    )  # fmt: skip


def _called(group: str) -> str:
    return "Any number of times" if group == example_statistic.ALL else f"{group} times"
