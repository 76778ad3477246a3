"""Inversion by sparse coding, which reads the word vectors of an open encoder."""

from functools import partial

from dashboard.kit import attack_page, tabs
from dashboard.topics.defenses import tried
from dashboard.topics.inversion import inverted, outcome, paper

ICON = ":material/lock_open:"
ORDER = 25
QUESTION = "What does it say?"

result, experiment = attack_page.opened("sparse_inversion")


def answer() -> None:
    """Draw what is read from a sentence of one's own, and how often the attack is right."""
    inverted.yours(result, experiment)
    outcome.show(result)


def how() -> None:
    """Draw what is read from one victim's embedding."""
    inverted.victim(result, experiment)


tabs.show(
    answer,
    how,
    partial(tried.show, experiment) if tried.exist(experiment) else None,
    partial(paper.show, experiment),
)
