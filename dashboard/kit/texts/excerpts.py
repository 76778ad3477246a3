"""The sentences of a target in which two words are adjacent; only where its documents are on this machine."""

import re
from collections.abc import Mapping
from itertools import pairwise
from textwrap import shorten
from typing import NamedTuple

import pandas as pd
import streamlit as st

from core.datasets import Dataset
from core.errors import TelltaleError, TooManyDocuments
from core.experiment import Experiment
from core.jobs.needs import needs
from core.statistics.wording.naming import counted
from core.text.corpus import words_of
from core.text.words import words_in
from dashboard.kit.figures.tables import records
from dashboard.kit.texts.remembered import read_if_here, remembered
from dashboard.kit.words import literal

_AROUND = 90
_MOST = 8
_BETWEEN = r"[\W\d_]+"


def absent(subject: str) -> str:
    """Explain why texts of a dataset are not shown.

    >>> absent("The words")
    'The words appear only where the dataset is on this machine; a page never downloads one.'
    """
    return f"{subject} appear only where the dataset is on this machine; a page never downloads one."


class Passage(NamedTuple):
    """Two adjacent words in a document, with the text around them, and whose it is."""

    label: str
    before: str
    match: str
    after: str


_ABSENT = absent("Sentences")
_TOO_MANY = "The documents are too many to quote: their texts stay on disk."


def show(experiment: Experiment, targets: pd.DataFrame, target: int, first: str, second: str) -> None:
    """Show the passages where the two words are adjacent in a target's documents, in either order."""
    texts = of(experiment, targets, target)
    if texts is None:
        return
    matches = [(number, *passage) for number, text in enumerate(texts) for passage in passages(text, first, second)]
    st.markdown(f"**In this target’s documents** ({counted(len(matches), 'passage')})")
    for number, before, match, after in matches[:_MOST]:
        st.markdown(f":gray[Document {number + 1}:] {literal(before)} **{literal(match)}** {literal(after)}")
    if len(matches) > _MOST:
        st.caption(f"and {len(matches) - _MOST} more")


def of(experiment: Experiment, targets: pd.DataFrame, target: int) -> list[str] | None:
    """Return the texts of a target; where they cannot be read, show the reason and return None."""
    if needs(experiment.dataset):
        st.caption(_ABSENT)
        return None
    try:
        texts = _texts(experiment.dataset, targets, experiment.key)
    except TelltaleError as error:
        st.caption(literal(f"{_ABSENT} {error}"))
        return None
    if texts is None:
        st.caption(_TOO_MANY)
        return None
    return texts[target]


def heaviest(experiment: Experiment, targets: pd.DataFrame, pairs: pd.DataFrame) -> Passage | None:
    """Return where the heaviest pair stands in its target’s documents; None where it does not, or they are not here.

    Args:
        experiment: The experiment of the tables.
        targets: The game's table of targets.
        pairs: The attack's table of pairs, of which the first targets and the lowest ranks are tried first.
    """
    return read_if_here(experiment.dataset, lambda: _heaviest(experiment.dataset, targets, pairs, experiment.key))


def passages(text: str, first: str, second: str) -> list[tuple[str, str, str]]:
    """Return the text before, in and after each passage where two words are adjacent.

    >>> passages("He went home. Home, he said.", "home", "went")
    [('He ', 'went home', '. Home, he said.')]
    """
    words = words_of(text)
    if not {(first, second), (second, first)} & set(pairwise(words)):
        return []
    one, other = re.escape(first), re.escape(second)
    pair = re.compile(rf"(?<![^\W\d_])(?:{one}{_BETWEEN}{other}|{other}{_BETWEEN}{one})(?![^\W\d_])", re.IGNORECASE)
    return [
        (_cut(text[: match.start()], from_end=True), match.group(), _cut(text[match.end() :], from_end=False))
        for match in pair.finditer(text)
    ]


def around(text: str, word: str) -> str:
    """Return what stands around the first occurrence of a word in a text, or its beginning where it has none.

    >>> around("She  sang of War.", "war"), around("Peace " * 99, "war")[-7:]
    ('She sang of War.', 'Peace …')
    """
    text = " ".join(text.split())
    for match in words_in(text):
        if match.group().casefold() == word.casefold():
            before, after = _cut(text[: match.start()], from_end=True), _cut(text[match.end() :], from_end=False)
            return f"{before}{match.group()}{after}"
    return shorten(text, 2 * _AROUND, placeholder=" …")


def _cut(text: str, *, from_end: bool) -> str:
    """Return the part of a text next to the match, cut between words."""
    if len(text) <= _AROUND:
        return text
    if from_end:
        return "… " + text[-_AROUND:].split(None, 1)[-1]
    return text[:_AROUND].rsplit(None, 1)[0] + " …"


@remembered("Reading the targets’ documents")
def _texts(_dataset: Dataset, _targets: pd.DataFrame, key: str) -> Mapping[int, list[str]] | None:
    """Return the texts of every target of an experiment, by its key; None, remembered too, if they fill the memory."""
    try:
        loaded = _dataset.load().texts
    except TooManyDocuments:
        return None
    return {row.target: [loaded[at] for at in row.documents if at < len(loaded)] for row in records(_targets)}


@remembered("Reading a target’s documents")
def _heaviest(_dataset: Dataset, _targets: pd.DataFrame, _pairs: pd.DataFrame, key: str) -> Passage | None:
    """Return `heaviest` of an experiment, by its key: a page that shows one passage need not hold all documents."""
    if (texts := _texts(_dataset, _targets, key)) is None:
        return None
    labels = dict(zip(_targets["target"], _targets["label"], strict=True))
    for pair in records(_pairs[_pairs["weight"] != 0].sort_values(["target", "rank"])):
        for text in texts.get(pair.target, []):
            for before, match, after in passages(text, pair.first, pair.second):
                return Passage(str(labels[pair.target]), before, match, after)
    return None
