"""What is seen of one pair of sentences: how much of the reference two translations repeat, and what Bob says."""

import math
from typing import Any

import pandas as pd

from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import percent
from dashboard.kit.words import number

TITLE = "What both repeat of the reference"
_OVERLAPS = {
    "precision_1": "single words",
    "precision_2": "two words in a row",
    "precision_3": "three in a row",
    "precision_4": "four in a row",
    "bleu": "sentence BLEU",
}


def names(shown: pd.DataFrame) -> dict[int, str]:
    """Return what the pairs of a subcorpus are called where one is chosen."""
    found: dict[int, str] = {}
    for row in records(shown.drop_duplicates("example")):
        kind = "picked because its translations differ" if row.telling else "picked at random"
        found[int(row.example)] = f"Pair {len(found) + 1}, {kind}"
    return found


def who(row: Any) -> str:
    """Return which model a row is about."""
    return f"Alice {row.model + 1}, {'trained on it' if row.member else 'not trained on it'}"


def verdicts(row: Any) -> list[tuple[str, bool]]:
    """Return what Bob says by his classifier and by the likelihood ratio, and whether it is right."""
    said = []
    for name, score in (("Bob’s classifier", row.answer), ("Likelihood ratio", row.ratio)):
        if math.isfinite(score):
            right = bool((score > 0) == row.member)
            said.append((f"{name}: {'in' if score > 0 else 'out'}, {'right' if right else 'wrong'}", right))
    return said


def probabilities(row: Any) -> str:
    """Return how sure the model is of its translation and of the reference, where the service says so."""
    said = [
        f"{name} {number(math.exp(score))}"
        for name, score in (("its translation", row.score), ("the reference", row.reference))
        if math.isfinite(score)
    ]
    return f"Probability of a token, geometric mean: {', '.join(said)}" if said else ""


def overlaps(row: Any, other: Any) -> pd.DataFrame:
    """Return the overlaps of two translations with the reference, the first as ``inside``."""
    return pd.DataFrame(
        [
            {"rank": place, "label": name, "inside": getattr(row, field), "outside": getattr(other, field)}
            for place, (field, name) in enumerate(_OVERLAPS.items())
        ]
    )


def sentence(row: Any, other: Any) -> str:
    """Say which translation repeats more of the reference, and what that means."""
    more = row.bleu - other.bleu
    text = f"Sentence BLEU is {percent(row.bleu)} by the first and {percent(other.bleu)} by the second."
    if not row.member:
        return f"{text} Neither was trained on this pair."
    if more > 0.02:
        return f"{text} The one that was trained on the pair repeats more of it."
    if more < -0.02:
        return (
            f"{text} The one that was not trained on the pair repeats more of it: from this pair Bob would be misled."
        )
    return f"{text} From this pair Bob learns nothing."
