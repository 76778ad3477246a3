"""The sections of a comparison: the choice of results, their figures, differences, overlap, threshold, records."""

import pandas as pd
import streamlit as st

from core import catalog
from core.defenses import Defense
from core.games.membership.broken_split import WARNING, is_broken
from core.registry import part
from core.result import Result
from dashboard.kit import chart, glossary, links, panels, stored_results
from dashboard.kit.figures import foreign
from dashboard.kit.shared import share
from dashboard.kit.words import literal
from dashboard.topics.compare.figures import answers, headlines

MOST = 4
VIEW = (links.COMPARED, "view.called")
"""What of the address the page reads."""
_LETTERS = "ABCD"
_DEFAULT = ("keywords_mtsamples_black_box", "keywords_mtsamples_white_box")
"""Entries that are compared where the address names none."""


def chosen() -> dict[str, Result]:
    """Draw the choice of results, and return the stored ones by letter."""
    titles = {entry.key: entry.title for entry in catalog.entries()}
    default = [entry.key for entry in catalog.entries() if entry.name in _DEFAULT]
    keys = st.multiselect(
        "Results, by title or key",
        list(titles),
        default=None if links.COMPARED in st.session_state else default,
        format_func=lambda key: titles.get(key, key),
        key=links.COMPARED,
        bind="query-params",
        max_selections=MOST,
        accept_new_options=True,
        help="The key of a result stands under “About this result” on its page.",
    )
    results: dict[str, Result] = {}
    descriptions = []
    for key in keys:
        result = stored_results.readable(key) if key.isalnum() else None
        if result is None:
            st.warning(literal(f"No stored result has the key {foreign.cut(key, 40)}."), icon=":material/info:")
        elif len(results) < MOST:
            results[_LETTERS[len(results)]] = result
            descriptions.append(f"{titles[key]}: {_description(result)}" if key in titles else _description(result))
    for letter, result in results.items():
        if is_broken(result.experiment["game"]):
            st.warning(literal(f"{letter}: {WARNING}"), icon=":material/warning:")
    lines = [f"**{letter}** {literal(text)}" for letter, text in zip(results, descriptions, strict=True)]
    st.markdown("  \n".join(lines), help=glossary.explained(" ".join(lines)))
    return results


def show(results_by_letter: dict[str, Result]) -> None:
    """Draw the sections of two or more results."""
    letters, results = tuple(results_by_letter), share(tuple(results_by_letter.values()))
    st.header("Figures", anchor=False)
    table = headlines.table(results, letters)
    chart.show(headlines, table, "headlines")
    differences = answers.differences(results, letters)
    _table(differences, "differences", answers.differences_sentence(differences), "Differences from the first")
    st.header("Records and decisions", anchor=False)
    overlap = answers.overlap(results, letters)
    _table(overlap, "overlap", answers.overlap_sentence(overlap), "Which records each finds")
    _threshold(results, letters)
    most = answers.most(results, letters)
    if len(most):
        sentence = answers.records_sentence(most, answers.ranked(results, letters), letters)
        panels.table(most, "records", sentence, title="Records that leak most")


def _table(table: pd.DataFrame, name: str, sentence: str, title: str) -> None:
    """Draw a table with its sentence, or the sentence alone where the table is empty."""
    if len(table):
        panels.table(table, name, sentence, title=title)
    else:
        panels.statement(sentence, title=title)


@st.fragment
def _threshold(results: tuple[Result, ...], letters: tuple[str, ...]) -> None:
    """Draw a slider for the share of decisions “member”, and the true and false positives at that share."""
    if answers.at_threshold(results, letters, 50).empty:
        return
    st.subheader("At a threshold of your choice", anchor=False)
    percent = st.slider(
        "Positive decisions (%)",
        1,
        99,
        50,
        key="view.called",
        bind="query-params",
        help="Those that score highest.",
    )
    table = answers.at_threshold(results, letters, percent)
    panels.table(table, "threshold", answers.threshold_sentence(table))


def _description(result: Result) -> str:
    """Return attack, data and defenses of a result in words."""
    values = result.experiment
    names = {kind: part(kind, values[kind]["part"]).title for kind in ("attack", "dataset", "model")}
    defenses = " and ".join(Defense.resolve(defense).named for defense in values["defenses"]) or "no defense"
    return f"{names['attack']} on {names['dataset']}, {names['model']}, {defenses}, seed {values['seed']}"
