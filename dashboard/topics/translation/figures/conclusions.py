"""Summary and conclusions of translation membership, in sentences."""

from collections.abc import Mapping, Sequence

import pandas as pd

from core.games.translation_membership import group_counts
from core.result import Estimate
from core.statistics.wording import area, decimal, measured_in, percent
from core.statistics.wording.naming import capitalised, counted, lowered
from core.statistics.wording.units import DECISIONS
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import UNDECIDED
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


@once
def answer(estimates: Mapping[str, Estimate], epochs: int, classifiers: pd.DataFrame) -> str:
    """Say in one sentence whether what Bob's classifier sees of a pair reveals membership to it, and how much."""
    accuracy = estimates.get("accuracy")
    if accuracy is None:
        return "This result has no decision."
    subject = f"After {counted(epochs, 'epoch')} of training, {methods.seen(classifiers)}"
    share = f"it is right in {measured_in(accuracy, named=True)}, where chance is 50%"
    if accuracy.low > 0.5:
        much = "a little" if accuracy.value < 0.55 else "in part" if accuracy.value < 0.75 else "mostly"
        return f"{subject} reveals membership to Bob’s classifier {much}: {share}."
    if accuracy.high < 0.5:
        return f"{subject} misleads Bob’s classifier: {share}."
    return f"{subject} is not shown to reveal membership to Bob’s classifier: {share}."


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
        sentences.append(_presumed(best, groups))
    return " ".join(filter(None, sentences))


def _compared(best: pair_groups.Strongest, groups: pd.DataFrame) -> str:
    """Return how often the strongest attack is right about groups, then Bob's classifier where that is another."""
    name = f"“{best.name}”, the most accurate of {counted(best.of, 'attack')} drawn here,"
    text = f"{name} is right in {measured_in(best.row, 'accuracy')}"
    answers = groups[(groups["size"] == _GROUP) & groups["answer"] & (groups["decision"] == "mean")]
    for row in records(answers[answers["accuracy"] < best.row.accuracy]):
        text += f", and Bob’s classifier, by its mean score, in {measured_in(row, 'accuracy')}"
        text += pair_groups.unshown(row) if best.row.accuracy_low > _CHANCE else ""
    return text


def _presumed(best: pair_groups.Strongest, groups: pd.DataFrame) -> str:
    """Return what the strongest attack on groups presumes, where it does, and how often the other is right."""
    if (best.row.features, best.row.rule) != methods.CENTRED:
        return ""
    at_size = groups[(groups["size"] == _GROUP) & (groups["decision"] == "mean")]
    without = [
        f"is right in {measured_in(row, 'accuracy')}{pair_groups.unshown(row)}"
        for row in records(methods.of(at_size, methods.CALIBRATED))
    ]
    return methods.presumption("".join(without))


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
        unit=DECISIONS,
        help=f"{best.name}: the most accurate of {counted(best.of, 'attack')} on {_GROUP} pairs, chosen afterwards. "
        f"{_presumed(best, groups)}".strip(),
    )
    return group_counts.counted({**estimates, _STRONGEST: drawn}, groups)


@once
def few_alarms(by_method: pd.DataFrame) -> str:
    """Read aloud the members that the drawn methods find at a false-positive rate of 1%, and what one presumes."""
    table = methods.keyed(by_method)
    rates = [
        f"{lowered(series.name)} {measured_in(row, 'found')}"
        for series in methods.drawn(table)
        for row in records(series.of(table))
    ]
    if not rates:
        return ""
    text = f"Members found at a false-positive rate of at most 1%: {'; '.join(rates)}. Chance is 1%."
    if methods.of(by_method, methods.CENTRED).empty:
        return text
    without = [f"finds {measured_in(row, 'found')}" for row in records(methods.of(by_method, methods.CALIBRATED))]
    return f"{text} {methods.without_subcorpora(''.join(without))}".strip()


