"""What a language model is asked for one decision, and how good it is at its own task, in words."""

from collections.abc import Mapping

from core.result import Estimate
from dashboard.kit.figures.wording import counted, measured
from dashboard.kit.words import number


def asked(estimates: Mapping[str, Estimate]) -> str:
    """Say how often the model is asked for a next word, and how much oftener baseline 1 asks."""
    if "queries" not in estimates:
        return "This result does not say."
    own = estimates["queries"].value
    text = f"For one decision the attack asks the model for {counted(round(own), 'next word')}, on average"
    if "queries_all_pairs" not in estimates:
        return f"{text}."
    every = estimates["queries_all_pairs"].value
    text += f"; whoever asks at every two adjacent words of the user, as baseline 1 does, asks for {round(every):,}"
    if own > 0:
        text += f", {number(every / own)} times as many"
    return f"{text}. Each time only the likeliest word comes back.{_whole(estimates)}"


def _whole(estimates: Mapping[str, Estimate]) -> str:
    """Say what the attack on the whole text asks, and what it gains by that."""
    if not {"queries_full_text", "accuracy_full_text", "accuracy"} <= estimates.keys():
        return ""
    whole, own = estimates["accuracy_full_text"], estimates["accuracy"]
    text = (
        f" The attack on the whole text asks for {round(estimates['queries_full_text'].value):,}, counting the "
        "adversary’s own documents, from which it knows what share of words is usually completed; it is right in "
        f"{measured(whole.value, whole.low, whole.high)}, the pairs in {measured(own.value, own.low, own.high)}"
    )
    if whole.low > own.high:
        return f"{text}: whoever may ask so much learns more."
    if own.low > whole.high:
        return f"{text}: the pairs tell more than all words do."
    return f"{text}: the intervals overlap."


def quality(estimates: Mapping[str, Estimate]) -> str:
    """Say what the model is worth as a keyboard, and whether it has learnt its training text by heart."""
    if "perplexity_test" not in estimates:
        return "This result does not say."
    test = estimates["perplexity_test"]
    text = (
        f"Perplexity says among how many words the model is undecided, as it were, before each next one: "
        f"{perplexity(test, named=True)} in documents it never saw"
    )
    if test.chance is not None:
        text += f", where one that has learnt nothing would waver among all the {number(test.chance)} it knows"
    if "perplexity_train" not in estimates:
        return f"{text}."
    train = estimates["perplexity_train"]
    text += f". In those it learnt from it is {perplexity(train)}"
    if train.high < test.low:
        return f"{text}: the gap is overfitting, what it has kept of its training text beyond the language."
    return f"{text}: no overfitting is shown."


def perplexity(estimate: Estimate, *, named: bool = False) -> str:
    """Return a perplexity with its interval.

    >>> perplexity(Estimate(value=292.8, low=287.9, high=298.6, chance=None, unit="words"))
    '293 (288–299)'
    """
    interval = "95% interval " if named else ""
    return f"{number(estimate.value)} ({interval}{number(estimate.low)}–{number(estimate.high)})"
