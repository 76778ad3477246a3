"""Tables 1 to 3 of the paper on classifiers, with the stored results of the same settings beside them."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import panels, related
from dashboard.kit.membership.figures import sizes
from dashboard.kit.words import literal
from dashboard.topics.probing.figures import paper
from dashboard.topics.probing.figures.paper import SETTINGS


def show(result: Result, experiment: Experiment) -> None:
    """Draw both settings beside each other, and the table of the classifiers' own accuracy."""
    st.header("Beside the paper", anchor=False)
    results: dict[str, Result | None] = {}
    for setting, column in zip(SETTINGS, st.columns(len(SETTINGS), gap="large"), strict=True):
        here, missing = related.find(experiment, setting.fits)
        if setting.fits(experiment):
            here.insert(0, related.Related(experiment, result))
        ours = here[0].result if here else None
        results[setting.name] = ours
        with column:
            panels.figure(
                paper.figure(setting, ours),
                sizes.table(paper.lines(setting, ours)),
                f"paper-{setting.name}",
                paper.sentence(setting, ours),
                title=setting.title,
            )
            if here and here[0].experiment != experiment:
                related.link(here[0].experiment, "Open our result")
                st.caption(related.differing(here[0].experiment))
            elif missing and not here:
                related.link(missing[0], "Open the experiment, and run it")
    panels.table(
        paper.quality(results),
        "paper-quality",
        paper.quality_sentence(results),
        title="The classifier at its own task (Table 3)",
    )
    said = [paper.SAYS]
    if not any(setting.fits(experiment) for setting in SETTINGS):
        said.insert(0, f"The experiment above is on “{experiment.dataset.title}” and stands in neither setting.")
    st.caption(literal(" ".join(said)))
