"""What a visitor comes to see, one click from the overview."""

from collections.abc import Sequence

import streamlit as st

from dashboard import navigation

SIGHTS: Sequence[tuple[str, str, str]] = (
    ("Telltale word pairs, chosen by LASSO", ":material/join_inner:", "word_pairs"),
    ("A decision boundary", ":material/show_chart:", "keyword_inference"),
    ("Utility against privacy", ":material/shield:", "defenses"),
    ("Your own sentence, read back", ":material/edit:", "inversion"),
)
"""Label, icon and page of each."""


def links() -> None:
    """Offer a link to each."""
    with st.container(horizontal=True, gap="small", key="sights"):
        for label, icon, page in SIGHTS:
            st.page_link(navigation.FOLDER / f"{page}.py", label=label, icon=icon, width="content")
