"""Inversion: the words of a text recovered from its embedding, by a method of choice."""

from dashboard.kit import attack_page
from dashboard.topics.defenses import inversion
from dashboard.topics.inversion import (
    comparison,
    decoded,
    inverted,
    learning,
    method_choice,
    outcome,
    paper,
    search,
    settling,
)

TITLE = "Inversion"
ICON = ":material/settings_backup_restore:"
ORDER = 24
QUESTION = "What does it say?"
ATTACKS = (
    "multilabel_inversion",
    "multiset_inversion",
    "corrective_inversion",
    "sparse_inversion",
    "relaxed_inversion",
    "decoder",
)

attack = method_choice.choose(ATTACKS)
if attack == "decoder":
    result, experiment = attack_page.opened(attack, decoded.live)
    decoded.show(result, experiment)
else:
    result, experiment = attack_page.opened(attack, learning.live_of(attack))
    inverted.yours(result, experiment)
    inverted.victim(result, experiment)
    outcome.show(result)
    comparison.show(result, experiment)
    search.show(result)
    settling.show(result)
    inversion.show(experiment)
    learning.show(result)
    paper.show(experiment)
