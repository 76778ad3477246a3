"""The choice among the methods of inversion, which share a page; the address names the chosen one."""

from collections.abc import Sequence
from typing import cast

import streamlit as st

from core.games.attack import Attack
from core.registry import part
from core.runtime.store import Store
from dashboard.kit import address, links
from dashboard.kit.forms import form
from dashboard.kit.words import capitalised
from dashboard.topics.inversion import same_texts

_KEY, _LAST = "inversion/method", "inversion/last"


def choose(methods: Sequence[str]) -> str:
    """Draw the methods, and return the one in the address; without any there, the last chosen or the first."""
    asked = st.query_params.get("attack", "")
    chosen: str = asked if asked in methods else st.session_state.get(_LAST, methods[0])
    st.session_state[_KEY] = st.session_state[_LAST] = chosen
    st.segmented_control(
        "Method",
        methods,
        format_func=_called,
        key=_KEY,
        on_change=_open,
        args=(chosen,),
        required=True,
        help="How the adversary recovers words. Another method opens on the same texts, where that is computed.",
    )
    return chosen


def _open(before: str) -> None:
    """Put into the address what the chosen method shows beside the experiment before."""
    chosen = st.session_state[_KEY]
    experiment = same_texts.counterpart(form.last_valid(before), chosen)
    address.show(links.written(experiment, Store()))


def _called(method: str) -> str:
    return capitalised(same_texts.short_title(cast(type[Attack], part("attack", method)).title))
