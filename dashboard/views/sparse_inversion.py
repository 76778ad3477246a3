"""Inversion by sparse coding, which reads the word vectors of an open encoder."""

from dashboard.kit import attack_page
from dashboard.topics.inversion import inverted, outcome, paper

ICON = ":material/lock_open:"
ORDER = 25
QUESTION = "What does it say?"

result, experiment = attack_page.opened("sparse_inversion")
inverted.yours(result, experiment)
inverted.victim(result, experiment)
outcome.show(result)
paper.show(experiment)
