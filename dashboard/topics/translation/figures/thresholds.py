"""Rules of an adversary that knows the defense beside those of one that does not: whose thresholds decide better."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from core.statistics.wording import measured_in
from core.statistics.wording.naming import lowered
from dashboard.kit.figures.both_adversaries import ADAPTIVE, NAIVE
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once
from dashboard.topics.translation.figures import methods

_UNTRIED = (methods.RATIO, methods.CENTRED, methods.CALIBRATED, methods.QUANTILE)
_Pair = Mapping[str, Any]
"""The rows of one rule, by the adversary that decides by it."""


@once
def sentence(adaptive: pd.DataFrame, naive: pd.DataFrame) -> str:
    """Say by which rules one adversary is right more often than the other, and whether it also ranks pairs differently.

    Args:
        adaptive: Table ``methods`` of the adversary that knows the defense.
        naive: The same of the one that does not.
    """
    known = {(row.features, row.rule): row for row in records(adaptive)}
    pairs = [
        {ADAPTIVE: known[rule], NAIVE: row} for row in records(naive) if (rule := (row.features, row.rule)) in known
    ]
    if not pairs:
        return ""
    decided = {name: [pair for pair in pairs if _ahead(pair, "accuracy") == name] for name in (NAIVE, ADAPTIVE)}
    said = [f"By no rule of {len(pairs):,} is either adversary right more often beyond both intervals."]
    if any(decided.values()):
        alike = {name: [pair for pair in ahead if not _ahead(pair, "auc")] for name, ahead in decided.items()}
        unlike = {name: [pair for pair in ahead if _ahead(pair, "auc")] for name, ahead in decided.items()}
        said = [_by_thresholds(alike, len(pairs)), _by_ranking(unlike)]
    return " ".join(filter(None, (*said, _taken(pairs))))


def _taken(pairs: Sequence[_Pair]) -> str:
    """Say of how many rules that are tried the adaptive adversary takes those of the naive one: all figures are alike.

    What is calibrated is not tried, and quantile regression needs no shadow models.
    """
    tried = [pair for pair in pairs if (pair[NAIVE].features, pair[NAIVE].rule) not in _UNTRIED]
    measures = [f"{measure}{end}" for measure in ("accuracy", "auc") for end in ("", "_low", "_high")]
    taken = sum(all(getattr(pair[ADAPTIVE], name) == getattr(pair[NAIVE], name) for name in measures) for pair in tried)
    if not taken:
        return ""
    return (
        f"Of the {len(tried):,} rules that the adaptive adversary tries on its own pairs, it takes {taken:,} as the "
        "naive one has them, fitted without the defense."
    )


def _by_thresholds(alike: Mapping[str, Sequence[_Pair]], rules: int) -> str:
    """Say by which rules of like AUCs each adversary is right more often, and which is the clearest."""
    if not any(alike.values()):
        return ""
    first, second = sorted(alike, key=lambda name: -len(alike[name]))
    text = (
        f"At AUCs whose intervals overlap, the {first} adversary is right more often beyond both intervals by "
        f"{len(alike[first]):,} of {rules:,} rules: {_compared(alike[first], first, second)}"
    )
    other = f"{len(alike[second]):,}: {_compared(alike[second], second, first)}" if alike[second] else "none."
    text += f" Of these, the {second} one is right more often by {other}"
    return f"{text} So the thresholds are shown to differ, not the ranking."


def _by_ranking(unlike: Mapping[str, Sequence[_Pair]]) -> str:
    """Say by which rules of unlike AUCs each adversary is right more often."""
    clauses = [f"the {name} one is right more often by {_named(pairs)}" for name, pairs in unlike.items() if pairs]
    return f"Where AUCs differ beyond both intervals, too, {joined(clauses)}." if clauses else ""


def _compared(pairs: Sequence[_Pair], ahead: str, behind: str) -> str:
    """Name rules, and say how often both adversaries are right by the clearest."""
    clearest = max(pairs, key=lambda pair: pair[ahead].accuracy_low - pair[behind].accuracy_high)
    shares = f"{measured_in(clearest[ahead], 'accuracy')} against {measured_in(clearest[behind], 'accuracy')}."
    return f"{_named(pairs)}{f'. It is clearest by {_named([clearest])}' if len(pairs) > 1 else ''}: {shares}"


def _named(pairs: Sequence[_Pair]) -> str:
    """Name rules as a list, the classifiers by what they read."""
    scores: list[str] = []
    learnt: dict[str, list[str]] = {}
    for pair in pairs:
        features, rule = pair[NAIVE].features, pair[NAIVE].rule
        of_features = learnt.setdefault(features, []) if rule in methods.CLASSIFIERS else scores
        of_features.append(lowered(methods.name(features, rule)))
    read = [f"{joined(names)} on {methods.spoken_features(features)}" for features, names in learnt.items()]
    return "; ".join([*scores, *read])


def _ahead(pair: _Pair, measure: str) -> str:
    """Return the adversary whose whole interval lies above that of the other; empty where they overlap."""
    for name, other in ((ADAPTIVE, NAIVE), (NAIVE, ADAPTIVE)):
        if getattr(pair[name], f"{measure}_low") > getattr(pair[other], f"{measure}_high"):
            return name
    return ""
