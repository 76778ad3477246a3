"""The same attack on other encoders, where the catalogue has results, and the encoders without one."""

from collections.abc import Callable

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import chart, related
from dashboard.kit.figures import encoders
from dashboard.kit.figures.wording import joined
from dashboard.kit.words import literal


def show(result: Result, experiment: Experiment, fits: Callable[[Experiment], bool] = lambda _: True) -> None:
    """Draw one group of bars for each encoder, with experiments on the same data that fit."""
    stored, missing = related.by_encoder(experiment, result, fits)
    if len(stored) < 2 and not missing:
        return
    st.header(encoders.TITLE, anchor=False)
    if len(stored) > 1:
        results = {name: other.result for name, other in stored.items()}
        title = f"{experiment.dataset.title}: accuracy by encoder"
        chart.show(encoders, encoders.bars(results), "encoders", drawn=results, title=title)
        for text in filter(None, (encoders.pooled(results), encoders.untrained(results))):
            st.caption(literal(text))
    differing = related.settings_differ(experiment, [other.experiment for other in list(stored.values())[1:]])
    lines = [f"{joined(labels)} for {joined(names)}" for labels, names in differing.items()]
    if lines:
        st.caption(literal(f"Other settings also differ: {'; '.join(lines)}."))
    if missing:
        st.caption(literal(f"Not computed yet: {joined(missing)}."))
