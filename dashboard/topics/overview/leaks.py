"""The overview: the best result of each attack as one figure, and every experiment of the catalogue with its page."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import streamlit as st

from core import catalog
from core.catalog import Entry
from core.errors import TelltaleError
from core.runtime.store import Store
from dashboard import navigation
from dashboard.kit import chart, landing, links, panels, picture, stored_results
from dashboard.kit.figures.wording import counted
from dashboard.kit.words import literal
from dashboard.topics.overview.figures import leakage

Known = tuple[Entry, leakage.Row]
"""An experiment of the catalogue with its estimates."""


@dataclass(frozen=True)
class AttackEntries:
    """One attack with all its experiments of the catalogue.

    Attributes:
        family: Kind of model that it queries.
        best: The experiment farthest above chance; the first where none has a result.
        others: The rest, in the order of the catalogue.
        contrasts: Experiments to compare with, such as defenses.
    """

    family: str
    best: Known
    others: tuple[Known, ...]
    contrasts: tuple[Known, ...]


def shown() -> list[AttackEntries]:
    """Return the attacks, those of one family in a row, each in the order of the catalogue."""
    by_family: dict[str, dict[str, list[Known]]] = {}
    for entry in catalog.entries():
        attack = entry.experiment.attack
        attacks = by_family.setdefault(navigation.family(type(attack)), {})
        attacks.setdefault(attack.part_name(), []).append((entry, _row(entry)))
    return [_grouped(family, known) for family, attacks in by_family.items() for known in attacks.values()]


def figure(attacks: Sequence[AttackEntries]) -> None:
    """Draw the best experiment of each attack that has a result; a click opens it."""
    known = [attack.best for attack in attacks if attack.best[1].figures]
    drawn = [row for _, row in known]
    st.header(leakage.TITLE, anchor=False)
    picture.tell(f"the strongest stored result of each attack; {counted(len(drawn), 'result')}")
    selected = chart.show(
        leakage,
        lambda: leakage.table(drawn),
        "overview",
        drawn=drawn,
        title="",
        on_select="rerun",
        selection_mode="points",
    )
    if points := selected["selection"]["points"]:
        experiment = known[int(points[0]["customdata"][0])][0].experiment
        if (page := navigation.file_of(experiment.attack.part_name())) is not None:
            st.switch_page(page, query_params=links.written(experiment, Store()))


def listing(attacks: Sequence[AttackEntries]) -> None:
    """List the attacks by family: the best experiment of each, and the others folded away."""
    for family, members in groupby(attacks, key=lambda attack: attack.family):
        st.header(family, anchor=False)
        with st.container(key=f"entries-{family.lower().replace(' ', '-')}"):
            for attack in members:
                _card(attack)


def _card(attack: AttackEntries) -> None:
    entry, row = attack.best
    experiment = entry.experiment
    with st.container(key=f"entry-{experiment.attack.part_name()}", gap="xsmall"):
        _link(entry, f"**{literal(experiment.attack.title)}**")
        st.markdown(literal(experiment.attack.question))
        if row.figures:
            st.markdown(f"{literal(entry.title)}. {row.measure}: **{literal(leakage.summary(row))}**")
        else:
            st.markdown(f"{literal(entry.title)}. **Not computed yet**")
        access = experiment.attack.access().title
        st.caption(literal(f"Against {experiment.model.title} on {experiment.dataset.title}. Queries return {access}."))
        for known, label in (
            (attack.others, counted(len(attack.others), "more experiment", "more experiments")),
            (attack.contrasts, f"{len(attack.contrasts)} to compare with: defenses, ablations, random weights"),
        ):
            if known:
                with st.expander(label):
                    for other, figures in known:
                        _line(other, figures)


def _line(entry: Entry, row: leakage.Row) -> None:
    with st.container(gap=None):
        _link(entry, literal(entry.title))
        summary = f"{row.measure}: **{literal(leakage.summary(row))}**" if row.figures else "Not computed yet"
        st.markdown(f"{summary}. {literal(entry.summary)}")


def _link(entry: Entry, label: str) -> None:
    if navigation.file_of(entry.experiment.attack.part_name()) is None:
        st.markdown(label)
    links.page_link(entry.experiment, label)


def _grouped(family: str, known: Sequence[Known]) -> AttackEntries:
    """Put first the experiment farthest above chance among those that are no contrasts."""
    first = landing.strongest([entry for entry, _ in known])
    best = next(item for item in known if item[0] is first)
    rest = [item for item in known if item is not best]
    others, contrasts = (tuple(item for item in rest if item[0].contrast is flag) for flag in (False, True))
    return AttackEntries(family, best, others, contrasts)


def _row(entry: Entry) -> leakage.Row:
    attack = entry.experiment.attack
    about = attack.title, navigation.family(type(attack))
    try:
        return leakage.row(entry.title, stored_results.estimates(entry.key), *about)
    except TelltaleError as error:
        panels.show_error(error)
        return leakage.Row(entry.title, {}, *about)
