"""One author: map of the embeddings, and one of the author's texts."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from core.experiment import Experiment
from core.result import Result, table
from dashboard.kit import choices, drawings, panels
from dashboard.kit.figures import planes
from dashboard.kit.figures.tables import records
from dashboard.kit.texts import victim_choice, victim_texts
from dashboard.topics.authors.figures import author_map, authors

_AUTHOR = "view.author"
_LONGEST = 700


@st.fragment
def show(result: Result, experiment: Experiment) -> None:
    """Draw the map for a chosen author, and show one of the author's texts."""
    confusion, guesses = result.tables["confusion"], result.tables["guesses"]
    ranked = list(authors.recognised(confusion)["author"])
    if not ranked or not result.experiment["attack"].get("mapped", 1):
        return
    st.header("One author", anchor=False)
    drawn = drawings.of(result, experiment, "map", "map of the embeddings")
    coordinates = table(experiment.drawings["map"].schema, []) if drawn is None else drawn
    methods = planes.methods(coordinates)
    names = authors.names(
        [*ranked, *sorted({*confusion["guess"], *coordinates["guess"], *coordinates["author"]} - {*ranked})]
    )
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom", key="choose-author"):
        author = choices.many("Author (highest accuracy first)", ranked, _AUTHOR, called=names.__getitem__, width=280)
        method = choices.few("Layout", methods, "view.map", called=planes.NAMES.__getitem__) if methods else ""
    texts = victim_texts.of(experiment, guesses)
    if methods:
        points = author_map.of(coordinates, method)
        sentence = author_map.sentence(points, confusion, author, names, method)
        panels.figure(
            author_map.figure(points, author, names, method, texts), points, "map", sentence, title=author_map.TITLE
        )
    _read(guesses[guesses["truth"] == author], names, texts)


def _read(author_texts: pd.DataFrame, names: Mapping[str, str], texts: Mapping[int, str]) -> None:
    """Show one text of the author with the inferred author."""
    st.subheader("One of these texts", anchor=False)
    if not texts:
        st.caption(victim_texts.ABSENT)
        return
    labels = {
        int(row.victim): f"{row.victim + 1}: {'correct' if row.rank == 1 else 'wrong'}" for row in records(author_texts)
    }
    with st.container(horizontal=True, vertical_alignment="bottom", key="choose-victim"):
        victim = victim_choice.choose(labels)
        victim_choice.draw_another(list(labels))
    (row,) = records(author_texts[author_texts["victim"] == victim])
    text = texts.get(int(row.row), "").strip()
    excerpt = text if len(text) <= _LONGEST else f"{text[:_LONGEST].rsplit(None, 1)[0]} …"
    # Markdown would turn an address in the text into a link that somebody may follow.
    st.code(excerpt, language=None, wrap_lines=True)
    st.markdown(authors.verdict(row, names))
