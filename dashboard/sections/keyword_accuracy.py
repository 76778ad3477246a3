"""What keyword inference achieved for each word, white box beside black box, and how it moved with training."""

from collections.abc import Callable
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard import panels, running
from dashboard.charts import adversaries, keywords, learning, theme
from dashboard.sections import related
from dashboard.words import literal

_CHOSEN = "view.curve"
_MEAN = "all"
_BOXES = {"white_box": "black_box", "black_box": "white_box"}


def show(result: Result, experiment: Experiment) -> None:
    """Draw the result beside its counterpart with the other knowledge."""
    st.header("Which words were told", anchor=False)
    st.caption(literal(f"{keywords.behind(result.findings['inferred'])} {adversaries.knows(result.experiment)}"))
    panels.estimates(
        result,
        {"accuracy": "Right, mean over words", "accuracy_naive": "Naive adversary", "utility": "Utility: class named"},
    )
    knowledge = _knowledge(experiment)
    other, missing = _counterpart(experiment)
    columns = dict(zip(_BOXES, st.columns(2, gap="large"), strict=True)) if other else {knowledge: st.container()}
    with columns[knowledge]:
        _box(result, knowledge)
    if other is not None:
        with columns[_BOXES[knowledge]]:
            _box(other.result, _BOXES[knowledge])
            st.caption(related.differing(other.experiment))
            related.link(other.experiment, f"Open the {keywords.KNOWLEDGE[_BOXES[knowledge]].lower()}")
    else:
        lack = "is promised, but not computed here yet" if missing else "is not among the precomputed results"
        box = keywords.KNOWLEDGE[_BOXES[knowledge]].lower()
        st.caption(f"The {box} on the same texts and encoder {lack}.")


def live(experiment: Experiment) -> running.LiveChart:
    """Return what draws a run that is going on: the newest figure for each word and classifier."""

    def draw(rows: list[dict[str, Any]]) -> go.Figure:
        newest = learning.growing(rows).drop_duplicates(["variant", "adversary", "secret"], keep="last")
        return keywords.figure(newest.assign(values=(newest["secret"] != _MEAN).astype(int)), experiment.as_dict())

    return draw


def same_knowledge(asked: Experiment) -> Callable[[Experiment], bool]:
    """Return what tells whether the adversary of another experiment holds the same kind of texts."""
    return lambda other: _knowledge(other) == _knowledge(asked)


def _knowledge(experiment: Experiment) -> str:
    return str(experiment.as_dict()["attack"]["knowledge"])


def _counterpart(asked: Experiment) -> tuple[related.Related | None, bool]:
    """Return the result with the other knowledge that is most like the one asked for, and whether one is promised."""
    wanted = _BOXES[_knowledge(asked)]
    here, missing = related.find(
        asked,
        lambda other: (
            _knowledge(other) == wanted and related.same_data(asked, other) and related.same_encoder(asked, other)
        ),
    )
    return (here[0] if here else None), bool(missing)


def _box(result: Result, knowledge: str) -> None:
    inferred = result.findings["inferred"]
    panels.figure(
        keywords.figure(inferred, result.experiment), keywords.bars(inferred, result.experiment), knowledge,
        f"{keywords.SAYS[knowledge]} {keywords.sentence(inferred, result.experiment)}",
        title=keywords.KNOWLEDGE[knowledge],
    )  # fmt: skip


@st.fragment
def curve(result: Result) -> None:
    """Draw how right each classifier was as it was trained, for the mean or one word."""
    points, asked = result.findings["curve"], result.experiment
    words = [_MEAN, *(name for name in dict.fromkeys(points["secret"]) if name != _MEAN)]
    if st.session_state.get(_CHOSEN) not in words:
        st.session_state.pop(_CHOSEN, None)
    word = st.selectbox(
        "Word whose training is shown", words, key=_CHOSEN, bind="query-params", width=280,
        format_func=lambda name: keywords.MEAN if name == _MEAN else name,
    )  # fmt: skip
    lines: dict[str, tuple[pd.DataFrame, theme.Mark]] = {}
    for variant, adversary in points[["variant", "adversary"]].drop_duplicates().itertuples(index=False):
        if adversary == "adaptive" or variant == asked["attack"]["part"]:
            name = adversaries.name(variant, adversary, asked)
            part = learning.points(points, variant, adversary, word)
            lines[name] = (part, adversaries.mark(variant, adversary, asked))
    moving = _moving(asked)
    own = lines[adversaries.name(asked["attack"]["part"], "adaptive", asked)][0]
    said = learning.moves(lines[moving][0]) if moving in lines else ""
    if not said:
        said = learning.growth("The attack is right", own)
    panels.figure(
        learning.figure(lines, moving=moving), pd.concat([part.assign(line=name) for name, (part, _) in lines.items()]),
        "passes", said, title=learning.TITLE,
    )  # fmt: skip


def _moving(asked: dict[str, Any]) -> str:
    own = asked["attack"]["part"] if asked["attack"]["classifier"] == "dann" else "dann"
    return adversaries.name(own, "adaptive", asked)
