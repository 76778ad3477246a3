"""The address bar: a change of the experiment is one message to the browser, and leaves the view alone."""

import pytest
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.testing.v1 import AppTest


def a_page() -> None:
    import streamlit as st

    from dashboard.kit import address

    st.selectbox("Victim", ["one", "two"], key="view.victim", bind="query-params")
    link = st.session_state.get("link")
    if link is not None:
        address.show(link)
    st.session_state["experiment"] = address.experiment()


def test_an_address_changes_in_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    enqueue = ScriptRunContext.enqueue

    def noting(context: ScriptRunContext, message: object) -> None:
        if message.WhichOneof("type") == "page_info_changed":  # type: ignore[attr-defined]
            sent.append(message.page_info_changed.query_string)  # type: ignore[attr-defined]
        enqueue(context, message)  # type: ignore[arg-type]

    monkeypatch.setattr(ScriptRunContext, "enqueue", noting)
    page = AppTest.from_function(a_page)
    before = {"dataset": "a", "model": "b", "seed": "5", "attack.steps": "7", "view.victim": "two"}
    for name, text in before.items():
        page.query_params[name] = text
    page.run()
    sent.clear()
    page.session_state["link"] = {"dataset": "c", "game.plays": "9"}
    page.run()
    assert not page.exception
    assert page.session_state["experiment"] == {"dataset": "c", "game.plays": "9"}
    assert len(sent) == 1 and "view.victim=two" in sent[0]
    page.run()
    assert len(sent) == 1, "an address that is right is left alone"


def test_what_a_page_without_an_experiment_cannot_read_is_told_and_an_experiment_is_dropped() -> None:
    page = AppTest.from_function(an_empty_page)
    for name, text in {"results": "deadbeef", "dataset": "a", "attack.steps": "7", "view.kept": "x"}.items():
        page.query_params[name] = text
    page.run()
    (notice,) = [warning.value for warning in page.warning]
    assert notice.startswith("This page reads nothing named “results”")
    assert list(page.query_params) == ["view.kept"]


def an_empty_page() -> None:
    from dashboard.kit import address

    address.clear()
