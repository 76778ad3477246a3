"""The sentences above a result's figures: blind baseline, then the answer."""

import re
from collections.abc import Mapping

from core.audits import worded
from core.experiment import Experiment
from core.games import Game
from core.games.membership import Membership, fit
from core.games.membership.score.blind_baseline import Reads
from core.games.stored_vectors import UNCHECKED
from core.report import answer, audited
from core.report.answer import Answer
from core.report.numbers import written
from core.report.sentences import lead_of, power
from core.result import Estimate, Result
from core.statistics import ties
from core.statistics.intervals import low_of_many
from core.statistics.wording import measured_in
from core.statistics.wording.naming import capitalised, measured_as, valued

_OF_TEXTS: Mapping[Reads, str] = {
    "lengths": "how long the targets’ texts are and how common their words",
    "words": "the words of the targets’ texts",
    "words of both halves": "the words of the targets’ texts, and those of other documents of both halves",
}
"""What the blind baseline reads, as the game names it."""
_UNTAUGHT = 0.9
"""Share of the perplexity of a blind guess from which on a model is said to have learnt next to nothing."""


def sentences(experiment: Experiment, result: Result) -> list[str]:
    """Return what a result says, a sentence or two each: whether anything can follow, the answer, what is promised."""
    lines = list(filter(None, [too_few(experiment.game)]))
    if isinstance(experiment.game, Membership):
        lines.append(blind_baseline(result.estimates.get("accuracy_model_free"), experiment.game.text_alone))
    if (read := answer.of(result)) is not None:
        sentence = f"{read.right}{read.gap}{read.detail}"
        claimed = worded.claim(experiment)
        lines.append(f"{claimed}: {sentence}" if claimed else capitalised(sentence))
        lines += beside(read, experiment.game, result)
    return [*lines, *promised(result.estimates)]


def beside(read: Answer, game: Game, result: Result) -> list[str]:
    """Return what is said right after an answer: other sizes, what limits it, and what it could have shown."""
    tied = ties.sentence(result.tables["scores"]) if isinstance(game, Membership) and "scores" in result.tables else ""
    ranks = ranked(read, result.estimates)
    limit = "" if tied or ranks or game.caveat() else could_have_seen(read, result)
    said = (read.other_sizes, tied, without_pairs(result), ranks, untaught(result.estimates), limit)
    return list(filter(None, said))


def could_have_seen(read: Answer, result: Result) -> str:
    """Say what leak an answer that shows none would have shown, or why none can be told; empty of other answers."""
    if audited.is_unchecked(result):
        return UNCHECKED
    lead = result.estimates.get("lead")
    judged, label = lead or read.estimate, audited.labelled(read.name, result)
    if judged.chance is None or judged.chance >= 1 or judged.above_chance() or audited.conclusive(result) is False:
        return ""
    return capitalised(power(lead_of(label) if lead else label, judged))


def without_pairs(result: Result) -> str:
    """Say that most targets have no telling pair; empty where most have one, and of attacks by other means."""
    pairs, scores = result.tables.get("pairs"), result.tables.get("scores")
    if pairs is None or scores is None or "target" not in pairs or "target" not in scores:
        return ""
    targets = set(scores["target"])
    lacking = len(targets - set(pairs["target"]))
    if 2 * lacking <= len(targets):
        return ""
    return (
        f"{lacking:,} of {len(targets):,} targets have no telling pair: whatever the model answers, the decision about "
        "them is the same. Targets of more documents have more pairs."
    )


def promised(estimates: Mapping[str, Estimate]) -> list[str]:
    """Say to whom private training promises its epsilon, and with which delta; nothing of other trainings."""
    epsilon = estimates.get("epsilon")
    if epsilon is None:
        return []
    return [f"The epsilon of {written(epsilon.value)} is {epsilon.help[0].lower()}{epsilon.help[1:]}"]


def untaught(estimates: Mapping[str, Estimate]) -> str:
    """Say that a language model predicts its own training documents hardly better than chance; empty of others."""
    perplexity = estimates.get("perplexity_train")
    if perplexity is None or perplexity.chance is None or perplexity.value < _UNTAUGHT * perplexity.chance:
        return ""
    return (
        "The model has learnt next to nothing: in its own training documents its perplexity is "
        f"{perplexity.value:,.0f} {perplexity.unit}, and that of a blind guess {perplexity.chance:,.0f}. It has little "
        "to give away; a model of use may have more."
    )


def ranked(read: Answer, estimates: Mapping[str, Estimate]) -> str:
    """Say that scores rank members above others where the decisions that an answer is about show nothing.

    Empty of other answers, and where the area under the ROC curve shows nothing either, by an interval that holds with
    those of all sizes of targets.
    """
    sizes = [name for name in estimates if re.fullmatch(r"accuracy_\d+", name)]
    name, chance = read.name.replace("accuracy", "auc", 1), read.estimate.chance
    if read.name not in sizes or name not in estimates or chance is None or read.estimate.low > chance:
        return ""
    area = estimates[name]
    if area.chance is None or low_of_many(area.value, area.low, len(sizes)) <= area.chance:
        return ""
    return (
        f"The scores behind these decisions tell members all the same: their AUC is {measured_as(name, area)}, where "
        f"{valued(name, area.chance)} is chance."
    )


def too_few(game: Game) -> str:
    """Say that a game has too few targets to conclude anything; empty of others."""
    if not isinstance(game, Membership):
        return ""
    targets = game.targets * len(game.target_sizes)
    return f"{fit.INCONCLUSIVE} This game has {targets}." if targets < fit.CONCLUSIVE_TARGETS else ""


def blind_baseline(estimate: Estimate | None, reads: Reads = "lengths") -> str:
    """Say how often a classifier is right that reads the texts but never queries the model, and what follows.

    Args:
        estimate: Its accuracy; None where it was not measured.
        reads: What it reads of the texts, as the game names it.
    """
    if estimate is None:
        return "Whether the blind baseline reveals members was not measured."
    text = (
        f"Blind baseline: a classifier that reads only {_OF_TEXTS[reads]}, given more membership labels "
        f"than any adversary has, is right in {measured_in(estimate, named=True)}; chance is 50%."
    )
    if estimate.low > 0.5:
        return f"{text} The split gives itself away, so what follows is not shown to come from the model."
    if estimate.high < 0.5:
        return (
            f"{text} That is below chance: reversed answers would identify members. "
            "So the split may give itself away, and what follows is not shown to come from the model."
        )
    return f"{text} It is not shown to be better than chance, so the split does not explain what follows."
