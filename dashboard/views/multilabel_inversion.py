"""Inversion by classifier: one decision for each word."""

from functools import partial

from dashboard.kit import attack_page, sentence_box
from dashboard.topics.defenses import inversion
from dashboard.topics.inversion import inverted, learning, outcome, paper

ICON = ":material/settings_backup_restore:"
ORDER = 24

box = partial(sentence_box.show, "multilabel_inversion")
result, experiment = attack_page.opened("multilabel_inversion", learning.live, box)
box()
inverted.yours(result, experiment)
inverted.victim(result, experiment)
outcome.show(result)
inversion.show(experiment)
learning.show(result)
paper.show(experiment)
