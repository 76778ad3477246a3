"""Topic words: the ten words nearest in meaning to the text behind an embedding."""

from functools import partial

from dashboard.kit import attack_page, tabs
from dashboard.topics.reassembly import reassembled

ICON = ":material/extension:"
ORDER = 23
QUESTION = "What does it say?"

result, experiment = attack_page.opened("semantic_reassembly")
tabs.show(partial(reassembled.overall, result, experiment), partial(reassembled.victim, result, experiment))
