"""Accuracy of pattern reconstruction: each segment beside chance and the paper, or position by position."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import panels, related
from dashboard.kit.figures import adversaries, encoders, learning, theme
from dashboard.kit.words import literal
from dashboard.topics.patterns.figures import positions, reconstruction


def show(result: Result, experiment: Experiment) -> None:
    """Draw the accuracy of each segment, or of each position where there are many."""
    st.header("What was inferred", anchor=False)
    inferred = result.tables["inferred"]
    if len(reconstruction.segments(inferred)) > adversaries.MOST_APART:
        _positions(result, experiment)
    else:
        _segments(result, experiment)
    explanation = adversaries.explanation(result.experiment)
    st.caption(literal(f"{reconstruction.behind(inferred)}, one query each. {explanation}"))
    if text := encoders.untrained({related.encoder(experiment): result}):
        st.caption(literal(text))


def live(rows: list[dict[str, Any]], experiment: Experiment) -> go.Figure:
    """Draw the curve of a run in progress: a line for each segment."""
    curve = learning.growing(rows)
    if curve["secret"].nunique() > adversaries.MOST_APART:
        return positions.figure({"So far": positions.newest(curve)})
    return learning.figure(_lines(curve))


def _segments(result: Result, experiment: Experiment) -> None:
    inferred, values = result.tables["inferred"], result.experiment
    paper = experiment.dataset.part_name() == "citizen_ids" and not experiment.defenses
    titles: dict[reconstruction.Measure, str] = {"accuracy": "Top-1 accuracy", "top5": "Top-5 accuracy"}
    for column, (measure, title) in zip(st.columns(2, gap="large"), titles.items(), strict=True):
        with column:
            panels.figure(
                reconstruction.figure(inferred, values, measure, paper=paper),
                reconstruction.bars(inferred, values, measure, paper=paper),
                measure,
                reconstruction.sentence(inferred, values, measure),
                title=title,
            )
    if paper:
        st.caption(literal(reconstruction.PAPER_SAYS))


def _positions(result: Result, experiment: Experiment) -> None:
    inferred, attack = result.tables["inferred"], experiment.attack.part_name()
    adaptive = positions.points(inferred, attack, "adaptive")
    lines = {adversaries.name(attack, "adaptive", result.experiment): adaptive}
    naive = positions.points(inferred, attack, "naive")
    if len(naive):
        lines[adversaries.name(attack, "naive", result.experiment)] = naive
    else:
        by_encoder, _ = related.by_encoder(experiment, result, lambda _: True)
        lines = {
            name: positions.points(stored.result.tables["inferred"], attack, "adaptive")
            for name, stored in by_encoder.items()
        }
    panels.estimates(result, {"accuracy": "Letters predicted", "utility": "Utility: class predicted"})
    panels.figure(
        positions.figure(lines),
        pd.concat([part.assign(line=name) for name, part in lines.items()]),
        "positions",
        positions.sentence(adaptive, adversaries.mean(inferred, result.experiment), result.estimates),
        title=positions.TITLE,
    )
    if experiment.dataset.part_name() == "splice" and not experiment.defenses:
        st.caption(literal(reconstruction.PAPER_SAYS_OF_GENOMES))


def curve(result: Result) -> None:
    """Draw the accuracy of each classifier over its epochs."""
    points = result.tables["curve"]
    lines = _lines(points)
    if lines:
        best = max(lines, key=lambda name: float(lines[name][0]["accuracy"].iloc[-1]))
        text = learning.growth(_prediction(best), lines[best][0])
        panels.figure(learning.figure(lines), points, "passes", text, title=learning.TITLE)


def _prediction(line: str) -> str:
    secret, _, adversary = line.partition(", ")
    subject = "A part" if secret == adversaries.secret_name(adversaries.MEAN).lower() else f"The {secret}"
    return f"{subject} is predicted correctly" + (f" by the {adversary} adversary" if adversary else "")


def _lines(curve: pd.DataFrame) -> dict[str, tuple[pd.DataFrame, theme.Mark]]:
    """Return a line for each segment, or their mean line where there are many segments or two adversaries."""
    single = [name for name in dict.fromkeys(curve["secret"]) if name != adversaries.MEAN]
    both = set(curve["adversary"]) == {"adaptive", "naive"}
    secrets = [adversaries.MEAN] if both or len(single) > adversaries.MOST_APART else single
    keys = [
        (secret, adversary) for secret in secrets for adversary in (("adaptive", "naive") if both else ("adaptive",))
    ]
    lines = {}
    for (secret, adversary), mark in zip(keys, theme.distinct(len(keys)), strict=True):
        part = learning.points(curve, str(curve["variant"].iloc[0]), adversary, secret)
        if len(part):
            name = adversaries.secret_name(secret).lower()
            lines[f"{name}, {adversary}" if both else name] = (part, mark)
    return lines
