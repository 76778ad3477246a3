"""What the adversaries of a game of translations are called, and how they look in every figure."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from dashboard.kit.examples.figures.rules import Series
from dashboard.kit.figures import theme
from dashboard.kit.figures.tables import records
from dashboard.kit.words import spoken

ANSWER = "answer"
"""Stands for the classifier that the adversary trusts, which may be another after other numbers of passes."""
RATIO = ("calibrated_reference", "likelihood_ratio")
CLASSIFIERS = {
    "perceptron": "Perceptron",
    "decision_tree": "Decision tree",
    "naive_bayes": "Naive Bayes",
    "nearest_neighbours": "Nearest neighbours",
    "mlp": "Multi-layer perceptron",
    "random_forest": "Random forest",
}
"""In the order of the paper's Table 2; of the random forest it prints nothing."""
FEATURES = {
    "overlap": "Overlap with the reference (Table 2)",
    "overlap_and_score": "Overlap and the translation’s score (Table 3)",
    "several_queries": "Overlap, and with words left out",
}
"""What classifiers look at."""
_SHOWN = {
    (ANSWER, ANSWER): "Bob’s classifier",
    ("bleu", "one_threshold"): "BLEU alone",
    ("reference", "one_threshold"): "Probability of the reference",
    RATIO: "Likelihood ratio of the reference",
    ("centred_reference", "one_threshold"): "Calibrated within each subcorpus (ours)",
    ("perturbed_mean", "one_threshold"): "BLEU with words left out",
}
_OTHERS = {
    ("score", "one_threshold"): "Score of the translation",
    ("calibrated_reference", "one_threshold"): "Probability of the reference, less the shadows’",
}
_MARKS = dict(zip(_SHOWN, theme.distinct(len(_SHOWN)), strict=True))


def keyed(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table in which the adversary's classifier bears one name, as `Series` looks for it."""
    keys = {
        "statistic": frame["features"].where(~frame["answer"], ANSWER),
        "rule": frame["rule"].where(~frame["answer"], ANSWER),
    }
    return frame.assign(classifier=frame["rule"].where(frame["answer"], ""), **keys)


def drawn(table: pd.DataFrame) -> list[Series]:
    """Return which of the methods of a `keyed` table figures show, the adversary's classifier first."""
    present = set(zip(table["statistic"], table["rule"], strict=True))
    return [Series(*key, name, _MARKS[key]) for key, name in _SHOWN.items() if key in present]


def name(features: str, rule: str) -> str:
    """Return what a method is called.

    >>> name("bleu", "one_threshold"), name("overlap", "mlp")
    ('BLEU alone', 'Multi-layer perceptron')
    """
    known = {**_SHOWN, **_OTHERS}
    return known.get((features, rule)) or CLASSIFIERS.get(rule) or f"{spoken(features)}, {spoken(rule).lower()}"


def standard(methods: pd.DataFrame) -> Any:
    """Return the row of the likelihood ratio where the service gives probabilities, else of the adversary's classifier.

    It is not chosen by what is found of the target models, which would flatter it.
    """
    return max(records(methods), key=lambda row: ((row.features, row.rule) == RATIO, row.answer))


def features(frame: pd.DataFrame) -> Sequence[str]:
    """Return what the classifiers of a table look at, in a fixed order."""
    held = set(frame.loc[frame["rule"].isin(CLASSIFIERS), "features"])
    return [name for name in FEATURES if name in held]


def offered(table: pd.DataFrame) -> dict[str, tuple[str, str]]:
    """Return the methods of a table by their full names, the adversary's classifier first."""
    rows = table.drop_duplicates(["features", "rule"]).sort_values("answer", ascending=False, kind="stable")
    found = {}
    for features, rule, answer in zip(rows["features"], rows["rule"], rows["answer"], strict=True):
        seen = f", {FEATURES[features].split(' (')[0].lower()}" if rule in CLASSIFIERS and features in FEATURES else ""
        found[f"{name(features, rule)}{seen}{' (Bob’s choice)' if answer else ''}"] = (features, rule)
    return found
