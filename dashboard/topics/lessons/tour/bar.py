"""The bar above the pages of a tour: position, what to look at, notes, buttons that lead on; it leads to the figure."""

from contextlib import suppress
from pathlib import Path

import streamlit as st

from core.errors import StoreError
from core.jobs import Jobs
from core.runtime.store import Store
from dashboard.kit import address, glossary, running, stored_results
from dashboard.kit.words import ended, literal
from dashboard.topics.lessons import evidence, reveal
from dashboard.topics.lessons.tour import position as positions
from dashboard.topics.lessons.tour.position import Position
from dashboard.topics.lessons.tour.sheet import notes, opening

_SECONDS = 1.0
_ASSETS = Path(__file__).resolve().parents[3] / "assets"
_lead = st.components.v2.component("telltale.tour", html="<span></span>", js=(_ASSETS / "tour.js").read_text("utf-8"))


def show() -> None:
    """Draw the bar; of a position that no tour has, say so, and leave it out of the address."""
    position = positions.opened()
    if position is None:
        st.warning(literal(positions.absent(st.query_params.pop(address.TOUR))), icon=":material/info:")
        return
    with st.container(border=True, key="tour", gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", key="tour-links"):
            _button("Back", "PageUp", position.moved(-1))
            _button("Next", "PageDown", position.moved(1))
            progress = f"Stop {position.number} of {len(position.tour.stops)} · {position.stop.minutes:g} min"
            st.caption(progress, width="content")
            with st.popover("Notes", icon=":material/speaker_notes:", type="tertiary", key="tour.notes"):
                _notes(position)
            if st.button("End the tour", type="tertiary", key="tour.end"):
                path, query = opening(position.tour)
                st.switch_page(path, query_params=query)
        try:
            title, look = ended(position.stop.title), evidence.filled(position.stop.look)
        except evidence.Missing as missing:
            st.caption(literal(f"A result of this stop is not installed: {missing}."))
            return
        st.markdown(f"**{literal(title)}** {literal(look)}", help=glossary.explained(f"{title} {look}"))
        if position.live is not None:
            st.fragment(_live, run_every=_SECONDS)(position.live.key)
    _lead(key="tour.lead", data={"position": position.written, "figure": position.stop.figure})


def _notes(position: Position) -> None:
    try:
        notes(position.stop)
    except evidence.Missing as missing:
        reveal.text(f"A result of this stop is not installed: {missing}.")


def _button(label: str, key: str, position: Position | None) -> None:
    """Offer a stop; keys of a presenter's remote press the button, too."""
    if st.button(label, key=f"tour.{key}", shortcut=key, disabled=position is None) and position is not None:
        _go(position)


def _go(position: Position) -> None:
    """Open a stop; a choice that the open page has drawn is set in the session, since it overrides the address."""
    drawn = {name: text for name, text in position.stop.view.items() if name in st.session_state}
    st.session_state.update(drawn)
    st.switch_page(
        position.path, query_params={name: text for name, text in position.query.items() if name not in drawn}
    )


def _live(key: str) -> None:
    st.caption(literal(f"Live run: {standing(key)}"))


def standing(key: str) -> str:
    """Return the state of a run as one line."""
    if stored_results.readable_estimates(key):
        return "finished."
    with suppress(StoreError):
        job = Jobs(Store()).find(key)
        if job is not None and job.active:
            return f"{running.standing(job)}."
        if job is not None and job.state != "done":
            return f"{job.state}. Its page says why."
    return "not started yet."
