"""What a classifier is asked for one decision, and how good it is at its own task, in words."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from core.result import Estimate
from dashboard.kit.figures.wording import counted, measured, percent


def words_a_target(words: pd.DataFrame) -> float:
    """Return how many words are appended for a target on average, over those for which any was chosen."""
    return float(words.groupby("target").size().mean()) if len(words) else 0.0


def asked(estimates: Mapping[str, Estimate], attack: Mapping[str, Any], words: pd.DataFrame) -> str:
    """Say how many documents are sent to the classifier for one decision, and what they are."""
    if "queries" not in estimates:
        return ""
    sent = counted(round(estimates["queries"].value), "document")
    mean = words_a_target(words)
    if not mean:
        return f"For one decision {sent} are sent to the classifier, on average."
    return (
        f"For one decision {sent} are sent to the classifier, on average: {counted(attack['documents'], 'document')} "
        f"of the adversary’s own, each with one of about {counted(round(mean), 'word')} of the target appended 0 to "
        f"{counted(attack['repetitions'], 'time')}. Only the label of each comes back."
    )


def quality(estimates: Mapping[str, Estimate], positive: str) -> str:
    """Say whether the classifier is any good, without which its labels would say little."""
    if "classifier_test" not in estimates:
        return ""
    test = estimates["classifier_test"]
    text = (
        f"At its own task, telling “{positive}” from all else, the classifier gets "
        f"{measured(test.value, test.low, test.high, named=True)} of new documents right"
    )
    if "classifier_train" in estimates:
        text += f", and {percent(estimates['classifier_train'].value)} of those it learnt from"
    if test.chance is None:
        return f"{text}."
    text += f"; always naming the commoner class gets {percent(test.chance)}."
    if not test.above_chance():
        text += " Weighing both classes alike, it is not shown to beat that."
    return text
