"""Keyword inference: ask, watch it run, and see which words an embedding gives away."""

import streamlit as st

from dashboard import forms, panels
from dashboard.sections import (
    ablations,
    absent_words,
    encoder_comparison,
    keyword_accuracy,
    keyword_settings,
    keyword_victims,
    own_sentence,
)

TITLE = "Keyword inference"
ICON = ":material/key:"
ORDER = 21
ATTACK = "keyword_inference"

experiment = forms.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment, keyword_accuracy.live(experiment))
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)
if keyword_settings.asks_absent(experiment):
    absent_words.show(result)
else:
    keyword_accuracy.show(result, experiment)
own_sentence.show(experiment)
keyword_victims.show(result, experiment)
keyword_accuracy.curve(result)
absent_words.beside(result, experiment)
ablations.show(result, experiment)
encoder_comparison.show(result, experiment, keyword_settings.alike(experiment))
