"""What an audit found: the answer in one line, the figures behind it, what is read, and what was not tried."""

from collections.abc import Sequence

import streamlit as st

from core.audits.plan import Step
from core.audits.verdict import verdict
from core.result import Estimate
from dashboard.kit import glossary, panels, stored_results
from dashboard.kit.texts import victim_choice, victim_texts
from dashboard.kit.texts.marked_text import marked
from dashboard.kit.words import literal
from dashboard.topics.vector_audit.figures import frontier

_FIGURES = {
    "words": ("F1 of words, by a classifier", "f1"),
    "pairs": ("F1 of words, from leaked pairs", "f1"),
    "suspects": ("Right suspected text first", "accuracy"),
}


def answer(found: Sequence[tuple[Step, dict[str, Estimate]]]) -> None:
    """Draw the answer and the figures behind it.

    Args:
        found: The steps with results, and their estimates.
    """
    said = verdict(found)
    with st.container(key="answer", gap=None):
        st.markdown(f"**{literal(said.headline)}**", help=glossary.explained(said.headline))
    with st.container(horizontal=True, gap="medium", key="estimates-audit"):
        for step, figures in found:
            label, name = _FIGURES.get(step.name, ("", ""))
            if name in figures:
                figure = figures[name]
                interval, explained = map(_of_vectors, (panels.interval(figure), figure.help))
                panels.metric(label, panels.value(figure), interval, width=230, help=literal(explained))


def findings(found: Sequence[tuple[Step, dict[str, Estimate]]]) -> None:
    """Draw the sentences behind the answer."""
    st.header("What was found", anchor=False)
    _listed(verdict(found).findings)


def traded(found: Sequence[tuple[Step, dict[str, Estimate]]]) -> None:
    """Draw what storage formats and defenses hide, and what retrieval they leave."""
    points = frontier.table(tuple(found))
    if len(points) < 2:
        return
    st.header(frontier.TITLE, anchor=False)
    panels.figure(frontier.figure(points), points, "frontier", frontier.sentence(points))


def limits(found: Sequence[tuple[Step, dict[str, Estimate]]]) -> None:
    """Draw what was tried, and what was not."""
    st.header("Limits", anchor=False)
    _listed(verdict(found).limits)


@st.fragment
def examples(step: Step, key: str) -> None:
    """Draw what was read from a chosen vector of the visitor's own store, beside its text."""
    result = stored_results.readable(key)
    if result is None or (words := result.tables["words"]).empty:
        return
    st.header("One of your vectors", anchor=False)
    chosen = victim_choice.choose(victim_choice.numbered(words, "Text"), "Text")
    own = words[(words["victim"] == chosen) & words["named"]]
    text = victim_texts.pieces(step.experiment, words).get(chosen)
    if text is None:
        st.caption(victim_texts.ABSENT)
    else:
        st.markdown(marked(text, set(own[own["present"]]["word"])))
    wrong = ", ".join(own[~own["present"]]["word"]) or "none"
    st.caption(f"Marked: the {int(own['present'].sum())} words that are read. Named in error: {literal(wrong)}.")


def _of_vectors(text: str) -> str:
    """Return a text about the victims of a game, who are the vectors of a store here."""
    return text.replace("victim", "vector")


def _listed(sentences: Sequence[str]) -> None:
    text = "\n".join(f"- {literal(sentence)}" for sentence in sentences)
    st.markdown(text, help=glossary.explained(text))
