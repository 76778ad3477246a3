"""One keyword: the decision boundary, and decisions about single victims."""

from typing import Any

import pandas as pd
import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import choices, panels, tabs
from dashboard.kit.figures.tables import records
from dashboard.kit.texts import excerpts, victim_texts
from dashboard.kit.texts.marked_text import marked
from dashboard.kit.words import literal
from dashboard.topics.keywords.figures import boundary

_CHOSEN = "view.keyword"
_DRAW = "verdicts.draw"
_MOST = 8
_READING = "Point at a victim, or touch it, to read its text; the table under its “Data and picture” lists all of them."


@st.fragment
def show(result: Result, experiment: Experiment) -> None:
    """Draw the boundary of the chosen keyword, and list some victims with the decisions."""
    points, guesses = result.tables["boundary_points"], result.tables["guesses"]
    grid = result.tables["boundary_grid"]
    words = boundary.clearest_first(points, grid, tuple(dict.fromkeys(guesses["secret"])))
    if not words:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large", key="choose-keyword"):
        st.header("Decision boundary of the perceptron", anchor=False, width="content")
        keyword = choices.many("Keyword", words, _CHOSEN, width=280, help=boundary.ORDER if len(words) > 1 else None)
    texts = victim_texts.around(experiment, guesses, keyword)
    about = guesses[guesses["secret"] == keyword]
    text = boundary.origin(result.experiment["attack"]["classifier"]) + boundary.sentence(points, grid, keyword)
    _boundary(points, grid, keyword, text, texts)
    if (over_all := result.estimates.get("accuracy")) is not None:
        right = float((about["truth"] == about["guess"]).mean())
        st.markdown(literal(boundary.bridge(keyword, right, over_all.value)))
    _verdicts(about, keyword, texts)


def examples(result: Result, experiment: Experiment) -> None:
    """Show a text with a keyword and one without, and the decision about each; nothing where no text is here."""
    guesses = result.tables["guesses"]
    texts = victim_texts.of(experiment, guesses)
    words = boundary.clearest_first(
        result.tables["boundary_points"], result.tables["boundary_grid"], tuple(dict.fromkeys(guesses["secret"]))
    )
    about = guesses[guesses["secret"] == words[0]] if words else guesses.head(0)
    rows = [row for row in records(about.drop_duplicates("truth")) if row.row in texts]
    if not rows:
        return
    st.header("For example", anchor=False)
    for row in rows:
        st.markdown(f"> {marked(excerpts.around(texts[row.row], row.secret), [row.secret.casefold()])}")
        st.caption(literal(boundary.decision(row)))
    st.caption(f"The first victim with the word and the first without; “{tabs.HOW}” has more.")


def _boundary(points: pd.DataFrame, grid: pd.DataFrame, keyword: str, text: str, texts: Any) -> None:
    st.markdown(text)
    for column, panel in zip(st.columns(2, gap="large"), boundary.TITLES, strict=True):
        with column:
            drawn = boundary.figure(points, grid, keyword, panel, texts)
            title = boundary.title(points, keyword, panel)
            table = boundary.listed(points, keyword, panel, texts)
            panels.figure(drawn, table, f"boundary-{panel}", "", title=title)
    reading = _READING if texts else victim_texts.ABSENT
    st.caption(f"Shaded: where the classifier finds the keyword likely (orange) or unlikely (blue). {reading}")


def _verdicts(guesses: pd.DataFrame, keyword: str, texts: Any) -> None:
    drawn = guesses.sample(min(_MOST, len(guesses)), random_state=st.session_state.get(_DRAW, 0)).sort_values("victim")
    table = pd.DataFrame(
        {
            "row": drawn["row"] + 1,
            **({"text": [texts.get(int(row), "") for row in drawn["row"]]} if texts else {}),
            "keyword": keyword,
            "truth": drawn["truth"],
            "guess": drawn["guess"],
            "probability": drawn["probability"].astype(float).round(2),
            "verdict": ["right" if hit else "wrong" for hit in drawn["truth"] == drawn["guess"]],
        }
    )
    panels.table(
        table,
        "verdicts",
        boundary.decisions(drawn, guesses),
        title=f"Does the text have “{literal(keyword)}”?",
        column_config={
            "probability": st.column_config.NumberColumn("Probability of the guess", format="percent"),
            "text": st.column_config.TextColumn("The victim’s text", width="large"),
        },
    )

    def another() -> None:
        st.session_state[_DRAW] = st.session_state.get(_DRAW, 0) + 1

    st.button("Draw other victims", icon=":material/casino:", on_click=another, key="draw-verdicts")
