"""Inversion by classifier: one decision for each word."""

from functools import partial

from dashboard.kit import attack_page, tabs
from dashboard.topics.defenses import tried
from dashboard.topics.inversion import inverted, learning, outcome, paper

ICON = ":material/settings_backup_restore:"
ORDER = 24
QUESTION = "What does it say?"

result, experiment = attack_page.opened("multilabel_inversion", learning.live)


def answer() -> None:
    """Draw what is read from a sentence of one's own, and how often the attack is right."""
    inverted.yours(result, experiment)
    outcome.show(result)


def how() -> None:
    """Draw what is read from one victim's embedding, and how."""
    inverted.victim(result, experiment)
    learning.show(result)


tabs.show(
    answer,
    how,
    partial(tried.show, experiment) if tried.exist(experiment) else None,
    partial(paper.show, experiment),
)
