"""Inversion word by word: ask, watch the policy learn, and see which words an embedding gives back."""

import streamlit as st

from dashboard import forms, panels
from dashboard.sections import inversion_learning, inversion_outcome, inversion_paper, inverted

TITLE = "Inversion word by word"
ICON = ":material/format_list_numbered:"
ORDER = 24
ATTACK = "multiset_inversion"

experiment = forms.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment, inversion_learning.live)
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)
inverted.yours(result, experiment)
inverted.victim(result, experiment)
inversion_outcome.show(result)
inversion_learning.show(result)
inversion_paper.show(experiment)
