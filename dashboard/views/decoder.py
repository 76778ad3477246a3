"""Inversion by decoder: a network writes the text behind an embedding."""

from functools import partial

from dashboard.kit import attack_page, tabs
from dashboard.topics.inversion import decoded

ICON = ":material/edit_note:"
ORDER = 28
QUESTION = "What does it say?"

result, experiment = attack_page.opened("decoder", decoded.live)
tabs.show(partial(decoded.show, result, experiment), partial(decoded.trained, result))
