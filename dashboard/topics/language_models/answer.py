"""The answer of attacks on language models: what the text alone reveals, then how often the attack is right."""

from core.experiment import Experiment
from core.games.membership.broken_split import is_broken
from core.result import Result
from core.statistics.wording import percent
from dashboard.kit import chart, panels
from dashboard.kit.membership import decisions, outcome
from dashboard.topics.language_models import other_split, p_values, statistics
from dashboard.topics.language_models.figures import over_pairs, together


def show(result: Result, experiment: Experiment) -> None:
    """Draw what the text alone reveals, how often the attack is right, every statistic, the decisions, and p-values.

    Of a deliberately broken split, what the text alone reveals beside each adversary is all.
    """
    statistics.blind(result)
    outcome.show(result)
    other_split.show(result, experiment)
    if is_broken(result.experiment["game"]):
        return
    _by_pairs(result)
    outcome.by_size(result)
    _together(result)
    decisions.show(result, curves_above=statistics.show(result))
    p_values.show(result)


def _by_pairs(result: Result) -> None:
    """Draw what shadow pairs add to statistics that need none, where the attack ran with several numbers of them."""
    table = over_pairs.table(result.tables["curve"])
    if len(table):
        chart.show(over_pairs, table, "over-pairs")


def _together(result: Result) -> None:
    """Draw the ways to put the scores of a person's documents together, where there are several."""
    attack = result.experiment["attack"]
    table = together.table(result.tables["curve"], attack["part"])
    if len(table):
        chart.show(together, table, "together")
        panels.note(
            f"The highest scores are those of {percent(attack['top_share'])} of a target’s documents: where a model "
            "remembers only a few of them, a mean over all hides these."
        )
