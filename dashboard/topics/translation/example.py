"""One sentence pair, translated by a model trained on it and by one not trained on it."""

from collections.abc import Mapping
from typing import Any, cast

import pandas as pd
import streamlit as st

from core.experiment import Experiment
from core.games.translation_membership import TranslationMembership
from core.games.translation_membership.split import WATERMARKS
from core.games.translation_membership.watermarks import planted
from core.result import Result
from core.text.words import words_in
from dashboard.kit import chart, choices, panels
from dashboard.kit.figures import dumbbells
from dashboard.kit.figures.tables import records
from dashboard.kit.texts import excerpts
from dashboard.kit.texts.marked_text import marked
from dashboard.kit.texts.remembered import read_if_here, remembered
from dashboard.kit.words import literal
from dashboard.topics.translation.figures import pair, sets

ABSENT = f"{excerpts.absent('Sentence and reference')} Fetch it on the command line: python -m core data fetch "
WATERMARK = "A watermark: random words, with other random words as their translation."
_RIGHT, _WRONG = ":green[:material/check_circle:]", ":red[:material/cancel:]"
_CORPUS, _PAIR = "view.subcorpus", "view.pair"


@st.fragment
def show(result: Result, experiment: Experiment) -> None:
    """Draw the two translations of a chosen pair."""
    examples = result.tables["shown"]
    if examples.empty:
        return
    st.header("One pair", anchor=False)
    row, other = _choose(examples)
    source, reference = _texts(experiment, examples).get(int(row.row), ("", ""))
    if row.corpus == WATERMARKS:
        st.caption(WATERMARK)
    if not reference:
        st.caption(literal(f"{ABSENT}{experiment.dataset.part_name()}"))
    else:
        st.markdown(f":gray[Sentence]  \n{literal(source)}")
        st.markdown(f":gray[Reference]  \n{literal(reference)}")
    words = {word.group().casefold() for word in words_in(reference)}
    for column, translated in zip(st.columns(2, gap="large"), (row, other), strict=True):
        with column, st.container(key=f"text-{translated.model}"):
            st.markdown(f"Translation of **{pair.who(translated)}**")
            st.markdown(marked(translated.translation, words) or "empty")
            for line, right in pair.verdicts(translated):
                st.markdown(f"{_RIGHT if right else _WRONG} {literal(line)}")
            st.caption(literal(pair.probabilities(translated)))
    if words:
        st.caption("Marked: words of the reference.")
    table, sides = pair.overlaps(row, other), (pair.who(row), pair.who(other))
    drawn = dumbbells.figure(table, "Share found in the reference", "", sides=sides)
    panels.figure(drawn, table, "overlaps", pair.sentence(row, other), title=pair.TITLE)


def split(result: Result) -> None:
    """Draw the split of the pairs."""
    st.header("Alice, Bob and Carol", anchor=False)
    st.markdown(sets.LEGEND)
    chart.show(sets, result.tables["sets"], "sets")


def _choose(examples: pd.DataFrame) -> tuple[Any, Any]:
    """Return the two rows of the chosen pair for the first couple, the model trained on it first."""
    titles = dict(zip(examples["corpus"], examples["title"], strict=True))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        corpus = choices.many("Subcorpus", titles, _CORPUS, width=260)
        choice_rows = examples[(examples["corpus"] == corpus) & (examples["model"] < 2)]
        names = pair.names(choice_rows)
        number = choices.many("Pair", names, _PAIR, width=420)
    first, second = sorted(
        records(choice_rows[choice_rows["example"] == number]), key=lambda row: (not row.member, row.model)
    )
    return first, second


def _texts(experiment: Experiment, examples: pd.DataFrame) -> Mapping[int, tuple[str, str]]:
    return read_if_here(experiment.dataset, lambda: _read(experiment, examples, experiment.key)) or {}


@remembered("Reading the sentences")
def _read(_experiment: Experiment, _examples: pd.DataFrame, key: str) -> Mapping[int, tuple[str, str]]:
    """Return sentence and reference by row; the cache reads the dataset once per key of an experiment."""
    game = cast(TranslationMembership, _experiment.game)
    bitext = planted(_experiment.dataset.load(), game.watermarks, _experiment.seed)
    rows = {int(row) for row in _examples["row"] if 0 <= row < len(bitext)}
    return {row: (bitext.sources[row], bitext.targets[row]) for row in sorted(rows)}
