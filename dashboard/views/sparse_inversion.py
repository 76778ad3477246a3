"""Inversion by sparse coding: ask, and see which words an embedding gives back to who may look into the encoder."""

from dashboard.kit import attack_page
from dashboard.topics.inversion import inverted, outcome, paper

TITLE = "Inversion by sparse coding"
ICON = ":material/lock_open:"
ORDER = 25
ATTACK = "sparse_inversion"

result, experiment = attack_page.opened(ATTACK)
inverted.yours(result, experiment)
inverted.victim(result, experiment)
outcome.show(result)
paper.show(experiment)
