"""How well membership of single examples is told: by rule and by group, with what the models give."""

import streamlit as st

from core.result import Result
from dashboard.kit import choices, panels
from dashboard.kit.examples.figures import groups as example_groups
from dashboard.kit.examples.figures import kinds, rules
from dashboard.kit.examples.figures import roc as example_roc
from dashboard.kit.examples.figures import statistic as example_statistic
from dashboard.kit.examples.figures.kinds import Kind
from dashboard.kit.words import literal

_GROUP, _STATISTIC = "view.group", "view.statistic"


def kind(result: Result) -> Kind:
    """Return what the examples of a result are."""
    return kinds.of(str(result.experiment["attack"]["part"]))


def show(result: Result) -> None:
    """Show the answer in figures."""
    st.header(kind(result).header, anchor=False)
    panels.estimates(result, kind(result).figures(result.findings["groups"]), width=190)


def by_group(result: Result) -> None:
    """Draw the advantage by group."""
    groups, about = result.findings["groups"], kind(result)
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
    curves, members, about = result.findings["roc"], result.estimates.get("auc"), kind(result)
    others = 0 if members is None else members.nonmembers
    answer = about.answer(result.findings["groups"])
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
    densities, about = result.findings["densities"], kind(result)
    statistics, groups = rules.statistics(densities), example_statistic.groups(densities)
    if not statistics or not groups:
        return
    st.subheader(example_statistic.TITLE, anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        group = choices.many(about.choice, groups, _GROUP, called=lambda name: _called(name, about), width=260)
        asked = statistics[0]
        if len(statistics) > 1:
            asked = choices.few("What is compared", statistics, _STATISTIC, called=rules.called)
    panels.figure(
        example_statistic.figure(densities, asked, group, about),
        densities,
        "densities",
        example_statistic.sentence(densities, asked, group, about),
    )


def _called(group: str, about: Kind) -> str:
    return about.every if group == example_statistic.ALL else about.group.format(group)
