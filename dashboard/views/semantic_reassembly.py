"""Topic words: the ten words nearest in meaning to the text behind an embedding."""

from functools import partial

from dashboard.kit import attack_page, tabs
from dashboard.topics.reassembly import reassembled

ICON = ":material/extension:"
ORDER = 23
QUESTION = "What does it say?"

result, experiment = attack_page.opened("semantic_reassembly")


def answer() -> None:
    """Show the words named for one text, and how often they are right over all."""
    reassembled.example(result, experiment)
    reassembled.overall(result, experiment)


tabs.show(answer, partial(reassembled.victim, result, experiment))
