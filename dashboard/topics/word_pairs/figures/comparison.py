"""Results that differ in one setting, drawn together: shadow data, fraction of documents, noise, kind of model."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.result import Result
from core.statistics.intervals import low_of_many
from core.statistics.naming import capitalised, documents
from core.statistics.wording import area, measured_in, percent
from dashboard.kit.figures import intervals, theme, traces
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
_HEIGHT = theme.HEIGHT + 20
_MEASURES = ("accuracy", "low", "high", "auc", "auc_low", "auc_high")
_APART = 0.008
_MOSTLY = 0.75
"""Share of the pairs in which one adversary is right more often, from which on it is said to be the stronger one."""


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
    parts = [(text, _of_size(result, size)) for text, result in results]
    parts = [(text, part) for text, part in parts if len(part)]
    drawing = curve.blank([part for _, part in parts], legend=True, height=_HEIGHT, paper=paper)
    if not parts:
        return theme.empty(drawing, "No result for this size.")
    for (text, part), mark in zip(parts, theme.distinct(len(parts)), strict=True):
        curve.draw(drawing, part, mark, text, f"<b>{text}</b>")
    return drawing.figure()


@once
def fractions(results: Labelled, size: int) -> go.Figure:
    """Draw accuracy against the fraction of a target's documents used, adaptive against not, for one target size."""
    drawing = theme.blank("Part of the target’s documents used", theme.ACCURACY, legend=True, height=_HEIGHT)
    table = fraction_table(results, size)
    theme.accuracies(drawing, table["low"])
    drawing.update_xaxes(range=[0, theme.WHOLE], tickformat=".0%", tickvals=[0, *sorted(set(table["fraction"]))])
    if table.empty:
        return theme.empty(drawing, "No result for this size.")
    for (adaptive, text), mark in zip(((True, "adaptive"), (False, "not adaptive")), theme.distinct(2), strict=True):
        part = table[table["adaptive"] == adaptive]
        if part.empty:
            continue
        x, y = part["fraction"] + (-_APART if adaptive else _APART), part["accuracy"]
        error = intervals.bars(y, part["low"], part["high"], mark.colour)
        hover = [
            f"<b>{text}</b><br>{percent(row.fraction)} used: {measured_in(row, 'accuracy')}" for row in records(part)
        ]
        traces.series(drawing, x, y, mark, size=11, error_y=error, name=text, text=hover)
    return drawing.figure()


@once
def fraction_table(results: Labelled, size: int) -> pd.DataFrame:
    """Return accuracy by fraction used and adversary; with everything used, both adversaries are the same."""
    rows: list[dict[str, Any]] = []
    for _, result in results:
        last = _of_size(result, size).tail(1)
        if last.empty:
            continue
        share = fraction(result.experiment)
        adaptive = bool(result.experiment.get("attack", {}).get("adaptive", True))
        figures = {name: last[name].tolist()[0] for name in _MEASURES}
        rows.extend(
            {"fraction": share, "adaptive": knows, **figures}
            for knows in ((True, False) if share == 1 else (adaptive,))
        )
    columns = ["fraction", "adaptive", *_MEASURES]
    frame = pd.DataFrame(rows, columns=columns).astype({"adaptive": bool})
    return frame.drop_duplicates(["fraction", "adaptive"]).sort_values(["adaptive", "fraction"]).reset_index(drop=True)


