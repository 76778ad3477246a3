"""Results that differ in one setting, drawn together: shadow data, fraction of documents, noise, kind of model."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.result import Result
from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import capitalised, documents
from dashboard.kit.figures import theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import UNDECIDED, joined
from dashboard.kit.membership.figures import curve
from dashboard.kit.membership.figures.curve import points
from dashboard.kit.shared import once

Topic = Literal["proxy", "fraction", "noise", "mode"]
Labelled = Sequence[tuple[str, Result]]

TITLES: dict[Topic, str] = {
    "proxy": "Other shadow data (Figure 4)",
    "fraction": "Part of the documents (Figure 5)",
    "noise": "Noise on the word vectors",
    "mode": "CBOW and skip-gram",
}
PAPER: dict[Topic, str] = {
    "proxy": "The paper’s text on its Figure 4, with Avocado for shadow data: “the knowledge of the exact distribution "
    "is not crucial to the attack if enough number of shadow models are trained”. It reports no number.",
    "fraction": "The paper plots its Figure 5 without numbers.",
    "noise": "The paper does not test noise. Like subsampling of documents, noise is a heuristic; private training "
    "alone is a guarantee, and there is none for word2vec here.",
    "mode": "The paper’s text: accuracy “around 90%”, and “a plateau after 200 shadow models”. It plots its curves "
    "without numbers.",
}
"""The same comparison in the paper (Mahloujifar et al. 2021)."""
_DEFENSES: Mapping[Topic, str] = {"fraction": "subsampling", "noise": "vector_noise"}
HEIGHT = theme.HEIGHT + 20
"""Of each comparison, in pixels."""


def differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> set[str]:
    """Return what two experiments, given as plain values, differ in: topics of a comparison, or ``other``."""
    differing = set()
    if _shadow_data(first) != _shadow_data(second):
        differing.add("proxy")
    if _defended(first) != _defended(second):
        defended = (topic for topic, part in _DEFENSES.items() if _only(part, first, second))
        differing.add(next(defended, "other"))
    if first.get("model", {}).get("mode") != second.get("model", {}).get("mode"):
        differing.add("mode")
    if _other_settings(first) != _other_settings(second):
        differing.add("other")
    return differing


def topics(experiment: Mapping[str, Any], candidate: Mapping[str, Any]) -> list[Topic]:
    """Return the topics under which a candidate is to be drawn beside the experiment on the page."""
    differing = differences(experiment, candidate)
    return [topic for topic in TITLES if differing <= {topic}]


def label(topic: Topic, experiment: Mapping[str, Any]) -> str:
    """Return what sets an experiment apart under a topic."""
    if topic == "mode":
        return str(experiment.get("model", {}).get("mode", "model")).replace("_", "-").replace("cbow", "CBOW")
    if topic == "proxy":
        proxy = _shadow_data(experiment)
        return str(proxy.get("part", "proxy")).replace("_", " ") if proxy else "same source"
    adaptive = "adaptive" if experiment.get("attack", {}).get("adaptive", True) else "not adaptive"
    if topic == "noise":
        scales = [
            f"{step['scale']:g}" for step in experiment.get("defenses", []) if step.get("part") == _DEFENSES[topic]
        ]
        return f"noise {' and '.join(scales)}, {adaptive}" if scales else "no noise"
    return f"{percent(fraction(experiment))}, {adaptive}"


def fraction(experiment: Mapping[str, Any]) -> float:
    """Return the share of a target's documents that the trainer uses."""
    shares = [step["fraction"] for step in experiment.get("defenses", []) if step.get("part") == "subsampling"]
    return float(np.prod(shares)) if shares else 1.0


@once
def sizes(results: Labelled) -> list[int]:
    """Return the target sizes that all results share."""
    by_result = [set(points(result.tables["curve"], _attack(result))["size"]) for _, result in results]
    return sorted(int(size) for size in set.intersection(*by_result)) if by_result else []


