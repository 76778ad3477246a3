"""Inversion by classifier: one decision for each word."""

from dashboard.kit import attack_page
from dashboard.topics.defenses import inversion
from dashboard.topics.inversion import inverted, learning, outcome, paper

ICON = ":material/settings_backup_restore:"
ORDER = 24
QUESTION = "What does it say?"

result, experiment = attack_page.opened("multilabel_inversion", learning.live)
inverted.yours(result, experiment)
inverted.victim(result, experiment)
outcome.show(result)
inversion.show(experiment)
learning.show(result)
paper.show(experiment)
