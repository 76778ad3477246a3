"""The choice of a canary, by what it looks like, how often it was shown and its trial; kept in the address."""

from typing import Any

import pandas as pd
import streamlit as st

from dashboard.kit import choices
from dashboard.kit.figures.tables import records
from dashboard.topics.canaries.figures import canaries

_PATTERN, _REPETITIONS, _TRIAL = "view.secret", "view.repetitions", "view.trial"


def choose(told: pd.DataFrame) -> Any:
    """Return the row of the canary that is looked at: one choice for all sections about a single one.

    Args:
        told: The table ``canaries``.
    """
    patterns = list(dict.fromkeys(told["pattern"]))
    often = sorted({int(number) for number in told["repetitions"]})
    trials = sorted({int(number) for number in told["trial"]})
    with st.container(horizontal=True, vertical_alignment="bottom", key="choose-canary"):
        pattern, repetitions, trial = patterns[0], often[-1], trials[0]
        if len(patterns) > 1:
            pattern = choices.few("Secret", patterns, _PATTERN, called=canaries.called, default=pattern)
        if len(trials) > 1:
            trial = choices.many(
                "Trial",
                trials,
                _TRIAL,
                called=lambda number: str(number + 1),
                width=110,
                help="Each trial has secrets and networks of its own.",
            )
        if len(often) > 1:
            repetitions = choices.few(
                "Shown to the network", often, _REPETITIONS, called=canaries.times, default=repetitions
            )
    own = (told["pattern"] == pattern) & (told["repetitions"] == repetitions) & (told["trial"] == trial)
    return records(told[own])[0]
