"""Summary and conclusions of translation membership, in sentences."""

from collections.abc import Mapping

import pandas as pd

from core.games.translation_membership import group_counts
from core.result import Estimate
from core.statistics.naming import counted
from core.statistics.wording import area, decimal, measured_in, percent
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import UNDECIDED, lowered
from dashboard.kit.shared import once
from dashboard.topics.translation.figures import groups as pair_groups
from dashboard.topics.translation.figures import methods

_MUCH = 0.1
"""A difference of areas under the ROC curve."""
_GROUP = group_counts.SIZE
_CHANCE = 0.5
_STRONGEST = "group_accuracy_of_strongest"
FIGURES = {
    "accuracy": "Bob’s classifier, one pair",
    "group_accuracy": "Bob’s classifier, 30 pairs",
    _STRONGEST: "Strongest attack, 30 pairs",
}
"""Headline estimates with their labels."""
MORE_FIGURES = {
    "auc": "AUC, Bob’s classifier",
    "auc_likelihood_ratio": "AUC, likelihood ratio",
    "tpr_at_1pct_fpr_likelihood_ratio": "TPR at 1% FPR, ratio",
    "perplexity": "Perplexity, held-out",
    "queries": "Queries per pair",
}
"""Further estimates with their labels."""


def answer(estimates: Mapping[str, Estimate], epochs: int) -> str:
    """Say in one sentence whether one translation reveals membership to Bob's classifier, and how much."""
    accuracy = estimates.get("accuracy")
    if accuracy is None:
        return "This result has no decision."
    trained = f"After {counted(epochs, 'epoch')} of training"
    share = f"it is right in {measured_in(accuracy, named=True)}, where chance is 50%"
    if accuracy.low > 0.5:
        much = "a little" if accuracy.value < 0.55 else "in part" if accuracy.value < 0.75 else "mostly"
        return f"{trained}, one translation reveals membership to Bob’s classifier {much}: {share}."
    if accuracy.high < 0.5:
        return f"{trained}, Bob’s classifier is misled: {share}."
    return f"{trained}, one translation is not shown to reveal membership to Bob’s classifier: {share}."


@once
def beyond(by_method: pd.DataFrame, groups: pd.DataFrame) -> str:
    """Read the standard method on one pair aloud, then Bob's classifier and the strongest attack on thirty pairs."""
    sentences = []
    scored = by_method[by_method["auc"].notna()]
    if len(scored):
        row = methods.standard(scored)
        name = lowered(methods.name(row.features, row.rule))
        name = f"classifier, a {name}" if row.rule in methods.CLASSIFIERS else f"{name}, today’s standard"
        auc = area(row.auc, row.auc_low, row.auc_high, named=True)
        sentences.append(
            f"With the {name}, the AUC is {auc}, where chance is 0.50; it finds {percent(row.found)} of the members at "
            "a false-positive rate of 1%."
        )
    if (best := pair_groups.strongest(groups, _GROUP)) is not None:
        sentences.append(f"For {_GROUP} pairs that are all in or all out, {_compared(best, groups)}.")
    return " ".join(sentences)


def _compared(best: pair_groups.Strongest, groups: pd.DataFrame) -> str:
    """Return how often the strongest attack is right about groups, then Bob's classifier where that is another."""
    name = f"“{best.name}”, the most accurate of {counted(best.of, 'attack')} drawn here,"
    text = f"{name} is right in {measured_in(best.row, 'accuracy')}"
    answers = groups[(groups["size"] == _GROUP) & groups["answer"] & (groups["decision"] == "mean")]
    for row in records(answers[answers["accuracy"] < best.row.accuracy]):
        text += f", and Bob’s classifier, by its mean score, in {measured_in(row, 'accuracy')}"
        text += pair_groups.unshown(row) if best.row.accuracy_low > _CHANCE else ""
    return text


