"""Names and looks of the methods of translation membership."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from core.statistics.wording import measured_in
from core.statistics.wording.naming import adversary_name
from dashboard.kit.examples.figures.rules import Key, Series
from dashboard.kit.figures import theme
from dashboard.kit.figures.rows import interval
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once

_GAME = "translation_membership"
ANSWER = "answer"
"""The classifier that the adversary chooses, which may differ between epochs."""
RATIO = ("calibrated_reference", "likelihood_ratio")
CENTRED = ("centred_reference", "one_threshold")
CALIBRATED = ("calibrated_reference", "one_threshold")
QUANTILE = ("quantile_reference", "quantile_regression")
CLASSIFIERS = {
    "perceptron": "Perceptron",
    "decision_tree": "Decision tree",
    "naive_bayes": "Naive Bayes",
    "nearest_neighbours": "Nearest neighbours",
    "mlp": "Multi-layer perceptron",
    "random_forest": "Random forest",
}
"""In the order of the paper's Table 2, which has no random forest."""
FEATURES = {
    "overlap": "Overlap with the reference (Table 2)",
    "overlap_and_score": "Overlap and the translation’s score (Table 3)",
    "several_queries": "Overlap, also with words left out",
}
"""Features of the classifiers."""
ALONE = "overlap"
"""Features that one translation alone gives."""
_SEEN = {
    ALONE: "one translation",
    "overlap_and_score": "one translation with its probability",
    "several_queries": "one sentence, translated whole and with single words left out,",
}
"""What a classifier by these features has seen of a pair."""
_THRESHOLD = "one_threshold"
_DRAWN = (
    (ANSWER, ANSWER),
    ("bleu", _THRESHOLD),
    ("reference", _THRESHOLD),
    RATIO,
    CENTRED,
    ("perturbed_mean", _THRESHOLD),
    QUANTILE,
)
_MARKS = dict(zip(_DRAWN, theme.distinct(len(_DRAWN)), strict=True))


