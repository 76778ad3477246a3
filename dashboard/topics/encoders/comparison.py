"""The same attack on other encoders, where the catalogue has results; and which it lacks."""

from collections.abc import Callable

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import panels, related
from dashboard.kit.figures import encoders
from dashboard.kit.figures.wording import joined
from dashboard.kit.words import literal


def show(result: Result, experiment: Experiment, fits: Callable[[Experiment], bool] = lambda _: True) -> None:
    """Draw one group of bars for each encoder.

    Args:
        result: The one that is looked at.
        experiment: What it answers.
        fits: Which promised experiments on the same data may stand beside it.
    """
    found, missing = related.by_encoder(experiment, result, fits)
    if len(found) < 2 and not missing:
        return
    st.header(encoders.TITLE, anchor=False)
    if len(found) > 1:
        results = {name: one.result for name, one in found.items()}
        panels.figure(
            encoders.figure(results),
            encoders.bars(results),
            "encoders",
            encoders.sentence(results),
            title=f"{experiment.dataset.title}: right answers by encoder",
        )
    unlike = related.settings_differ(experiment, [one.experiment for one in list(found.values())[1:]])
    if unlike:
        st.caption(literal(f"Other settings than here, too, for {joined(unlike)}."))
    if missing:
        beside = (
            "Promised, but not computed here yet" if len(found) > 1 else "No other result is here yet; promised are"
        )
        st.caption(literal(f"{beside}: {joined(missing)}."))
