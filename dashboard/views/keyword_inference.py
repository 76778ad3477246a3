"""Keyword inference: ask, watch it run, and see which words an embedding gives away."""

from dashboard.kit import attack_page
from dashboard.topics.encoders import comparison
from dashboard.topics.keywords import ablations, absent_words, accuracy, settings, victims
from dashboard.topics.reassembly import own_sentence

TITLE = "Keyword inference"
ICON = ":material/key:"
ORDER = 21
ATTACK = "keyword_inference"

result, experiment = attack_page.opened(ATTACK, accuracy.live)
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
