"""Inversion by decoder: a network writes the text behind an embedding."""

from functools import partial

from dashboard.kit import attack_page, sentence_box
from dashboard.topics.inversion import decoded

ICON = ":material/edit_note:"
ORDER = 28

box = partial(sentence_box.show, "decoder")
result, experiment = attack_page.opened("decoder", decoded.live, box)
box()
decoded.show(result, experiment)
