"""Sentences on the queries for one decision and on the perplexity of a language model."""

from collections.abc import Mapping

from core.result import Estimate
from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import counted
from dashboard.kit.figures.wording import UNDECIDED
from dashboard.kit.words import number

_PROMISED = 0.05
"""False-alarm rate at which the attack on the whole text sets its threshold."""


def queries(estimates: Mapping[str, Estimate]) -> str:
    """Read aloud the number of queries of the attack and of baseline 1."""
    if "queries" not in estimates:
        return "The result has no such estimate."
    attack_queries = estimates["queries"].value
    noun = "query" if attack_queries == 1 else "queries"
    text = f"For one decision the attack makes {number(attack_queries)} {noun} on average"
    if "queries_all_pairs" not in estimates:
        return f"{text}."
    baseline_queries = estimates["queries_all_pairs"].value
    text += f"; baseline 1, with a query at every two adjacent words of the user, makes {round(baseline_queries):,}"
    if attack_queries > 0:
        text += f", about {float(f'{baseline_queries / attack_queries:.2g}'):,.4g} times as many"
    return f"{text}. A query returns only the most likely next word.{_full_text(estimates)}"


def _full_text(estimates: Mapping[str, Estimate]) -> str:
    """Compare the attack on the whole text with that on pairs, in queries and accuracy."""
    if not {"queries_full_text", "accuracy_full_text", "accuracy"} <= estimates.keys():
        return ""
    full_text, by_pairs = estimates["accuracy_full_text"], estimates["accuracy"]
    text = (
        f" The attack on the whole text makes {round(estimates['queries_full_text'].value):,} queries, including those "
        "on the adversary’s documents, which set its threshold. Its accuracy is "
        f"{measured_in(full_text)}, that of the pairs {measured_in(by_pairs)}"
    )
    if full_text.low > by_pairs.high:
        text += ": more queries reveal more."
    elif by_pairs.low > full_text.high:
        text += ": the pairs reveal more than all words."
    else:
        text += f": {UNDECIDED}."
    return text + _alarms(full_text, estimates.get("recall_full_text"))


def _alarms(accuracy: Estimate, recall: Estimate | None) -> str:
    """Say how many non-members the attack on the whole text takes for members, and what its threshold is set for."""
    if recall is None or not accuracy.members or not accuracy.nonmembers:
        return ""
    hits, right = round(recall.value * accuracy.members), round(accuracy.value * accuracy.n)
    alarms = accuracy.nonmembers - (right - hits)
    realised = f"{alarms:,} of {counted(accuracy.nonmembers, 'non-member')} ({percent(alarms / accuracy.nonmembers)})"
    promised = f" Its threshold is set for {percent(_PROMISED)} false alarms, by the adversary’s own documents"
    return f"{promised}; it takes {realised} for members."


def quality(estimates: Mapping[str, Estimate]) -> str:
    """Read the perplexity on new and on training documents aloud, and say whether the model overfits."""
    if "perplexity_test" not in estimates:
        return "The result has no such estimate."
    test = estimates["perplexity_test"]
    if test.chance is not None and test.value > test.chance:
        is_worse = test.low > test.chance
        compared = "worse than" if is_worse else "not shown to differ from"
        text = (
            f"Perplexity is {perplexity(test, named=True)} in new documents: {compared} chance, the "
            f"{number(test.chance)} words of the vocabulary{', because the model is sure of wrong words' * is_worse}"
        )
    else:
        text = (
            "Perplexity is the effective number of candidates for the next word: "
            f"{perplexity(test, named=True)} in new documents"
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
