"""Warns above every page of unusable folders for results or datasets, with the remedy."""

from pathlib import Path

import streamlit as st

from core.errors import StoreError
from core.runtime.store import Store
from core.sources import location
from dashboard.kit.words import literal

_SECONDS = 10


def check() -> None:
    """Show why results cannot be stored or datasets not be found; nothing where both work."""
    if refusal := refusal_to_write():
        st.error(
            f"{literal(refusal)} Then restart the dashboard. Until then only precomputed results are shown, and no "
            "experiment can be run.",
            icon=":material/folder_off:",
        )
    if problem := location.problem():
        st.warning(literal(problem), icon=":material/folder_off:")


def refusal_to_write() -> str:
    """Return why nothing can be stored here, so that nothing can run; empty where it can."""
    return _refusal(Store().root)


@st.cache_data(ttl=_SECONDS, max_entries=4, show_spinner=False)
def _refusal(root: Path) -> str:
    try:
        Store(root).check_writable()
    except StoreError as error:
        return str(error)
    return ""
