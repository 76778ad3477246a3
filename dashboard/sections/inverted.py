"""The words read back from one embedding: that of a sentence of one's own, then that of a chosen victim."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard import panels
from dashboard.charts import inversion as charts
from dashboard.sections import inverted_beside, victim_choice, victim_texts
from dashboard.sections.marked_text import marked
from dashboard.words import literal

_MOST = 60
_YOURS = -1
_WRITTEN = "The closest text that the adversary wrote; words of the true one are marked."
_CHANGE = (
    "Change the sentence in the form, field “Your sentence”. What the adversary has embedded and learnt on this "
    "machine is kept for the next one."
)


def yours(result: Result, experiment: Experiment) -> None:
    """Show the sentence of the form, and what was read back from its embedding."""
    text, own = str(result.experiment["attack"]["text"]), result.tables["yours"]
    st.header("Your sentence", anchor=False)
    _shown(own, charts.told(own, text), text, "yours", _written(result, _YOURS))
    inverted_beside.yours(result, experiment)
    st.caption(_CHANGE)


@st.fragment
def victim(result: Result, experiment: Experiment) -> None:
    """Let a victim be chosen, and show what was read back from its embedding."""
    words = result.tables["words"]
    if words.empty:
        return
    st.header("One victim", anchor=False)
    chosen = victim_choice.choose(words)
    own = words[words["victim"] == chosen]
    text = victim_texts.pieces(experiment, words).get(chosen)
    if text is None:
        st.caption(victim_texts.ABSENT)
    told = charts.told(own, text, int(own["there"].iloc[0]))
    _shown(own, told, text, "victim", _written(result, chosen))
    inverted_beside.victim(result, experiment, chosen, text)


def _written(result: Result, victim: int) -> str | None:
    """Return the text that a victim's embedding was taken for, where the attack writes texts."""
    texts = result.tables.get("texts")
    own = [] if texts is None else texts.loc[texts["victim"] == victim, "words"].tolist()
    return str(own[0]) if own else None


def _shown(own: pd.DataFrame, told: charts.Told, text: str | None, name: str, written: str | None) -> None:
    """Show the text with the words read back marked, what was written for it, the words' bars, and all as lists."""
    if text is not None:
        with st.container(border=True, key=f"text-{name}"):
            st.markdown(marked(text, told.right) if text.strip() else ":gray[The text is empty.]")
    if written is not None:
        with st.container(border=True, key=f"written-{name}"):
            st.caption(_WRITTEN)
            st.markdown(marked(written, {*told.right, *told.missed}) or ":gray[No text was written.]")
    left, right = st.columns([3, 2], gap="large")
    with left:
        panels.figure(charts.figure(own), own, name, charts.sentence(told), title=charts.TITLE)
    with right:
        st.markdown(f"**✓ Named and there:** {_list(told.right)}")
        st.markdown(f"**✗ Named, not there:** {_list(told.wrong)}")
        st.markdown(f"**○ Missed:** {_list(told.missed, told.untold)}")


def _list(words: Sequence[str], untold: int = 0) -> str:
    """Return words as a list, those beyond a bound and those not known only counted."""
    said = literal(", ".join(words[:_MOST]))
    more = max(len(words) - _MOST, 0) + untold
    if not more:
        return said or "none"
    return f"{said} and {more:,} more" if said else f"{more:,}, which only the text tells"
