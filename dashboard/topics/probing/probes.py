"""Queries of a classifier, the probes of one target, and the words that are appended to documents for it."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from core.targets.document_model import DocumentModel
from dashboard.kit import chart, choices, panels
from dashboard.kit.browser import clicks
from dashboard.kit.figures.tables import records
from dashboard.kit.words import literal
from dashboard.topics.probing.figures import label_queries, probes, telling_words

_CHOSEN = "view.probe"
_FIGURES = {
    "queries": "Queries per decision",
    "classifier_test": "Classifier accuracy, new documents",
    "classifier_train": "Classifier accuracy, training set",
}
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
    positive = _positive(experiment)
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


def asked(result: Result, experiment: Experiment) -> None:
    """Show the number of queries for one decision, and the accuracy of the classifier."""
    st.header("Queries and accuracy of the classifier", anchor=False)
    panels.estimates(result, _FIGURES)
    sentences = (
        label_queries.queries(result.estimates, result.experiment["attack"], result.tables["words"]),
        label_queries.quality(result.estimates, _positive(experiment)),
    )
    st.markdown(literal(" ".join(filter(None, sentences))))


def _positive(experiment: Experiment) -> str:
    """Return the positive class of the classifier."""
    return experiment.model.positive if isinstance(experiment.model, DocumentModel) else "positive"
