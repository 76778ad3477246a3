"""Defenses against recitation: stored results behind each, drawn beside the model without one."""

from functools import partial

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import chart, landing, panels, related, tabs
from dashboard.kit.related import Related
from dashboard.topics.language_models.figures import recited, recited_behind

_NOTE = (
    "Each line is a game of its own, with the same passages and training. De-duplication trains on the first only of "
    "documents that repeat each other, so a passage in many copies is read as often as one in a single copy. Token "
    "dropping never trains on one of four tokens, the same in each copy, so that a continuation goes astray there."
)


def tab(experiment: Experiment, result: Result) -> tabs.Draw | None:
    """Return what the tab of defenses draws; None where there is no stored result to compare with."""
    others = Experiment.model_fields.keys() - {"defenses"}
    stored, _ = related.find(experiment, lambda other: not landing.differing(experiment, other, others))
    compared = [Related(experiment, result), *stored]
    return partial(_draw, compared) if len(stored) else None


def _draw(compared: list[Related]) -> None:
    st.header("Under defenses", anchor=False)
    unit = recited.unit(compared[0].result.experiment["game"])
    points = recited_behind.points(tuple(each.result for each in compared))
    chart.show(recited_behind, points, "recited-defended", unit)
    panels.note(_NOTE)
    with st.container(horizontal=True, gap="medium"):
        for each in compared[1:]:
            related.link(each.experiment, f"Open: {recited_behind.name(each.experiment)}")
