"""Words of one text recovered by several methods of inversion."""

import pandas as pd
import streamlit as st

from core import catalog
from core.experiment import Experiment
from core.games.inversion.contract import InversionAttack
from core.result import Result
from core.text.words import folded_words
from dashboard.kit import panels, stored_results
from dashboard.kit.words import literal
from dashboard.topics.inversion import same_texts
from dashboard.topics.inversion.figures import inversion, methods
from dashboard.topics.inversion.figures.methods import MethodRecovery

_MOST = 6
"""Most methods in one figure."""
_NOTE = (
    "Stored results for the same texts, encoder and victims, by other methods or behind a defense. Words that a method "
    "named but that are not in the text: "
)


def yours(result: Result, experiment: Experiment, text_name: str) -> None:
    """Draw the words that each method recovers from the sentence of the form, where others have the same one."""
    attack = experiment.attack
    text = str(result.experiment["attack"]["text"])
    same_sentence = [
        (other, other_result)
        for other, other_result in _other_results(experiment)
        if isinstance(attack, InversionAttack) and other_result.experiment["attack"]["text"] == text
    ]
    readings = [
        MethodRecovery(same_texts.name(method_experiment), inversion.recovered(other_result.tables["yours"], text))
        for method_experiment, other_result in ((experiment, result), *same_sentence)
    ]
    _draw(readings, text, "yours-methods", text_name)


def victim(result: Result, experiment: Experiment, chosen: int, text: str | None, text_name: str) -> None:
    """Draw the words that each method recovers for the chosen victim; its text may be unknown."""
    page_words = result.tables["words"]
    victim_row = page_words.loc[page_words["victim"] == chosen, ["row", "sentence"]].iloc[0]
    readings = []
    for method_experiment, other_result in ((experiment, result), *_other_results(experiment)):
        words = other_result.tables["words"]
        victim_words = words[(words["row"] == victim_row["row"]) & (words["sentence"] == victim_row["sentence"])]
        if len(victim_words):
            recovery = inversion.recovered(victim_words, text, int(victim_words["there"].iloc[0]))
            readings.append(MethodRecovery(same_texts.name(method_experiment), recovery))
    _draw(readings, text, "victim-methods", text_name)


def _other_results(experiment: Experiment) -> list[tuple[Experiment, Result]]:
    """Return stored results for the same victims, by other methods or behind other defenses."""
    stored = ((other, stored_results.readable(catalog.key(other))) for other in same_texts.promised(experiment))
    return [(other, result) for other, result in stored if result is not None][: _MOST - 1]


def _draw(readings: list[MethodRecovery], text: str | None, name: str, text_name: str) -> None:
    """Draw the figure where there is more than one method."""
    if len(readings) < 2:
        return
    order = _order(readings, text)
    table = pd.DataFrame(methods.table(readings, order))
    title = f"{methods.TITLE} on {text_name}"
    panels.figure(methods.figure(readings, order), table, name, methods.sentence(readings), title=title)
    wrong = [f"{reading.name}: {', '.join(reading.words.wrong)}" for reading in readings if reading.words.wrong]
    st.caption(literal(_NOTE + ("; ".join(wrong) or "none") + "."))


def _order(readings: list[MethodRecovery], text: str | None) -> list[str]:
    """Return the words of the text in order; without the text, those that are known."""
    if text is not None:
        return list(dict.fromkeys(folded_words(text)))
    return list(dict.fromkeys(word for reading in readings for word in (*reading.words.right, *reading.words.missed)))
