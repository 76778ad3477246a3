"""The answer of attacks on language models: what the text alone reveals, then how often the attack is right."""

from core.result import Result
from dashboard.kit.membership import decisions, outcome
from dashboard.topics.language_models import p_values, statistics


def show(result: Result) -> None:
    """Draw what the text alone reveals, how often the attack is right, every statistic, the decisions, and p-values."""
    statistics.blind(result)
    outcome.show(result)
    outcome.by_size(result)
    decisions.show(result, curves_above=statistics.show(result))
    p_values.show(result)
