"""Pattern reconstruction: secrets in texts of a fixed format, such as dates of birth, from their embeddings."""

from dashboard.kit import attack_page, tabs
from dashboard.topics.defenses import trade_off
from dashboard.topics.encoders import comparison
from dashboard.topics.patterns import read_back, reconstruction

ICON = ":material/pin:"
ORDER = 20
QUESTION = "What does it say?"

result, experiment = attack_page.opened("pattern_reconstruction", reconstruction.live)


def answer() -> None:
    """Draw how often the attack is right, then the same for other encoders."""
    reconstruction.show(result, experiment)
    comparison.show(result, experiment)


def how() -> None:
    """Draw what is inferred of one victim, and the training of the classifiers."""
    read_back.show(result, experiment)
    reconstruction.curve(result)


tabs.show(answer, how, trade_off.tab(experiment))
