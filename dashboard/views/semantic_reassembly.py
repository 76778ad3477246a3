"""Topic words: which ten words tell best what the text behind an embedding is about."""

from dashboard.kit import attack_page
from dashboard.topics.reassembly import reassembled

TITLE = "Topic words"
ICON = ":material/extension:"
ORDER = 23
ATTACK = "semantic_reassembly"

result, experiment = attack_page.opened(ATTACK)
reassembled.show(result, experiment)
