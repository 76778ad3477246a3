"""Sentences on the queries for one decision and on the accuracy of a classifier."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from core.result import Estimate
from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import counted
from dashboard.kit.shared import once


@once
def words_a_target(words: pd.DataFrame) -> float:
    """Return the mean number of words appended for a target, over targets with any."""
    return float(words.groupby("target").size().mean()) if len(words) else 0.0


@once
def queries(estimates: Mapping[str, Estimate], attack: Mapping[str, Any], words: pd.DataFrame) -> str:
    """Read aloud the number of queries for one decision, and how they are made."""
    if "queries" not in estimates:
        return ""
    number = counted(round(estimates["queries"].value), "query", "queries")
    mean = words_a_target(words)
    if not mean:
        return f"One decision takes {number} on average."
    return (
        f"One decision takes {number} on average: {counted(attack['documents'], 'auxiliary document')}, each with one "
        f"of about {counted(round(mean), 'word')} of the target appended 0 to "
        f"{counted(attack['repetitions'], 'time')}. A query returns only the label."
    )


def quality(estimates: Mapping[str, Estimate], positive: str) -> str:
    """Read the accuracy of the classifier aloud, beside the majority class."""
    if "classifier_test" not in estimates:
        return ""
    test = estimates["classifier_test"]
    text = f"The accuracy of the classifier of “{positive}” is {measured_in(test, named=True)} on new documents"
    if "classifier_train" in estimates:
        text += f" and {percent(estimates['classifier_train'].value)} on its training documents"
    if test.chance is None:
        return f"{text}."
    text += f" (chance: {percent(test.chance)})."
    if not test.above_chance():
        text += " Trained with equal class weights, it is not shown to beat that."
    return text
