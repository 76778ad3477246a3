"""Keyword inference from sentence embeddings."""

from functools import partial

from dashboard.kit import attack_page, sentence_box
from dashboard.topics.encoders import comparison
from dashboard.topics.keywords import ablations, absent_words, accuracy, settings, victims
from dashboard.topics.reassembly import own_sentence

ICON = ":material/key:"
ORDER = 21

box = partial(sentence_box.show, "keyword_inference")
result, experiment = attack_page.opened("keyword_inference", accuracy.live, box)
box()
if settings.asks_absent(experiment):
    absent_words.show(result)
else:
    accuracy.show(result, experiment)
own_sentence.show(experiment)
victims.show(result, experiment)
accuracy.curve(result)
absent_words.beside(result, experiment)
ablations.show(result, experiment)
comparison.show(result, experiment, settings.alike(experiment))
