"""The overview: what each attack found at best as one figure, and every promised experiment, each opening its page."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from core.catalog import Entry, entries
from core.errors import TelltaleError
from core.runtime.store import Store
from dashboard import navigation
from dashboard.kit import links, panels, running
from dashboard.kit.figures.wording import counted
from dashboard.kit.words import literal
from dashboard.topics.overview.figures import leakage

Known = tuple[Entry, leakage.Row]
"""A promised experiment, and what is known about it."""


@dataclass(frozen=True)
class Played:
    """One attack with all its promised experiments.

    Attributes:
        family: What kind of model it questions.
        best: The one that is farthest beyond guessing; the first one where none has a result.
        others: The rest, in the order of the catalogue.
        contrasts: Those that others are to stand out against.
    """

    family: str
    best: Known
    others: tuple[Known, ...]
    contrasts: tuple[Known, ...]


def shown() -> list[Played]:
    """Return the attacks, those of one family in a row, each in the order of the catalogue."""
    by_family: dict[str, dict[str, list[Known]]] = {}
    for entry in entries():
        attack = entry.experiment.attack
        attacks = by_family.setdefault(navigation.family(type(attack)), {})
        attacks.setdefault(attack.part_name(), []).append((entry, _row(entry)))
    return [_played(family, known) for family, attacks in by_family.items() for known in attacks.values()]


def figure(attacks: Sequence[Played]) -> None:
    """Draw the most telling experiment of each attack that has a result; clicking one opens it."""
    known = [attack.best for attack in attacks if attack.best[1].figures]
    drawn = [row for _, row in known]
    picked = panels.figure(
        leakage.figure(drawn),
        lambda: leakage.table(drawn),
        "overview",
        leakage.sentence(drawn),
        title=leakage.TITLE,
        on_select="rerun",
        selection_mode="points",
    )
    points = picked["selection"]["points"]
    if points:
        _open(known[int(points[0]["customdata"][0])][0])


def listing(attacks: Sequence[Played]) -> None:
    """List the attacks by family: the most telling experiment of each, and the others folded away."""
    for family in dict.fromkeys(attack.family for attack in attacks):
        st.header(family, anchor=False)
        own = [attack for attack in attacks if attack.family == family]
        with st.container(key=f"entries-{family.lower().replace(' ', '-')}"):
            for attack in own:
                _card(attack)


def _card(attack: Played) -> None:
    entry, row = attack.best
    experiment = entry.experiment
    with st.container(key=f"entry-{experiment.attack.part_name()}", gap="xsmall"):
        _link(entry, f"**{literal(experiment.attack.title)}**")
        st.markdown(literal(experiment.attack.question))
        if row.figures:
            st.markdown(f"{literal(entry.title)}. {row.measure}: **{literal(leakage.summary(row))}**")
        else:
            st.markdown(f"{literal(entry.title)}. **Not computed here yet**")
        st.caption(
            literal(
                f"Against {experiment.model.title} on {experiment.dataset.title}. "
                f"The adversary may ask for {experiment.attack.access().title}."
            )
        )
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
        said = f"{row.measure}: **{literal(leakage.summary(row))}**" if row.figures else "Not computed here yet"
        st.markdown(f"{said}. {literal(entry.summary)}")


def _link(entry: Entry, label: str) -> None:
    page = navigation.file_of(entry.experiment.attack.part_name())
    if page is None:
        st.markdown(label)
    else:
        st.page_link(page, label=label, query_params=links.written(entry.experiment, Store()))


def _open(entry: Entry) -> None:
    page = navigation.file_of(entry.experiment.attack.part_name())
    if page is not None:
        st.switch_page(page, query_params=links.written(entry.experiment, Store()))


def _played(family: str, known: Sequence[Known]) -> Played:
    """Put in front what is farthest beyond guessing among those that are no contrasts."""
    best = max(known, key=lambda one: (bool(one[1].figures), not one[0].contrast, one[1].lead))
    rest = [one for one in known if one is not best]
    others, contrasts = (tuple(one for one in rest if one[0].contrast is flag) for flag in (False, True))
    return Played(family, best, others, contrasts)


def _row(entry: Entry) -> leakage.Row:
    attack = entry.experiment.attack
    about = attack.title, navigation.family(type(attack))
    try:
        return leakage.row(entry.title, running.figures(entry.experiment.key), *about)
    except TelltaleError as error:
        panels.show_error(error)
        return leakage.Row(entry.title, {}, *about)
