"""The page of a tour: all its stops with their links, and what the speaker says at each."""

from pathlib import Path

import streamlit as st

from dashboard.kit import address, glossary, panels
from dashboard.kit.words import literal
from dashboard.topics.lessons import evidence, reveal, shelf
from dashboard.topics.lessons.tour.position import Position
from dashboard.topics.lessons.tour.tour import Stop, Tour, tours

TOUR = "tour"
"""Parameter of the address that names a tour."""


def opening(tour: Tour) -> tuple[Path, dict[str, str]]:
    """Return file and address of the page of a tour."""
    return shelf.PAGE, {TOUR: tour.name}


def links() -> None:
    """Offer every tour."""
    for tour in tours().values():
        path, query = opening(tour)
        label = f"Live demo: {tour.title} ({tour.minutes:g} minutes)"
        st.page_link(path, label=literal(label), icon=":material/tour:", query_params=query, width="content")


def show() -> None:
    """Draw the tour in the address, or the first."""
    known = tours()
    tour = known.get(st.query_params[TOUR]) or next(iter(known.values()))
    address.show({TOUR: tour.name}, repeated=True)  # a link to the open page does not change the browser's address
    st.title(literal(tour.title), anchor=False)
    st.markdown(
        f"{tour.minutes:g} minutes, {len(tour.stops)} stops. A bar above each page says where to look; *Page Down* and "
        "*Page Up* lead on and back, as the keys of a presenter’s remote do. Reload any time: the address holds the "
        "position. No network is needed."
    )
    begin = Position(tour, 1)
    if st.button("Begin", type="primary", key="tour.begin", icon=":material/play_arrow:", shortcut="PageDown"):
        st.switch_page(begin.path, query_params=begin.query)
    passed = 0.0
    for number, stop in enumerate(tour.stops):
        position = begin.moved(number)
        if position is None:
            continue
        with st.container(key=f"entry-stop-{number + 1}", gap="xsmall"):
            label = f"**{number + 1}. {literal(stop.title)}**"
            st.page_link(position.path, label=label, query_params=position.query, width="content")
            panels.note(f"From minute {passed:g}, {stop.minutes:g} min{', a live run' if stop.live else ''}.")
            try:
                reveal.text(stop.look)
                notes(stop)
            except evidence.Missing as missing:
                panels.note(f"A result of this stop is not installed: {missing}.")
        passed += stop.minutes


def notes(stop: Stop) -> None:
    """Show what the speaker says at a stop."""
    for paragraph in stop.notes:
        text = evidence.filled(paragraph)
        st.markdown(f"*{literal(text)}*", help=glossary.explained(text))
