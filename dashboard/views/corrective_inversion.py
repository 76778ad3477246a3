"""Inversion by text search: guess a text, embed it, and correct the guess."""

from functools import partial

from dashboard.kit import attack_page, tabs
from dashboard.topics.defenses import tried
from dashboard.topics.inversion import inverted, learning, outcome, paper, search

ICON = ":material/rule:"
ORDER = 25
QUESTION = "What does it say?"

result, experiment = attack_page.opened("corrective_inversion", learning.live)


def answer() -> None:
    """Draw what is read from a sentence of one's own, and how often the attack is right."""
    inverted.yours(result, experiment)
    outcome.show(result)


def how() -> None:
    """Draw what is read from one victim's embedding, and how."""
    inverted.victim(result, experiment)
    search.show(result)
    learning.show(result)


tabs.show(
    answer,
    how,
    partial(tried.show, experiment) if tried.exist(experiment) else None,
    partial(paper.show, experiment),
)
