"""Inversion by sparse coding, which reads the word vectors of an open encoder."""

from functools import partial

from dashboard.kit import attack_page, sentence_box
from dashboard.topics.inversion import inverted, outcome, paper

ICON = ":material/lock_open:"
ORDER = 25

box = partial(sentence_box.show, "sparse_inversion")
result, experiment = attack_page.opened("sparse_inversion", absent=box)
box()
inverted.yours(result, experiment)
inverted.victim(result, experiment)
outcome.show(result)
paper.show(experiment)
