"""One author looked at closely: where the embeddings of their texts lie, and one of the texts."""

import random
from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard import panels
from dashboard.charts import author_map, authors
from dashboard.charts.tables import records
from dashboard.charts.word_map import NAMES
from dashboard.charts.wording import percent
from dashboard.sections import victim_texts
from dashboard.words import literal

_AUTHOR, _VICTIM = "view.author", "view.victim"
_LONGEST = 700
_LEAST = 0.001


@st.fragment
def show(result: Result, experiment: Experiment) -> None:
    """Let an author be chosen, and draw the map with their texts, and one of these."""
    confusion, guesses = result.tables["confusion"], result.tables["guesses"]
    places = result.tables["map"]
    known = list(authors.recognised(confusion)["author"])
    methods = author_map.methods(places)
    if not known or not methods:
        return
    names = authors.names([*known, *sorted({*confusion["guess"], *places["guess"], *places["author"]} - {*known})])
    st.header("One author closely", anchor=False)
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom", key="choose-author"):
        _kept(_AUTHOR, known)
        author = st.selectbox(
            "Author, the best recognised first",
            known,
            format_func=names.__getitem__,
            key=_AUTHOR,
            bind="query-params",
            width=280,
        )
        method = st.segmented_control(
            "Layout",
            methods,
            format_func=NAMES.__getitem__,
            key="view.map",
            bind="query-params",
            default=methods[0],
            required=True,
        )
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
    victims = list(told)
    _kept(_VICTIM, victims)

    def draw() -> None:
        others = [victim for victim in victims if victim != st.session_state.get(_VICTIM)]
        st.session_state[_VICTIM] = random.choice(others or victims)

    with st.container(horizontal=True, vertical_alignment="bottom", key="choose-victim"):
        victim = st.selectbox(
            "Victim",
            victims,
            key=_VICTIM,
            bind="query-params",
            width=280,
            format_func=told.__getitem__,
        )
        st.button("Draw another", icon=":material/casino:", on_click=draw, key="draw-victim")
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


def _kept(key: str, options: list[str] | list[int]) -> None:
    """Forget a choice that is not on offer any more."""
    if st.session_state.get(key) not in options:
        st.session_state.pop(key, None)
