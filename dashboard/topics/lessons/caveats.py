"""What must stand beside a measured value that is not to be taken for more than it is."""

import streamlit as st

from dashboard.kit.words import literal
from dashboard.topics.lessons import evidence
from dashboard.topics.lessons.lesson import Prediction


def show(prediction: Prediction) -> None:
    """Warn of results such as those of a deliberately broken split, each warning once."""
    for caveat in _caveats(prediction):
        st.warning(literal(caveat), icon=":material/warning:")


def briefly(prediction: Prediction) -> None:
    """Warn by the first sentence alone, where a screen has room for one line."""
    if caveats := _caveats(prediction):
        with st.container(gap="xsmall", key="caveats"):
            for caveat in caveats:
                st.caption(f":material/warning: {literal(caveat.partition('. ')[0])}.")


def _caveats(prediction: Prediction) -> list[str]:
    entries = [evidence.entry(measured.result) for measured in prediction.measured.values()]
    return list(filter(None, dict.fromkeys(entry.experiment.game.caveat() for entry in entries)))
