"""Meaning of sentence membership, and a few passages; their sentences only where the dataset is on this machine."""

from collections.abc import Mapping
from itertools import takewhile
from textwrap import shorten

import pandas as pd
import streamlit as st

from core.datasets import Dataset
from core.experiment import Experiment
from core.games.example_membership import named_groups
from core.result import Result
from core.text.contents import Documents
from core.text.segments import segmented
from dashboard.kit import choices, panels
from dashboard.kit.examples import shown_examples
from dashboard.kit.examples.figures import course as example_course
from dashboard.kit.examples.figures import kinds, rules
from dashboard.kit.examples.shown_examples import Excerpt
from dashboard.kit.texts import excerpts
from dashboard.kit.texts.remembered import read_if_here, remembered
from dashboard.kit.words import literal
from dashboard.topics.sentence_membership.figures import meaning as charts

ABSENT = excerpts.absent("The sentences")
_MOST = 2
"""Most sentences of a passage that are shown: those that the attack compares."""
_LONGEST = 120
_FOLLOWED = "view.course"


def meaning(result: Result) -> None:
    """Explain the headline figures."""
    groups = result.tables["groups"]
    answer = named_groups.answered(kinds.declared(result), groups)
    if answer and "auc" in result.estimates:
        st.markdown(literal(charts.meaning(result.estimates, answer, named_groups.ordered(groups)[0])))
    st.caption(charts.UNIT)


@st.fragment
def by_epoch(result: Result) -> None:
    """Draw the area under the ROC curve against the epochs of training, for one statistic and rule at a time."""
    course = result.tables["course"]
    by_name = {series.name: series for series in rules.drawn(course)}
    if not by_name:
        return
    st.subheader(example_course.TITLE, anchor=False)
    chosen = by_name[choices.many("Statistic and rule", list(by_name), _FOLLOWED, width=340)]
    text = example_course.sentence(course, chosen, kinds.declared(result).wording)
    panels.figure(example_course.figure(course, chosen), course, "course", text, called=example_course.TITLE)
    st.caption(literal(example_course.untrained(course, chosen)))


def show(result: Result, experiment: Experiment) -> None:
    """Draw the passages of a chosen length."""
    shown_examples.show(result, experiment, _read, ABSENT)


def paper() -> None:
    """Explain the differences from the paper."""
    st.header("How this differs from the paper", anchor=False)
    st.markdown(literal(charts.PAPER))


def _read(experiment: Experiment, examples: pd.DataFrame) -> Mapping[int, Excerpt]:
    dataset = experiment.dataset
    beginnings = read_if_here(dataset, lambda: _beginnings(dataset, examples, experiment.key)) or {}
    excerpts_by_passage = {}
    for row in shown_examples.one_row_each(examples):
        sentences, length = beginnings.get(int(row.example), ()), int(row.group.split()[0])
        # A pair stands in one text; a longer passage may continue in another after its first sentence.
        if len(sentences) < (length if length <= _MOST else 1):
            return {}
        excerpts_by_passage[int(row.example)] = Excerpt(sentences[0], _markdown(sentences, length))
    return excerpts_by_passage


@remembered("Reading the sentences")
def _beginnings(_dataset: Dataset, _examples: pd.DataFrame, key: str) -> Mapping[int, tuple[str, ...]]:
    """Return the first sentences of every passage, cached by the experiment's key."""
    documents: Documents = _dataset.load()
    rows = sorted({int(row) for row in _examples["row"] if row < len(documents)})
    texts, positions = segmented(documents.select(rows), "sentences")
    by_position = {(rows[row], number): text for text, (row, number) in zip(texts, positions.tolist(), strict=True)}
    beginnings = {}
    for passage in shown_examples.one_row_each(_examples):
        following = [by_position.get((int(passage.row), int(passage.place) + number)) for number in range(_MOST)]
        beginnings[int(passage.example)] = tuple(sentence for sentence in takewhile(bool, following) if sentence)
    return beginnings


def _markdown(sentences: tuple[str, ...], length: int) -> str:
    """Return the beginning of a passage as Markdown, with an arrow from a sentence to the next."""
    text = " **→** ".join(literal(shorten(sentence, _LONGEST, placeholder=" …")) for sentence in sentences)
    return f"{text} :gray[and {length - len(sentences)} more]" if length > len(sentences) else text
