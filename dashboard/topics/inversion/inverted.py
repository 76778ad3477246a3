"""Words recovered from one embedding: that of the result's sentence, then that of a chosen victim."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.experiment import Experiment
from core.result import Result
from core.statistics.wording.naming import capitalised
from dashboard.kit import panels
from dashboard.kit.texts import victim_choice, victim_texts
from dashboard.kit.texts.marked_text import marked
from dashboard.kit.words import literal
from dashboard.topics.inversion import inverted_beside
from dashboard.topics.inversion.figures import inversion as charts

_MOST = 60
_YOURS = -1
_TYPED, _SENTENCE, _VICTIM = "your sentence", "the result’s sentence", "the victim"
"""Names of the text in headings; a sentence is the visitor's where it is neither the default nor of a preset."""
_WRITTEN = "The closest text that the adversary found; words of the true text are marked."
_CHANGE = (
    "This sentence belongs to the run. Another one is “Your sentence” in the settings, and a run, which reuses the "
    "stored embeddings and models of the adversary. The box above needs no run, and changes nothing here."
)


def yours(result: Result, experiment: Experiment) -> None:
    """Show the sentence of the form and the words recovered from its embedding."""
    text, words = str(result.experiment["attack"]["text"]), result.tables["yours"]
    text_name = _SENTENCE if text in _preset_sentences(experiment) else _TYPED
    st.header(capitalised(text_name), anchor=False)
    recovery = charts.recovered(words, text)
    _show_recovery(words, recovery, text, "yours", text_name, _written(result, _YOURS))
    if (f1 := result.estimates.get("f1")) is not None:
        panels.statement(charts.beside_victims(recovery, f1))
    inverted_beside.yours(result, experiment, text_name)
    st.caption(_CHANGE)


def _preset_sentences(experiment: Experiment) -> set[str]:
    """Return the sentences that the form holds before a visitor types: the default and those of presets."""
    attack = type(experiment.attack)
    presets = (preset.get("attack", {}).get("text") for preset in attack.presets.values())
    return {attack.model_fields["text"].default, *filter(None, presets)}


@st.fragment
def victim(result: Result, experiment: Experiment) -> None:
    """Show a chosen victim and the words recovered from its embedding."""
    words = result.tables["words"]
    if words.empty:
        return
    st.header("One victim", anchor=False)
    chosen = victim_choice.choose(victim_choice.numbered(words))
    victim_words = words[words["victim"] == chosen]
    text = victim_texts.pieces(experiment, words).get(chosen)
    if text is None:
        st.caption(victim_texts.ABSENT)
    recovery = charts.recovered(victim_words, text, int(victim_words["there"].iloc[0]))
    _show_recovery(victim_words, recovery, text, "victim", _VICTIM, _written(result, chosen))
    inverted_beside.victim(result, experiment, chosen, text, _VICTIM)


def _written(result: Result, victim: int) -> str | None:
    """Return the text found for a victim's embedding, where the attack searches for texts."""
    texts = result.tables.get("texts")
    texts_of_victim = [] if texts is None else texts.loc[texts["victim"] == victim, "words"].tolist()
    return str(texts_of_victim[0]) if texts_of_victim else None


def _show_recovery(
    words: pd.DataFrame, recovery: charts.Recovery, text: str | None, name: str, text_name: str, written: str | None
) -> None:
    """Show the text with recovered words marked, the text found for it, the words as bars, and all as lists."""
    if text is not None:
        with st.container(border=True, key=f"text-{name}"):
            st.markdown(marked(text, recovery.right) if text.strip() else ":gray[The text is empty.]")
    if written is not None:
        with st.container(border=True, key=f"written-{name}"):
            st.caption(_WRITTEN)
            st.markdown(marked(written, {*recovery.right, *recovery.missed}) or ":gray[No text was found.]")
    left, right = st.columns([3, 2], gap="large")
    with left:
        title = f"{charts.TITLE} of {text_name}"
        panels.figure(charts.figure(words), words, name, charts.sentence(recovery), title=title)
    with right:
        st.markdown(f"**✓ Named and in the text:** {_list(recovery.right)}")
        st.markdown(f"**✗ Named, not in the text:** {_list(recovery.wrong)}")
        st.markdown(f"**○ Missed:** {_list(recovery.missed, recovery.unknown)}")


def _list(words: Sequence[str], unknown: int = 0) -> str:
    """Return words as a list; those beyond a limit and unknown ones are only counted."""
    listed = literal(", ".join(words[:_MOST]))
    more = max(len(words) - _MOST, 0) + unknown
    if not more:
        return listed or "none"
    return f"{listed} and {more:,} more" if listed else f"{more:,}, known only with the text"
