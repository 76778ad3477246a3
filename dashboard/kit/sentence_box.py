"""A box for a sentence: the words that trained adversaries read from its embedding, marked at once in the sentence."""

from collections.abc import Mapping, Sequence

import streamlit as st

from core.access import EncoderInternals
from core.errors import TelltaleError
from core.experiment import Experiment
from core.games.attack import Attack
from core.readers import client, files
from core.readers.files import Card, Measured
from core.readers.protocol import LONGEST, Reading
from core.registry import part
from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import counted
from core.text.word_sets import is_content, word_set
from dashboard.kit import panels, visitors
from dashboard.kit.figures.wording import joined
from dashboard.kit.texts.marked_text import marked
from dashboard.kit.words import literal

_SENTENCE = "sentence-box"
_MOST_WRONG = 15
"""Wrongly named words that are listed; of more, the rest are counted."""
_TITLE = "Type a sentence"
_INTRODUCTION = (
    "Small BERT, the encoder that comes with Telltale, turns your sentence into 128 numbers. Adversaries that were "
    "trained beforehand on embeddings of other sentences see these numbers, never the sentence, and name words."
)
_PRIVACY = "It goes to a process on the server that forgets it: no file, no log, no address holds it."
_LIMIT = f"At most {LONGEST} characters."
_LEGEND = ":orange-background[:orange[**marked**]] read from the numbers · :gray[grey] outside a method’s vocabulary"
_EMPTY = "No word to read: this is made of spaces, signs or emoji alone. Type a sentence of English words."
_UNKNOWN = (
    "The adversaries know no word of this sentence, so there is nothing that they could read right: they know frequent "
    "English words only. Type a sentence of such words."
)
_FOREIGN = (
    "Most of these words are in no vocabulary: the adversaries know frequent English words only, so most of what they "
    "name is wrong."
)
_HOLDS_ENCODER = "Beside the embedding, it holds the encoder’s own vectors of the words it knows."
_SLOW = (
    "This page’s own method needs longer for each sentence than this box waits. Your sentence in the form, and a run, "
    "show what it reads."
)


@st.fragment
def show(experiment: Experiment) -> None:
    """Ask for a sentence, and show what each method reads from its embedding, the experiment's own method first."""
    attack = experiment.attack.part_name()
    st.header(_TITLE, anchor=False)
    st.markdown(_INTRODUCTION)
    text = st.text_input(
        "Sentence, then Enter",
        key=_SENTENCE,
        placeholder="For example: The doctor sent my mother home.",
        autocomplete="off",
        help=_PRIVACY,
    )
    if len(text) > LONGEST:
        st.warning(f"At most {LONGEST} characters; this has {len(text):,}.")
        return
    st.caption(_LIMIT)
    if not text:
        return
    if not (words := word_set(text)):
        st.warning(_EMPTY, icon=":material/edit:")
        return
    try:
        card = files.card()
        with st.spinner("Reading the embedding"):
            readings = client.ask(text, visitors.digest())
    except TelltaleError as error:
        panels.show_error(error)
        return
    if not any(reading.known for reading in readings):
        st.info(_UNKNOWN, icon=":material/translate:")
        return
    if is_foreign(words, readings):
        st.info(_FOREIGN, icon=":material/translate:")
    st.markdown(_LEGEND)
    with st.container(border=True, key="sentence-box-rows"):
        for reading in sorted(readings, key=lambda reading: reading.method != attack):
            if reading.method in card.measured:
                _row(text, reading, card.measured[reading.method])
    if attack not in card.measured:
        st.caption(_SLOW)
    st.caption(literal(disclosure(card)))


def disclosure(card: Card) -> str:
    """Return what the readers were trained on, and how they were measured."""
    return (
        f"The adversaries learned from {card.sentences:,} sentences ({joined(card.datasets)}), no visitor’s among "
        "them. The encoder itself was trained on sentences of Wikipedia. F1 is measured on other sentences of the same "
        "datasets, with a 95% interval; chance names the most frequent words of the dataset for every sentence. "
        "Long sentences, and those of another kind, are read less well."
    )


