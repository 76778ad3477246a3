"""Candidate ranking: suspected texts compared with the vectors of a store."""

from functools import partial

from dashboard.kit import attack_page, tabs
from dashboard.topics.defenses import trade_off
from dashboard.topics.ranking import ranked

ICON = ":material/format_list_numbered:"
ORDER = 25
QUESTION = "What does it say?"

result, experiment = attack_page.opened("candidate_ranking")
tabs.show(partial(ranked.behind, result), partial(ranked.how, result), trade_off.tab(experiment))
