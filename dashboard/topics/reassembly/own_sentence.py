"""A sentence of one's own, embedded and read by the classifiers that were trained for the victims."""

import pandas as pd
import streamlit as st

from core.attacks.keyword_inference import KeywordInference
from core.attacks.own_text import OwnText
from core.errors import TelltaleError
from core.experiment import Experiment
from dashboard.kit import panels, running
from dashboard.kit.figures.wording import joined, percent
from dashboard.kit.words import literal
from dashboard.topics.reassembly.figures import reassembly as bars

_TEXT = "view.text"
_LONGEST = 10_000


def show(experiment: Experiment) -> None:
    """Ask for a sentence, and show which keywords its embedding gives away."""
    st.header("Own text", anchor=False)
    st.markdown(
        "Type a sentence. It is embedded as the victims’ texts were, defended if they were, and read by the same "
        "classifiers; these are trained once, so that the first sentence takes longer than the next."
    )
    text = st.text_area(
        "Your sentence",
        OwnText.model_fields["text"].default,
        max_chars=_LONGEST,
        height=80,
        key=_TEXT,
        help="It stays on this machine, among its results.",
    )
    asked = about(experiment, text)
    try:
        result = running.stored(asked.key)
    except TelltaleError as error:
        panels.show_error(error)
        return
    if result is None:
        running.panel(asked)
        return
    found = result.tables["own_text"].rename(columns={"keyword": "word"})
    panels.figure(bars.figure(found), found, "own-sentence", sentence(found), title="What the embedding gives away")


def about(experiment: Experiment, text: str) -> Experiment:
    """Return the experiment that reads a text by the classifiers of another experiment."""
    fields = {name: getattr(experiment.attack, name) for name in KeywordInference.model_fields if name != "rivals"}
    return experiment.replace(attack=OwnText(**fields, text=text))


def sentence(found: pd.DataFrame) -> str:
    """Read the ranking aloud: which words the adversary believes, and which of them are there."""
    believed = found[found["probability"] > 0.5]
    there = found.loc[found["present"], "word"].tolist()
    right = believed.loc[believed["present"], "word"].tolist()
    said = (
        f"The adversary believes {joined([literal(word) for word in believed['word']])}."
        if len(believed)
        else (
            f"The adversary believes none of the keywords; its likeliest is {literal(found['word'].iloc[0])} with "
            f"{percent(float(found['probability'].iloc[0]))}."
        )
    )
    if not there:
        return f"{said} None of them is in the sentence."
    return f"{said} In the sentence: {joined([literal(word) for word in there])}, of which it found {len(right)}."
