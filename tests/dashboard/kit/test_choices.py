"""Choices of a view: one that now stands for something else is dropped."""

from streamlit.testing.v1 import AppTest


def _page() -> None:
    import streamlit as st

    from dashboard.kit import choices

    target = st.selectbox("Target", ["one", "two"], key="target")
    pairs = {"one": {0: "dear · sir", 1: "best · wishes"}, "two": {0: "gas · price", 1: "power · plant"}}[target]
    choices.many("Pair", pairs, "view.pair")
    choices.many("Layout", {0: "PCA", 1: "UMAP"}, "view.map")


def test_a_pair_of_another_target_is_dropped_and_what_still_exists_is_kept() -> None:
    app = AppTest.from_function(_page).run()
    app.selectbox(key="view.pair").set_value(1)
    app.selectbox(key="view.map").set_value(1).run()
    assert app.session_state["view.pair"] == app.session_state["view.map"] == 1
    app.selectbox(key="target").set_value("two").run()
    assert app.session_state["view.pair"] == 0, "the first of this target, not the one at the same place"
    assert app.session_state["view.map"] == 1
    app.selectbox(key="view.pair").set_value(1).run()
    assert app.session_state["view.pair"] == 1
