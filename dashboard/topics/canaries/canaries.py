"""The choice of a canary by pattern, repetitions and trial; kept in the address."""

from typing import Any

import pandas as pd
import streamlit as st

from dashboard.kit import choices
from dashboard.kit.figures.tables import records
from dashboard.topics.canaries.figures import canaries

_PATTERN, _REPETITIONS, _TRIAL = "view.secret", "view.repetitions", "view.trial"


def choose(table: pd.DataFrame) -> Any:
    """Draw the choice; return the row of the table ``canaries``. All sections about one canary share the choice."""
    patterns = list(dict.fromkeys(table["pattern"]))
    counts = sorted({int(number) for number in table["repetitions"]})
    trials = sorted({int(number) for number in table["trial"]})
    with st.container(horizontal=True, vertical_alignment="bottom", key="choose-canary"):
        pattern, repetitions, trial = patterns[0], counts[-1], trials[0]
        if len(patterns) > 1:
            pattern = choices.few("Secret", patterns, _PATTERN, called=canaries.pattern_name, default=pattern)
        if len(trials) > 1:
            hint = "Each trial draws its own secrets and trains its own networks."
            trial = choices.many("Trial", trials, _TRIAL, called=lambda at: str(at + 1), width=110, help=hint)
        if len(counts) > 1:
            label = "Shown to the network"
            repetitions = choices.few(label, counts, _REPETITIONS, called=canaries.times, default=repetitions)
    chosen = (table["pattern"] == pattern) & (table["repetitions"] == repetitions) & (table["trial"] == trial)
    return records(table[chosen])[0]
