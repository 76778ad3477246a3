"""Inversion by relaxation: ask, and see which words a search through the encoder finds behind an embedding."""

from dashboard.kit import attack_page
from dashboard.topics.inversion import inverted, outcome, paper, settling

TITLE = "Inversion by relaxation"
ICON = ":material/travel_explore:"
ORDER = 26
ATTACK = "relaxed_inversion"

result, experiment = attack_page.opened(ATTACK)
inverted.yours(result, experiment)
inverted.victim(result, experiment)
outcome.show(result)
settling.show(result)
paper.show(experiment)
