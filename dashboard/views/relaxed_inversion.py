"""Inversion by relaxation: gradient search through an open encoder."""

from dashboard.kit import attack_page
from dashboard.topics.inversion import inverted, outcome, paper, settling

ICON = ":material/travel_explore:"
ORDER = 26
QUESTION = "What does it say?"

result, experiment = attack_page.opened("relaxed_inversion")
inverted.yours(result, experiment)
inverted.victim(result, experiment)
outcome.show(result)
settling.show(result)
paper.show(experiment)
