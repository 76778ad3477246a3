"""One sentence pair: overlap of two translations with the reference, and Bob's decisions."""

import math
from typing import Any

import pandas as pd

from core.statistics.wording import percent
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.kit.words import number

TITLE = "Overlap with the reference"
_OVERLAPS = {
    "precision_1": "single words",
    "precision_2": "2 words in a row",
    "precision_3": "3 words in a row",
    "precision_4": "4 words in a row",
    "bleu": "sentence BLEU",
}


@once
def names(examples: pd.DataFrame) -> dict[int, str]:
    """Return the names of the pairs of a subcorpus for a choice."""
    labels: dict[int, str] = {}
    for row in records(examples.drop_duplicates("example")):
        kind = "chosen because its translations differ" if row.telling else "chosen at random"
        labels[int(row.example)] = f"Pair {len(labels) + 1}, {kind}"
    return labels


def who(row: Any) -> str:
    """Return the name of a row's model."""
    return f"Alice {row.model + 1}, {'trained on it' if row.member else 'not trained on it'}"


def verdicts(row: Any) -> list[tuple[str, bool]]:
    """Return Bob's decisions by his classifier and by the likelihood ratio, and whether each is correct."""
    decisions = []
    for name, score in (("Bob’s classifier", row.answer), ("Likelihood ratio", row.ratio)):
        if math.isfinite(score):
            right = bool((score > 0) == row.member)
            decisions.append((f"{name}: {'in' if score > 0 else 'out'}, {'correct' if right else 'wrong'}", right))
    return decisions


def probabilities(row: Any) -> str:
    """Return the model's probabilities of its translation and of the reference, where the service gives them."""
    texts = [
        f"{name} {number(math.exp(score))}"
        for name, score in (("its translation", row.score), ("the reference", row.reference))
        if math.isfinite(score)
    ]
    return f"Mean probability per token (geometric): {', '.join(texts)}" if texts else ""


def overlaps(row: Any, other: Any) -> pd.DataFrame:
    """Return the overlaps of two translations with the reference, the first as ``inside``."""
    return pd.DataFrame(
        [
            {"rank": rank, "label": name, "inside": getattr(row, field), "outside": getattr(other, field)}
            for rank, (field, name) in enumerate(_OVERLAPS.items())
        ]
    )


def sentence(row: Any, other: Any) -> str:
    """Say which translation overlaps more with the reference, and what that means."""
    more = row.bleu - other.bleu
    text = f"Sentence BLEU is {percent(row.bleu)} for the first model and {percent(other.bleu)} for the second."
    if not row.member:
        return f"{text} Neither model was trained on this pair."
    if more > 0.02:
        return f"{text} The model trained on the pair repeats more of it."
    if more < -0.02:
        return f"{text} The model not trained on the pair repeats more of it: its overlap misleads Bob."
    return f"{text} Its overlap gives Bob no evidence."
