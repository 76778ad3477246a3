"""Inversion: the words of a text recovered from its embedding, by a method of choice."""

from functools import partial

from dashboard.kit import attack_page, sentence_box, tabs
from dashboard.topics.defenses import trade_off
from dashboard.topics.inversion import comparison, decoded, inverted, learning, outcome, paper, same_texts

TITLE = "Inversion"
ICON = ":material/settings_backup_restore:"
ORDER = 24
QUESTION = "What does it say?"
ATTACKS = (
    "multilabel_inversion",
    "multiset_inversion",
    "corrective_inversion",
    "generative_inversion",
    "sparse_inversion",
    "relaxed_inversion",
    "few_shot_inversion",
    "nearest_inversion",
    "decoder",
)

attack = same_texts.choose_method(ATTACKS)
live = decoded.live if attack == "decoder" else learning.live_of(attack)
result, experiment = attack_page.opened(attack, live, sentence_box.show)


def answer() -> None:
    """Ask for a sentence; draw what is read from it, how often the attack is right, and how other methods do."""
    sentence_box.show(experiment)
    inverted.yours(result, experiment)
    outcome.show(result)
    comparison.show(result, experiment)


def how() -> None:
    """Draw what is read from one victim's embedding, and how."""
    inverted.victim(result, experiment)
    learning.steps(result)
    learning.show(result)


def written() -> None:
    """Ask for a sentence; draw the texts that the decoder writes."""
    sentence_box.show(experiment)
    decoded.show(result, experiment)


if attack == "decoder":
    tabs.show(written, partial(decoded.trained, result))
else:
    tabs.show(answer, how, trade_off.tab(experiment), partial(paper.show, experiment))
