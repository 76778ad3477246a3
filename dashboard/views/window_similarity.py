"""Window membership: which windows of words a word embedding was trained on."""

import streamlit as st

from dashboard.kit import attack_page
from dashboard.kit.examples import membership
from dashboard.topics.windows import windows

ICON = ":material/frame_inspect:"
ORDER = 11
QUESTION = "Was it in there?"

result, experiment = attack_page.opened("window_similarity")
membership.show(result)
left, right = st.columns(2, gap="large")
with left:
    membership.by_group(result)
with right:
    membership.roc(result)
st.header("Why it works", anchor=False)
membership.statistic(result)
windows.show(result, experiment)
