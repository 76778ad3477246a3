"""Inversion by text search: guess a text, embed it, and correct the guess."""

from dashboard.kit import attack_page
from dashboard.topics.inversion import inverted, learning, outcome, paper, search

ICON = ":material/rule:"
ORDER = 25
QUESTION = "What does it say?"

result, experiment = attack_page.opened("corrective_inversion", learning.live)
inverted.yours(result, experiment)
inverted.victim(result, experiment)
outcome.show(result)
search.show(result)
learning.show(result)
paper.show(experiment)