@once
def conclusions(
    estimates: Mapping[str, Estimate],
    classifiers: pd.DataFrame,
    groups: pd.DataFrame,
    *,
    synthetic: bool,
    couples: int,
    scores: bool,
    spread: str = "",
) -> list[str]:
    """Return the conclusions, and what is not shown; ``spread`` is that of other seeds, as `over_seeds` says it."""
    lines = []
    accuracy, ratio = estimates.get("accuracy"), estimates.get("auc_likelihood_ratio")
    if accuracy is not None:
        lines += [_by_classifier(accuracy, methods.seen(classifiers)), _alone(classifiers)]
    if ratio is not None and (bobs := estimates.get("auc")) is not None:
        lines.append(_by_probability(ratio, bobs))
    elif not scores:
        lines.append("**This service returns translations only.** Probabilities would give Bob more to look at.")
    lines.append(_within_subcorpora(estimates))
    if (quantile := estimates.get("auc_quantile_reference")) is not None:
        lines.append(_without_shadows(quantile, ratio))
    if (best := pair_groups.strongest(groups, _GROUP)) is not None:
        lines.append(_together(best, groups))
    several = "one pair of translators" if couples == 1 else f"{couples} pairs of translators"
    lines.append(
        f"**No interval counts how other translators differ.** There {'is' if couples == 1 else 'are'} {several}; "
        "sentences are resampled, not models. The models are small and trained on few pairs, which favours "
        f"memorisation; the paper’s models had six layers and ten million pairs.{spread}"
    )
    if synthetic:
        lines.append(
            "**The sentences are synthetic**, made by a small grammar: the mechanism carries over to real text, the "
            "numbers do not."
        )
    return list(filter(None, lines))


def over_seeds(single: Sequence[Estimate], grouped: Sequence[Estimate]) -> str:
    """Say how far translators of other seeds lie apart, in single pairs and in groups; empty without them."""
    if not single or not grouped:
        return ""
    alone, together = (
        f"{percent(min(values))} to {percent(max(values))}"
        for values in ([estimate.value for estimate in estimates] for estimates in (single, grouped))
    )
    return (
        f" With the splits and trainings of {len(single)} seeds, Bob’s classifier is right in {alone} of single pairs "
        f"and {together} of groups of {_GROUP} pairs."
    )


def _by_classifier(accuracy: Estimate, seen: str) -> str:
    """Return the conclusion on single pairs from Bob's classifier, by what that has seen of a pair."""
    if accuracy.above_chance():
        return (
            f"**{capitalised(seen)} can reveal membership in the training data:** on single pairs Bob’s classifier is "
            f"right in {measured_in(accuracy)} here. The paper found about 50%, with models trained on ten million "
            "pairs."
        )
    return (
        f"**{capitalised(seen)} is not shown to reveal membership**, as in the paper: on single pairs Bob’s classifier "
        f"is right in {measured_in(accuracy)}, where chance is 50%. That is no proof of safety."
    )


def _alone(classifiers: pd.DataFrame) -> str:
    """Return the conclusion on translations alone; empty where Bob's classifier reads nothing else."""
    row = methods.alone(classifiers)
    if row is None or methods.reads_alone(classifiers):
        return ""
    claim = "can reveal" if row.accuracy_low > _CHANCE else "is not shown to reveal"
    chance = "" if row.accuracy_low > _CHANCE else ", where chance is 50%"
    return (
        f"**One translation alone {claim} membership:** of the classifiers that read nothing else, the best on Bob’s "
        f"validation probes, {lowered(methods.CLASSIFIERS[row.rule])}, is right in {measured_in(row, 'accuracy')}"
        f"{chance}."
    )


def _by_probability(ratio: Estimate, bobs: Estimate) -> str:
    """Return the conclusion on the probability of a given translation, beside Bob's classifier, by their AUC."""
    if ratio.low > max(bobs.high, _CHANCE):
        stronger = "much stronger" if ratio.value - bobs.value > _MUCH else "stronger"
        return (
            "**The output of the service matters.** With the probability of a given translation the attack is "
            f"{stronger}: AUC {decimal(ratio.value)} instead of {decimal(bobs.value)}. A service can avoid this by "
            "returning text only."
        )
    areas = f"AUC {_area(ratio)} by the likelihood ratio, {_area(bobs)} by Bob’s classifier"
    if ratio.high < bobs.low:
        return f"**The probability of a given translation tells less** than Bob’s classifier: {areas}."
    end = "chance is 0.50" if ratio.low > bobs.high else UNDECIDED
    return f"**The probability of a given translation is not shown to tell more:** {areas}; {end}."


