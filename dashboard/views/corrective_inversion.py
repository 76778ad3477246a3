"""Inversion by text search: ask, and see which text comes close to an embedding, and which words it has."""

import streamlit as st

from dashboard import forms, panels
from dashboard.sections import inversion_learning, inversion_outcome, inversion_paper, inversion_search, inverted

TITLE = "Inversion by text search (ours)"
ICON = ":material/rule:"
ORDER = 25
ATTACK = "corrective_inversion"

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
inversion_search.show(result)
inversion_learning.show(result)
inversion_paper.show(experiment)
