"""Keyword inference from sentence embeddings."""

from dashboard.kit import attack_page, sentence_box, tabs
from dashboard.topics.defenses import trade_off
from dashboard.topics.encoders import comparison
from dashboard.topics.keywords import ablations, absent_words, accuracy, settings, victims
from dashboard.topics.reassembly import own_sentence

ICON = ":material/key:"
ORDER = 21
QUESTION = "What does it say?"

result, experiment = attack_page.opened("keyword_inference", accuracy.live, sentence_box.show)


def answer() -> None:
    """Ask for a sentence, and show two victims; draw how often the attack is right, and the same for other encoders."""
    sentence_box.show(experiment)
    victims.examples(result, experiment)
    if settings.asks_absent(experiment):
        absent_words.show(result)
    else:
        accuracy.show(result, experiment)
    own_sentence.show(experiment)
    comparison.show(result, experiment, settings.alike(experiment))


def how() -> None:
    """Draw the decision boundary of one keyword, and the training of the classifiers."""
    victims.show(result, experiment)
    accuracy.curve(result)


def paper() -> None:
    """Draw the variations of the paper: words that no text has, what the DANN aligns with, one quantity at a time."""
    absent_words.beside(result, experiment)
    ablations.show(result, experiment)


tabs.show(
    answer,
    how,
    trade_off.tab(experiment),
    paper if absent_words.is_beside(experiment) or ablations.exist(result, experiment) else None,
)
