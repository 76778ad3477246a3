"""Inversion word by word, by a learned policy."""

from functools import partial

from dashboard.kit import attack_page, tabs
from dashboard.topics.defenses import tried
from dashboard.topics.inversion import inverted, learning, outcome, paper

ICON = ":material/format_list_numbered:"
ORDER = 24
QUESTION = "What does it say?"

result, experiment = attack_page.opened("multiset_inversion", learning.live)


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
