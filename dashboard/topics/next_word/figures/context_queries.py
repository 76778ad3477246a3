"""Sentences on the queries for one decision and on the perplexity of a language model."""

from collections.abc import Mapping

from core.result import Estimate
from dashboard.kit.figures.wording import counted, measured_in
from dashboard.kit.words import number


def queries(estimates: Mapping[str, Estimate]) -> str:
    """Read aloud the number of queries of the attack and of baseline 1."""
    if "queries" not in estimates:
        return "The result has no such estimate."
    attack_queries = estimates["queries"].value
    text = f"For one decision the attack makes {counted(round(attack_queries), 'query', 'queries')} on average"
    if "queries_all_pairs" not in estimates:
        return f"{text}."
    baseline_queries = estimates["queries_all_pairs"].value
    text += f"; baseline 1, with a query at every two adjacent words of the user, makes {round(baseline_queries):,}"
    if attack_queries > 0:
        text += f", {number(baseline_queries / attack_queries)} times as many"
    return f"{text}. A query returns only the most likely next word.{_whole(estimates)}"


def _whole(estimates: Mapping[str, Estimate]) -> str:
    """Compare the attack on the whole text with that on pairs, in queries and accuracy."""
    if not {"queries_full_text", "accuracy_full_text", "accuracy"} <= estimates.keys():
        return ""
    whole, by_pairs = estimates["accuracy_full_text"], estimates["accuracy"]
    text = (
        f" The attack on the whole text makes {round(estimates['queries_full_text'].value):,} queries, including those "
        "on the adversary’s documents for calibration. Its accuracy is "
        f"{measured_in(whole)}, that of the pairs {measured_in(by_pairs)}"
    )
    if whole.low > by_pairs.high:
        return f"{text}: more queries reveal more."
    if by_pairs.low > whole.high:
        return f"{text}: the pairs reveal more than all words."
    return f"{text}: the intervals overlap."


def quality(estimates: Mapping[str, Estimate]) -> str:
    """Read the perplexity on new and on training documents aloud, and say whether the model overfits."""
    if "perplexity_test" not in estimates:
        return "The result has no such estimate."
    test = estimates["perplexity_test"]
    text = (
        f"Perplexity is the effective number of candidates for the next word: {perplexity(test, named=True)} in new "
        "documents"
    )
    if test.chance is not None:
        text += f" (untrained: {number(test.chance)}, the whole vocabulary)"
    if "perplexity_train" not in estimates:
        return f"{text}."
    train = estimates["perplexity_train"]
    text += f". In training documents it is {perplexity(train)}"
    if train.high < test.low:
        return f"{text}: the gap is overfitting."
    return f"{text}: no overfitting is shown."


def perplexity(estimate: Estimate, *, named: bool = False) -> str:
    """Return a perplexity with its interval.

    >>> perplexity(Estimate(value=292.8, low=287.9, high=298.6, chance=None, unit="words"))
    '293 (288–299)'
    """
    interval = "95% interval " if named else ""
    return f"{number(estimate.value)} ({interval}{number(estimate.low)}–{number(estimate.high)})"
