"""A sentence of one's own that a run classifies: its experiment, what it gave away, and the way back to its run."""

from typing import Any

import pandas as pd
import streamlit as st

from core.attacks.keyword_inference import KeywordInference
from core.attacks.own_text import OwnText
from core.errors import TelltaleError
from core.experiment import Experiment
from core.result import Result
from core.runtime.store import Store
from core.statistics.wording import percent
from dashboard import navigation
from dashboard.kit import address, links, running, stored_results, visitors
from dashboard.kit.figures.wording import joined
from dashboard.kit.words import literal

RUN = f"{address.VIEW}own"
"""Parameter of the address that names the run of a sentence by its key, so that no address holds the sentence."""
_FOREIGN = "This link names the run of a sentence that is no longer listed, or not yours: only who typed it sees it."


def about(experiment: Experiment, text: str) -> Experiment:
    """Return the experiment that classifies a text with the classifiers of another experiment."""
    return experiment.replace(attack=OwnText(**_settings(experiment), text=text))


def ranked(result: Result) -> pd.DataFrame:
    """Return the keywords with their probability in the sentence of a result, the likeliest first."""
    return result.tables["own_text"].rename(columns={"keyword": "word"})


def sentence(words: pd.DataFrame) -> str:
    """Read the predicted keywords aloud, and those in the sentence."""
    predicted = words[words["probability"] > 0.5]
    present = words.loc[words["present"], "word"].tolist()
    right = predicted.loc[predicted["present"], "word"].tolist()
    text = (
        f"The adversary predicts {joined([literal(word) for word in predicted['word']])}."
        if len(predicted)
        else (
            f"The adversary predicts none of the keywords; the most likely is {literal(words['word'].iloc[0])} with "
            f"{percent(float(words['probability'].iloc[0]))}."
        )
    )
    if not present:
        return f"{text} No keyword is in the sentence."
    return f"{text} In the sentence: {joined([literal(word) for word in present])}, of which it predicted {len(right)}."


def page_link(experiment: Experiment, key: str = "") -> None:
    """Link the page where the sentence of an experiment was typed.

    Args:
        experiment: It classifies a sentence.
        key: Key of the visitor's run of it, whose sentence the page then shows; empty for that of somebody else.
    """
    if (page := navigation.page_of(KeywordInference.part_name())) is not None:
        query = links.written(_typed_on(experiment), Store())
        named = {RUN: key} if key else {}
        st.page_link(page.path, label="Open", icon=":material/open_in_new:", query_params={**query, **named})


def _typed_on(experiment: Experiment) -> Experiment:
    """Return the experiment on whose page a sentence was typed, with the other classifiers or without them."""
    settings = _settings(experiment)
    alike = [experiment.replace(attack=KeywordInference(**settings, rivals=rivals)) for rivals in (False, True)]
    return next((each for each in alike if stored_results.readable(each.key) is not None), alike[0])


def _settings(experiment: Experiment) -> dict[str, Any]:
    """Return the settings that keyword inference and the classification of a sentence have in common."""
    return {name: getattr(experiment.attack, name) for name in KeywordInference.model_fields if name != "rivals"}


def linked() -> str | None:
    """Return the sentence of the run that the address names, None without one; say so if it is not the visitor's."""
    if not (key := st.query_params.get(RUN, "")):
        return None
    job = running.found(key)
    if job is not None and visitors.current().owns(job):
        try:
            attack = Experiment.parse(job.experiment).attack
        except TelltaleError:
            attack = None
        if isinstance(attack, OwnText):
            return attack.text
    st.caption(_FOREIGN)
    return None


def unlink() -> None:
    """Drop the run from the address; for the moment when another sentence is typed."""
    if RUN in st.query_params:
        del st.query_params[RUN]
