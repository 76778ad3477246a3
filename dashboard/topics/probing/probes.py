"""Probes of one target: words appended to a document until the label flips, and the share of labels each flips."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import chart, choices, panels
from dashboard.kit.browser import clicks
from dashboard.kit.figures.tables import records
from dashboard.topics.probing import label_queries
from dashboard.topics.probing.figures import probes, telling_words

_CHOSEN = "view.probe"
_COLUMNS = {
    "word": "word",
    "rank": "rank",
    "flips_in": "labels flipped with the target",
    "flips_out": "labels flipped without it",
}


@st.fragment
def show(result: Result, experiment: Experiment, target: int) -> None:
    """Draw the most informative probes of a target, and the clicked or chosen one in detail."""
    table, attack = result.tables["probes"], result.experiment["attack"]
    positive = label_queries.positive(experiment)
    widest = probes.widest(table, target)
    names = {int(row.rank): probes.name(row.word, row.document) for row in records(widest)}
    st.header("Appended words", anchor=False)
    rank = choices.many("Probe (or click a point)", names, _CHOSEN, width=360, disabled=not names)
    left, right = st.columns([3, 2], gap="large")
    with right:
        tried = attack["documents"] * int((result.tables["words"]["target"] == target).sum())
        text = probes.listed_sentence(table, target, tried, attack["shadow_pairs"])
        title, click = "Probes with the largest difference", clicks.choose("probes", _CHOSEN)
        panels.figure(probes.listed_figure(table, target, rank, positive), widest, "probes", text, title=title, **click)
    if not names:
        return
    with left:
        figure = probes.figure(table, target, rank, positive, attack["shadow_pairs"])
        text = probes.sentence(table, target, rank, positive, attack["documents"])
        title = f"“{widest.loc[widest['rank'] == rank, 'word'].iloc[0]}” and the label"
        panels.figure(figure, probes.of(table, target, rank), "probe", text, title=title)


def words(result: Result, target: int) -> None:
    """Draw the most informative words, and list all."""
    table = result.tables["words"]
    appended = telling_words.of(table, target)
    st.header("Words and flipped labels", anchor=False)
    title = (
        f"The {min(len(appended), telling_words.MOST_WORDS)} of {len(appended)} with the largest difference"
        if len(appended) > 1
        else ""
    )
    chart.show(telling_words, appended, "words", target, drawn=table, title=title)
    if len(appended) > telling_words.MOST_WORDS:
        panels.folded_table(appended, "all-words", f"All {len(appended)} words as a table", _COLUMNS)
