"""A few examples with the attack's scores; their texts only where the dataset is on this machine."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import choices, panels
from dashboard.kit.examples.figures import kinds, scores
from dashboard.kit.figures.tables import records
from dashboard.kit.words import literal

_BAND = "view.band"


@dataclass(frozen=True)
class Excerpt:
    """The text of an example: a short name from its words, and all of it or its beginning as Markdown."""

    name: str
    markdown: str


Read = Callable[[Experiment, pd.DataFrame], Mapping[int, Excerpt]]
"""Returns the text of each example of a table; nothing where the dataset is absent or has changed."""


@st.fragment
def show(result: Result, experiment: Experiment, read: Read, absent: str) -> None:
    """Draw the examples of a chosen group with their scores by model.

    Args:
        result: Holds the decisions.
        experiment: The experiment of the result.
        read: Reads the examples' texts.
        absent: Shown where no text can be read.
    """
    table, about = result.tables["shown"], kinds.declared(result).wording
    groups = list(dict.fromkeys(table["group"]))
    if not groups:
        return
    st.header(f"Some {about.many}", anchor=False)
    group = choices.many(about.grouping, groups, _BAND, called=about.group.format, width=260)
    texts = read(experiment, table)
    decisions = scores.of(table, group)
    rows, noun = one_row_each(decisions), about.one.capitalize()
    names = {int(row.example): f"{noun} {number}" for number, row in enumerate(rows, 1)}
    names |= {example: texts[example].name for example in names if example in texts}
    left, right = st.columns(2, gap="large")
    with left:
        figure, text = scores.figure(decisions, names, about), scores.sentence(decisions, about)
        panels.figure(figure, decisions, about.many, text, title=scores.title(about))
    with right:
        if not texts:
            st.caption(absent)
        for row in rows:
            hits = scores.hits(decisions[decisions["example"] == row.example])
            where = f"{names[row.example]}: row {row.row} of the dataset, from {about.unit} {row.place + 1} on."
            markdown = texts[row.example].markdown if texts else literal(where)
            st.markdown(f"{markdown}  \n:gray[Right about {int(hits.sum())} of {len(hits)} models.]")


def one_row_each(decisions: pd.DataFrame) -> list[Any]:
    """Return one row for each example."""
    return records(decisions.drop_duplicates("example"))
