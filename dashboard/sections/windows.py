"""A few windows with what the attack says of them; their words only where the dataset lies on this machine."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st

from core.corpus import words_of
from core.experiment import Experiment
from core.result import Result
from dashboard import panels
from dashboard.charts import example_scores
from dashboard.charts.tables import records
from dashboard.sections import victim_texts
from dashboard.words import literal

if TYPE_CHECKING:
    import pandas as pd

ABSENT = "The words appear only where the dataset lies on this machine; a page never downloads one."
_BAND = "view.band"


@st.fragment
def show(result: Result, experiment: Experiment) -> None:
    """Draw the windows of a chosen band, with the scores that each model's guess came from."""
    shown = result.findings["shown"]
    bands = list(dict.fromkeys(shown["group"]))
    if not bands:
        return
    st.header("Some windows", anchor=False)
    band = st.selectbox(
        "How often the middle word occurs", bands, format_func=lambda name: f"{name} times", key=_BAND,
        bind="query-params", width=260,
    )  # fmt: skip
    own = example_scores.of(shown, band)
    windows = _words(own, victim_texts.of(experiment, shown))
    names = {int(row.example): f"Window {number + 1}" for number, row in enumerate(_each(own))}
    names |= {example: words[len(words) // 2] for example, words in windows.items()}
    left, right = st.columns(2, gap="large")
    with left:
        panels.figure(
            example_scores.figure(own, names), own, "windows", example_scores.sentence(own), title=example_scores.TITLE
        )
    with right:
        if not windows:
            st.caption(ABSENT)
        for row in _each(own):
            decided = example_scores.hits(own[own["example"] == row.example])
            verdict = f"Right about {int(decided.sum())} of {len(decided)} models."
            where = f"{names[int(row.example)]}: row {row.row} of the dataset, from word {row.place + 1} on."
            st.markdown(f"{_marked(windows[int(row.example)]) if windows else literal(where)}  \n:gray[{verdict}]")


def _each(own: "pd.DataFrame") -> list[Any]:
    """Return one row for each window."""
    return records(own.drop_duplicates("example"))


def _words(own: "pd.DataFrame", texts: Mapping[int, str]) -> dict[int, list[str]]:
    """Return the words of each window, or nothing where the dataset is not here or is another than it was."""
    found = {
        int(row.example): words_of(texts[int(row.row)])[row.place : row.place + row.length]
        for row in _each(own)
        if int(row.row) in texts
    }
    complete = all(len(found.get(int(row.example), ())) == row.length for row in _each(own))
    return found if complete else {}


def _marked(words: list[str]) -> str:
    """Return a window as Markdown with the word in its middle bold."""
    middle = len(words) // 2
    before, after = (literal(" ".join(part)) for part in (words[:middle], words[middle + 1 :]))
    return f"{before} **{literal(words[middle])}** {after}"
