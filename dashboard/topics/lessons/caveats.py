"""What must stand beside a measured value that is not to be taken for more than it is."""

import streamlit as st

from dashboard.kit.words import literal
from dashboard.topics.lessons import evidence
from dashboard.topics.lessons.lesson import Prediction


def show(prediction: Prediction) -> None:
    """Warn of results such as those of a deliberately broken split, each warning once."""
    entries = [evidence.entry(measured.result) for measured in prediction.measured.values()]
    for caveat in dict.fromkeys(entry.experiment.game.caveat() for entry in entries):
        if caveat:
            st.warning(literal(caveat), icon=":material/warning:")
