"""Summary and conclusions of translation membership, in sentences."""

from collections.abc import Mapping

import pandas as pd

from core.result import Estimate
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import area, counted, decimal, lowered, measured_in, percent
from dashboard.kit.shared import once
from dashboard.topics.translation.figures import methods

_MUCH = 0.1
"""A difference of areas under the ROC curve."""
_GROUP = 30
"""Pairs in a group of the headline estimates."""
FIGURES = {
    "accuracy": "Accuracy, one pair",
    "auc_likelihood_ratio": "AUC, likelihood ratio",
    "group_accuracy": "Accuracy, 30 pairs",
}
"""Headline estimates with their labels."""
MORE_FIGURES = {
    "auc": "AUC",
    "tpr_at_1pct_fpr_likelihood_ratio": "TPR at 1% FPR, ratio",
    "perplexity": "Perplexity, held-out",
    "queries": "Queries per pair",
}
"""Further estimates with their labels."""


def answer(estimates: Mapping[str, Estimate], epochs: int) -> str:
    """Say in one sentence whether one translation reveals membership, and how much."""
    accuracy = estimates.get("accuracy")
    if accuracy is None:
        return "This result has no decision."
    trained = f"After {counted(epochs, 'epoch')} of training"
    share = f"accuracy {measured_in(accuracy, named=True)}, chance 50%"
    if accuracy.low > 0.5:
        much = "a little" if accuracy.value < 0.55 else "in part" if accuracy.value < 0.75 else "mostly"
        return f"{trained}, one translation reveals membership {much}: {share}."
    if accuracy.high < 0.5:
        return f"{trained}, Bob’s classifier is misled: {share}."
    return f"{trained}, one translation is not shown to reveal membership: {share}."


@once
def beyond(estimates: Mapping[str, Estimate], by_method: pd.DataFrame) -> str:
    """Read the standard method on one pair aloud, then the accuracy on thirty pairs together."""
    sentences = []
    scored = by_method[by_method["auc"].notna()]
    if len(scored):
        row = methods.standard(scored)
        name = lowered(methods.name(row.features, row.rule))
        name = f"classifier, a {name}" if row.rule in methods.CLASSIFIERS else f"{name}, today’s standard"
        auc = area(row.auc, row.auc_low, row.auc_high, named=True)
        sentences.append(
            f"With the {name}, the AUC is {auc} (chance: 0.50); it finds {percent(row.found)} of the members at a "
            "false-positive rate of 1%."
        )
    if (classifier := estimates.get("group_accuracy")) is not None:
        text = f"For 30 pairs that are all in or all out, the accuracy of Bob’s classifier is {measured_in(classifier)}"
        other = estimates.get("group_accuracy_likelihood_ratio")
        sentences.append(f"{text}, that of the likelihood ratio {measured_in(other)}." if other else f"{text}.")
    return " ".join(sentences)


@once
def counted_in_groups(estimates: Mapping[str, Estimate], groups: pd.DataFrame) -> dict[str, Estimate]:
    """Return the estimates, those on groups of pairs with the numbers of groups, of which each is one decision."""
    largest = groups[groups["size"] == _GROUP].head(1)
    counts = {"members": int(largest["members"].sum()), "nonmembers": int(largest["others"].sum())}
    if largest.empty:
        return dict(estimates)
    return {
        name: estimate.model_copy(update=counts) if name.startswith("group_") else estimate
        for name, estimate in estimates.items()
    }


@once
def few_alarms(by_method: pd.DataFrame) -> str:
    """Read aloud the members that the drawn methods find at a false-positive rate of 1%."""
    table = methods.keyed(by_method)
    rates = [
        f"{lowered(series.name)} {measured_in(row, 'found')}"
        for series in methods.drawn(table)
        for row in records(series.of(table))
    ]
    return f"Members found at a false-positive rate of at most 1% (chance: 1%): {'; '.join(rates)}." if rates else ""


def conclusions(estimates: Mapping[str, Estimate], *, synthetic: bool, couples: int, scores: bool) -> list[str]:
    """Return the conclusions, and what is not shown."""
    lines = []
    accuracy, ratio = estimates.get("accuracy"), estimates.get("auc_likelihood_ratio")
    if accuracy is not None:
        if accuracy.above_chance():
            lines.append(
                "**Translations alone can reveal membership in the training data:** the accuracy on single pairs is "
                f"{measured_in(accuracy)} here. The paper found about 50%, with models trained on ten million pairs."
            )
        else:
            lines.append(
                "**One translation does not reveal membership**, as in the paper: on single pairs the attack is at "
                "chance here. That is no proof of safety; only this attack fails."
            )
    if ratio is not None and accuracy is not None:
        gained = ratio.value - estimates["auc"].value
        clear = "much stronger" if gained > _MUCH else "a little stronger"
        stronger = clear if ratio.low > estimates["auc"].high else "not shown to be stronger"
        lines.append(
            "**The output of the service matters.** With the probability of a given translation the attack is "
            f"{stronger}: AUC {decimal(ratio.value)} instead of {decimal(estimates['auc'].value)}. A service can avoid "
            "this by returning text only."
        )
    elif not scores:
        lines.append("**This service returns translations only.** Probabilities would give Bob more evidence.")
    if (centred := estimates.get("auc_centred_reference")) is not None and centred.above_chance():
        rate = percent(estimates["tpr_at_1pct_fpr_centred_reference"].value)
        lines.append(
            "**The subcorpus of a pair helps.** Calibrated within each subcorpus, probabilities have an AUC of "
            f"{decimal(centred.value)} and find {rate} of the members at a false-positive rate of 1%. This assumes "
            "that half of each subcorpus is in, so half of the foreign pairs are predicted in, too."
        )
    if "group_accuracy" in estimates:
        lines.append(_together(estimates))
    several = "one couple of translators" if couples == 1 else f"{couples} couples of translators"
    lines.append(
        f"**Not shown:** results of other translators. There {'is' if couples == 1 else 'are'} {several}; the "
        "intervals resample sentences, not models. The models are small and trained on few pairs, which favours "
        "memorisation; the paper’s models had six layers and ten million pairs."
    )
    if synthetic:
        lines.append(
            "**The sentences are synthetic**, made by a small grammar: the mechanism carries over to real text, the "
            "numbers do not."
        )
    return lines


def _together(estimates: Mapping[str, Estimate]) -> str:
    """Return the conclusion on thirty pairs together, from translations or else from probabilities."""
    classifier, ratio = estimates["group_accuracy"], estimates.get("group_accuracy_likelihood_ratio")
    if classifier.above_chance():
        more = "more than one pair" if classifier.value > estimates["accuracy"].value else "membership too"
        return (
            f"**Many pairs reveal {more}.** The accuracy on 30 pairs is {measured_in(classifier)}: membership of a "
            "collection and membership of a sentence are different questions."
        )
    if ratio is not None and ratio.above_chance():
        return (
            f"**Probabilities of many pairs reveal membership.** The accuracy on 30 pairs is {measured_in(ratio)} with "
            f"the likelihood ratio. With translations it is {measured_in(classifier)}, not shown to be better than "
            "chance."
        )
    beginning = "30 pairs together do not" if estimates["accuracy"].above_chance() else "Nor do 30 pairs together"
    return f"**{beginning} reveal membership:** the accuracy is {measured_in(classifier)}, chance 50%."
