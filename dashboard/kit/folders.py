"""Says above every page what is wrong with the folders that Telltale was told to use, and how to mend it."""

from pathlib import Path

import streamlit as st

from core.errors import StoreError
from core.runtime.store import Store
from core.sources import location
from dashboard.kit.words import literal

_SECONDS = 10


def check() -> None:
    """Draw what keeps results from being stored, or datasets from being found; nothing where all is well."""
    if refusal := _refusal(Store().root):
        st.error(
            f"{literal(refusal)} Then start the dashboard again. Until then only results that come with Telltale "
            "are shown, and nothing can be run.",
            icon=":material/folder_off:",
        )
    if problem := location.problem():
        st.warning(literal(problem), icon=":material/folder_off:")


@st.cache_data(ttl=_SECONDS, max_entries=4, show_spinner=False)
def _refusal(root: Path) -> str:
    try:
        Store(root).check_writable()
    except StoreError as error:
        return str(error)
    return ""
