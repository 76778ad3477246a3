"""One target: which of its telltale pairs the models complete, and the places where they are asked to."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from core.text.corpus import words_of
from dashboard import panels
from dashboard.charts import completions, foreign
from dashboard.charts.tables import records
from dashboard.charts.wording import percent
from dashboard.sections import clicks, excerpts
from dashboard.words import literal

_CHOSEN = "view.pair"
_BEFORE = 12
_LONGEST = 30
_COLUMNS = {
    "first": "word",
    "second": "other word",
    "weight": "weight",
    "contexts": "places",
    "completed_in": "completed with the target",
    "completed_out": "completed without it",
}


@st.fragment
def show(result: Result, experiment: Experiment, target: int) -> None:
    """Draw the pairs of a target; the one that is clicked or chosen is shown in its contexts."""
    found = result.tables
    own = completions.of(found["pairs"], target)
    names = {int(row.rank): completions.name(row.first, row.second) for row in records(own)}
    if st.session_state.get(_CHOSEN) not in names:
        st.session_state.pop(_CHOSEN, None)
    st.header("The pairs that are asked for", anchor=False)
    rank = st.selectbox(
        "Pair to look at, or click a point",
        list(names),
        format_func=names.__getitem__,
        key=_CHOSEN,
        bind="query-params",
        width=360,
        disabled=not names,
    )
    left, right = st.columns(2, gap="large")
    with left:
        panels.figure(
            completions.figure(found["pairs"], target, rank),
            own,
            "pairs",
            completions.sentence(found["pairs"], found["verdicts"], target),
            title=f"The {min(len(own), completions.SHOWN)} of {len(own)} pairs that tell most" if names else "",
            on_select=lambda: clicks.take("pairs", _CHOSEN),
            selection_mode="points",
        )
        if len(own) > completions.SHOWN:
            with st.expander(f"All {len(own)} pairs as a table", icon=":material/table:"):
                panels.table(own[list(_COLUMNS)].rename(columns=_COLUMNS), "all-pairs")
    if not names:
        return
    with right:
        _contexts(result, experiment, target, own[own["rank"] == rank].iloc[0])


def _contexts(result: Result, experiment: Experiment, target: int, pair: Any) -> None:
    """Show where a pair stands in the target's documents, and what the models suggest there."""
    shown = completions.contexts(result.tables["contexts"], target, pair["rank"])
    first, second = (foreign.cut(pair[word], _LONGEST) for word in ("first", "second"))
    st.subheader(literal(f"“{first}” and “{second}”, asked for"), anchor=False)
    st.markdown(literal(completions.contexts_sentence(shown, pair)))
    texts = excerpts.of(experiment, result.tables["targets"], target)
    for row in records(shown):
        text = texts[row.document] if texts and row.document < len(texts) else ""
        before = _before(words_of(text), row)
        with st.container(border=True, gap="xsmall"):
            st.markdown(f"{literal(before)} **{literal(row.before)}** ▸ **{literal(row.word)}**")
            st.markdown(" ".join(_suggested(row)))
            st.caption(f"Document {row.document + 1:,}, word {row.place + 1:,}")
    with st.expander("These places as a table", icon=":material/table:"):
        panels.table(shown, "contexts")


def _before(words: Sequence[str], row: Any) -> str:
    """Return the words before a pair; none where the text is not the one that was asked about."""
    if list(words[row.place - 1 : row.place + 1]) != [row.before, row.word]:
        return ""
    start = max(row.place - 1 - _BEFORE, 0)
    return " ".join(["…"] * (start > 0) + list(words[start : row.place - 1]))


def _suggested(row: Any) -> list[str]:
    """Return what models with the target and models without it suggest, each as a badge."""
    word, other = (literal(foreign.cut(text, _LONGEST)) for text in (row.word, row.said_out))
    said = []
    if row.completed_in == row.completed_in:
        said.append(f":orange-badge[with the target: {literal(percent(row.completed_in))} suggest “{word}”]")
    if row.completed_out == row.completed_out:
        mostly = "" if row.said_out in ("", row.word) else f", mostly “{other}”"
        said.append(f":blue-badge[without it: {literal(percent(row.completed_out))}{mostly}]")
    return said