@once
def table(results: Labelled, size: int) -> pd.DataFrame:
    """Return the points behind `growth`."""
    parts = [_of_size(result, size).assign(result=text) for text, result in results]
    columns = ["result", "shadows", "accuracy", "low", "high", "auc"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


@once
def growth_sentence(results: Labelled, size: int) -> str:
    """Read the lines aloud where each has its most shadows."""
    ends = [(text, _of_size(result, size).tail(1)) for text, result in results]
    rows = [(text, records(end)[0]) for text, end in ends if end["accuracy"].notna().any()]
    if not rows:
        return "No result for this size."
    accuracies = joined([f"{measured_in(row, 'accuracy')} with “{text}”" for text, row in rows])
    sentence = f"For {documents(size)} the attack is right in {accuracies}; chance is 50%."
    if len(rows) < 2:
        return sentence
    best, worst = max(rows, key=lambda row: row[1].low), min(rows, key=lambda row: row[1].high)
    if best[1].low > worst[1].high:
        return f"{sentence} “{best[0]}” does better than “{worst[0]}” beyond both intervals."
    return f"{sentence} {capitalised(UNDECIDED)}."


@once
def neighbours_sentence(results: Labelled) -> str:
    """Read the utility of the vectors aloud, where measured: the share of nearest neighbours that noise preserves."""
    estimates = [(text, result.estimates.get("neighbours_kept")) for text, result in results]
    shares = [f"{measured_in(estimate)} with “{text}”" for text, estimate in estimates if estimate]
    return f" Of the ten nearest neighbours of a frequent word, {joined(shares)} remain." if shares else ""


@once
def fraction_sentence(results: Labelled, size: int) -> str:
    """Read the fractions aloud."""
    table = fraction_table(results, size)
    if table.empty:
        return "No result for this size."
    smallest = table[table["fraction"] == table["fraction"].min()]
    all_used = table[table["fraction"] == 1].head(1)
    accuracies = [
        f"{measured_in(row, 'accuracy')} {'when adaptive' if row.adaptive else 'when not'}"
        for row in records(smallest.sort_values("adaptive", ascending=False))
    ]
    share = float(smallest["fraction"].iloc[0])
    whole = max(1, round(share * size)) == size  # at least one document is used
    used = f"With {percent(share)} of {documents(size)} used,"
    if whole and share < 1:
        used = f"A target of {documents(size)} is used whole, whatever the share:"
    text = f"{used} the attack is right in {joined(accuracies)}"
    if share < 1 and len(all_used):
        text += f", against {percent(float(all_used['accuracy'].iloc[0]))} when all are used"
    text += "; chance is 50%."
    lows = [low_of_many(row.accuracy, row.low, len(smallest)) for row in records(smallest)]
    if any(low > 0.5 for low in lows) and share < 1 and not whole:
        text += " Using a fraction does not stop the attack."
    return text + _knowing(results, size) + _more_often(results)


def _knowing(results: Labelled, size: int) -> str:
    """Compare the adversary who knows the smallest fraction with one who does not, where both were measured."""
    rows = _smallest(results, size)
    if len(rows) < 2:
        return ""
    knows, unaware = rows[True], rows[False]
    areas = f"AUC {area(knows.auc, knows.auc_low, knows.auc_high)} against "
    areas += area(unaware.auc, unaware.auc_low, unaware.auc_high)
    ranks = _beyond(knows, unaware, "auc_low", "auc_high")
    if not ranks:
        return f" That the adaptive adversary ranks members better or worse is not shown ({areas})."
    text = f" The adaptive adversary ranks members {'better' if ranks > 0 else 'worse'} ({areas})"
    by_size = {other: _smallest(results, other) for other in sizes(results) if other != size}
    unlike = [
        documents(other)
        for other, pair in by_size.items()
        if len(pair) > 1 and _beyond(pair[True], pair[False], "auc_low", "auc_high") != ranks
    ]
    text += f"; that is not shown for {joined(unlike)}" if unlike else ""
    decides = _beyond(knows, unaware, "low", "high")
    text += "" if decides == ranks else f". That it decides {'better' if ranks > 0 else 'worse'} is not shown"
    return f"{text}."


def _more_often(results: Labelled) -> str:
    """Count the fractions and sizes at which the adversary who knows the fraction is right more, or less, often."""
    gaps = []
    for size in sizes(results):
        table = fraction_table(results, size)
        both = table[table["fraction"] < 1].pivot(index="fraction", columns="adaptive", values="accuracy")
        if both.columns.size == 2:
            gaps += (both[True] - both[False]).dropna().tolist()
    more, less = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
    if len(gaps) < 2:
        return ""
    text = (
        f" Of {len(gaps)} pairs of a fraction and a size, knowing the fraction makes the adversary right more often in "
    )
    text += f"{more} and less often in {less}"
    for count, stronger in ((more, "the one who knows it"), (less, "the one who does not")):
        if count >= _MOSTLY * len(gaps):
            return f"{text}: the one to plan for is mostly {stronger}."
    return f"{text}."


def _smallest(results: Labelled, size: int) -> dict[bool, Any]:
    """Return the adversaries at the smallest fraction, by whether they are adaptive."""
    table = fraction_table(results, size)
    return {bool(row.adaptive): row for row in records(table[table["fraction"] == table["fraction"].min()])}


def _beyond(first: Any, second: Any, low: str, high: str) -> int:
    """Return 1 where the first interval lies above the second, −1 where it lies below, 0 where they overlap."""
    above = getattr(first, low) > getattr(second, high)
    return int(above) - int(getattr(first, high) < getattr(second, low))


def _of_size(result: Result, size: int) -> pd.DataFrame:
    rows = points(result.tables["curve"], _attack(result))
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
    attack = {
        name: value for name, value in experiment.get("attack", {}).items() if name not in ("shadow_data", "adaptive")
    }
    model = {name: value for name, value in experiment.get("model", {}).items() if name != "mode"}
    settings = {name: value for name, value in experiment.items() if name not in ("attack", "model", "defenses")}
    return json.dumps([attack, model, settings], sort_keys=True)
