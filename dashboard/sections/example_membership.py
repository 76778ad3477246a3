"""How well membership of single examples is told: by rule and by group, with what the models give."""

import streamlit as st

from core.result import Result
from dashboard import panels
from dashboard.charts import example_groups, example_kinds, example_roc, example_rules, example_statistic
from dashboard.charts.example_kinds import Kind
from dashboard.words import literal

_GROUP, _STATISTIC = "view.group", "view.statistic"


def kind(result: Result) -> Kind:
    """Return what the examples of a result are."""
    return example_kinds.of(str(result.experiment["attack"]["part"]))


def show(result: Result) -> None:
    """Show the answer in figures."""
    st.header(kind(result).header, anchor=False)
    panels.estimates(result, kind(result).figures(result.tables["groups"]), width=190)


def by_group(result: Result) -> None:
    """Draw the advantage by group."""
    groups, about = result.tables["groups"], kind(result)
    panels.figure(
        example_groups.figure(groups, about),
        groups,
        "groups",
        example_groups.sentence(groups, about),
        title=about.title,
    )
    st.caption(literal(example_groups.coverage(groups, about)))


def roc(result: Result) -> None:
    """Draw the ROC of what the answer is about."""
    curves, members, about = result.tables["roc"], result.estimates.get("auc"), kind(result)
    others = 0 if members is None else members.nonmembers
    answer = about.answer(result.tables["groups"])
    panels.figure(
        example_roc.figure(curves, others),
        curves,
        "roc",
        example_roc.sentence(curves, others, about.first.format(answer) if answer else ""),
        title=example_roc.TITLE,
    )


@st.fragment
def statistic(result: Result) -> None:
    """Draw what models give for examples that were in and that were not, for a chosen group and statistic."""
    densities, about = result.tables["densities"], kind(result)
    statistics, groups = example_rules.statistics(densities), example_statistic.groups(densities)
    if not statistics or not groups:
        return
    st.subheader(example_statistic.TITLE, anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        group = st.selectbox(
            about.choice,
            groups,
            format_func=lambda name: _called(name, about),
            key=_GROUP,
            bind="query-params",
            width=260,
        )
        asked = statistics[0]
        if len(statistics) > 1:
            asked = st.segmented_control(
                "What is compared",
                statistics,
                format_func=example_rules.called,
                key=_STATISTIC,
                default=statistics[0],
                required=True,
                bind="query-params",
            )
    panels.figure(
        example_statistic.figure(densities, asked, group, about),
        densities,
        "densities",
        example_statistic.sentence(densities, asked, group, about),
    )


def _called(group: str, about: Kind) -> str:
    return about.every if group == example_statistic.ALL else about.group.format(group)
