"""Likelihood ratio: membership in a language model, beside shadow models with and without each target."""

from functools import partial

from dashboard.kit import attack_page, tabs
from dashboard.kit.membership import decisions, outcome
from dashboard.topics.language_models import method, paper, statistics

ICON = ":material/balance:"
ORDER = 14
QUESTION = "Was it in there?"

result, experiment = attack_page.opened("likelihood_ratio")


def answer() -> None:
    """Draw what the text alone tells, how often the attack is right, every statistic, and the decisions."""
    statistics.blind(result)
    outcome.show(result)
    outcome.by_size(result)
    statistics.show(result)
    decisions.show(result)


tabs.show(answer, partial(method.show, result, method.RATIOS), paper=partial(paper.show, result))
