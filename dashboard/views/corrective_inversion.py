"""Inversion by text search: ask, and see which text comes close to an embedding, and which words it has."""

from dashboard.kit import attack_page
from dashboard.topics.inversion import inverted, learning, outcome, paper, search

TITLE = "Inversion by text search (ours)"
ICON = ":material/rule:"
ORDER = 25
ATTACK = "corrective_inversion"

result, experiment = attack_page.opened(ATTACK, learning.live)
inverted.yours(result, experiment)
inverted.victim(result, experiment)
outcome.show(result)
search.show(result)
learning.show(result)
paper.show(experiment)
