"""Training of a decoder, accuracy of keyword inference from its texts, and the texts themselves."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import chart, panels
from dashboard.kit.figures import adversaries, learning, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.texts import victim_texts
from dashboard.topics.inversion.figures import decoding

_ATTACK = "decoder"
_ALL = "all"


def live(rows: list[dict[str, Any]], experiment: Experiment) -> go.Figure:
    """Draw the accuracy of a run in progress."""
    return _accuracy(learning.growing(rows), experiment.as_dict())


def show(result: Result, experiment: Experiment) -> None:
    """Draw the accuracy, then the decoded texts."""
    curve = result.tables["curve"]
    st.header("Keywords in decoded texts", anchor=False)
    sentence = decoding.verdict(result.estimates["accuracy"])
    panels.figure(_accuracy(curve, result.experiment), curve, "accuracy", sentence, title=learning.TITLE)
    st.caption(decoding.PAPER)
    _texts(result, experiment)


def trained(result: Result) -> None:
    """Draw the losses by epoch."""
    st.header("Training of the decoder", anchor=False)
    chart.show(decoding, result.tables["decoding"], "losses")


def _accuracy(curve: pd.DataFrame, experiment: dict[str, Any]) -> go.Figure:
    """Draw a line for each adversary, over all keywords."""
    lines = {
        adversaries.name(_ATTACK, adversary, experiment): (
            learning.points(curve, _ATTACK, adversary, _ALL),
            adversaries.mark(_ATTACK, adversary, experiment),
        )
        for adversary in dict.fromkeys(curve["adversary"])
    }
    return learning.figure(lines or {"The attack": (curve, theme.distinct(1)[0])})


def _texts(result: Result, experiment: Experiment) -> None:
    """List the text decoded for each victim, with the keywords present and those inferred."""
    decoded, guesses = result.tables["decoded"], result.tables["guesses"]
    if decoded.empty:
        return
    texts = victim_texts.of(experiment, decoded)
    table = pd.DataFrame(
        [
            {
                "victim": row.victim + 1,
                "decoded": row.words,
                **({"the victim’s text": texts.get(int(row.row), "")} if texts else {}),
                "in the text": _present(guesses, row.victim, "truth"),
                "inferred": _present(guesses, row.victim, "guess"),
            }
            for row in records(decoded)
        ]
    )
    panels.table(
        table,
        "decoded",
        decoding.repeats(decoded),
        title="Decoded texts",
        column_config={
            "decoded": st.column_config.TextColumn(width="large"),
            "the victim’s text": st.column_config.TextColumn(width="large"),
            "in the text": st.column_config.TextColumn(help="Tested keywords in the victim’s text."),
            "inferred": st.column_config.TextColumn(help="Tested keywords in the decoded text."),
        },
    )
    if not texts:
        st.caption(victim_texts.ABSENT)


def _present(guesses: pd.DataFrame, victim: int, column: str) -> str:
    matching = guesses[(guesses["victim"] == victim) & (guesses[column] == "present")]
    return ", ".join(matching["secret"])