def is_foreign(words: frozenset[str], readings: Sequence[Reading]) -> bool:
    """Tell whether most words of a sentence are in no method's vocabulary.

    >>> is_foreign(frozenset({"das", "ist", "a"}), [Reading("m", ("the",), ("a",)), Reading("n", (), ())])
    True
    """
    unknown = words.difference(*(reading.known for reading in readings))
    return 2 * len(unknown) > len(words)


def _row(text: str, reading: Reading, measured: Mapping[str, Measured]) -> None:
    """Show the sentence as one method reads it."""
    words = word_set(text)
    with st.container(key=f"read-{reading.method}"):
        name, sentence = st.columns([1, 3], gap="medium")
        with name, st.container(gap=None):
            st.markdown(f"**{part('attack', reading.method).title}**")
            st.caption(literal(summary(words, reading)))
        with sentence, st.container(gap=None):
            st.markdown(marked(text, words.intersection(reading.named), unknown=words.difference(reading.known)))
            more = _HOLDS_ENCODER if holds_encoder(reading.method) else ""
            st.caption(literal(" ".join(filter(None, (named(words, reading), more, quality(measured))))))


def named(words: frozenset[str], reading: Reading) -> str:
    """Return the words that a method named, those of the sentence apart from the others; marks alone say it by looks.

    >>> named(frozenset({"the", "pizza"}), Reading("m", ("the", "a"), ("the",)))
    'Read: the. Named wrongly: a.'
    """
    right = [word for word in reading.named if word in words]
    wrong = [word for word in reading.named if word not in words]
    listed = ", ".join(wrong[:_MOST_WRONG])
    if (further := len(wrong) - _MOST_WRONG) > 0:
        listed += f" and {further:,} more"
    parts = {"Read": ", ".join(right), "Named wrongly": listed}
    return " ".join(f"{label}: {text}." for label, text in parts.items() if text)


def holds_encoder(method: str) -> bool:
    """Tell whether a method has the encoder beside the embedding, by name of its attack."""
    return issubclass(Attack.by_name(method).needs, EncoderInternals)


def summary(words: frozenset[str], reading: Reading) -> str:
    """Return how many words of a sentence a method named, how many wrong ones, and how many it cannot know.

    Words such as “the” are right without an embedding, too: content words are counted once more alone.

    >>> summary(frozenset({"the", "pizza"}), Reading("m", ("the", "a"), ("the",)))
    'Read: 1 of 2 different words, 0 of its 1 content word. Wrong: 1. Outside its vocabulary: 1.'
    """
    right, content = words.intersection(reading.named), frozenset(filter(is_content, words))
    counts = {"Wrong": len(reading.named) - len(right), "Outside its vocabulary": len(words.difference(reading.known))}
    more = "".join(f" {name}: {number}." for name, number in counts.items() if number)
    telling = f", {len(right & content)} of its {counted(len(content), 'content word')}" if content else ""
    return f"Read: {len(right)} of {counted(len(words), 'different word')}{telling}.{more}"


def quality(measured: Mapping[str, Measured]) -> str:
    """Return how good a method is on held-out sentences, by dataset.

    >>> quality({"Books": Measured(f1=0.4, low=0.39, high=0.41, chance=0.2, sentences=2000, words=4000)})
    'It knows 4,000 words. F1: Books 40% (39–41%), chance 20%, 2,000 sentences.'
    """
    figures = "; ".join(
        f"{dataset} {measured_in(f1, 'f1')}, chance {percent(f1.chance)}, {f1.sentences:,} sentences"
        for dataset, f1 in measured.items()
    )
    words = max(f1.words for f1 in measured.values())
    return f"It knows {words:,} words. F1: {figures}."
