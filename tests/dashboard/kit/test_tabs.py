"""Tabs of a page: only the open one is built, and a closed one keeps nothing of what it showed."""

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.kit import tabs


def page() -> None:
    """Draw two tabs that share a choice."""
    import streamlit as st

    from dashboard.kit import choices, tabs

    def draw() -> None:
        st.markdown(choices.few("Secret", ["PIN", "Colours"], "view.secret"))

    tabs.show(draw, draw)


@pytest.mark.parametrize("opened", [tabs.ANSWER, tabs.HOW])
def test_a_closed_tab_is_emptied_before_the_open_one_is_drawn(opened: str) -> None:
    app = AppTest.from_function(page)
    app.session_state[tabs.KEY] = opened
    app.run()
    assert not app.exception
    shown = {tab.label: [child.type for child in tab.children.values()] for tab in app.tabs}
    closed = next(name for name in shown if name != opened)
    assert shown[closed] == ["empty"]
    assert [text.value for text in app.markdown] == ["PIN"]


def test_a_tab_that_does_not_exist_is_told() -> None:
    app = AppTest.from_function(page)
    app.query_params[tabs.KEY] = "Nonsense"
    app.run()
    warnings = [warning.value.replace("\\", "") for warning in app.warning]
    assert warnings == ["Tab: there is no “Nonsense” here. Answer is shown instead."]
    app.run()
    assert not app.warning, "it is told once"
