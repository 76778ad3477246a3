"""What membership of sentence pairs comes to, in sentences with numbers, and what it does not show."""

from collections.abc import Mapping

import pandas as pd

from core.result import Estimate
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import decimal, lowered, measured, percent
from dashboard.topics.translation.figures import methods

_MUCH = 0.1
"""A difference of areas under the ROC curve."""
FIGURES = {
    "accuracy": "Right guesses",
    "auc": "AUC",
    "auc_likelihood_ratio": "AUC, likelihood ratio",
    "tpr_at_1pct_fpr_likelihood_ratio": "Found at 1 %, ratio",
    "group_accuracy": "Right about 30 pairs",
    "perplexity": "Perplexity, new pairs",
    "queries": "Queries a pair",
}
"""Headline figures with their labels."""


def answer(estimates: Mapping[str, Estimate], epochs: int) -> str:
    """Say in one sentence whether a translation tells, and how much."""
    own = estimates.get("accuracy")
    if own is None:
        return "This result holds no decision."
    trained = f"After {epochs} passes of training" if epochs != 1 else "After one pass of training"
    share = measured(own.value, own.low, own.high, named=True)
    if own.low > 0.5:
        much = "a little of" if own.value < 0.55 else "a part of" if own.value < 0.75 else "most of"
        return f"{trained}, one translation gives away {much} what was trained on: {share} right, guessing 50%."
    if own.high < 0.5:
        return f"{trained}, Bob’s classifier is misled: {share} right, guessing 50%."
    return f"{trained}, one translation tells nothing that can be told from guessing: {share} right, guessing 50%."


def beyond(estimates: Mapping[str, Estimate], found: pd.DataFrame) -> str:
    """Say what the field’s standard makes of one pair, and what thirty pairs together give away."""
    said = []
    known = found[found["auc"].notna()]
    if len(known):
        row = methods.standard(known)
        area = f"{decimal(row.auc)} (95% interval {decimal(row.auc_low)}–{decimal(row.auc_high)})"
        name = lowered(methods.name(row.features, row.rule))
        name = f"classifier, a {name}," if row.rule in methods.CLASSIFIERS else f"{name}, today’s standard,"
        said.append(
            f"By the {name} the AUC is {area}, guessing 0.50; it finds {percent(row.found)} of the members where 1% of "
            "the others are accused."
        )
    groups = [(name, own) for name, own in estimates.items() if name.startswith("group_accuracy")]
    if "group_accuracy" in dict(groups):
        one = dict(groups)["group_accuracy"]
        text = f"With 30 pairs that are all in or all out, Bob’s classifier is right in {_share(one)}"
        other = dict(groups).get("group_accuracy_likelihood_ratio")
        said.append(f"{text}, the likelihood ratio in {_share(other)}." if other else f"{text}.")
    return " ".join(said)


def few_alarms(found: pd.DataFrame) -> str:
    """Say which members the drawn methods find where one of a hundred others is accused."""
    table = methods.keyed(found)
    said = [
        f"{lowered(series.name)} {measured(row.found, row.found_low, row.found_high)}"
        for series in methods.drawn(table)
        for row in records(series.of(table))
    ]
    return f"Members found where at most 1% of others are accused, guessing 1%: {'; '.join(said)}." if said else ""


def conclusions(estimates: Mapping[str, Estimate], *, synthetic: bool, couples: int, scores: bool) -> list[str]:
    """Return what to take home, and what is not shown."""
    said = []
    own, ratio = estimates.get("accuracy"), estimates.get("auc_likelihood_ratio")
    if own is not None:
        if own.above_chance():
            said.append(
                "**A translator can give away what it was trained on** to somebody who only sees translations: "
                f"{_share(own)} of single guesses are right here. The paper found about 50%, with models that saw ten "
                "million pairs."
            )
        else:
            said.append(
                "**One translation does not tell**, as in the paper: guesses about single pairs are no better than a "
                "coin here. That is no proof of safety; it is this attack that fails."
            )
    if ratio is not None and own is not None:
        gained = ratio.value - estimates["auc"].value
        clear = "much more" if gained > _MUCH else "a little more"
        stronger = clear if ratio.low > estimates["auc"].high else "not shown to be more"
        said.append(
            f"**What the service returns decides.** With the probability of a given translation Bob has {stronger} to "
            f"go by: AUC {decimal(ratio.value)} beside {decimal(estimates['auc'].value)}. A service that returns text "
            "only keeps that to itself."
        )
    elif not scores:
        said.append("**This service returns translations only.** With probabilities Bob would have more to go by.")
    if (centred := estimates.get("auc_centred_reference")) is not None and centred.above_chance():
        found = percent(estimates["tpr_at_1pct_fpr_centred_reference"].value)
        said.append(
            f"**Knowing where a pair comes from helps.** Measured within each subcorpus, probabilities have an AUC of "
            f"{decimal(centred.value)} and find {found} of the members where 1% of the others are accused. That "
            "presumes that half of each subcorpus is in; foreign pairs are then called in as often."
        )
    if "group_accuracy" in estimates:
        said.append(_together(estimates))
    several = "one couple of translators" if couples == 1 else f"{couples} couples of translators"
    said.append(
        f"**Not shown:** how other translators would do. There {'is' if couples == 1 else 'are'} {several}; intervals "
        "draw sentences again, and few models stand behind them. They are small ones, trained on "
        "few pairs, which favours learning by heart; the paper’s had six layers and ten million pairs."
    )
    if synthetic:
        said.append(
            "**The sentences are made up** by a small grammar. What is learnt here carries over as a mechanism, not as "
            "a number."
        )
    return said


def _together(estimates: Mapping[str, Estimate]) -> str:
    """Return what thirty pairs together tell by translations, or failing that by probabilities."""
    own, ratio = estimates["group_accuracy"], estimates.get("group_accuracy_likelihood_ratio")
    if own.above_chance():
        more = "more than one" if own.value > estimates["accuracy"].value else "too"
        return (
            f"**Many pairs tell {more}.** {_share(own)} of guesses about 30 are right: whether a collection was used "
            "is another question than whether a sentence was."
        )
    if ratio is not None and ratio.above_chance():
        return (
            f"**Many pairs tell by probabilities.** {_share(ratio)} of guesses about 30 are right by the likelihood "
            f"ratio. By translations, {_share(own)}, they are not shown to be better than a coin."
        )
    return f"**Nor do 30 pairs together tell:** {_share(own)} of guesses about them are right, guessing 50%."


def _share(figure: Estimate) -> str:
    return measured(figure.value, figure.low, figure.high)
