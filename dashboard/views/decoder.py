"""Inversion by decoder: a network writes the text behind an embedding."""

from dashboard.kit import attack_page
from dashboard.topics.inversion import decoded

ICON = ":material/edit_note:"
ORDER = 28
QUESTION = "What does it say?"

result, experiment = attack_page.opened("decoder", decoded.live)
decoded.show(result, experiment)
