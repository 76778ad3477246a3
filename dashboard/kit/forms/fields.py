"""One field of a form, set by a button of the page that the form stands beside."""

import streamlit as st


def fill(attack: str, path: str, value: str) -> None:
    """Set one field of an attack's form, and leave all others as they are by then; for callbacks.

    Args:
        attack: Name of the attack.
        path: Dotted path of the field, which may be hidden.
        value: Its value, as in a link.
    """
    link, drawn = f"form/{attack}/link", f"{attack}/{path}"
    st.session_state[link] = {**st.session_state.get(link, {}), path: value}
    if drawn in st.session_state:
        st.session_state[drawn] = value
