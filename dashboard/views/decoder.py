"""Inversion by decoder: whether a network that writes down the text behind an embedding finds a word in it."""

from dashboard.kit import attack_page
from dashboard.topics.inversion import decoded

TITLE = "Inversion by decoder"
ICON = ":material/edit_note:"
ORDER = 28
ATTACK = "decoder"

result, experiment = attack_page.opened(ATTACK, decoded.live)
decoded.show(result, experiment)
