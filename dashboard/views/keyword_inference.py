"""Keyword inference from sentence embeddings."""

from dashboard.kit import attack_page
from dashboard.topics.encoders import comparison
from dashboard.topics.keywords import ablations, absent_words, accuracy, settings, victims
from dashboard.topics.reassembly import own_sentence

ICON = ":material/key:"
ORDER = 21
QUESTION = "What does it say?"

result, experiment = attack_page.opened("keyword_inference", accuracy.live)
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
