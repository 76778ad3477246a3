"""What a visitor comes to see, one click from the overview."""

from collections.abc import Sequence

import streamlit as st

from dashboard import navigation
from dashboard.kit import tabs

SIGHTS: Sequence[tuple[str, str, str, str]] = (
    ("Telltale word pairs, chosen by LASSO", ":material/join_inner:", "word_pairs", tabs.HOW),
    ("A decision boundary", ":material/show_chart:", "keyword_inference", tabs.HOW),
    ("Utility against privacy", ":material/shield:", "defenses", ""),
    ("Your own sentence, read back", ":material/edit:", "inversion", tabs.ANSWER),
)
"""Label, icon and page of each, and the tab where it is; empty on a page without tabs."""


def links() -> None:
    """Offer a link to each."""
    with st.container(horizontal=True, gap="small", key="sights"):
        for label, icon, page, tab in SIGHTS:
            view = {tabs.KEY: tab} if tab else None
            st.page_link(navigation.FOLDER / f"{page}.py", label=label, icon=icon, width="content", query_params=view)
