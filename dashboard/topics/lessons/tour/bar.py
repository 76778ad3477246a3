"""The bar above the pages of a tour: where one is, what to look at, what to say, and the buttons that lead on."""

from contextlib import suppress

import streamlit as st

from core.errors import StoreError
from core.jobs import Jobs
from core.runtime.store import Store
from dashboard.kit import glossary, running, stored_results
from dashboard.kit.words import literal
from dashboard.topics.lessons import evidence, reveal
from dashboard.topics.lessons.tour import place as places
from dashboard.topics.lessons.tour.place import Place
from dashboard.topics.lessons.tour.sheet import minutes, notes, opening

_SECONDS = 1.0


def show() -> None:
    """Draw the bar where a tour is in the address."""
    place = places.opened()
    if place is None:
        return
    with st.container(border=True, key="tour", gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", key="tour-links"):
            _button("Back", "PageUp", place.beside(-1))
            _button("Next", "PageDown", place.beside(1))
            where = f"Stop {place.number} of {len(place.tour.stops)} · {minutes(place.stop)}"
            st.caption(where, width="content")
            with st.popover("Notes", icon=":material/speaker_notes:", type="tertiary", key="tour.notes"):
                _told(place)
            if st.button("End the tour", type="tertiary", key="tour.end"):
                path, query = opening(place.tour)
                st.switch_page(path, query_params=query)
        try:
            title, look = place.stop.title, evidence.filled(place.stop.look)
        except evidence.Missing as missing:
            st.caption(literal(f"A result of this stop is not installed: {missing}."))
            return
        said = f"{title}. {look}"
        st.markdown(f"**{literal(title)}.** {literal(look)}", help=glossary.explained(said))
        if place.live is not None:
            st.fragment(_live, run_every=_SECONDS)(place)


def _told(place: Place) -> None:
    try:
        notes(place.stop)
    except evidence.Missing as missing:
        reveal.text(f"A result of this stop is not installed: {missing}.")


def _button(label: str, key: str, place: Place | None) -> None:
    """Offer a stop; keys of a presenter's remote press the button, too."""
    if st.button(label, key=f"tour.{key}", shortcut=key, disabled=place is None) and place is not None:
        _go(place)


def _go(place: Place) -> None:
    """Open a stop; the address of a choice that the open page has drawn follows the choice, and cannot be set."""
    drawn = {name: text for name, text in place.stop.view.items() if name in st.session_state}
    st.session_state.update(drawn)
    st.switch_page(place.path, query_params={name: text for name, text in place.query.items() if name not in drawn})


def _live(place: Place) -> None:
    """Say where the live run stands."""
    experiment = place.live
    if experiment is None:
        return
    st.caption(literal(f"Live run: {standing(experiment.key)}"))


def standing(key: str) -> str:
    """Return where a run stands, as one line."""
    if stored_results.estimates(key):
        return "finished."
    with suppress(StoreError):
        job = Jobs(Store()).find(key)
        if job is not None and job.active:
            return f"{running.standing(job)}."
        if job is not None and job.state != "done":
            return f"{job.state}. Its page says why."
    return "not started yet."
