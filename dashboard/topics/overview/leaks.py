"""The overview: what each attack opens on as one figure, and every experiment of the catalogue with its page."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import streamlit as st

from core import catalog
from core.catalog import Entry
from core.errors import TelltaleError
from core.result import headline
from core.runtime.store import Store
from core.statistics.wording.naming import counted
from dashboard import navigation
from dashboard.kit import chart, glossary, landing, links, panels, stored_results
from dashboard.kit.browser import picture
from dashboard.kit.words import literal, typeset
from dashboard.topics.overview.figures import leakage, measured

Known = tuple[Entry, measured.Row]
"""An experiment of the catalogue with its estimates."""


_AUDITS = (
    "The attacks above are on public models and on ones that Telltale trains, to show what an attack can do. An audit "
    "is on a model or a store of vectors that you hold, and says what yours gives away."
)


@dataclass(frozen=True)
class AttackEntries:
    """One attack with all its experiments of the catalogue.

    Attributes:
        question: The question of its page; empty where it has no page.
        first: The experiment that its page opens on.
        clearest: The one whose interval lies farthest above chance; None where that is the first.
        further: Its other experiments, in the order of the catalogue.
        contrasts: Experiments to compare with, such as defenses.
    """

    question: str
    first: Known
    clearest: Known | None
    further: tuple[Known, ...]
    contrasts: tuple[Known, ...]


def attack_entries() -> list[AttackEntries]:
    """Return the attacks in the order of the menu, then those without a page."""
    known: dict[str, list[Known]] = {attack: [] for attack in navigation.attacks()}
    for entry in catalog.entries():
        known.setdefault(entry.experiment.attack.part_name(), []).append((entry, _row(entry)))
    return [_grouped(_question(attack), entries) for attack, entries in known.items() if entries]


def figure(attacks: Sequence[AttackEntries]) -> None:
    """Draw the experiment that each attack opens on, where it has a result; a click opens it."""
    known = [attack.first for attack in attacks if attack.first[1].figures]
    drawn = [row for _, row in known]
    st.header(leakage.TITLE, anchor=False)
    st.markdown(
        ":material/touch_app: **Click a row to open it.** Its name is a link, too. Each n counts the cases behind a "
        "figure."
    )
    picture.tell(picture.Caption(f"the stored result that each attack opens on; {counted(len(drawn), 'result')}"))
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
        if (page := navigation.page_of(experiment.attack.part_name())) is not None:
            st.switch_page(page.path, query_params=links.written(experiment, Store()))


def listing(attacks: Sequence[AttackEntries]) -> None:
    """List the attacks by question: what each opens on and its clearest leak, and the others folded away."""
    for number, (question, members) in enumerate(groupby(attacks, key=lambda attack: attack.question)):
        st.header(question or "Others", anchor=False)
        if question == navigation.OWN:
            st.markdown(_AUDITS)
        with st.container(key=f"entries-{number}"):
            for attack in members:
                _card(attack)
            for page in without_results(question):
                st.page_link(page.path, label=f"**{literal(page.title)}**")


def without_results(question: str) -> list[navigation.PageEntry]:
    """Return the pages that belong to a question of some attack without being the page of one."""
    return [page for page in navigation.declared() if question and page.question == question and not page.attacks]


def _card(attack: AttackEntries) -> None:
    entry, row = attack.first
    experiment = entry.experiment
    with st.container(key=f"entry-{experiment.attack.part_name()}", gap="xsmall"):
        _link(entry, f"**{literal(experiment.attack.title)}**")
        question = experiment.attack.question
        st.markdown(literal(question), help=glossary.explained(question))
        if row.figures:
            st.markdown(
                f"{literal(typeset(entry.title))}. {measured.read(row)}",
                help=glossary.explained(f"{entry.title} {row.measure}"),
            )
        else:
            st.markdown(f"{literal(typeset(entry.title))}. **Not computed yet**")
        st.caption(literal(measured.threat(experiment)))
        if attack.clearest is not None:
            _line(*attack.clearest, "Clearest leak: ")
            st.caption(literal(measured.against(attack.clearest[0].experiment)))
        more = counted(len(attack.further), "more experiment", "more experiments")
        for kind, label, known in (
            ("further", more, attack.further),
            ("contrasts", measured.compared([entry.experiment for entry, _ in attack.contrasts]), attack.contrasts),
        ):
            named = f"{label}: {literal(experiment.attack.title)}"  # read aloud, it says whose they are
            _others(named, f"{kind}-{experiment.attack.part_name()}", known)


@st.fragment
def _others(label: str, key: str, known: Sequence[Known]) -> None:
    """Offer experiments, if any, folded away and built only once they are unfolded."""
    if known:
        with st.expander(label, key=key, on_change="rerun") as expander:
            if expander.open:
                for entry, row in known:
                    _line(entry, row)


def _line(entry: Entry, row: measured.Row, before: str = "") -> None:
    with st.container(gap=None):
        _link(entry, literal(typeset(f"{before}{entry.title}")))
        summary = measured.read(row) if row.figures else "Not computed yet"
        terms = glossary.explained(f"{entry.title} {entry.summary} {row.measure}")
        st.markdown(f"{summary}. {literal(typeset(entry.summary))}", help=terms)
        if caveat := entry.experiment.game.caveat():
            st.caption(f":material/warning: {literal(caveat)}")


def _link(entry: Entry, label: str) -> None:
    if navigation.page_of(entry.experiment.attack.part_name()) is None:
        st.markdown(label)
    links.page_link(entry.experiment, label)


def _question(attack: str) -> str:
    page = navigation.page_of(attack)
    return "" if page is None else page.question


def _grouped(question: str, known: Sequence[Known]) -> AttackEntries:
    entries = [entry for entry, _ in known]
    chosen = landing.first(entries), landing.clearest(entries)
    first, clearest = (next(item for item in known if item[0] is entry) for entry in chosen)
    is_clearer = clearest is not first and bool(clearest[1].figures)
    remaining = [item for item in known if item is not first and not (is_clearer and item is clearest)]
    further, contrasts = (tuple(item for item in remaining if item[0].contrast is flag) for flag in (False, True))
    return AttackEntries(question, _opened_on(*first), clearest if is_clearer else None, further, contrasts)


def _opened_on(entry: Entry, row: measured.Row) -> Known:
    """Return what an attack opens on, with the address of its page and its estimates of other seeds."""
    experiment = entry.experiment
    names = headline(stored_results.readable_estimates(entry.key), experiment.game.main)
    seeds = {size: stored_results.over_seeds(experiment, names[size]) for size in row.figures}
    try:
        link = links.address_of(experiment)
        return entry, replace(row, link=link, seeds={size: each for size, each in seeds.items() if each})
    except TelltaleError as error:
        panels.show_error(error)
        return entry, row


def _row(entry: Entry) -> measured.Row:
    attack = entry.experiment.attack
    about = attack.title, _question(attack.part_name())
    try:
        estimates = stored_results.estimates(entry.key)
        return measured.row(typeset(entry.title), estimates, *about, main=entry.experiment.game.main)
    except TelltaleError as error:
        panels.show_error(error)
        return measured.Row(typeset(entry.title), {}, *about)
