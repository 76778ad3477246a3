"""Tables 1 to 3 of Mahloujifar et al. 2021, with our stored results in the same settings."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import chart, glossary, panels, related
from dashboard.kit.membership.figures import sizes
from dashboard.kit.words import literal
from dashboard.topics.probing.figures import paper
from dashboard.topics.probing.figures.paper import SETTINGS


def show(result: Result, experiment: Experiment) -> None:
    """Draw both settings side by side, and the accuracy of the classifiers as a table."""
    st.header("Comparison with the paper", anchor=False)
    results: dict[str, Result | None] = {}
    for setting, column in zip(SETTINGS, st.columns(len(SETTINGS), gap="large"), strict=True):
        stored, missing = related.find(experiment, setting.fits)
        if setting.fits(experiment):
            stored.insert(0, related.Related(experiment, result))
        ours = stored[0].result if stored else None
        results[setting.name] = ours
        with column:
            table = sizes.table(paper.lines(setting, ours))
            chart.show(paper, table, f"paper-{setting.name}", ours, drawn=setting, title=setting.title)
            if stored and stored[0].experiment != experiment:
                related.link(stored[0].experiment, "Open our result")
                st.caption(related.differing(stored[0].experiment))
            elif missing and not stored:
                related.link(missing[0], "Open the experiment, and run it")
    title = "Accuracy of the classifier (Table 3)"
    panels.table(paper.quality(results), "paper-quality", paper.quality_sentence(results), title=title)
    notes = [paper.NOTE]
    if not any(setting.fits(experiment) for setting in SETTINGS):
        owners = ", with documents of one owner each as targets" if paper.of_owners(experiment) else ""
        notes.insert(0, f"The experiment above, on “{experiment.dataset.title}”{owners}, is in neither setting.")
    st.caption(literal(" ".join(notes)), help=glossary.explained(paper.NOTE))
