"""Inversion word by word, by a learned policy."""

from dashboard.kit import attack_page
from dashboard.topics.inversion import inverted, learning, outcome, paper

ICON = ":material/format_list_numbered:"
ORDER = 24
QUESTION = "What does it say?"

result, experiment = attack_page.opened("multiset_inversion", learning.live)
inverted.yours(result, experiment)
inverted.victim(result, experiment)
outcome.show(result)
learning.show(result)
paper.show(experiment)
