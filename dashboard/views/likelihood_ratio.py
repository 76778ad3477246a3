"""Likelihood ratio: membership in a language model, beside shadow models with and without each target."""

from functools import partial

from dashboard.kit import attack_page, tabs
from dashboard.topics.language_models import answer, defenses, method, paper

ICON = ":material/balance:"
ORDER = 14
QUESTION = "Was it in there?"

result, experiment = attack_page.opened("likelihood_ratio")

tabs.show(
    partial(answer.show, result, experiment),
    partial(method.show, result, method.RATIOS),
    defenses=defenses.tab(experiment, result),
    paper=partial(paper.show, experiment, result),
)
