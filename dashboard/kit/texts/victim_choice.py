"""The victim that a page looks at, which the address keeps."""

import pandas as pd
import streamlit as st

_VICTIM = "view.victim"


def choose(words: pd.DataFrame) -> int:
    """Let one of the victims of a table be chosen; there is at least one."""
    victims = sorted({int(victim) for victim in words["victim"]})
    if st.session_state.get(_VICTIM) not in victims:
        st.session_state.pop(_VICTIM, None)
    chosen: int = st.selectbox(
        "Victim",
        victims,
        format_func=lambda number: f"Victim {number + 1}",
        key=_VICTIM,
        bind="query-params",
        width=280,
    )
    return chosen
