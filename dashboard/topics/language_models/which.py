"""The choice among the attacks that share the page about recitation; the address names the chosen one."""

from collections.abc import Mapping

import streamlit as st

from core.runtime.store import Store
from dashboard.kit import address, landing, links

_KEY, _LAST = "recites/attack", "recites/last"


def choose(attacks: Mapping[str, str]) -> str:
    """Draw the attacks, by name with what each asks; return that in the address, else the last chosen or the first."""
    asked = st.query_params.get("attack", "")
    chosen: str = asked if asked in attacks else st.session_state.get(_LAST, next(iter(attacks)))
    st.session_state[_KEY] = st.session_state[_LAST] = chosen
    st.segmented_control(
        "What is read out",
        list(attacks),
        format_func=attacks.__getitem__,
        key=_KEY,
        on_change=_open,
        required=True,
        help="Passages of ordinary text that the model continues, or made-up secrets that were planted in it.",
    )
    return chosen


def _open() -> None:
    """Put into the address what the chosen attack shows."""
    address.show(links.written(landing.experiment(st.session_state[_KEY]), Store()))
