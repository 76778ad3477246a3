"""What pattern reconstruction achieved: each segment beside chance and the paper, or position by position."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard import panels
from dashboard.charts import adversaries, learning, positions, reconstruction, theme
from dashboard.sections import related
from dashboard.words import literal


def show(result: Result, experiment: Experiment) -> None:
    """Draw the headline."""
    st.header("What was read", anchor=False)
    inferred = result.tables["inferred"]
    if len(reconstruction.segments(inferred)) > reconstruction.MOST_APART:
        _positions(result, experiment)
    else:
        _segments(result, experiment)
    said = adversaries.knows(result.experiment)
    st.caption(literal(f"{reconstruction.behind(inferred)}, each asked about once. {said}"))


def live(rows: list[dict[str, Any]]) -> go.Figure:
    """Draw the partial curve of a run that is going on: one line a segment."""
    curve = learning.growing(rows)
    if curve["secret"].nunique() > reconstruction.MOST_APART:
        return positions.figure({"So far": positions.newest(curve)})
    return learning.figure(_lines(curve))


def _segments(result: Result, experiment: Experiment) -> None:
    inferred, asked = result.tables["inferred"], result.experiment
    paper = experiment.dataset.part_name() == "citizen_ids" and not experiment.defenses
    titles: dict[reconstruction.Measure, str] = {"accuracy": "With one guess", "top5": "With five guesses"}
    for column, (measure, title) in zip(st.columns(2, gap="large"), titles.items(), strict=True):
        with column:
            panels.figure(
                reconstruction.figure(inferred, asked, measure, paper=paper),
                reconstruction.bars(inferred, asked, measure, paper=paper),
                measure,
                reconstruction.sentence(inferred, asked, measure),
                title=title,
            )
    if paper:
        st.caption(literal(reconstruction.PAPER_SAYS))


def _positions(result: Result, experiment: Experiment) -> None:
    inferred, attack = result.tables["inferred"], experiment.attack.part_name()
    own = positions.points(inferred, attack, "adaptive")
    lines = {adversaries.name(attack, "adaptive", result.experiment): own}
    naive = positions.points(inferred, attack, "naive")
    if len(naive):
        lines[adversaries.name(attack, "naive", result.experiment)] = naive
    else:
        found, _ = related.by_encoder(experiment, result, lambda _: True)
        lines = {
            name: positions.points(one.result.tables["inferred"], attack, "adaptive") for name, one in found.items()
        }
    panels.estimates(result, {"accuracy": "Letters read", "utility": "Utility: class named"})
    panels.figure(
        positions.figure(lines),
        pd.concat([part.assign(line=name) for name, part in lines.items()]),
        "positions",
        positions.sentence(own, adversaries.mean(inferred, result.experiment)),
        title=positions.TITLE,
    )
    if experiment.dataset.part_name() == "splice" and not experiment.defenses:
        st.caption(literal(reconstruction.PAPER_SAYS_OF_GENOMES))


def curve(result: Result) -> None:
    """Draw how right each classifier was as it was trained."""
    points = result.tables["curve"]
    lines = _lines(points)
    if not lines:
        return
    worst = max(lines, key=lambda name: float(lines[name][0]["accuracy"].iloc[-1]))
    panels.figure(
        learning.figure(lines), points, "passes", learning.growth(_says(worst), lines[worst][0]), title=learning.TITLE
    )


def _says(line: str) -> str:
    secret, _, adversary = line.partition(", ")
    named = (
        "A part is named rightly"
        if secret == reconstruction.called(reconstruction.MEAN).lower()
        else f"The {secret} is named rightly"
    )
    return f"{named} by the {adversary} adversary" if adversary else named


def _lines(curve: pd.DataFrame) -> dict[str, tuple[pd.DataFrame, theme.Mark]]:
    """Return a line for each segment, or the mean where there are many or there are two adversaries."""
    single = [name for name in dict.fromkeys(curve["secret"]) if name != reconstruction.MEAN]
    both = set(curve["adversary"]) == {"adaptive", "naive"}
    shown = [reconstruction.MEAN] if both or len(single) > reconstruction.MOST_APART else single
    names = [
        (secret, adversary) for secret in shown for adversary in (("adaptive", "naive") if both else ("adaptive",))
    ]
    lines = {}
    for (secret, adversary), mark in zip(names, theme.distinct(len(names)), strict=True):
        attack = str(curve["variant"].iloc[0])
        part = learning.points(curve, attack, adversary, secret)
        if len(part):
            said = reconstruction.called(secret).lower()
            lines[f"{said}, {adversary}" if both else said] = (part, mark)
    return lines
