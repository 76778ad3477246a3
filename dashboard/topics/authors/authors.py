"""One author looked at closely: where the embeddings of their texts lie, and one of the texts."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import choices, panels
from dashboard.kit.figures import planes
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import percent
from dashboard.kit.texts import victim_choice, victim_texts
from dashboard.kit.words import literal
from dashboard.topics.authors.figures import author_map, authors

_AUTHOR = "view.author"
_LONGEST = 700
_LEAST = 0.001


@st.fragment
def show(result: Result, experiment: Experiment) -> None:
    """Let an author be chosen, and draw the map with their texts, and one of these."""
    confusion, guesses = result.tables["confusion"], result.tables["guesses"]
    places = result.tables["map"]
    known = list(authors.recognised(confusion)["author"])
    methods = planes.methods(places)
    if not known or not methods:
        return
    names = authors.names([*known, *sorted({*confusion["guess"], *places["guess"], *places["author"]} - {*known})])
    st.header("One author closely", anchor=False)
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom", key="choose-author"):
        author = choices.many("Author, the best recognised first", known, _AUTHOR, called=names.__getitem__, width=280)
        method = choices.few("Layout", methods, "view.map", called=planes.NAMES.__getitem__)
    texts = victim_texts.of(experiment, guesses)
    own = author_map.of(places, method)
    panels.figure(
        author_map.figure(own, author, names, method, texts),
        own,
        "map",
        author_map.sentence(own, confusion, author, names, method),
        title=author_map.TITLE,
    )
    _read(guesses[guesses["truth"] == author], names, texts)


def _read(own: pd.DataFrame, names: Mapping[str, str], texts: Mapping[int, str]) -> None:
    """Show one text of the author, and whose the attack says it is."""
    st.subheader("One of these texts", anchor=False)
    if not texts:
        st.caption(victim_texts.ABSENT)
        return
    told = {int(row.victim): f"{row.victim + 1}: {'right' if row.rank == 1 else 'wrong'}" for row in records(own)}
    with st.container(horizontal=True, vertical_alignment="bottom", key="choose-victim"):
        victim = victim_choice.choose(told)
        victim_choice.draw_another(list(told))
    (row,) = records(own[own["victim"] == victim])
    text = texts.get(int(row.row), "").strip()
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST].rsplit(None, 1)[0]} …"
    # Not Markdown, in which an address in the text would become a link that somebody may follow.
    st.code(shown, language=None, wrap_lines=True)
    st.markdown(_verdict(row, names))


def _verdict(row: Any, names: Mapping[str, str]) -> str:
    """Say whom the attack named, how sure it was, and where it put the truth."""
    truth, guess = literal(names[row.truth]), literal(names[row.guess])
    if row.rank == 1:
        return f"Named: :orange-background[{guess}]. The adversary is {percent(row.probability)} sure, and right."
    return (
        f"Named: :blue-background[{guess}]. The adversary is {percent(row.probability)} sure, and wrong. The text is "
        f"of {truth}, at place {row.rank} of {len(names)} with {_little(row.truth_probability)}."
    )


def _little(share: float) -> str:
    """Return a probability, which may be next to nothing."""
    return percent(share) if share >= _LEAST else f"less than {percent(_LEAST)}"
