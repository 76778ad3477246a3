"""Window membership: ask, watch it run, and see which windows were in."""

import streamlit as st

from dashboard import forms, panels
from dashboard.sections import example_membership, windows

TITLE = "Window membership"
ICON = ":material/frame_inspect:"
ORDER = 11
ATTACK = "window_similarity"

experiment = forms.experiment_form(ATTACK)
if experiment is None:
    st.stop()

result = panels.run_or_result(experiment)
if result is None:
    st.stop()

panels.result_header(result, experiment)
panels.again(experiment)
example_membership.show(result)
left, right = st.columns(2, gap="large")
with left:
    example_membership.by_group(result)
with right:
    example_membership.roc(result)
st.header("Why", anchor=False)
example_membership.statistic(result)
windows.show(result, experiment)
