"""Inversion word by word: ask, watch the policy learn, and see which words an embedding gives back."""

from dashboard.kit import attack_page
from dashboard.topics.inversion import inverted, learning, outcome, paper

TITLE = "Inversion word by word"
ICON = ":material/format_list_numbered:"
ORDER = 24
ATTACK = "multiset_inversion"

result, experiment = attack_page.opened(ATTACK, learning.live)
inverted.yours(result, experiment)
inverted.victim(result, experiment)
outcome.show(result)
learning.show(result)
paper.show(experiment)
