"""Where a visitor begins, and what a visitor comes to see: one click from the overview."""

from collections.abc import Mapping, Sequence

import streamlit as st

from dashboard import navigation
from dashboard.kit import tabs

BEGINNINGS: Sequence[tuple[str, str, str, Mapping[str, str]]] = (
    ("New here? Start with a lesson", ":material/school:", "lessons", {}),
    ("Attack your own documents", ":material/upload_file:", "word_pairs", {"preset": "demo", "dataset": "documents"}),
    ("Audit your own vectors", ":material/manage_search:", "vector_audit", {}),
)
"""Label, icon, page and address of each."""
SIGHTS: Sequence[tuple[str, str, str, str]] = (
    ("Word pairs that tell, chosen by LASSO", ":material/join_inner:", "word_pairs", tabs.HOW),
    ("A decision boundary", ":material/show_chart:", "keyword_inference", tabs.HOW),
    ("Utility against privacy", ":material/shield:", "defenses", ""),
    ("Your own sentence, read back", ":material/edit:", "inversion", tabs.ANSWER),
)
"""Label, icon and page of each, and the tab where it is; empty on a page without tabs."""


def links() -> None:
    """Offer a link to each, the beginnings first."""
    with st.container(horizontal=True, gap="medium", key="beginnings"):
        for label, icon, page, query in BEGINNINGS:
            path = navigation.FOLDER / f"{page}.py"
            st.page_link(path, label=f"**{label}**", icon=icon, width="content", query_params=dict(query) or None)
    with st.container(horizontal=True, gap="small", key="sights"):
        for label, icon, page, tab in SIGHTS:
            view = {tabs.KEY: tab} if tab else None
            st.page_link(navigation.FOLDER / f"{page}.py", label=label, icon=icon, width="content", query_params=view)
