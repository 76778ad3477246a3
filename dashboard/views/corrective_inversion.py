"""Inversion by text search: guess a text, embed it, and correct the guess."""

from functools import partial

from dashboard.kit import attack_page, sentence_box
from dashboard.topics.inversion import inverted, learning, outcome, paper, search

ICON = ":material/rule:"
ORDER = 25

box = partial(sentence_box.show, "corrective_inversion")
result, experiment = attack_page.opened("corrective_inversion", learning.live, box)
box()
inverted.yours(result, experiment)
inverted.victim(result, experiment)
outcome.show(result)
search.show(result)
learning.show(result)
paper.show(experiment)
