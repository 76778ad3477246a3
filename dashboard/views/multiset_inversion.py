"""Inversion word by word: ask, watch the policy learn, and see which words an embedding gives back."""

import streamlit as st

from dashboard.kit import panels
from dashboard.kit.forms import form
from dashboard.topics.inversion import inverted, learning, outcome, paper

TITLE = "Read it back, word by word"
ICON = ":material/format_list_numbered:"
ORDER = 24
ATTACK = "multiset_inversion"

experiment = form.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment, learning.live)
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)
inverted.yours(result, experiment)
inverted.victim(result, experiment)
outcome.show(result)
learning.show(result)
paper.show(experiment)
