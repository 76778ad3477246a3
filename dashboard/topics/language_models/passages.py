"""Passages beside the model's continuations: one of the training text, and one that the model was never shown."""

from functools import partial

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from core.text.corpus import words_of
from dashboard.kit import choices, panels
from dashboard.kit.texts import victim_texts
from dashboard.kit.words import literal
from dashboard.topics.language_models.document import WITHHELD
from dashboard.topics.language_models.figures import aligned, draws, recited

_CERTAINTY = 0.5
_SIDES = (("view.passage", "Of the training text", True), ("view.control", "Never shown", False))
_ESTIMATES = {
    "accuracy": "Recited, of all shown",
    "control": "Recited, never shown",
}


def show(result: Result, experiment: Experiment) -> None:
    """Draw what is recited by copies, one passage beside one never shown, and what drawing finds."""
    st.header("Passages recited", anchor=False)
    passages = result.tables["passages"]
    curve = recited.of(result.tables["curve"], passages)
    unit = recited.unit(result.experiment["game"])
    panels.figure(recited.figure(curve, unit), curve, "recited", recited.sentence(curve, unit), title=recited.TITLE)
    panels.note(recited.scale(curve, int(result.experiment["game"]["continuation"]), unit))
    panels.estimates(result, _ESTIMATES)
    aside(result, experiment)
    discoverable = draws.of(result.tables["discoverable"], passages, _CERTAINTY)
    panels.figure(draws.figure(discoverable), discoverable, "draws", draws.sentence(discoverable), title=draws.TITLE)
    panels.note(draws.checked(result.tables["draws"]))


@st.fragment
def aside(result: Result, experiment: Experiment) -> None:
    """Draw a chosen passage and a control; choosing another redraws only them."""
    st.header("Word by word", anchor=False)
    panels.side_by_side(*(partial(_passage, result, experiment, *side) for side in _SIDES))


def _passage(result: Result, experiment: Experiment, key: str, label: str, trained: bool) -> None:
    passages, unit = result.tables["passages"], recited.unit(result.experiment["game"])
    names = aligned.choices(passages, trained=trained)
    chosen = choices.many(label, names, key, disabled=not names)
    if chosen is None:
        return
    rows = aligned.of(passages, chosen)
    text = aligned.sentence(rows, unit)
    if not experiment.dataset.card.offline:
        panels.statement(text, title="")
        st.caption(WITHHELD)
        return
    longest = rows.iloc[-1]
    document = words_of(victim_texts.of(experiment, passages).get(int(longest["row"]), ""))
    end = int(longest["truth"])
    truth = document[end : end + len(longest["right"])]
    if len(truth) != len(longest["right"]):
        panels.statement(text, title="")
        st.caption(victim_texts.ABSENT)
        return
    with st.container(border=True):
        st.caption(f"Known: the last {longest['prefix']} {unit}s before")
        st.markdown(f"… {literal(' '.join(document[int(longest['start']) : end]))} ▸")
    called = f"{label}, word by word"
    panels.table(aligned.words(rows, tuple(truth), unit), f"aligned-{key.rpartition('.')[2]}", text, called=called)


def how(result: Result) -> None:
    """Say how the attack works, and show the perplexities of the models."""
    st.header("How it works", anchor=False)
    panels.statement(_HOW)
    names = {"perplexity_train": "Perplexity, training text", "perplexity_test": "Perplexity, other documents"}
    untrained = {"untrained": "Recited before training"}
    panels.estimates(result, {**untrained, **names, "queries": "Continuations of a passage"})


_HOW = (
    "Each model is trained on a text in which some passages stand once, others up to a hundred times, drawn by lot; as "
    "many passages are left out. The adversary knows the words before a passage. Greedy continuation takes the "
    "model’s likeliest next word again and again; drawing takes a random one among the likeliest, so more queries find "
    "more. A passage counts as recited if every word is right. Chance is the share recited of passages that the model "
    "was never shown: it knows these from the language. Passages that other documents share word for word are counted "
    "apart."
)
