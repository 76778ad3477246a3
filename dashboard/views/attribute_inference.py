"""Author inference from sentence embeddings."""

from dashboard.kit import attack_page, tabs
from dashboard.topics.authors import authors, authorship
from dashboard.topics.defenses import trade_off

ICON = ":material/person_search:"
ORDER = 22
QUESTION = "Who wrote it?"

result, experiment = attack_page.opened("attribute_inference", authorship.live)


def answer() -> None:
    """Draw how often the attack is right, then the same for other authors."""
    authorship.show(result)
    authorship.others(result, experiment)


def how() -> None:
    """Draw one author among the others, and who is taken for whom."""
    authors.show(result, experiment)
    authorship.confused(result)


tabs.show(answer, how, trade_off.tab(experiment))
