"""Inversion word by word, by a learned policy."""

from functools import partial

from dashboard.kit import attack_page, sentence_box
from dashboard.topics.inversion import inverted, learning, outcome, paper

ICON = ":material/format_list_numbered:"
ORDER = 24

box = partial(sentence_box.show, "multiset_inversion")
result, experiment = attack_page.opened("multiset_inversion", learning.live, box)
box()
inverted.yours(result, experiment)
inverted.victim(result, experiment)
outcome.show(result)
learning.show(result)
paper.show(experiment)
