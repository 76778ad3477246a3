"""Inversion by relaxation: gradient search through an open encoder."""

from functools import partial

from dashboard.kit import attack_page, sentence_box
from dashboard.topics.inversion import inverted, outcome, paper, settling

ICON = ":material/travel_explore:"
ORDER = 26

box = partial(sentence_box.show, "relaxed_inversion")
result, experiment = attack_page.opened("relaxed_inversion", absent=box)
box()
inverted.yours(result, experiment)
inverted.victim(result, experiment)
outcome.show(result)
settling.show(result)
paper.show(experiment)
