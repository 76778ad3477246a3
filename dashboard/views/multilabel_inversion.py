"""Inversion by classifier: ask, watch it learn, and see which words an embedding gives back."""

from dashboard.kit import attack_page
from dashboard.topics.defenses import inversion
from dashboard.topics.inversion import inverted, learning, outcome, paper

TITLE = "Inversion by classifier"
ICON = ":material/settings_backup_restore:"
ORDER = 24
ATTACK = "multilabel_inversion"

result, experiment = attack_page.opened(ATTACK, learning.live)
inverted.yours(result, experiment)
inverted.victim(result, experiment)
outcome.show(result)
inversion.show(experiment)
learning.show(result)
paper.show(experiment)