@once
def keyed(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table in which the adversary's classifier has one name, with the columns that `Series` needs."""
    keys = {
        "statistic": frame["features"].where(~frame["answer"], ANSWER),
        "rule": frame["rule"].where(~frame["answer"], ANSWER),
    }
    return frame.assign(classifier=frame["rule"].where(frame["answer"], ""), **keys)


@once
def endings(table: pd.DataFrame) -> dict[Key, str]:
    """Return what the names of the estimates about each method of a `keyed` table end with."""
    present = dict.fromkeys(zip(table["statistic"], table["rule"], strict=True))
    features = {(statistic, rule): f"_{statistic}" for statistic, rule in present}
    return {**features, (ANSWER, ANSWER): "", RATIO: f"_{RATIO[1]}"}


@once
def drawn(table: pd.DataFrame) -> list[Series]:
    """Return the methods of a `keyed` table that figures show, the adversary's classifier first."""
    present = set(zip(table["statistic"], table["rule"], strict=True))
    return [Series(*key, name(*key), _MARKS[key]) for key in _DRAWN if key in present]


def name(features: str, rule: str) -> str:
    """Return the name of a method.

    >>> name("bleu", "one_threshold"), name("overlap", "mlp")
    ('BLEU alone', 'Multi-layer perceptron')
    """
    if (features, rule) == (ANSWER, ANSWER):
        return "Bob’s classifier"
    return CLASSIFIERS.get(rule) or adversary_name(rule if (features, rule) == RATIO else features, _GAME)


def accuracy(row: Any) -> dict[str, float]:
    """Return the accuracy of a row with its interval, for a table of points."""
    return interval(row, "accuracy", "accuracy_low", "accuracy_high")


@once
def standard(methods: pd.DataFrame) -> Any:
    """Return the row of the likelihood ratio where the service gives probabilities, else of the adversary's classifier.

    The choice does not depend on the results, which would favour the attack.
    """
    return max(records(methods), key=lambda row: ((row.features, row.rule) == RATIO, row.answer))


@once
def features(frame: pd.DataFrame) -> Sequence[str]:
    """Return the features of the classifiers in a table, in a fixed order."""
    present = set(frame.loc[frame["rule"].isin(CLASSIFIERS), "features"])
    return [name for name in FEATURES if name in present]


def spoken_features(features: str) -> str:
    """Return features of the classifiers as a sentence names them.

    >>> spoken_features("overlap"), spoken_features("several_queries")
    ('overlap with the reference', 'overlap, also with words left out')
    """
    return FEATURES[features].partition(" (")[0].lower()


@once
def seen(frame: pd.DataFrame) -> str:
    """Return what the adversary's classifier has seen of a pair, by its features in a table of methods or classifiers.

    Where no row is the adversary's own, that is what the service gives.
    """
    features = frame.loc[frame["answer"].astype(bool), "features"]
    return _SEEN[str(features.iloc[0])] if len(features) else "the service"


@once
def reads_alone(frame: pd.DataFrame) -> bool:
    """Tell whether the adversary's own classifier reads one translation alone."""
    return bool((frame["features"].eq(ALONE) & frame["answer"].astype(bool)).any())


@once
def alone(classifiers: pd.DataFrame) -> Any | None:
    """Return how right that classifier of translations alone is about target models which the adversary would choose.

    As the adversary chooses its own, it is the one with the best accuracy on the validation split; the target models
    have no part in the choice. None where no classifier reads translations alone.
    """
    of_translations = classifiers[(classifiers["features"] == ALONE) & classifiers["rule"].isin(CLASSIFIERS)]
    validated = records(of_translations[of_translations["on"] == "validation"])
    if not validated:
        return None
    rule = max(validated, key=lambda row: row.accuracy).rule
    on_targets = of_translations[(of_translations["rule"] == rule) & (of_translations["on"] == "target")]
    return next(iter(records(on_targets)), None)


@once
def of(frame: pd.DataFrame, method: tuple[str, str]) -> pd.DataFrame:
    """Return the rows of a method in any table that names features and rule."""
    return frame[(frame["features"] == method[0]) & (frame["rule"] == method[1])]


def presumption(without: str) -> str:
    """Say what calibration by subcorpus presumes, and what the adversary reaches that does not.

    Args:
        without: What calibration by shadow models alone reaches, as the end of a sentence; empty where it is not known.
    """
    text = (
        "Calibration by subcorpus sets its threshold at the median of the scores in question: Bob must know "
        "each pair’s subcorpus and that half of it is in."
    )
    return f"{text} Calibration by shadow models alone needs neither and {without}." if without else text


def without_subcorpora(reached: str) -> str:
    """Say what the adversary reaches that presumes nothing of subcorpora, where the page says what the other presumes.

    Args:
        reached: What calibration by shadow models alone reaches, as the end of a sentence; empty where it is not known.
    """
    return f"Calibration by shadow models alone, which knows no subcorpora, {reached}." if reached else ""


@once
def presumed(by_method: pd.DataFrame) -> str:
    """Say what calibration by subcorpus presumes, and how right the adversary is that does not, over all."""
    without = [f"is right in {measured_in(row, 'accuracy')} over all" for row in records(of(by_method, CALIBRATED))]
    return presumption("".join(without))


@once
def offered(table: pd.DataFrame) -> dict[str, tuple[str, str]]:
    """Return features and rule of each method in a table by its full name, the adversary's classifier first."""
    rows = table.drop_duplicates(["features", "rule"]).sort_values("answer", ascending=False, kind="stable")
    methods = {}
    for features, rule, answer in zip(rows["features"], rows["rule"], rows["answer"], strict=True):
        suffix = f", {spoken_features(features)}" if rule in CLASSIFIERS and features in FEATURES else ""
        methods[f"{name(features, rule)}{suffix}{' (Bob’s choice)' if answer else ''}"] = (features, rule)
    return methods
