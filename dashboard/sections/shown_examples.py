"""A few examples with what the attack says of them; their texts only where the dataset lies on this machine."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard import panels
from dashboard.charts import example_scores
from dashboard.charts.tables import records
from dashboard.sections import example_membership
from dashboard.words import literal

if TYPE_CHECKING:
    import pandas as pd

_BAND = "view.band"


@dataclass(frozen=True)
class Said:
    """The text of an example.

    Attributes:
        name: A short name for it, of its own words.
        markdown: All of it, or its beginning.
    """

    name: str
    markdown: str


Read = Callable[[Experiment, "pd.DataFrame"], Mapping[int, Said]]
"""Returns the text of each example of a table, or nothing where the dataset is not here or is another than it was."""


@st.fragment
def show(result: Result, experiment: Experiment, read: Read, absent: str) -> None:
    """Draw the examples of a chosen group, with the scores that each model's guess came from.

    Args:
        result: Holds the decisions.
        experiment: What was asked.
        read: Reads the examples' texts.
        absent: What is said where it reads nothing.
    """
    shown, about = result.tables["shown"], example_membership.kind(result)
    groups = list(dict.fromkeys(shown["group"]))
    if not groups:
        return
    st.header(f"Some {about.many}", anchor=False)
    group = st.selectbox(
        about.choice, groups, format_func=about.group.format, key=_BAND, bind="query-params", width=260
    )
    texts = read(experiment, shown)
    own = example_scores.of(shown, group)
    names = {int(row.example): f"{about.one.capitalize()} {number + 1}" for number, row in enumerate(each(own))}
    names |= {example: texts[example].name for example in names if example in texts}
    left, right = st.columns(2, gap="large")
    with left:
        panels.figure(
            example_scores.figure(own, names, about),
            own,
            about.many,
            example_scores.sentence(own, about),
            title=example_scores.title(about),
        )
    with right:
        if not texts:
            st.caption(absent)
        for row in each(own):
            decided = example_scores.hits(own[own["example"] == row.example])
            verdict = f"Right about {int(decided.sum())} of {len(decided)} models."
            where = f"{names[row.example]}: row {row.row} of the dataset, from {about.part} {row.place + 1} on."
            said = texts[row.example].markdown if texts else literal(where)
            st.markdown(f"{said}  \n:gray[{verdict}]")


def each(own: "pd.DataFrame") -> list[Any]:
    """Return one row for each example."""
    return records(own.drop_duplicates("example"))
