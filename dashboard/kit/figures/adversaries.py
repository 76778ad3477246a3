"""Name and look of each variant and adversary of an inference game, the same in every figure."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from core.statistics.wording.naming import adversary_name, spoken
from dashboard.kit.figures import theme
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once

MOST_APART = 6
"""More secrets than this are drawn by position or by their mean instead of one by one."""
MEAN = "all"
"""The secret that stands for the mean over all secrets."""

_LOOKS = dict(zip(("svm", "mlp", "dann"), theme.distinct(4)[1:], strict=True))
_NAIVE = theme.Mark(theme.AGAINST, "square", "dash")
PAPER = theme.Mark(theme.PAPER, "diamond", "dot")
"""Look of a value that a paper reports."""


def name(variant: str, adversary: str, experiment: Mapping[str, Any]) -> str:
    """Return the name of a row of the game.

    >>> name("keyword_inference", "adaptive", {"attack": {"part": "keyword_inference", "classifier": "dann"}})
    'DANN (the attack)'
    >>> name("pattern_reconstruction", "naive", {"attack": {"part": "pattern_reconstruction"}, "defenses": [{}]})
    'Naive adversary'
    """
    attack, defended = experiment["attack"], bool(experiment.get("defenses"))
    if variant != attack["part"]:
        title = classifier_name(variant)
        return f"{title}, {adversary}" if defended else title
    if defended:
        return f"{adversary.capitalize()} adversary"
    return f"{classifier_name(attack['classifier'])} (the attack)" if "classifier" in attack else "The attack"


def classifier_name(classifier: str) -> str:
    """Return the name of a classifier that predicts whether a text has a keyword."""
    return adversary_name(classifier, "inference")


def secret_name(secret: str) -> str:
    """Return the name of a secret in words.

    >>> secret_name("position_7"), secret_name("whole"), secret_name("all")
    ('Position 7', 'Whole date', 'Mean')
    """
    return {"whole": "Whole date", MEAN: "Mean"}.get(secret, spoken(secret))


def mark(variant: str, adversary: str, experiment: Mapping[str, Any]) -> theme.Mark:
    """Return the look of a row of the game: the attack in the accent, the naive adversary and each baseline its own."""
    if variant == experiment["attack"]["part"]:
        return _NAIVE if adversary == "naive" else theme.distinct(1)[0]
    return _LOOKS.get(variant, theme.distinct(5)[4])


@once
def looks(inferred: pd.DataFrame, experiment: Mapping[str, Any]) -> dict[str, theme.Mark]:
    """Return the look of each row of the game by its name."""
    keys = [(row.variant, row.adversary, experiment) for row in records(inferred)]
    return {name(*key): mark(*key) for key in keys}


def explanation(experiment: Mapping[str, Any]) -> str:
    """Explain the naive and the adaptive adversary; empty without a defense."""
    if not experiment.get("defenses"):
        return ""
    return (
        "The naive adversary trains on undefended embeddings. The adaptive adversary knows the defense, and applies it "
        "to its own texts, noise afresh as often as it likes. Where the released vectors are changed, it prepares in "
        "both ways and takes what does better on its own texts. A defense must withstand it."
    )


@once
def attack_rows(inferred: pd.DataFrame, experiment: Mapping[str, Any], adversary: str = "adaptive") -> pd.DataFrame:
    """Return the rows of the attack itself, without its baselines."""
    attack = str(experiment["attack"]["part"])
    return inferred[(inferred["variant"] == attack) & (inferred["adversary"] == adversary)]


@once
def mean(inferred: pd.DataFrame, experiment: Mapping[str, Any], adversary: str = "adaptive") -> Any:
    """Return the attack's row of the mean over all secrets, or None."""
    rows = attack_rows(inferred, experiment, adversary)
    return next(iter(records(rows[rows["values"] == 0])), None)
