"""Topic words: the ten words nearest in meaning to the text behind an embedding."""

from dashboard.kit import attack_page
from dashboard.topics.reassembly import reassembled

ICON = ":material/extension:"
ORDER = 23
QUESTION = "What does it say?"

result, experiment = attack_page.opened("semantic_reassembly")
reassembled.show(result, experiment)
