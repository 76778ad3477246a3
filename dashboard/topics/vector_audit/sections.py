"""Sections of an audit: the answer in one line, the figures behind it, the words that are read, limits, and reach."""

from collections.abc import Mapping

import streamlit as st

from core.attacks.inversion.generative_inversion import GenerativeInversion
from core.audits.plan import Step
from core.audits.verdict import Verdict
from core.catalog import vector_reading
from core.catalog.entry import Entry
from core.encoders.records import RECORDS
from core.result import Estimate
from dashboard.kit import choices, glossary, panels, stored_results
from dashboard.kit.texts import victim_choice, victim_texts
from dashboard.kit.texts.marked_text import marked
from dashboard.kit.words import literal
from dashboard.topics.vector_audit.figures import frontier, named, reach
from dashboard.topics.vector_audit.figures.frontier import FinishedSteps

_F1_OF_WORDS = (
    "F1 of words joins recall, the share of a text’s words that are named, and the share of the named words that are "
    "right. Each figure below is that of one attack on the same vectors."
)
_FIGURES = (
    ("words", "F1 of words, by a classifier", "f1"),
    ("pairs", "F1 of words, from leaked pairs", "f1"),
    ("texts", "F1 of words, by text search", "f1"),
    ("texts", "Whole texts, word for word", "exact_match"),
    ("suspects", "Right suspected text first", "accuracy"),
    ("owner", "Owner of a text named", "accuracy"),
    ("label", "Class of a text named", "accuracy"),
)
"""The step, the label and the name of each figure behind the answer, which names the highest F1."""


_TARGET, _MEASURE = "view.leaked", "view.of_lengths"


def answer(finished: FinishedSteps, headline: str) -> None:
    """Draw the answer and the figures behind it.

    Args:
        finished: The steps that have a result, with its estimates.
        headline: The answer.
    """
    with st.container(key="answer", gap=None):
        st.markdown(f"**{literal(headline)}**", help=glossary.explained(headline))
    if any("f1" in estimates for _, estimates in finished):
        st.caption(_F1_OF_WORDS)
    with st.container(horizontal=True, gap="medium", key="estimates-audit"):
        for about, label, name in _FIGURES:
            estimate = next(
                (figures[name] for step, figures in finished if step.name == about and name in figures), None
            )
            if estimate is not None:
                interval, explained = map(_of_vectors, (panels.interval(estimate), estimate.help))
                panels.metric(label, panels.value(estimate), interval, width=230, help=literal(explained))


def findings(concluded: Verdict) -> None:
    """Draw the sentences behind the answer."""
    st.header("What was found", anchor=False)
    panels.listing(concluded.findings)


def tradeoff(finished: FinishedSteps) -> None:
    """Draw what is read behind each storage format and defense, and the retrieval that is left."""
    points = frontier.table(tuple(finished))
    if len(points) < 2:
        return
    st.header(frontier.TITLE, anchor=False)
    panels.figure(frontier.figure(points), points, "frontier", frontier.sentence(points), called=frontier.TITLE)


def limits(concluded: Verdict) -> None:
    """Draw what was tried, and what was not."""
    st.header("Limits", anchor=False)
    panels.listing(concluded.limits)


@st.fragment
def examples(step: Step, key: str) -> None:
    """Draw the words read from a chosen vector of the visitor's store, beside its text."""
    result = stored_results.readable(key)
    if result is None or (words := result.tables["words"]).empty:
        return
    st.header("One of your vectors", anchor=False)
    chosen = victim_choice.choose(victim_choice.numbered(words, "Text"), "Text")
    inferred = words[(words["victim"] == chosen) & words["named"]]
    text = victim_texts.pieces(step.experiment, words).get(chosen)
    if text is None:
        st.caption(victim_texts.ABSENT)
    else:
        st.markdown(marked(text, set(inferred[inferred["present"]]["word"])))
    st.caption(literal(named.sentence(inferred)))


@st.fragment
def lengths() -> None:
    """Draw what is read from texts of several lengths, by a chosen measure."""
    st.header(reach.LENGTHS, anchor=False)
    measure: reach.Measure = choices.few("Measure", reach.MEASURES, _MEASURE, called=reach.measure_name)
    entries_by_method = {vector_reading.METHODS[attack]: some for attack, some in vector_reading.lengths().items()}
    by_method, queries = (
        {method: by_number for method, entries in entries_by_method.items() if (by_number := _by_number(entries, name))}
        for name in (measure, "queries")
    )
    points = reach.table(by_method)
    drawn, table = reach.figure(points, reach.LENGTHS, measure), reach.named(points, measure)
    called = f"lengths-{measure.replace('_', '-')}"
    writers = {
        words: attack
        for method, entries in entries_by_method.items()
        for words, entry in entries.items()
        if isinstance(attack := entry.experiment.attack, GenerativeInversion) and words in by_method.get(method, ())
    }
    generated = vector_reading.lengths()[GenerativeInversion.part_name()]
    untrusted = [words for words in writers if _is_untrusted(generated[words])]
    panels.figure(drawn, table, called, reach.of_lengths(points, measure, untrusted), called=reach.LENGTHS)
    if by_method:
        panels.note(reach.setting(points, measure, {method: queries[method] for method in by_method}, writers))


def _is_untrusted(entry: Entry) -> bool:
    """Tell whether an attack that writes texts gave them no weight where it named words."""
    result = stored_results.readable(entry.key)
    if result is None:
        return False
    choices = result.tables["choices"]
    return not choices["trust"][choices["chosen"]].any()


def pairs() -> None:
    """Draw what is read by an adversary that has a few pairs, for the vectors of a chosen encoder."""
    st.header(reach.PAIRS, anchor=False)
    titles = {name: RECORDS[name].title for name in vector_reading.ENCODERS}
    target = choices.few("Vectors of", titles, _TARGET)
    f1_by_series = {
        f"through {RECORDS[curve.local].title}" if curve.local else "without an encoder": _by_number(curve.entries)
        for curve in vector_reading.curves()
        if curve.target == target
    }
    points = reach.table(f1_by_series)
    drawn = reach.figure(points, reach.PAIRS)
    panels.figure(drawn, reach.named(points), "pairs", reach.of_pairs(points, titles[target]), called=reach.PAIRS)


def _by_number(entries: Mapping[int, Entry], measure: str = "f1") -> dict[int, Estimate]:
    stored = {number: stored_results.readable_estimates(entry.key) for number, entry in entries.items()}
    return {number: estimates[measure] for number, estimates in stored.items() if measure in estimates}


def _of_vectors(text: str) -> str:
    """Return a text with “vector” for “victim”: the victims of this game are the vectors of a store."""
    return text.replace("victim", "vector")