def _within_subcorpora(estimates: Mapping[str, Estimate]) -> str:
    """Return the conclusion on knowing subcorpora and that half of each is in; empty where that is not compared."""
    centred, calibrated = (estimates.get(f"auc_{method[0]}") for method in (methods.CENTRED, methods.CALIBRATED))
    if centred is None or calibrated is None:
        return ""
    claim = "helps" if centred.low > max(calibrated.high, _CHANCE) else "is not shown to help"
    if centred.high < calibrated.low:
        claim = "does not help here"
    end = "" if centred.low > calibrated.high or centred.high < calibrated.low else f"; {UNDECIDED}"
    return (
        f"**Knowing the subcorpus of a pair, and that half of it is in, {claim}.** With the median of each subcorpus "
        f"as threshold, probabilities have an AUC of {_area(centred)}{_found(estimates, methods.CENTRED)}; half of the "
        "foreign pairs are then predicted in, too. Calibration by shadow models alone needs neither and has an AUC of "
        f"{_area(calibrated)}{_found(estimates, methods.CALIBRATED)}{end}."
    )


def _found(estimates: Mapping[str, Estimate], method: tuple[str, str]) -> str:
    """Return how many members a method finds at few false alarms, as the end of what it reaches."""
    rate = estimates.get(f"tpr_at_1pct_fpr_{method[0]}")
    return f", with {percent(rate.value)} of the members found at a false-positive rate of 1%" if rate else ""


def _area(estimate: Estimate) -> str:
    return area(estimate.value, estimate.low, estimate.high)


def _without_shadows(quantile: Estimate, ratio: Estimate | None) -> str:
    """Return the conclusion on quantile regression, beside the likelihood ratio by shadow models."""
    claim = "tells" if quantile.low > _CHANCE else "is not shown to tell"
    area = _area(quantile)
    text = f"**Without shadow models** quantile regression {claim} members from others: AUC {area}"
    if ratio is None:
        return f"{text}."
    if quantile.high < ratio.low or quantile.low > ratio.high:
        order = "less than" if quantile.high < ratio.low else "more than"
        return f"{text}, {order} the likelihood ratio by shadow models ({decimal(ratio.value)}), beyond both intervals."
    return f"{text}, beside {decimal(ratio.value)} of the likelihood ratio by shadow models; {UNDECIDED}."


def _together(best: pair_groups.Strongest, groups: pd.DataFrame) -> str:
    """Return the conclusion on thirty pairs together, from the strongest of the attacks that are drawn."""
    if best.row.accuracy_low > _CHANCE:
        why = "membership of a collection and membership of a sentence are different questions"
        but, reason = _of_one_pair(groups)
        text = f"**{_GROUP} pairs together reveal membership{but}:** {_compared(best, groups)}; {why}.{reason}"
        return f"{text} {_presumed(best, groups)}".strip()
    claim = "are not shown to reveal membership"
    text = f"**{_GROUP} pairs together {claim}:** {_compared(best, groups)}, where chance is 50%."
    return f"{text} {_presumed(best, groups)}".strip()


def _of_one_pair(groups: pd.DataFrame) -> tuple[str, str]:
    """Return that Bob's classifier is no better on thirty pairs than on one, and why; empty where it is better."""
    answers = groups[groups["answer"] & (groups["decision"] == "mean")]
    one, many = (list(records(answers[answers["size"] == size])) for size in (1, _GROUP))
    if not one or not many or many[0].accuracy > one[0].accuracy:
        return "", ""
    reason = pair_groups.misplaced("Bob’s classifier", one[0], many[0])
    return ", though Bob’s classifier does no better than on one", reason
