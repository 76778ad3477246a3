"""What a decoder learnt, whether keywords were found in what it wrote, and what that was."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard import panels
from dashboard.charts import adversaries, decoding, learning, theme
from dashboard.charts.tables import records
from dashboard.sections import victim_texts

if TYPE_CHECKING:
    import plotly.graph_objects as go

_ATTACK = "decoder"
_ALL = "all"


def live(rows: Sequence[dict[str, Any]]) -> "go.Figure":
    """Draw the accuracy of a run that is still going on."""
    return _accuracy(learning.growing(rows), {"attack": {"part": _ATTACK}})


def show(result: Result, experiment: Experiment) -> None:
    """Draw the losses beside the accuracy, then what was written."""
    found, asked = result.tables, result.experiment
    st.header("What it learnt, and what that gives away", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        panels.figure(
            decoding.losses(found["decoding"]),
            found["decoding"],
            "losses",
            decoding.loss_sentence(found["decoding"]),
            title="Loss in training",
        )
    with right:
        panels.figure(
            _accuracy(found["curve"], asked),
            found["curve"],
            "accuracy",
            decoding.verdict(result.estimates["accuracy"]),
            title=learning.TITLE,
        )
    st.caption(decoding.PAPER)
    _written(result, experiment)


def _accuracy(curve: pd.DataFrame, asked: dict[str, Any]) -> "go.Figure":
    """Draw a line for each adversary, over all keywords."""
    lines = {
        adversaries.name(_ATTACK, adversary, asked): (
            learning.points(curve, _ATTACK, adversary, _ALL),
            adversaries.mark(_ATTACK, adversary, asked),
        )
        for adversary in dict.fromkeys(curve["adversary"])
    }
    return learning.figure(lines or {"The attack": (curve, theme.distinct(1)[0])})


def _written(result: Result, experiment: Experiment) -> None:
    """List what was written for each victim, with the keywords that are there and those that were found."""
    decoded, guesses = result.tables["decoded"], result.tables["guesses"]
    if decoded.empty:
        return
    texts = victim_texts.of(experiment, decoded)
    shown = pd.DataFrame(
        [
            {
                "victim": row.victim + 1,
                "decoded": row.words,
                **({"the victim’s text": texts.get(int(row.row), "")} if texts else {}),
                "in the text": _present(guesses, row.victim, "truth"),
                "found": _present(guesses, row.victim, "guess"),
            }
            for row in records(decoded)
        ]
    )
    panels.table(
        shown,
        "decoded",
        decoding.repeats(decoded),
        title="What it wrote",
        column_config={
            "decoded": st.column_config.TextColumn(width="large"),
            "the victim’s text": st.column_config.TextColumn(width="large"),
            "in the text": st.column_config.TextColumn(help="Keywords asked about that stand in the victim’s text."),
            "found": st.column_config.TextColumn(help="Keywords asked about that stand in what was decoded."),
        },
    )
    if not texts:
        st.caption(victim_texts.ABSENT)


def _present(guesses: pd.DataFrame, victim: int, column: str) -> str:
    own = guesses[(guesses["victim"] == victim) & (guesses[column] == "present")]
    return ", ".join(own["secret"])
