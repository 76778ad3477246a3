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
    """Warn in smaller type, where a screen has room for one line."""
    if caveats := _caveats(prediction):
        with st.container(gap="xsmall", key="caveats"):
            for caveat in caveats:
                st.caption(f":material/warning: {literal(caveat)}")


def _caveats(prediction: Prediction) -> list[str]:
    """Return the first sentence of each warning: what follows may answer what the lesson asks next."""
    entries = [evidence.entry(measured.result) for measured in prediction.measured.values()]
    caveats = dict.fromkeys(entry.experiment.game.caveat() for entry in entries)
    return [f"{caveat.partition('. ')[0].removesuffix('.')}." for caveat in caveats if caveat]
