"""How well membership of single examples is told: by rule and by group, with what the models give."""

import streamlit as st

from core.result import Result
from dashboard.kit import choices, panels
from dashboard.kit.examples.figures import groups as example_groups
from dashboard.kit.examples.figures import kinds, rules
from dashboard.kit.examples.figures import roc as example_roc
from dashboard.kit.examples.figures import statistic as example_statistic
from dashboard.kit.figures import roc as curves
from dashboard.kit.figures.wording import lowered
from dashboard.kit.words import literal

_GROUP, _STATISTIC = "view.group", "view.statistic"


def show(result: Result) -> None:
    """Show the answer in figures."""
    attack = kinds.declared(result)
    st.header(f"Which {attack.wording.many} were in", anchor=False)
    panels.estimates(result, kinds.headline(attack, result.tables["groups"]), width=190)


def by_group(result: Result) -> None:
    """Draw the advantage by group."""
    groups, about = result.tables["groups"], kinds.declared(result).wording
    panels.figure(
        example_groups.figure(groups, about),
        groups,
        "groups",
        example_groups.sentence(groups, about),
        title=f"By {lowered(about.grouping)}",
    )
    st.caption(literal(example_groups.coverage(groups, about, result.estimates["left_out"].help)))


def roc(result: Result) -> None:
    """Draw the ROC of what the answer is about."""
    found, members, attack = result.tables["roc"], result.estimates.get("auc"), kinds.declared(result)
    others = 0 if members is None else members.nonmembers
    answer = kinds.answer(attack, result.tables["groups"])
    panels.figure(
        example_roc.figure(found, others),
        found,
        "roc",
        example_roc.sentence(found, others, attack.wording.which.format(answer) if answer else ""),
        title=curves.TITLE,
    )


@st.fragment
def statistic(result: Result) -> None:
    """Draw what models give for examples that were in and that were not, for a chosen group and statistic."""
    densities, about = result.tables["densities"], kinds.declared(result).wording
    statistics, groups = rules.statistics(densities), example_statistic.groups(densities)
    if not statistics or not groups:
        return
    st.subheader(example_statistic.TITLE, anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        group = choices.many(
            about.grouping,
            groups,
            _GROUP,
            called=lambda name: "All groups" if name == example_statistic.ALL else about.group.format(name),
            width=260,
        )
        asked = statistics[0]
        if len(statistics) > 1:
            asked = choices.few("What is compared", statistics, _STATISTIC, called=rules.called)
    panels.figure(
        example_statistic.figure(densities, asked, group, about),
        densities,
        "densities",
        example_statistic.sentence(densities, asked, group, about),
    )
