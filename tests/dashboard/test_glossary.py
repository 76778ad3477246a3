"""Every page opens where nothing can be written, and explains each term of the glossary that stands on it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from dashboard import navigation
from dashboard.kit import glossary, panels, shared, tabs

OPENED = [
    (page.name, tab)
    for page in navigation.declared()
    for tab in ((tabs.ANSWER, tabs.HOW, tabs.DEFENSES, tabs.PAPER) if page.attacks else ("",))
]


@pytest.fixture(scope="module", autouse=True)
def fresh_caches() -> Iterator[None]:
    """Let the tabs of a page share what they read and compute: all show what comes with the code."""
    yield
    st.cache_resource.clear()
    st.cache_data.clear()
    shared.forget()


TEXTS = ("title", "header", "subheader", "markdown", "caption")


def texts(app: AppTest) -> Iterator[str]:
    """Yield what a page says: its texts, labels of figures, and columns of tables."""
    for kind in TEXTS:
        yield from (str(element.value) for element in getattr(app.main, kind))
    yield from (metric.label for metric in app.main.metric)
    for table in app.main.dataframe:
        yield from map(str, table.value.columns)


def helps(app: AppTest) -> Iterator[str]:
    """Yield what appears under a pointer, a finger or the focus."""
    for kind in (*TEXTS, "metric"):
        yield from (element.proto.help for element in getattr(app.main, kind))
    for table in app.main.dataframe:
        yield from (column.get("help") or "" for column in json.loads(table.proto.columns or "{}").values())


def unexplained(app: AppTest) -> list[str]:
    """Return the terms of the glossary that a page says and does not explain."""
    explanations = "\n".join(helps(app))
    return [term for term in glossary.terms_in("\n".join(texts(app))) if glossary.TERMS[term] not in explanations]


@pytest.fixture
def unwritable(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the user's own folder be one that cannot be made."""
    blocked = tmp_path / "file"
    blocked.touch()
    monkeypatch.setenv("TELLTALE_HOME", str(blocked / "home"))


@pytest.mark.sampled(every=9)
@pytest.mark.parametrize("page, tab", OPENED)
def test_a_page_opens_where_nothing_can_be_written_and_explains_every_term(
    app: AppTest, unwritable: None, page: str, tab: str
) -> None:
    """`tests/dashboard/test_shipped_results.py` shows that every term is explained on every page."""
    app.switch_page(f"views/{page}.py")
    if tab:
        app.query_params[tabs.KEY] = tab
    app.run()
    assert not app.exception
    assert app.title
    assert unexplained(app) == []


def test_each_term_stands_in_one_sentence_or_two() -> None:
    for term, meaning in glossary.TERMS.items():
        assert glossary.terms_in(term) == [term]
        assert meaning[0].isupper() and meaning.endswith(".") and len(meaning) < 200, term


def test_a_text_without_a_term_has_no_help() -> None:
    assert glossary.explained("Half of the words were found.") is None
    assert glossary.explained("Half of the words were found.", "Its own.") == "Its own."


def test_figures_metrics_and_columns_explain_their_terms() -> None:
    def page() -> None:
        panels.statement("The AUC is 0.9.", title="Scores")
        panels.statement("", title="Perplexity")
        panels.metric("F1 of words", "35%", "of 300 victims", width=200, help="Mean over all victims.")
        given = {"TPR": st.column_config.Column(help="Its own.")}
        panels.table(pd.DataFrame({"BLEU": [1], "TPR": [2]}), "terms", column_config=given)

    def script() -> None:
        from tests.dashboard.test_glossary import drawn

        drawn[0]()

    drawn[:] = [page]
    app = AppTest.from_function(script).run()
    assert not app.exception
    assert glossary.TERMS["AUC"] in app.main.markdown[0].proto.help
    assert glossary.TERMS["perplexity"] in app.main.subheader[1].proto.help
    assert app.main.metric[0].proto.help.startswith("Mean over all victims.")
    assert glossary.TERMS["F1"] in app.main.metric[0].proto.help
    columns = json.loads(app.main.dataframe[0].proto.columns)
    assert columns["BLEU"]["help"].endswith(glossary.TERMS["BLEU"]) and columns["TPR"]["help"] == "Its own."


drawn: list[Callable[[], None]] = []
"""The page that `AppTest` draws: it reads the source of its script, and no variables."""