@once
def growth(results: Labelled, size: int, *, paper: bool = False) -> go.Figure:
    """Draw accuracy against shadow pairs, one line a result, for one target size.

    Args:
        results: Each result with its name.
        size: Documents of a target.
        paper: Whether to show the accuracy that the paper's text states.
    """
    parts = [(text, of_size(result, size)) for text, result in results]
    parts = [(text, part) for text, part in parts if len(part)]
    drawing = curve.blank([part for _, part in parts], legend=True, height=HEIGHT, paper=paper)
    if not parts:
        return theme.empty(drawing, "No result for this size.")
    for (text, part), mark in zip(parts, theme.distinct(len(parts)), strict=True):
        curve.draw(drawing, part, mark, text, f"<b>{text}</b>")
    return drawing.figure()


@once
def table(results: Labelled, size: int) -> pd.DataFrame:
    """Return the points behind `growth`."""
    parts = [of_size(result, size).assign(result=text) for text, result in results]
    columns = ["result", "shadows", "accuracy", "low", "high", "auc"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


@once
def growth_sentence(results: Labelled, size: int) -> str:
    """Read the lines aloud where each has its most shadows."""
    ends = [(text, of_size(result, size).tail(1)) for text, result in results]
    rows = [(text, records(end)[0]) for text, end in ends if end["accuracy"].notna().any()]
    if not rows:
        return "No result for this size."
    accuracies = joined([f"{measured_in(row, 'accuracy')} with “{text}”" for text, row in rows])
    sentence = f"For {documents(size)} the attack is right in {accuracies}; chance is 50%."
    if len(rows) < 2:
        return sentence
    beaten = {
        text: [f"“{other}”" for other, worse in rows if worse.high < better.low]
        for text, better in sorted(rows, key=lambda row: -row[1].low)
    }
    clauses = [f"“{text}” does better than {joined(others)}" for text, others in beaten.items() if others]
    if clauses:
        return f"{sentence} {'; '.join(clauses)} beyond both intervals."
    return f"{sentence} {capitalised(UNDECIDED)}."


@once
def neighbours_sentence(results: Labelled) -> str:
    """Read the utility of the vectors aloud, where measured: the share of nearest neighbours that noise preserves."""
    estimates = [(text, result.estimates.get("neighbours_kept")) for text, result in results]
    shares = [f"{measured_in(estimate)} with “{text}”" for text, estimate in estimates if estimate]
    return f" Of the ten nearest neighbours of a frequent word, {joined(shares)} remain." if shares else ""


@once
def of_size(result: Result, size: int, variant: str = "") -> pd.DataFrame:
    """Return the accuracies of a result by shadow pairs, for targets of one size: the attack's, or a variant's."""
    rows = points(result.tables["curve"], variant or _attack(result))
    return rows[rows["size"] == size]


def _attack(result: Result) -> str:
    return str(result.experiment["attack"]["part"])


def _shadow_data(experiment: Mapping[str, Any]) -> Any:
    return experiment.get("attack", {}).get("shadow_data")


def _defended(experiment: Mapping[str, Any]) -> str:
    """Return the defenses and whether the adversary knows them; without defenses there is nothing to know."""
    defenses = experiment.get("defenses", [])
    adaptive = experiment.get("attack", {}).get("adaptive", True) if defenses else True
    return json.dumps([defenses, adaptive], sort_keys=True)


def _only(part: str, *experiments: Mapping[str, Any]) -> bool:
    return all(step.get("part") == part for experiment in experiments for step in experiment.get("defenses", []))


def _other_settings(experiment: Mapping[str, Any]) -> str:
    # A further adversary changes nothing of the others, but what else the models of a pool hold.
    compared = ("shadow_data", "adaptive", "calibrated", "averaged", "known_outs")
    attack = {name: value for name, value in experiment.get("attack", {}).items() if name not in compared}
    model = {name: value for name, value in experiment.get("model", {}).items() if name != "mode"}
    settings = {name: value for name, value in experiment.items() if name not in ("attack", "model", "defenses")}
    return json.dumps([attack, model, settings], sort_keys=True)
