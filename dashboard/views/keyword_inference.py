"""Keyword inference from sentence embeddings: ask, watch it run, and see which words a vector gives away."""

import streamlit as st

from dashboard.kit import panels
from dashboard.kit.forms import form
from dashboard.topics.encoders import comparison
from dashboard.topics.keywords import ablations, absent_words, accuracy, settings, victims
from dashboard.topics.reassembly import own_sentence

TITLE = "Keywords"
ICON = ":material/key:"
ORDER = 21
ATTACK = "keyword_inference"

experiment = form.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment, accuracy.live(experiment))
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)
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
