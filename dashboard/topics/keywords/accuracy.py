"""Accuracy of keyword inference by word, with texts of the same kind beside public ones only, and by epoch."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.experiment import Experiment
from core.result import Result
from core.statistics.wording.naming import lowered
from dashboard.kit import choices, panels, related
from dashboard.kit.figures import adversaries, learning, theme
from dashboard.kit.words import literal
from dashboard.topics.keywords import settings
from dashboard.topics.keywords.figures import false_alarms, keywords

_CHOSEN = "view.curve"
_ESTIMATES = {
    "accuracy": "Accuracy, mean over words",
    "accuracy_naive": "Accuracy, naive adversary",
    "utility": "Utility: classification accuracy",
}
_BOXES = {"white_box": "black_box", "black_box": "white_box"}


def show(result: Result, experiment: Experiment) -> None:
    """Draw the result beside its counterpart with the other knowledge."""
    st.header("Accuracy by keyword", anchor=False)
    st.caption(literal(f"{keywords.behind(result.tables['inferred'])} {adversaries.explanation(result.experiment)}"))
    panels.estimates(result, _ESTIMATES)
    knowledge = settings.knowledge(experiment)
    other, missing = _counterpart(experiment)
    columns = dict(zip(_BOXES, st.columns(2, gap="large"), strict=True)) if other else {knowledge: st.container()}
    with columns[knowledge]:
        _box(result, experiment, knowledge)
    if other is not None:
        with columns[_BOXES[knowledge]]:
            _box(other.result, other.experiment, _BOXES[knowledge])
            st.caption(related.differing(other.experiment))
            related.link(other.experiment, f"Open the result {lowered(keywords.KNOWLEDGE[_BOXES[knowledge]])}")
    else:
        panels.note(keywords.unpaired(_BOXES[knowledge], missing=missing))


def live(rows: list[dict[str, Any]], experiment: Experiment) -> go.Figure:
    """Draw a run in progress: the latest accuracy for each word and classifier."""
    newest = learning.growing(rows).drop_duplicates(["variant", "adversary", "secret"], keep="last")
    drawn = false_alarms if settings.asks_absent(experiment) else keywords
    return drawn.figure(newest.assign(values=(newest["secret"] != adversaries.MEAN).astype(int)), experiment.as_dict())


def _counterpart(experiment: Experiment) -> tuple[related.Related | None, bool]:
    """Return the most similar result with the other knowledge, and whether the catalog has one not computed yet."""
    wanted = _BOXES[settings.knowledge(experiment)]
    stored, missing = related.find(
        experiment,
        lambda other: (
            settings.knowledge(other) == wanted
            and settings.is_plain(other)
            and related.same_data(experiment, other)
            and related.same_encoder(experiment, other)
        ),
    )
    return (stored[0] if stored else None), bool(missing)


def _box(result: Result, experiment: Experiment, knowledge: str) -> None:
    inferred = result.tables["inferred"]
    drawn, bars = keywords.figure(inferred, result.experiment), keywords.bars(inferred, result.experiment)
    sentence = f"{keywords.SAYS[knowledge]} {keywords.sentence(inferred, result.experiment)}"
    panels.figure(drawn, bars, knowledge, sentence, title=keywords.KNOWLEDGE[knowledge])
    if settings.is_plain(experiment) and (paper := keywords.paper(result.experiment)):
        st.caption(literal(paper))


@st.fragment
def curve(result: Result) -> None:
    """Draw the accuracy of each classifier by epoch, for the mean or one word; nothing where none has two epochs."""
    points, experiment = result.tables["curve"], result.experiment
    if not learning.has_course(points):
        return
    absent = bool(experiment["attack"]["absent"])
    if absent:
        points = points.assign(chance=false_alarms.COIN)
    names = {adversaries.MEAN: keywords.MEAN, **{word: word for word in points["secret"] if word != adversaries.MEAN}}
    word = choices.many("Keyword", names, _CHOSEN, width=280)
    lines: dict[str, tuple[pd.DataFrame, theme.Mark]] = {}
    for variant, adversary in points[["variant", "adversary"]].drop_duplicates().itertuples(index=False):
        if adversary == "adaptive" or variant == experiment["attack"]["part"]:
            name = adversaries.name(variant, adversary, experiment)
            part = learning.points(points, variant, adversary, word)
            lines[name] = (part, adversaries.mark(variant, adversary, experiment))
    moved = experiment["attack"]["part"] if experiment["attack"]["classifier"] == "dann" else "dann"
    moving = adversaries.name(moved, "adaptive", experiment)
    attack_points = lines[adversaries.name(experiment["attack"]["part"], "adaptive", experiment)][0]
    sentence = keywords.over_epochs(attack_points, lines[moving][0] if moving in lines else None, absent=absent)
    table = pd.concat([part.assign(line=name) for name, (part, _) in lines.items()])
    panels.figure(learning.figure(lines, moving=moving), table, "passes", sentence, title=learning.TITLE)