@once
def with_groups(estimates: Mapping[str, Estimate], groups: pd.DataFrame) -> dict[str, Estimate]:
    """Return the estimates with that of the strongest attack on groups; a group of pairs counts as one decision."""
    best = pair_groups.strongest(groups, _GROUP)
    if best is None:
        return dict(estimates)
    drawn = Estimate(
        value=best.row.accuracy,
        low=best.row.accuracy_low,
        high=best.row.accuracy_high,
        chance=0.5,
        unit="share of decisions",
        help=f"{best.name}: the most accurate of {counted(best.of, 'attack')} on {_GROUP} pairs, chosen afterwards.",
    )
    return group_counts.counted({**estimates, _STRONGEST: drawn}, groups)


@once
def few_alarms(by_method: pd.DataFrame) -> str:
    """Read aloud the members that the drawn methods find at a false-positive rate of 1%."""
    table = methods.keyed(by_method)
    rates = [
        f"{lowered(series.name)} {measured_in(row, 'found')}"
        for series in methods.drawn(table)
        for row in records(series.of(table))
    ]
    return f"Members found at a false-positive rate of at most 1%: {'; '.join(rates)}. Chance is 1%." if rates else ""


@once
def conclusions(
    estimates: Mapping[str, Estimate], groups: pd.DataFrame, *, synthetic: bool, couples: int, scores: bool
) -> list[str]:
    """Return the conclusions, and what is not shown."""
    lines = []
    accuracy, ratio = estimates.get("accuracy"), estimates.get("auc_likelihood_ratio")
    if accuracy is not None:
        if accuracy.above_chance():
            lines.append(
                "**Translations alone can reveal membership in the training data:** on single pairs Bob’s classifier "
                f"is right in {measured_in(accuracy)} here. The paper found about 50%, with models trained on ten "
                "million pairs."
            )
        else:
            lines.append(
                "**One translation is not shown to reveal membership**, as in the paper: on single pairs Bob’s "
                f"classifier is right in {measured_in(accuracy)}, where chance is 50%. That is no proof of safety."
            )
    if ratio is not None and accuracy is not None:
        gained = ratio.value - estimates["auc"].value
        clear = "much stronger" if gained > _MUCH else "stronger"
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
    if (quantile := estimates.get("auc_quantile_reference")) is not None:
        lines.append(_without_shadows(quantile, ratio))
    if (best := pair_groups.strongest(groups, _GROUP)) is not None:
        lines.append(_together(best, groups))
    several = "one pair of translators" if couples == 1 else f"{couples} pairs of translators"
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


def _without_shadows(quantile: Estimate, ratio: Estimate | None) -> str:
    """Return the conclusion on quantile regression, beside the likelihood ratio by shadow models."""
    claim = "tells" if quantile.low > _CHANCE else "is not shown to tell"
    found = area(quantile.value, quantile.low, quantile.high)
    text = f"**Without shadow models** quantile regression {claim} members from others: AUC {found}"
    if ratio is None:
        return f"{text}."
    if quantile.high < ratio.low or quantile.low > ratio.high:
        order = "less than" if quantile.high < ratio.low else "more than"
        return f"{text}, {order} the likelihood ratio by shadow models ({decimal(ratio.value)}), beyond both intervals."
    return f"{text}, beside {decimal(ratio.value)} of the likelihood ratio by shadow models; {UNDECIDED}."


def _together(best: pair_groups.Strongest, groups: pd.DataFrame) -> str:
    """Return the conclusion on thirty pairs together, from the strongest of the attacks that are drawn."""
    if best.row.accuracy_low > _CHANCE:
        claim, why = (
            "reveal membership",
            "membership of a collection and membership of a sentence are different questions",
        )
        return f"**{_GROUP} pairs together {claim}:** {_compared(best, groups)}; {why}."
    claim = "are not shown to reveal membership"
    return f"**{_GROUP} pairs together {claim}:** {_compared(best, groups)}, where chance is 50%."
