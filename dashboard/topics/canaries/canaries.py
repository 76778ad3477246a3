"""The choice of a canary, by what it looks like, how often it was shown and its trial; kept in the address."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

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
            _kept(_PATTERN, patterns)
            pattern = st.segmented_control(
                "Secret",
                patterns,
                format_func=canaries.called,
                key=_PATTERN,
                bind="query-params",
                default=pattern,
                required=True,
            )
        if len(trials) > 1:
            _kept(_TRIAL, trials)
            trial = st.selectbox(
                "Trial",
                trials,
                format_func=lambda number: str(number + 1),
                key=_TRIAL,
                bind="query-params",
                width=110,
                help="Each trial has secrets and networks of its own.",
            )
        if len(often) > 1:
            _kept(_REPETITIONS, often)
            repetitions = st.segmented_control(
                "Shown to the network",
                often,
                format_func=canaries.times,
                key=_REPETITIONS,
                bind="query-params",
                default=repetitions,
                required=True,
            )
    own = (told["pattern"] == pattern) & (told["repetitions"] == repetitions) & (told["trial"] == trial)
    return records(told[own])[0]


def _kept(key: str, options: Sequence[Any]) -> None:
    """Forget a choice that is not on offer any more."""
    if st.session_state.get(key) not in options:
        st.session_state.pop(key, None)
