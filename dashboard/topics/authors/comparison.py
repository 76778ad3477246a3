"""The same attack on other authors, where the catalogue has results; and which it lacks."""

from collections.abc import Collection

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import panels, related
from dashboard.kit.figures.wording import joined
from dashboard.kit.words import literal
from dashboard.topics.authors.figures import comparison as charts


def show(result: Result, experiment: Experiment) -> None:
    """Draw this result and the others, with what the words give and chance, and link to them."""
    here, missing = related.find(experiment, lambda other: other.defenses in (experiment.defenses, ()))
    if not here and not missing:
        return
    st.header(charts.TITLE, anchor=False)
    if here:
        shown = {_label(experiment): related.Related(experiment, result)}
        for one in here:
            shown.setdefault(_label(one.experiment, shown), one)
        results = {name: one.result for name, one in shown.items()}
        panels.figure(
            charts.figure(results),
            lambda: charts.bars(results),
            "authors",
            charts.sentence(results),
            title="Right answers beside other experiments",
        )
        with st.container(gap="small", key="other-authors"):
            for name, one in list(shown.items())[1:]:
                related.link(one.experiment, f"Open {name}")
    if missing:
        said = joined([_label(one) for one in missing])
        st.caption(literal(f"Promised, but not computed here yet: {said}."))


def _label(experiment: Experiment, taken: Collection[str] = ()) -> str:
    return charts.label(experiment.as_dict(), experiment.dataset.title, taken)
