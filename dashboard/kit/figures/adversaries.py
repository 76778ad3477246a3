"""What each variant and adversary of a game of inference is called and looks like, the same in every figure."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from dashboard.kit.figures import theme
from dashboard.kit.figures.tables import records
from dashboard.kit.words import spoken

CLASSIFIERS = {"svm": "Linear SVM", "mlp": "Perceptron", "dann": "DANN"}
"""What decides whether a text has a keyword, in words."""

MOST_APART = 6
"""More secrets than these are drawn by position or by their mean instead of one by one."""
MEAN = "all"
"""The secret that stands for the mean over all secrets."""

_LOOKS = dict(zip(CLASSIFIERS, theme.distinct(4)[1:], strict=True))
_NAIVE = theme.Mark(theme.AGAINST, "square", "dash")
PAPER = theme.Mark(theme.PAPER, "diamond", "dot")
"""How a value that a paper states looks."""


def name(variant: str, adversary: str, experiment: Mapping[str, Any]) -> str:
    """Return what a row of the game is called.

    >>> name("keyword_inference", "adaptive", {"attack": {"part": "keyword_inference", "classifier": "dann"}})
    'DANN (the attack)'
    >>> name("pattern_reconstruction", "naive", {"attack": {"part": "pattern_reconstruction"}, "defenses": [{}]})
    'Naive adversary'
    """
    attack, defended = experiment["attack"], bool(experiment.get("defenses"))
    if variant != attack["part"]:
        said = CLASSIFIERS.get(variant, spoken(variant))
        return f"{said}, {adversary}" if defended else said
    if defended:
        return f"{adversary.capitalize()} adversary"
    own = CLASSIFIERS.get(attack.get("classifier", ""))
    return f"{own} (the attack)" if own else "The attack"


def called(secret: str) -> str:
    """Return the name of a secret in words.

    >>> called("position_7"), called("whole"), called("all")
    ('Position 7', 'Whole date', 'Mean')
    """
    return {"whole": "Whole date", MEAN: "Mean"}.get(secret, spoken(secret))


def mark(variant: str, adversary: str, experiment: Mapping[str, Any]) -> theme.Mark:
    """Return how a row of the game looks: the attack in the accent, the naive adversary and each rival its own."""
    if variant == experiment["attack"]["part"]:
        return _NAIVE if adversary == "naive" else theme.distinct(1)[0]
    return _LOOKS.get(variant, theme.distinct(5)[4])


def knows(experiment: Mapping[str, Any]) -> str:
    """Return who the two adversaries are, where there are two; else an empty text."""
    if not experiment.get("defenses"):
        return ""
    return (
        "The naive adversary trains on plain embeddings; the adaptive one defends its own alike before it trains, and "
        "is the one that a defense has to withstand."
    )


def own(inferred: pd.DataFrame, experiment: Mapping[str, Any], adversary: str = "adaptive") -> pd.DataFrame:
    """Return the rows of the attack itself, without its rivals."""
    attack = str(experiment["attack"]["part"])
    return inferred[(inferred["variant"] == attack) & (inferred["adversary"] == adversary)]


def mean(inferred: pd.DataFrame, experiment: Mapping[str, Any], adversary: str = "adaptive") -> Any:
    """Return the attack's row of the mean over all secrets, or None without one."""
    rows = own(inferred, experiment, adversary)
    found = records(rows[rows["values"] == 0])
    return found[0] if found else None
