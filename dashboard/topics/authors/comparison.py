"""The same attack on other authors: stored results, and experiments not computed yet."""

from collections.abc import Collection

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import chart, related
from dashboard.kit.figures.wording import joined
from dashboard.kit.words import literal
from dashboard.topics.authors.figures import comparison as charts


def show(result: Result, experiment: Experiment) -> None:
    """Draw this result and the others, with the words and the majority class, and link to them."""
    available, missing = related.find(experiment, lambda other: other.defenses in (experiment.defenses, ()))
    if not available and not missing:
        return
    st.header(charts.TITLE, anchor=False)
    if available:
        by_label = {_label(experiment): related.Related(experiment, result)}
        for other in available:
            by_label.setdefault(_label(other.experiment, by_label), other)
        results = {name: other.result for name, other in by_label.items()}
        chart.show(charts, charts.bars(results), "authors", drawn=results, title="Accuracy by experiment")
        with st.container(gap="small", key="other-authors"):
            for name, other in list(by_label.items())[1:]:
                related.link(other.experiment, f"Open {name}")
    if missing:
        st.caption(literal(f"Not computed yet: {joined([_label(absent) for absent in missing])}."))


def _label(experiment: Experiment, used: Collection[str] = ()) -> str:
    return charts.label(experiment.as_dict(), experiment.dataset.title, used)
