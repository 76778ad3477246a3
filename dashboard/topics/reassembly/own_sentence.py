"""A sentence of the user, embedded and classified like the victims' texts."""

import pandas as pd
import streamlit as st

from core.attacks.keyword_inference import KeywordInference
from core.attacks.own_text import OwnText
from core.errors import TelltaleError
from core.experiment import Experiment
from core.statistics.wording import percent
from dashboard.kit import panels, running, stored_results
from dashboard.kit.figures.wording import joined
from dashboard.kit.words import literal
from dashboard.topics.reassembly.figures import reassembly as bars

_TEXT = "view.text"
_LONGEST = 10_000


def show(experiment: Experiment) -> None:
    """Ask for a sentence, and show which keywords its embedding gives away."""
    st.header("Own text", anchor=False)
    st.markdown(
        "Here a run embeds your sentence like this experiment’s victims’ texts, with the same encoder and defense, and "
        "classifies it with the same classifiers. These are trained once, so only the first sentence takes longer. "
        "“Type a sentence”, above, answers at once instead, with Small BERT and classifiers trained beforehand."
    )
    text = st.text_area(
        "Your sentence",
        OwnText.model_fields["text"].default,
        max_chars=_LONGEST,
        height=80,
        key=_TEXT,
        help="It is stored only on this machine, with its result.",
    )
    classified = about(experiment, text)
    try:
        result = stored_results.load(classified.key)
    except TelltaleError as error:
        panels.show_error(error)
        return
    if result is None:
        running.panel(classified, name="own-run")
        return
    ranked = result.tables["own_text"].rename(columns={"keyword": "word"})
    panels.figure(
        bars.figure(ranked), ranked, "own-sentence", sentence(ranked), title="Keywords revealed by the embedding"
    )


def about(experiment: Experiment, text: str) -> Experiment:
    """Return the experiment that classifies a text with the classifiers of another experiment."""
    fields = {name: getattr(experiment.attack, name) for name in KeywordInference.model_fields if name != "rivals"}
    return experiment.replace(attack=OwnText(**fields, text=text))


def sentence(ranked: pd.DataFrame) -> str:
    """Read the predicted keywords aloud, and those in the sentence."""
    predicted = ranked[ranked["probability"] > 0.5]
    present = ranked.loc[ranked["present"], "word"].tolist()
    right = predicted.loc[predicted["present"], "word"].tolist()
    text = (
        f"The adversary predicts {joined([literal(word) for word in predicted['word']])}."
        if len(predicted)
        else (
            f"The adversary predicts none of the keywords; the most likely is {literal(ranked['word'].iloc[0])} with "
            f"{percent(float(ranked['probability'].iloc[0]))}."
        )
    )
    if not present:
        return f"{text} No keyword is in the sentence."
    return f"{text} In the sentence: {joined([literal(word) for word in present])}, of which it predicted {len(right)}."
