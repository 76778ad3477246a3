"""One target: its telltale pairs that models complete, and the contexts of the queries."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from core.statistics.wording import percent
from core.statistics.wording.naming import counted
from core.text.corpus import words_of
from dashboard.kit import choices, panels
from dashboard.kit.browser import clicks
from dashboard.kit.figures import foreign
from dashboard.kit.figures.tables import records
from dashboard.kit.texts import excerpts
from dashboard.kit.words import literal
from dashboard.topics.next_word.figures import completions

_CHOSEN = "view.pair"
_BEFORE = 12
_LONGEST = 30
_COLUMNS = {
    "first": "word",
    "second": "other word",
    "weight": "weight",
    "contexts": "contexts",
    "completed_in": "completed with the target",
    "completed_out": "completed without it",
}


@st.fragment
def show(result: Result, experiment: Experiment, target: int) -> None:
    """Draw the pairs of a target, and show the clicked or chosen one in its contexts."""
    pairs = result.tables["pairs"]
    target_pairs = completions.of(pairs, target)
    names = {int(row.rank): completions.name(row.first, row.second) for row in records(target_pairs)}
    st.header("Completed pairs", anchor=False)
    rank = choices.many("Pair (or click a point)", names, _CHOSEN, width=360, disabled=not names)
    left, right = st.columns(2, gap="large")
    with left:
        shown, count = min(len(target_pairs), completions.MOST_PAIRS), len(target_pairs)
        title = f"The {shown} most informative of {count} pairs" if shown < count else f"All {counted(count, 'pair')}"
        figure = completions.figure(pairs, target, rank)
        text = completions.sentence(pairs, result.tables["verdicts"], target)
        click = clicks.choose("pairs", _CHOSEN)
        panels.figure(figure, target_pairs, "pairs", text, title=title if names else "", **click)
        if len(target_pairs) > completions.MOST_PAIRS:
            panels.folded_table(target_pairs, "all-pairs", f"All {len(target_pairs)} pairs as a table", _COLUMNS)
    if not names:
        return
    with right:
        _contexts(result, experiment, target, target_pairs[target_pairs["rank"] == rank].iloc[0])


def _contexts(result: Result, experiment: Experiment, target: int, pair: Any) -> None:
    """Show the contexts of a pair in the target's documents, and the words that models predict there."""
    contexts = completions.contexts(result.tables["contexts"], target, pair["rank"])
    first, second = (foreign.cut(pair[word], _LONGEST) for word in ("first", "second"))
    st.subheader(literal(f"Contexts of “{first}” and “{second}”"), anchor=False)
    st.markdown(literal(completions.contexts_sentence(contexts, pair)))
    texts = excerpts.of(experiment, result.tables["targets"], target)
    for row in records(contexts):
        text = texts[row.document] if texts and row.document < len(texts) else ""
        before = _before(words_of(text), row)
        with st.container(border=True, gap="xsmall"):
            st.markdown(f"{literal(before)} **{literal(row.before)}** ▸ **{literal(row.word)}**")
            st.markdown(" ".join(_suggested(row)))
            st.caption(f"Document {row.document + 1:,}, word {row.place + 1:,}")
    panels.folded_table(contexts, "contexts", "These contexts as a table")


def _before(words: Sequence[str], row: Any) -> str:
    """Return the words before a pair; none where the text differs from the one in the query."""
    if list(words[row.place - 1 : row.place + 1]) != [row.before, row.word]:
        return ""
    start = max(row.place - 1 - _BEFORE, 0)
    return " ".join(["…"] * (start > 0) + list(words[start : row.place - 1]))


def _suggested(row: Any) -> list[str]:
    """Return what models with the target and models without it suggest, each as a badge."""
    word, other = (literal(foreign.cut(text, _LONGEST)) for text in (row.word, row.said_out))
    badges = []
    if row.completed_in == row.completed_in:
        badges.append(f":orange-badge[with the target: {literal(percent(row.completed_in))} suggest “{word}”]")
    if row.completed_out == row.completed_out:
        mostly = "" if row.said_out in ("", row.word) else f", mostly “{other}”"
        badges.append(f":blue-badge[without it: {literal(percent(row.completed_out))}{mostly}]")
    return badges
