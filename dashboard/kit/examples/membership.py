"""Accuracy of membership inference on single examples: by rule and by group, with the statistics behind it."""

import streamlit as st

from core.games.example_membership import named_groups
from core.result import Result
from core.statistics.wording.naming import lowered
from dashboard.kit import chart, choices, panels
from dashboard.kit.examples.figures import groups as example_groups
from dashboard.kit.examples.figures import kinds, rules
from dashboard.kit.examples.figures import roc as example_roc
from dashboard.kit.examples.figures import statistic as example_statistic
from dashboard.kit.figures import roc as curves

_FIRST = 3
"""Estimates that are shown before the first chart; the others are folded away."""
_GROUP, _STATISTIC = "view.group", "view.statistic"


def show(result: Result) -> None:
    """Show the headline estimates, the first of them unfolded."""
    attack = kinds.declared(result)
    st.header(f"Membership of {attack.wording.many}", anchor=False)
    labels = list(kinds.headline(attack, result.tables["groups"]).items())
    panels.estimates(result, dict(labels[:_FIRST]), width=190)
    panels.more_estimates(result, dict(labels[_FIRST:]))


def by_group(result: Result) -> None:
    """Draw the advantage by group."""
    groups, about = result.tables["groups"], kinds.declared(result).wording
    chart.show(example_groups, groups, "groups", about, title=f"By {lowered(about.grouping)}")
    panels.note(example_groups.coverage(groups, about, result.estimates["left_out"].help))


def roc(result: Result) -> None:
    """Draw the ROC of the group of the answer."""
    area, attack = result.estimates.get("auc"), kinds.declared(result)
    nonmembers = 0 if area is None else area.nonmembers
    answer = named_groups.answered(attack, groups := result.tables["groups"])
    documents = int((groups[groups["group"] == answer] if answer else groups)["documents"].max())
    couples = int(result.experiment["game"]["couples"])
    stored = result.tables["roc"]
    rates = example_roc.settled(stored, result.estimates, couples, documents, rules.endings(stored))
    text = example_roc.sentence(rates, nonmembers, attack.wording.which.format(answer) if answer else "")
    panels.figure(example_roc.figure(rates, nonmembers), rates, "roc", text, title=curves.TITLE)


@st.fragment
def statistic(result: Result) -> None:
    """Draw a statistic of members and of non-members, for a chosen group and statistic."""
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
        statistic = statistics[0]
        if len(statistics) > 1:
            statistic = choices.few("Statistic", statistics, _STATISTIC, called=rules.statistic_name)
    chart.show(example_statistic, densities, "densities", statistic, group, about, title="")
